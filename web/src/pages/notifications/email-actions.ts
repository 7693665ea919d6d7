// What an admin can do with the e-mail of a tenant.
import type { EmailOptOut, EmailSettings, EmailTemplate } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';
import type { Field, Values } from '../../parts/fields.tsx';
import { inWords, sentenceCase } from '../../parts/format.ts';

type Kind = EmailSettings['kinds'][number];

export const KINDS: readonly Kind[] = [
  'payment_received',
  'payment_sent',
  'payment_upcoming',
  'payment_failed',
  'payment_cancelled',
  'payment_refunded',
  'allowance_received',
  'subscription_payment_failed',
];
export const kindWord = (kind: Kind): string => sentenceCase(inWords(kind));

const KIND = 'kind ';
const kindsOf = (values: Values): Kind[] => KINDS.filter((kind) => values[KIND + kind] === 'true');

const settingsFields = (settings: EmailSettings): readonly Field[] => [
  { name: 'enabled', label: 'Send e-mail', kind: 'check', initial: settings.enabled ? 'true' : '' },
  ...KINDS.map((kind) => ({
    name: KIND + kind,
    label: kindWord(kind),
    kind: 'check' as const,
    initial: settings.kinds.includes(kind) ? 'true' : '',
  })),
  {
    name: 'fromName',
    label: 'Name of the sender',
    kind: 'text',
    initial: settings.fromName ?? '',
    hint: 'Empty: the name of the tenant.',
  },
  {
    name: 'replyTo',
    label: 'Replies go to',
    kind: 'text',
    initial: settings.replyTo ?? '',
    hint: 'Empty: to the sender.',
  },
  {
    name: 'locale',
    label: 'Locale of contacts without one',
    kind: 'text',
    isRequired: true,
    initial: settings.locale,
    hint: 'Such as en or de-DE.',
  },
  {
    name: 'zone',
    label: 'Time zone of contacts without one',
    kind: 'text',
    isRequired: true,
    initial: settings.zone,
    hint: 'Such as Europe/Berlin.',
  },
  {
    name: 'sendTestEvents',
    label: 'Send events of a test tenant too',
    kind: 'check',
    initial: settings.sendTestEvents ? 'true' : '',
  },
];

export const updateSettings: Action<EmailSettings> = {
  name: 'email.update',
  label: 'Change the settings',
  scope: 'notifications:write',
  reason: 'optional',
  lead: () => 'E-mail goes to accounts whose contact has an address. Each has a link to unsubscribe.',
  fields: settingsFields,
  trouble: (_, values) => (kindsOf(values).length === 0 ? 'Choose at least one kind of e-mail.' : null),
  isChange: (settings, values) =>
    settingsFields(settings).some(({ name, initial = '' }) => (values[name] ?? '') !== initial),
  confirm: () => 'Save',
  run: (_, values, options) => {
    const { fromName = '', replyTo = '', locale = '', zone = '' } = values;
    return api.email.update(
      {
        enabled: values['enabled'] === 'true',
        kinds: kindsOf(values),
        fromName: fromName.trim() === '' ? null : fromName.trim(),
        replyTo: replyTo.trim() === '' ? null : replyTo.trim(),
        locale: locale.trim(),
        zone: zone.trim(),
        sendTestEvents: values['sendTestEvents'] === 'true',
      },
      options,
    );
  },
  done: () => 'Changed the settings.',
};

export const setTemplate: Action<EmailTemplate | null> = {
  name: 'emailTemplates.set',
  label: 'Write your own texts',
  tone: 'primary',
  scope: 'notifications:write',
  reason: 'optional',
  lead: () =>
    'Placeholders: {{amount}}, {{date}}, {{payer}}, {{payee}}, {{recipient}}, {{payment_id}}, {{reason}}, {{sender}}. The link to unsubscribe is added to both parts.',
  fields: (template) => [
    ...(template === null
      ? [
          {
            name: 'kind',
            label: 'Kind',
            kind: 'select',
            isRequired: true,
            initial: 'payment_received',
            options: KINDS.map((kind) => [kind, kindWord(kind)] as const),
          } as const,
          {
            name: 'language',
            label: 'Language',
            kind: 'text',
            hint: 'Such as de. Empty: every other language.',
          } as const,
        ]
      : []),
    { name: 'subject', label: 'Subject', kind: 'text', isRequired: true, initial: template?.subject ?? '' },
    { name: 'text', label: 'Plain text', kind: 'long', isRequired: true, initial: template?.text ?? '' },
    { name: 'html', label: 'HTML', kind: 'long', isRequired: true, initial: template?.html ?? '' },
  ],
  isChange: (template, { subject, text, html }) =>
    template === null || subject !== template.subject || text !== template.text || html !== template.html,
  confirm: () => 'Save',
  run: (template, { kind, language = '', subject = '', text = '', html = '' }, options) =>
    api.emailTemplates.set(
      {
        kind: template?.kind ?? (kind as Kind),
        language: template?.language ?? language.trim(),
        subject,
        text,
        html,
      },
      options,
    ),
  done: () => 'Saved the texts.',
};

export const deleteTemplate: Action<EmailTemplate> = {
  name: 'emailTemplates.delete',
  label: 'Give up',
  tone: 'danger',
  scope: 'notifications:write',
  reason: 'optional',
  lead: ({ kind, language }) =>
    `E-mails of the kind "${kindWord(kind)}"${language === '' ? '' : ` in the language ${language}`} have the texts of usance again.`,
  run: ({ id }, _values, options) => api.emailTemplates.delete(id, options),
  done: () => 'The texts of usance are used again.',
};

export const optOut: Action<null> = {
  name: 'emailOptOuts.create',
  label: 'Stop e-mail to an account',
  scope: 'notifications:write',
  reason: 'optional',
  lead: () => 'As the link to unsubscribe in each e-mail does.',
  fields: () => [{ name: 'account', label: 'Account', kind: 'text', placeholder: 'alice', isRequired: true }],
  run: (_, { account = '' }, options) => api.emailOptOuts.create({ account: account.trim() }, options),
  done: (_, answer) => `No more e-mail goes to ${(answer as EmailOptOut).accountRef ?? 'the account'}.`,
};

export const optIn: Action<EmailOptOut> = {
  name: 'emailOptOuts.delete',
  label: 'Send again',
  scope: 'notifications:write',
  reason: 'optional',
  lead: ({ accountRef, account }) =>
    `${accountRef ?? account} gets e-mail again. Only do this if the holder of the account asked for it.`,
  run: ({ account }, _values, options) => api.emailOptOuts.delete(account, options),
  done: ({ accountRef }) => `E-mail goes to ${accountRef ?? 'the account'} again.`,
};
