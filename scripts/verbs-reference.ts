// docs/reference/verbs.md, from the oracle of the matrix (test/matrix): what the law says, not what a run showed. The matrix is written in
// verbs of the engine; the page names the operations that callers know (src/contract/names-table.ts).
import type { NAMES, OTHER_COMMANDS } from '../src/contract/index.ts';
import type { Axis, Cell, LoopName, Resource, WritingVerb } from '../test/matrix/axes.ts';
import { RESOURCES, callOf, valueOf } from '../test/matrix/axes.ts';
import { verdictOf } from '../test/matrix/oracle/index.ts';
import type { Verdict } from '../test/matrix/oracle/verdict.ts';
import { isLoop } from '../test/matrix/oracle/verdict.ts';
import { unreachable } from '../test/matrix/reachable.ts';
import { cellsOf, specOf } from '../test/matrix/verbs.ts';

export function verbsReference(): string {
  const sections = (Object.keys(RESOURCES) as Resource[]).flatMap(sectionOf);
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const TITLES: Readonly<Record<Resource, string>> = {
  payment: 'Payments',
  order: 'Creating payments, and moving money at once',
  schedule: 'Schedules',
  occurrence: 'Slots that could not become a payment',
  subscription: 'Subscriptions',
  plan: 'Plans',
  allowance: 'Allowances',
  account: 'Accounts',
  reservation: 'Reservations',
  asset: 'Assets',
  settings: 'Settings of a tenant',
  pause: 'Pauses',
  outage: 'Outages',
  job: 'Jobs',
  execution: 'Executions of jobs',
  'webhook endpoint': 'Webhook endpoints',
  delivery: 'Deliveries to webhook endpoints',
  'notification channel': 'Notification channels',
  'audit event': 'Audit events',
  'own event': 'Events of applications',
  'API key': 'API keys',
  'token issuer': 'Token issuers',
  tenant: 'Tenants',
  clock: 'Test clocks',
};

type Operation = keyof typeof NAMES | `usance ${keyof typeof OTHER_COMMANDS}`;

/** The operation, or the command, that calls a verb. Null: only other verbs and tests call it. */
export const OPERATION_OF: Readonly<Record<WritingVerb, Operation | Readonly<Record<string, Operation>> | null>> = {
  createAsset: 'assets.create',
  openAccount: 'accounts.create',
  editAccount: 'accounts.update',
  suspendAccount: 'accounts.suspend',
  reactivateAccount: 'accounts.reactivate',
  closeAccount: 'accounts.close',
  eraseAccount: 'accounts.erase',
  revokeTokens: 'accounts.revokeTokens',
  deposit: 'accounts.deposit',
  withdraw: 'accounts.withdraw',
  transfer: null,
  reserve: null,
  importOpeningBalances: 'accounts.importBalances',
  capture: null,
  release: null,
  unfreeze: 'usance freezes lift',

  createPayment: null,
  createPaymentGrouped: { hold: 'holds.create', payment: 'payments.create' },
  createPayments: 'payments.createMany',
  cancelPayment: 'payments.cancel',
  capturePayment: 'payments.capture',
  editPayment: 'payments.update',
  extendPayment: 'payments.extend',
  refundPayment: 'payments.refund',
  retryPayment: 'payments.retry',
  runPaymentNow: 'payments.runNow',
  runPaymentsNow: 'payments.runManyNow',
  failPayment: 'payments.fail',
  resolvePayout: 'payments.resolve',
  approvePayment: 'payments.approve',
  rejectPayment: 'payments.reject',
  setLimit: 'limits.set',
  appendEvent: 'events.append',
  appendEvents: 'events.appendMany',

  createSchedule: 'schedules.create',
  editSchedule: 'schedules.update',
  pauseSchedule: 'schedules.pause',
  resumeSchedule: 'schedules.resume',
  cancelSchedule: 'schedules.cancel',
  triggerSchedule: 'schedules.trigger',
  backfillSchedule: 'schedules.backfill',
  setOutageGuard: 'outageGuard.set',
  releaseOutage: 'outages.release',
  discardOutage: 'outages.discard',

  importSubscriptions: 'subscriptions.import',
  createPlan: 'plans.create',
  editPlan: 'plans.update',
  subscribe: 'subscriptions.create',
  editSubscription: 'subscriptions.update',
  cancelSubscription: 'subscriptions.cancel',
  changeSubscriptionPlan: 'subscriptions.changePlan',
  pauseSubscription: 'subscriptions.pause',
  resumeSubscription: 'subscriptions.resume',
  createAllowance: 'allowances.create',
  editAllowance: 'allowances.update',
  deleteAllowance: 'allowances.delete',

  createJob: 'jobs.create',
  updateJob: 'jobs.update',
  deleteJob: 'jobs.delete',
  retryExecution: 'executions.retry',
  cancelExecution: 'executions.cancel',

  createWebhookEndpoint: 'webhookEndpoints.create',
  updateWebhookEndpoint: 'webhookEndpoints.update',
  deleteWebhookEndpoint: 'webhookEndpoints.delete',
  rotateWebhookSecret: 'webhookEndpoints.rotateSecret',
  testWebhookEndpoint: 'webhookEndpoints.test',
  recoverWebhookEndpoint: 'webhookEndpoints.recover',
  redeliver: 'deliveries.redeliver',

  retryDeadLetter: 'deadLetters.retry',
  retryDeadLetters: 'deadLetters.retryMany',
  discardDeadLetter: 'deadLetters.discard',
  discardDeadLetters: 'deadLetters.discardMany',
  eraseAuditEvent: 'auditEvents.erase',
  pause: 'pauses.create',
  liftPause: 'pauses.lift',
  setDefaultAsset: null,
  setExecutionCap: 'executionCap.set',

  createApiKey: 'apiKeys.create',
  revokeApiKey: 'apiKeys.revoke',
  rotateApiKey: 'apiKeys.rotate',
  updateEmailSettings: 'email.update',
  setEmailTemplate: 'emailTemplates.set',
  deleteEmailTemplate: 'emailTemplates.delete',
  createEmailOptOut: 'emailOptOuts.create',
  deleteEmailOptOut: 'emailOptOuts.delete',
  createNotificationChannel: 'notificationChannels.create',
  updateNotificationChannel: 'notificationChannels.update',
  deleteNotificationChannel: 'notificationChannels.delete',
  rotateNotificationSecret: 'notificationChannels.rotateSecret',
  testNotificationChannel: 'notificationChannels.test',
  createTokenIssuer: 'tokenIssuers.create',
  updateTokenIssuer: 'tokenIssuers.update',
  deleteTokenIssuer: 'tokenIssuers.delete',
  createTenant: 'tenants.create',
  createTestClock: 'testClocks.create',
  advanceTestClock: 'testClocks.advance',
  cancelAdvance: 'testClocks.cancelAdvance',
  deleteTestClock: 'testClocks.delete',
};

const isLoopName = (verb: WritingVerb | LoopName): verb is LoopName => !(verb in OPERATION_OF);

/** The name of a call and the rest of its way: a way that is its own operation is left out. */
function namedCall({ verb, way }: Cell): { readonly name: string; readonly way: string } | null {
  if (isLoopName(verb)) return { name: verb, way };
  const operation = OPERATION_OF[verb];
  if (operation === null || typeof operation === 'string') return operation && { name: operation, way };
  const name = operation[way];
  if (name === undefined) throw new Error(`${verb} (${way}) has no operation`);
  return { name, way: '' };
}

function sectionOf(resource: Resource): string[] {
  const cells = [...cellsOf(resource)].filter((cell) => namedCall(cell) !== null);
  if (cells.length === 0) return [];
  const reachable = cells.filter((cell) => unreachable(cell) === null);
  const calls = [...Map.groupBy(reachable, callOf).values()].map((own) => new Call(own));
  const differences = (['owner', 'money', 'condition', 'actor'] as const).flatMap((axis) => differencesOf(calls, axis));
  const parts = [
    `## ${TITLES[resource]}`,
    table(
      ['operation', 'a key needs', 'end users', 'allowed', 'else'],
      calls.filter(({ base }) => !isLoop(base)).map(rowOf),
    ),
    ...(differences.length > 0 ? [table(['where', 'operations', 'answer'], differences)] : []),
    ...loopsOf(reachable),
    counted(cells, reachable.length),
  ];
  return [parts.join('\n\n')];
}

/** One way to call an operation, and the cell that it is compared with: the library's call on an ordinary row. */
class Call {
  readonly name: string;
  readonly cells: readonly Cell[];
  readonly base: Cell;
  /** Ordinary rows in the states in which it is allowed. */
  readonly allowed: readonly Cell[];

  constructor(cells: readonly Cell[]) {
    this.cells = cells;
    const plain = cells.filter(({ actor }) => actor === 'library' || actor === 'system');
    // An approval is only awaited where it is: that is then the ordinary row.
    const base = plain.find((cell) => isYes(verdictOf(cell))) ?? plain[0];
    if (!base) throw new Error('expected a verb to be reachable by the library');
    this.base = base;
    this.name = callOf(base);
    this.allowed = this.likeBase('state').filter((cell) => isYes(verdictOf(cell)));
  }

  /** Cells that differ from the ordinary one on some axes only. */
  likeBase(...free: readonly Axis[]): Cell[] {
    const fixed = (['state', 'owner', 'actor', 'condition', 'money'] as const).filter((axis) => !free.includes(axis));
    return this.cells.filter((cell) => fixed.every((axis) => valueOf(cell, axis) === valueOf(this.base, axis)));
  }
}

const isYes = ({ kind }: Verdict): boolean => kind === 'allowed';

function textOf(verdict: Verdict): string {
  if (verdict.kind === 'refused') return `\`${verdict.code}\``;
  if (verdict.kind === 'becomes') return `becomes ${verdict.status}`;
  return verdict.kind === 'allowed' ? 'allowed' : 'passed over';
}

function rowOf(call: Call): string[] {
  const { scope } = specOf(call.base.verb);
  const forEndUsers = call.likeBase('state', 'actor').filter(({ actor }) => actor === 'end user');
  const endUsers = forEndUsers.some((cell) => isYes(verdictOf(cell)));
  const states = call.likeBase('state');
  const others = states.filter((cell) => !call.allowed.includes(cell));
  const where = call.base.condition === 'none' ? '' : ` (${call.base.condition})`;
  const yes = others.length === 0 ? 'always' : listed(call.allowed.map(({ state }) => state)) + where;
  const else_ = [...new Set(others.map((cell) => textOf(verdictOf(cell))))];
  const needs = scope === 'library' ? 'no route' : `\`${scope}\``;
  return [
    `\`${nameOf(call)}\`${wayOf(call)}`,
    needs,
    endUsers ? 'their own' : 'no',
    yes || 'never',
    else_.join(', ') || '–',
  ];
}

const nameOf = ({ base }: Call): string => namedCall(base)?.name ?? base.verb;
const wayOf = ({ base }: Call): string => {
  const way = namedCall(base)?.way ?? '';
  return way === '' ? '' : ` (${way})`;
};

const listed = (words: readonly string[]): string => [...new Set(words)].join(', ');

/** Where a value of an axis changes the answer for a row that is otherwise ordinary. */
function differencesOf(calls: readonly Call[], axis: Differing): string[][] {
  const found = new Map<string, Set<Call>>();
  for (const call of calls) {
    if (call.allowed.length === 0 || isLoop(call.base)) continue;
    const free = axis === 'money' ? (['money', 'actor'] as const) : ([axis] as const);
    for (const cell of call.likeBase(...free)) {
      const where = whereOf(cell, axis);
      if (where === null || valueOf(cell, axis) === valueOf(call.base, axis)) continue;
      // What decides on an awaited approval is nowhere else at home.
      if (axis === 'condition' && call.base.condition !== 'none' && !SHARED.includes(cell.condition)) continue;
      const verdict = verdictOf(cell);
      if (isYes(verdict)) continue;
      const key = `${where}\n${textOf(verdict)}`;
      found.set(key, (found.get(key) ?? new Set()).add(call));
    }
  }
  const rows = Map.groupBy(found, ([key, own]) => `${key.split('\n')[1]}\n${namesOf(calls, own)}`);
  return [...rows].map(([key, entries]) => {
    const [answer = '', names = ''] = key.split('\n');
    return [entries.map(([each]) => each.split('\n')[0] ?? '').join(' or '), names, answer];
  });
}

type Differing = 'owner' | 'money' | 'condition' | 'actor';
const SHARED: readonly string[] = ['clock advancing', 'past expiry'];

/** An operation without its ways, where all of them are meant. */
function namesOf(calls: readonly Call[], some: ReadonlySet<Call>): string {
  const able = calls.filter(({ allowed, base }) => allowed.length > 0 && !isLoop(base));
  if (some.size === able.length && some.size > 3) return 'all of them';
  const operations = Map.groupBy(some, nameOf);
  const texts = [...operations].flatMap(([name, own]) => {
    const whole = able.filter((call) => nameOf(call) === name).length === own.length;
    return whole ? [`\`${name}\``] : own.map((call) => `\`${name}\`${wayOf(call)}`);
  });
  return texts.join(', ');
}

/** Of the flow of money only that it takes a scope is told for the key that lacks it; the rest holds for everybody. */
function whereOf(cell: Cell, axis: Differing): string | null {
  if (axis !== 'money') return valueOf(cell, axis);
  const { actor, money } = cell;
  if (actor === 'library') return `money ${money}`;
  return actor === 'key without ledger:money' && money !== 'inside' ? `${actor} and money ${money}` : null;
}

/** What the loops do to each state, by condition. */
function loopsOf(reachable: readonly Cell[]): string[] {
  const looped = reachable.filter((cell) => isLoop(cell) && verdictOf(cell).kind === 'becomes');
  if (looped.length === 0) return [];
  const rows = Map.groupBy(
    looped,
    (cell) => `${cell.verb}\n${cell.condition}\n${cell.state}\n${textOf(verdictOf(cell))}`,
  );
  return [
    table(
      ['loop', 'condition', 'state', 'owners', 'outcome'],
      [...rows].map(([key, cells]) => {
        const [verb = '', condition = '', state = '', outcome = ''] = key.split('\n');
        return [verb, condition, state, listed(cells.map(({ owner }) => owner)), outcome];
      }),
    ),
  ];
}

function counted(cells: readonly Cell[], reachable: number): string {
  const reasons = Map.groupBy(
    cells.flatMap((cell) => unreachable(cell) ?? []),
    (reason) => reason,
  );
  const lines = [...reasons]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, own]) => `- ${count(own.length)}: ${reason}`);
  const told = `${count(cells.length)} cells, ${count(reachable)} of them reachable.`;
  return lines.length === 0 ? told : `${told} The others are not, because:\n${lines.join('\n')}`;
}

const count = (number: number): string => number.toLocaleString('en-US');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const INTRODUCTION = `# Operations: states, callers and conditions

This page lists, for every operation that writes, the states, owners, actors and conditions in which it is allowed. Each table starts from the
ordinary row: plain, money between accounts of the tenant, no pause, freeze or awaited approval, called in the process. The second
table lists the differences from that. A refusal changes nothing; [errors.md](errors.md) explains the codes.

- An operation is a method of the library and the client; [names.md](names.md) has its route and command. \`usance …\` is a command without an operation.
- \`holds.cancel\`, \`holds.capture\` and \`holds.extend\` follow the rows of \`payments.cancel\`, \`payments.capture\` and \`payments.extend\`. They answer
  \`PAYMENT_NOT_FOUND\` for a payment without reserved funds; \`payments.capture\` answers \`PAYMENT_STATE_CONFLICT\`.
- **a key needs** this scope over HTTP. *No route*: only the library or a command has it.
- **end users** may act on *their own* account, or not at all (\`AUTH_FORBIDDEN\`).
- **passed over**: an operation on many rows succeeds and does not change this row. A code: it succeeds and reports the row with this code.
- If several refusals apply, the first of these is returned: scope, visibility, a test clock that advances, external money, state,
  owner, expiry, approval, pause, legs, freeze, funds. Each row of the second table has one condition only.
- **approved** is a payment that needed approval and has it. People who decided its terms cannot capture it or run it before
  \`execute_at\` (\`APPROVAL_NEEDS_ANOTHER\`).
- **past expiry** is a payment that does not await approval. A payment that awaits approval can still be rejected after its expiry.

Actors: *key* created the row; *rotated key* replaced that key; *child key* was created by it; *key without the scope* has all scopes except the one that
the operation needs; *key without ledger:money* has all scopes except that and \`admin\`; *end user* is the payer; *other end user* is neither payer nor payee.

\`npm run docs:verbs\` writes this page from the oracle in \`test/matrix\`. \`npm test\` compares the program with the oracle for
every pair of values, \`npm run proof matrix\` for every reachable cell.`;
