// E-mail to payers and payees: settings, the tenant's own texts, accounts that opted out, and what was sent.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type {
  EmailKindName,
  EmailOptOut as EngineOptOut,
  EmailRecord,
  ShownEmailSettings,
  StoredTemplate,
  TemplateSummary,
} from '../../engine.ts';
import { EMAIL_KIND_NAMES, EMAIL_LIMITS, EMAIL_OUTCOMES } from '../../engine.ts';
import { refuse, toTypeId } from '../../kernel/index.ts';
import { newestFirst, page } from '../cursor.ts';
import { route } from '../route.ts';
import { AccountName, Instant, closed, idOf, listOf, nullable, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { accountId, accountKey } from '../wire-format.ts';
import { ALICE, CREATED_AT } from './examples.ts';

const Kinds = Type.Array(oneOf(EMAIL_KIND_NAMES), {
  minItems: 1,
  maxItems: EMAIL_KIND_NAMES.length,
  description:
    '`payment_received` and `allowance_received` go to payees, the others to payers. `payment_upcoming` is about payments that are due in an hour or later. Default: all.',
});
const FromName = textOrNull({
  maxLength: 100,
  description: 'The name beside the address of the sender. Null: the name of the tenant.',
});
const ReplyTo = textOrNull({ maxLength: 255, description: 'The address that replies go to. Null: the sender.' });
const Locale = Type.String({
  maxLength: 35,
  description: 'BCP 47 tag for contacts without one.',
  examples: ['de-DE'],
});
const Zone = Type.String({
  maxLength: 64,
  description: 'IANA name of the time zone for contacts without one.',
  examples: ['Europe/Berlin'],
});
const TestEvents = Type.Boolean({ description: 'Whether events of a test tenant are sent too.' });
const Enabled = Type.Boolean({ description: 'Whether e-mail is sent. Off before the first change.' });

const Email = closed(
  {
    job_id: nullable(idOf('job'), { description: 'The job that sends; null before the first change.' }),
    enabled: Enabled,
    kinds: Kinds,
    from_name: FromName,
    reply_to: ReplyTo,
    locale: Locale,
    zone: Zone,
    send_test_events: TestEvents,
  },
  { title: 'EmailSettings' },
);

const show = (settings: ShownEmailSettings): Static<typeof Email> => ({
  job_id: settings.id === null ? null : toTypeId('job', settings.id),
  enabled: settings.enabled,
  kinds: [...settings.kinds],
  from_name: settings.fromName,
  reply_to: settings.replyTo,
  locale: settings.locale,
  zone: settings.zone,
  send_test_events: settings.sendTestEvents,
});

const EXAMPLE = {
  job_id: 'job_01k9ztm3v5x7z9b1d3f5h7k9n1',
  enabled: true,
  kinds: ['payment_received' as const, 'payment_failed' as const],
  from_name: 'Example Shop',
  reply_to: 'help@example.com',
  locale: 'en',
  zone: 'Europe/Berlin',
  send_test_events: false,
};

const Kind = oneOf(EMAIL_KIND_NAMES, { description: 'The kind whose texts are replaced.' });
const Language = Type.String({
  pattern: '^([a-z]{2,3})?$',
  description:
    'Language of the recipients’ locale, such as `de`. Empty: every language without its own texts. Default: empty.',
  examples: ['de'],
});
const TEXTS = {
  subject: Type.String({ minLength: 1, maxLength: EMAIL_LIMITS.subject, description: 'The subject, one line.' }),
  text: Type.String({ minLength: 1, maxLength: EMAIL_LIMITS.text, description: 'The plain text.' }),
  html: Type.String({
    minLength: 1,
    maxLength: EMAIL_LIMITS.html,
    description:
      'The inside of the HTML body. Placeholders are escaped; elements that run or load something are refused.',
  }),
};
const Summary = closed(
  {
    id: Type.String({ description: '`<kind>`, or `<kind>.<language>`.', examples: ['payment_received.de'] }),
    kind: Kind,
    language: Language,
    subject: TEXTS.subject,
    updated_at: Instant,
  },
  { title: 'EmailTemplateSummary' },
);
const templateId = ({ kind, language }: Pick<TemplateSummary, 'kind' | 'language'>): string =>
  language === '' ? kind : `${kind}.${language}`;
/** The id that a page of templates ends with, which need not exist any more. */
const MARK = /^[a-z_]{1,50}(\.[a-z]{2,3})?$/;
function keyOf(mark: string): { readonly kind: string; readonly language: string } {
  const [kind = '', language = ''] = mark.split('.');
  return { kind, language };
}
const showSummary = ({ kind, language, subject, updatedAt }: TemplateSummary): Static<typeof Summary> => ({
  id: templateId({ kind, language }),
  kind,
  language,
  subject,
  updated_at: updatedAt.toISOString(),
});
const Template = closed(
  {
    id: Type.String({ description: '`<kind>`, or `<kind>.<language>`.', examples: ['payment_received.de'] }),
    kind: Kind,
    language: Language,
    ...TEXTS,
    updated_at: Instant,
  },
  { title: 'EmailTemplate' },
);

const showTemplate = ({ kind, language, subject, text, html, updatedAt }: StoredTemplate): Static<typeof Template> => ({
  id: templateId({ kind, language }),
  kind,
  language,
  subject,
  text,
  html,
  updated_at: updatedAt.toISOString(),
});

const TEXTS_EXAMPLE = {
  kind: 'payment_received' as const,
  language: 'de',
  subject: '{{amount}} von {{payer}}',
  text: 'Hallo {{recipient}}, {{payer}} hat dir am {{date}} {{amount}} bezahlt.',
  html: '<p>Hallo {{recipient}}, {{payer}} hat dir am {{date}} <b>{{amount}}</b> bezahlt.</p>',
};
const SUMMARY_EXAMPLE = {
  id: 'payment_received.de',
  kind: TEXTS_EXAMPLE.kind,
  language: TEXTS_EXAMPLE.language,
  subject: TEXTS_EXAMPLE.subject,
  updated_at: CREATED_AT,
};
const TEMPLATE_EXAMPLE = { id: 'payment_received.de', ...TEXTS_EXAMPLE, updated_at: CREATED_AT };

function readTemplateId(id: string): readonly [EmailKindName, string] {
  const [kind = '', language = '', ...more] = id.split('.');
  const known = EMAIL_KIND_NAMES.find((name) => name === kind);
  return known === undefined || more.length > 0
    ? refuse('EMAIL_TEMPLATE_NOT_FOUND', { template: id })
    : [known, language];
}

const OptOut = closed({ account: idOf('account'), created_at: Instant }, { title: 'EmailOptOut' });
const showOptOut = (given: EngineOptOut): Static<typeof OptOut> => ({
  account: accountId(given.accountId),
  created_at: given.createdAt.toISOString(),
});
const OPT_OUT_EXAMPLE = { account: ALICE, created_at: CREATED_AT };

const Sent = closed(
  {
    event_id: idOf('event'),
    account: idOf('account'),
    kind: oneOf(EMAIL_KIND_NAMES),
    outcome: oneOf(EMAIL_OUTCOMES, {
      description:
        '`refused`: the mail server does not accept the recipient or the message. `limited`: the account or its address got a hundred e-mails in 24 hours, or the tenant sent as many as it may.',
    }),
    code: nullable(Type.Integer(), { description: 'The code with which the mail server refused it.' }),
    ended_at: Instant,
  },
  { title: 'SentEmail' },
);
const showSent = (record: EmailRecord): Static<typeof Sent> => ({
  event_id: toTypeId('event', record.eventId),
  account: accountId(record.accountId),
  kind: record.kind,
  outcome: record.outcome,
  code: record.code,
  ended_at: record.endedAt.toISOString(),
});

export const emailRoutes = {
  'email.get': route({
    method: 'GET',
    path: '/email',
    summary: 'Get the e-mail settings',
    scope: 'notifications:read',
    answer: Email,
    example: { answer: EXAMPLE },
    handle: async ({ tenant }) => show(await tenant.emailSettings()),
  }),

  'email.update': route({
    method: 'PATCH',
    path: '/email',
    summary: 'Update the e-mail settings',
    description:
      'E-mail goes to accounts whose contact has an address, through the mail server of the operator (`USANCE_SMTP_URL`). Each has a link to unsubscribe.',
    scope: 'notifications:write',
    body: closed(
      {
        enabled: Type.Optional(Enabled),
        kinds: Type.Optional(Kinds),
        from_name: Type.Optional(FromName),
        reply_to: Type.Optional(ReplyTo),
        locale: Type.Optional(Locale),
        zone: Type.Optional(Zone),
        send_test_events: Type.Optional(TestEvents),
      },
      { title: 'EmailUpdateParams' },
    ),
    answer: Email,
    example: { body: { enabled: true, kinds: ['payment_received', 'payment_failed'] }, answer: EXAMPLE },
    handle: async ({ tenant, body }) => {
      const { enabled, kinds, from_name, reply_to, locale, zone, send_test_events } = body;
      return show(
        await tenant.updateEmailSettings({
          ...(enabled === undefined ? {} : { enabled }),
          ...(kinds === undefined ? {} : { kinds }),
          ...(from_name === undefined ? {} : { fromName: from_name }),
          ...(reply_to === undefined ? {} : { replyTo: reply_to }),
          ...(locale === undefined ? {} : { locale }),
          ...(zone === undefined ? {} : { zone }),
          ...(send_test_events === undefined ? {} : { sendTestEvents: send_test_events }),
        }),
      );
    },
  }),

  'emailTemplates.set': route({
    method: 'POST',
    path: '/email-templates',
    summary: 'Replace the texts of a kind of e-mail',
    description:
      'Placeholders: `{{amount}}`, `{{date}}`, `{{payer}}`, `{{payee}}`, `{{recipient}}`, `{{payment_id}}`, `{{reason}}`, `{{sender}}`. The link to unsubscribe is added to both parts.',
    scope: 'notifications:write',
    body: closed({ kind: Kind, language: Type.Optional(Language), ...TEXTS }, { title: 'EmailTemplateSetParams' }),
    answer: Template,
    example: { body: TEXTS_EXAMPLE, answer: TEMPLATE_EXAMPLE },
    handle: async ({ tenant, body: { language, ...texts } }) =>
      showTemplate(await tenant.setEmailTemplate({ ...texts, ...(language === undefined ? {} : { language }) })),
  }),

  'emailTemplates.list': route({
    method: 'GET',
    path: '/email-templates',
    summary: 'List your own texts of e-mails',
    scope: 'notifications:read',
    description: 'By kind and language, without their texts.',
    query: pageQuery({}),
    answer: listOf(Summary, 'EmailTemplateList'),
    example: { answer: { data: [SUMMARY_EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) =>
      page(
        query,
        (limit, mark) => tenant.emailTemplates({ limit, ...(mark === undefined ? {} : { after: keyOf(mark) }) }),
        templateId,
        showSummary,
        (mark) => MARK.test(mark),
      ),
  }),

  'emailTemplates.get': route({
    method: 'GET',
    path: '/email-templates/{id}',
    summary: 'Get your own texts of a kind of e-mail',
    scope: 'notifications:read',
    params: closed({ id: Type.String({ maxLength: 100, examples: ['payment_received.de'] }) }),
    answer: Template,
    example: { params: { id: TEMPLATE_EXAMPLE.id }, answer: TEMPLATE_EXAMPLE },
    handle: async ({ tenant, params: { id } }) => showTemplate(await tenant.emailTemplate(...readTemplateId(id))),
  }),

  'emailTemplates.delete': route({
    method: 'DELETE',
    path: '/email-templates/{id}',
    summary: 'Give up your own texts of a kind of e-mail',
    description: 'E-mails of the kind have the texts of usance again.',
    scope: 'notifications:write',
    params: closed({
      id: Type.String({
        maxLength: 100,
        description: '`<kind>`, or `<kind>.<language>`: the `id` of the template.',
        examples: ['payment_received.de'],
      }),
    }),
    answer: Template,
    example: { params: { id: TEMPLATE_EXAMPLE.id }, answer: TEMPLATE_EXAMPLE },
    handle: async ({ tenant, params: { id } }) => showTemplate(await tenant.deleteEmailTemplate(...readTemplateId(id))),
  }),

  'emailOptOuts.create': route({
    method: 'POST',
    path: '/email-opt-outs',
    summary: 'Stop e-mail to an account',
    description: 'As the link to unsubscribe in each e-mail does.',
    scope: 'notifications:write',
    status: 201,
    body: closed({ account: AccountName }, { title: 'EmailOptOutCreateParams' }),
    answer: OptOut,
    example: { body: { account: 'alice' }, answer: OPT_OUT_EXAMPLE },
    handle: async ({ tenant, body }) => showOptOut(await tenant.createEmailOptOut(accountKey(body.account))),
  }),

  'emailOptOuts.list': route({
    method: 'GET',
    path: '/email-opt-outs',
    summary: 'List accounts that opted out of e-mail',
    scope: 'notifications:read',
    query: pageQuery({}),
    answer: listOf(OptOut, 'EmailOptOutList'),
    example: { answer: { data: [OPT_OUT_EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) =>
      newestFirst(
        query,
        async (range) => (await tenant.emailOptOuts(range)).map((one) => ({ ...one, id: one.accountId })),
        (one: EngineOptOut & { readonly id: string }) => showOptOut(one),
      ),
  }),

  'emailOptOuts.delete': route({
    method: 'DELETE',
    path: '/email-opt-outs/{id}',
    summary: 'Send e-mail to an account again',
    description: 'Only if its holder asked for it. The id is that of the account, or its ref.',
    scope: 'notifications:write',
    params: closed({ id: AccountName }),
    answer: OptOut,
    example: { params: { id: ALICE }, answer: OPT_OUT_EXAMPLE },
    handle: async ({ tenant, params }) => showOptOut(await tenant.deleteEmailOptOut(accountKey(params.id))),
  }),

  'emails.list': route({
    method: 'GET',
    path: '/emails',
    summary: 'List the e-mails to an account',
    description: 'By event, newest first, without addresses and texts. They are kept as long as executions.',
    scope: 'notifications:read',
    query: pageQuery({ account: AccountName }),
    answer: listOf(Sent, 'SentEmailList'),
    example: {
      query: { account: 'alice' },
      answer: {
        data: [
          {
            event_id: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6',
            account: ALICE,
            kind: 'payment_received' as const,
            outcome: 'sent' as const,
            code: null,
            ended_at: CREATED_AT,
          },
        ],
        next_cursor: null,
      },
    },
    handle: ({ tenant, query }) =>
      newestFirst(
        query,
        async (range) =>
          (await tenant.emails(accountKey(query.account), range)).map((one) => ({ ...one, id: one.eventId })),
        (one: EmailRecord & { readonly id: string }) => showSent(one),
      ),
  }),
};
