// docs/reference/library.md and client.md: the declarations that are written by hand, with an index of the resources, whose pages
// are in resource-pages.ts. A test checks that every export of `usance` and `usance/client` is on a page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '../src/kernel/index.ts';
import type { Member } from './declarations.ts';
import { declarationIn } from './declarations.ts';
import { eventsReference } from './events-reference.ts';
import { COMMON, code, otherTypes, resourceIndex, resourcePages, table, typeSection } from './resource-pages.ts';

/** Every page by its path below docs/reference. */
export async function libraryReference(): Promise<Map<string, string>> {
  return new Map([
    ['library.md', libraryPage()],
    ['client.md', clientPage()],
    ['events.md', eventsReference()],
    ...(await resourcePages()),
  ]);
}

/** A name, the file that declares it, and the members that a caller can set if not all of them. */
type Names = readonly (readonly [name: string, file: string, only?: readonly string[]])[];

const SETTINGS = 'src/library/usance-options.ts';
const OPTIONS: Names = [
  ['UsanceOptions', SETTINGS],
  ['PaymentBounds', SETTINGS],
  ['BatchOptions', SETTINGS],
  ['ClockOptions', SETTINGS],
  ['EncryptionKeys', SETTINGS],
  ['OutboundSettings', 'src/outbound/outbound.ts'],
  ['NotificationSettings', 'src/notifications/settings.ts'],
  ['SmtpSettings', 'src/outbound/mailer.ts'],
  ['AllowanceOptions', 'src/schedules/allowances/allowance.ts'],
  ['SubscriptionCrons', 'src/schedules/pace.ts'],
  ['AnchorOptions', SETTINGS],
  ['RetentionOptions', SETTINGS],
  ['JobLimits', SETTINGS],
  ['WebhookLimits', SETTINGS],
  ['ChainSettings', SETTINGS],
  ['ObservedPrice', SETTINGS],
  ['LoopObserver', 'src/kernel/loop.ts'],
  ['Counts', 'src/kernel/loop.ts'],
  ['SharedSecret', 'src/access/authenticate.ts'],
];

const LIBRARY = 'src/library/usance.ts';
const CALL_OPTIONS = 'src/library/options.ts';
const TENANT: Names = [
  ['Tenants', 'src/library/tenants.ts'],
  ['TenantParams', 'src/library/tenants.ts'],
  ['TenantHandle', LIBRARY],
  ['TenantResources', LIBRARY],
  ['CommonOptions', CALL_OPTIONS],
  ['KeyOptions', CALL_OPTIONS],
  ['RequiredKey', CALL_OPTIONS],
  ['DryRunOptions', CALL_OPTIONS],
  ['RunOptions', CALL_OPTIONS],
  ['DryRunOnly', CALL_OPTIONS],
  ['EnsureAsset', 'src/library/ensure.ts'],
  ['EnsureAccount', 'src/library/ensure.ts'],
  ['EnsureJob', 'src/library/ensure.ts'],
  ['JobProcessorDefinition', 'src/library/processor.ts'],
  ['JobProcessor', 'src/library/processor.ts'],
  ['JobContext', 'src/library/processor.ts'],
  ['FollowEvents', 'src/client/follow.ts'],
  ['SubscribeEvents', 'src/library/subscribe.ts'],
  ['SubscribeOptions', 'src/library/subscribe.ts'],
  ['Subscription', 'src/library/subscribe.ts'],
  ['WaitForClock', 'src/library/wait.ts'],
  ['WaitOptions', 'src/library/wait.ts'],
  ['ForeignTransaction', 'src/db/turns.ts'],
  ['PgLike', 'src/db/pool.ts'],
  ['PgResult', 'src/db/pool.ts'],
  ['PostgresJsLike', 'src/db/turns-postgres-js.ts'],
  ['CallerParams', LIBRARY],
];

const FILES = 'src/library/imports.ts';
const REPORTS = 'src/library/reports.ts';
const IMPORTS: Names = [
  ['ImportBalances', FILES],
  ['BalanceImportParams', FILES],
  ['ImportReport', REPORTS],
  ['ImportTotal', REPORTS],
  ['ImportSubscriptions', FILES],
  ['SubscriptionImportParams', FILES],
  ['SubscriptionImportReport', REPORTS],
  ['SubscriptionTotal', REPORTS],
  ['ImportProblem', REPORTS],
  ['VerifyOptions', LIBRARY],
  ['Anchor', REPORTS],
  ['CheckResult', REPORTS],
  ['CheckOffender', REPORTS],
];

const LIBRARY_ERRORS: Names = [
  ['Refusal', 'src/kernel/errors/refusal.ts'],
  ['RefusalError', 'src/kernel/errors/refusal.ts'],
  ['BulkRefusal', 'src/payments/create.ts'],
  ['BulkRefusalError', 'src/payments/create.ts'],
  ['SetupError', 'src/kernel/errors/invariant.ts'],
  ['CATALOGUE', 'src/kernel/errors/catalogue.ts'],
  ['Code', 'src/kernel/errors/catalogue.ts'],
];

const FUNCTIONS: Names = [
  ['toMinorUnits', 'src/kernel/asset.ts'],
  ['toDecimal', 'src/kernel/asset.ts'],
  ['toTypeId', 'src/kernel/type-id.ts'],
  ['fromTypeId', 'src/kernel/id.ts'],
  ['IdKind', 'src/kernel/type-id.ts'],
  ['Uuid', 'src/kernel/type-id.ts'],
  ['etagOf', 'src/client/etag.ts'],
];

const CLIENT: Names = [
  ['createClient', 'src/client/client.ts'],
  ['API_VERSION', 'src/client/schema.ts'],
  ['ClientOptions', 'src/client/send.ts'],
  ['Client', 'src/client/schema.ts'],
  ['CommonCallOptions', 'src/client/send.ts'],
  ['CallOptions', 'src/client/send.ts'],
  ['DryRunCallOptions', 'src/client/send.ts'],
];

const CLIENT_ANSWERS: Names = [
  ['Page', 'src/client/pages.ts'],
  ['Pages', 'src/client/pages.ts'],
  ['DryRun', 'src/client/dry-run.ts'],
  ['Posting', 'src/client/dry-run.ts'],
  ['OneGiven', 'src/client/one-given.ts'],
  ['etagOf', 'src/client/etag.ts'],
];

const FOLLOW: Names = [
  ['FollowEvents', 'src/client/follow.ts'],
  ['FollowQuery', 'src/client/follow.ts'],
  ['FollowOptions', 'src/client/follow.ts'],
  ['OwnEvent', 'src/client/own-event.ts'],
  ['AnyEvent', 'src/client/own-event.ts'],
];

const WEBHOOKS: Names = [
  ['verifyWebhook', 'src/client/verify-webhook.ts'],
  ['verifyNotification', 'src/client/verify-webhook.ts'],
  ['NotificationMessage', 'src/client/notification-message.ts'],
  ['NotifiedEvent', 'src/client/notification-message.ts'],
  ['WebhookHeaders', 'src/client/verify-webhook.ts'],
  ['VerifyWebhookOptions', 'src/client/verify-webhook.ts'],
];

const CLIENT_ERRORS: Names = [
  ['UsanceProblem', 'src/client/problem.ts'],
  ['UsanceUnreachable', 'src/client/problem.ts'],
  ['ProblemError', 'src/client/problem.ts'],
  ['WebhookVerificationError', 'src/client/verify-webhook.ts'],
  ['WebhookVerificationReason', 'src/client/verify-webhook.ts'],
];

const sections = (names: Names): string[] => names.map(sectionOf);

function sectionOf([name, file, only]: Names[number]): string {
  const { signature, kind, doc, members: all } = declarationIn(file, name);
  const isPlain = kind === 'interface' && (only !== undefined || !signature.includes(' extends '));
  const members = all.filter((each) => only?.includes(each.name) ?? true);
  return [
    `### ${name}`,
    ...(doc === '' ? [] : [doc]),
    ...(isPlain ? [] : [`\`\`\`ts\n${signature}\n\`\`\``]),
    ...(members.length > 0
      ? [
          table(
            ['member', 'type', 'description'],
            members.flatMap((each) => rowsOf(each)),
          ),
        ]
      : []),
  ].join('\n\n');
}

function rowsOf({ name, type, doc, members }: Member, prefix = ''): string[][] {
  const path = prefix + name;
  return [[code(path), code(type), doc.replaceAll('|', '\\|')], ...members.flatMap((each) => rowsOf(each, `${path}.`))];
}

const ROOT = join(import.meta.dirname, '..');

/** The program of a README that the tests run. */
function programIn(file: string, mark: string): string {
  const blocks = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
  const found = blocks.find((text) => text.includes(mark));
  if (found === undefined) throw new Error(`${file} has no program with ${mark}`);
  return `\`\`\`ts\n${found}\`\`\``;
}

function libraryPage(): string {
  return page([
    '# Library reference',
    `The package \`usance\` runs the engine in your process, on your PostgreSQL or on an embedded one. Each method of a resource does the same
as the route of the HTTP API: it has the same parameters, checks and results. [The client](client.md) has the same methods over HTTP.`,
    `- Amounts are whole minor units: 1250 of \`USD/2\` is 12.50 dollars. Parameters take a \`bigint\`, a number or a string; results have a string.
- Instants are a \`Date\` or an RFC 3339 string with a zone; results have a string in UTC.
- Fields that end in \`Ms\` are milliseconds. Durations of the resources are ISO 8601 (\`PT48H\`).
- Ids are TypeIDs such as \`pay_01k9…\`; accounts are also found by your own \`ref\`.
- A refused call throws a [\`Refusal\`](#refusal) with a \`code\` of the [catalogue](errors.md) and changes nothing.`,
    programIn('README.md', 'createUsance'),
    '## Resources',
    `A [\`TenantHandle\`](#tenanthandle) has these resources. \`tenant.within(transaction)\` has them too, without \`events.follow\`, \`testClocks.wait\`,
\`accounts.importBalances\` and \`subscriptions.import\`. Each page lists parameters, result, refusals and an example
for every method. The type \`Resources\` has all of them.`,
    resourceIndex('library', ['tenants']),
    `Every method can also be refused with the parameter checks among the [common codes](client.md#common-codes). Codes that concern
HTTP requests, such as \`JSON_MALFORMED\`, occur only over HTTP.`,
    '## Start',
    ...sections([
      ['createUsance', LIBRARY],
      ['Usance', LIBRARY],
    ]),
    '## Tenants',
    ...sections(TENANT),
    '## Imports and verification',
    ...sections(IMPORTS),
    '## Errors',
    ...sections(LIBRARY_ERRORS),
    '## Functions',
    ...sections(FUNCTIONS),
    '## Options of createUsance',
    'All options are optional. An option that is itself an object has its members below.',
    ...sections(OPTIONS),
    FOOT,
  ]);
}

function clientPage(): string {
  return page([
    '# Client reference',
    `\`usance/client\` has a typed method for every route of the HTTP API, for Node and for browsers. It sends an idempotency key with every change,
retries when the request may succeed later, and reads lists page by page. [Its README](../../src/client/README.md) describes the retries;
[the library](library.md) has the same methods in your process.`,
    programIn('src/client/README.md', 'createClient'),
    '## Resources',
    `Each page lists parameters, result, refusals and an example for every method. The type \`Client\` has all of them.`,
    resourceIndex('client'),
    '## Start',
    ...sections(CLIENT),
    '## Lists, dry runs and ETags',
    ...sections(CLIENT_ANSWERS),
    '## Events',
    '`client.events.follow(query, options)` reads past events and then each new one, and reconnects by itself.',
    ...sections(FOLLOW),
    '## Webhooks',
    'A receiver verifies a webhook with the secret of its endpoint, or of its notification channel, before it believes anything in it.',
    ...sections(WEBHOOKS),
    '## Errors',
    ...sections(CLIENT_ERRORS),
    '### ProblemCode',
    'A union of all codes of the [catalogue](errors.md), so that the compiler checks comparisons with `error.code`.',
    '### Common codes',
    'The pages of the resources list only the codes that are specific to a method. These are common:',
    table(
      ['requests', 'codes'],
      [
        ['all', links(COMMON.calls)],
        ['all changes', links(COMMON.changes.filter((each) => !COMMON.calls.includes(each)))],
        [
          'all with a JSON body',
          links(COMMON.bodies.filter((each) => ![...COMMON.calls, ...COMMON.changes].includes(each))),
        ],
      ],
    ),
    '## Other types',
    ...otherTypes().map((name) => typeSection(name, 'client').replaceAll('(../client.md#', '(#')),
    FOOT,
  ]);
}

const links = (codes: readonly Code[]): string => codes.map((each) => `[\`${each}\`](errors/${each}.md)`).join(', ');

const page = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

const FOOT = '`npm run docs:library` writes this page from the contract and the doc comments of the source.';
