// The axes of the matrix: who does what to which row, in which state, whose it is, and what else holds at that moment. Nothing
// of the program is imported here but its types.
import type { TenantHandle } from '../../src/engine.ts';

/** Everything that a tenant's handle can be asked to do. */
type HandleVerb = {
  [K in keyof TenantHandle]: TenantHandle[K] extends (...parameters: never[]) => unknown ? K : never;
}[keyof TenantHandle];

/** Verbs that change nothing. A verb of the handle that is not here writes, and has to be in `VERBS` (verbs.ts). */
export const READING = [
  'account',
  'accounts',
  'accountsById',
  'accountRefs',
  'lockAccount',
  'lockPayment',
  'lockSchedule',
  'lockSubscription',
  'lockJob',
  'emailSettings',
  'emailTemplate',
  'emailTemplates',
  'emailOptOuts',
  'emails',
  'lockNotificationChannel',
  'notificationChannel',
  'notificationChannels',
  'lockWebhookEndpoint',
  'webhookEndpoint',
  'webhookEndpoints',
  'delivery',
  'deliveries',
  'accountsPage',
  'accountWithBalances',
  'allowance',
  'allowanceCredits',
  'allowances',
  'allowancesOf',
  'apiKeys',
  'assets',
  'auditEvents',
  'auditPage',
  'balances',
  'balancesAt',
  'series',
  'dueAhead',
  'deadLetterGroups',
  'search',
  'auditChain',
  'settings',
  'balanceHistory',
  'calendar',
  'cronRuns',
  'chains',
  'chainHistory',
  'quote',
  // They write quotes, which only a payout that is created with one reads.
  'createQuote',
  'takeQuote',
  // It writes a wallet, which the verbs of this matrix do not read: test/payouts/treasury.test.ts.
  'unfreezeTreasuryWallet',
  'setTreasuryFloor',
  // They write what payouts are asked by, which the verbs of this matrix do not make: test/payouts/guards.test.ts.
  'addPayoutDestination',
  'approvePayoutDestination',
  'removePayoutDestination',
  'setPayoutCap',
  'setPayoutPolicy',
  'payoutCaps',
  'payoutDestination',
  'payoutDestinations',
  'payoutPolicy',
  'payoutRoute',
  'quotes',
  'payoutAttempts',
  'shownAttempts',
  'treasuryWallets',
  'alerts',
  'deadLetter',
  'deadLetters',
  'defaultAsset',
  'events',
  'execution',
  'executions',
  'eventsPage',
  'forecast',
  'invocations',
  'job',
  'jobs',
  'juniors',
  'lastEventSeq',
  'lastEventCursor',
  'requireEventCursor',
  'paymentReceipt',
  'limits',
  'occurrences',
  'outageGuard',
  'executionCap',
  'outages',
  'overview',
  'pauses',
  'payment',
  'payments',
  'paymentsPage',
  'nextAttemptAt',
  'shownPayment',
  'plan',
  'plans',
  'refunds',
  'paymentTexts',
  'posted',
  'previewSchedule',
  'processors',
  'reservation',
  'reservations',
  'schedule',
  'schedules',
  'schedulesPage',
  'statement',
  'subscription',
  'subscriptions',
  'subscriptionsPage',
  'tenants',
  'testClock',
  'testClocks',
  'timeline',
  'tokenIssuers',
  'transfers',
  'upcoming',
  'whyPayment',
] as const satisfies readonly HandleVerb[];

/** What gives or carries verbs, and does nothing by itself. */
export const CARRIERS = [
  'from',
  'within',
  'idempotently',
  'inTransaction',
  'dryRun',
] as const satisfies readonly HandleVerb[];

export type WritingVerb = Exclude<HandleVerb, (typeof READING)[number] | (typeof CARRIERS)[number]>;

/** What the engine does by itself: the actor `system`. */
export const LOOPS = ['processor', 'scheduler'] as const;
export type LoopName = (typeof LOOPS)[number];

export const ACTORS = [
  'key',
  'rotated key',
  'child key',
  'key without the scope',
  'key without ledger:money',
  'end user',
  'other end user',
  'system',
  'library',
] as const;
export type Actor = (typeof ACTORS)[number];

export const CONDITIONS = [
  'none',
  'paused',
  'frozen',
  'awaiting approval',
  'approved',
  'past expiry',
  'archived',
  'test clock',
  'clock advancing',
] as const;
export type Condition = (typeof CONDITIONS)[number];

export const OWNERS = ['plain', 'legs', 'schedule', 'subscription', 'ended subscription', 'allowance'] as const;
export type Owner = (typeof OWNERS)[number];

/** Where the money of the row comes from and goes to. */
export const MONEY = ['inside', 'to world', 'from world', 'out of fees'] as const;
export type Money = (typeof MONEY)[number];

/** The rows that verbs are about, each with its own states and those values of the other axes that mean something for it. */
export const RESOURCES = {
  payment: {
    states: [
      'scheduled',
      'partly captured',
      'retrying',
      'settled',
      'partly refunded',
      'failed',
      'failed after a capture',
      'discarded',
      'cancelled',
      'expired',
    ],
    owners: OWNERS,
    conditions: CONDITIONS,
    money: ['inside', 'to world', 'out of fees'],
  },
  order: {
    states: ['funded', 'short of funds', 'payer suspended', 'payee closed'],
    owners: ['plain', 'legs'],
    conditions: ['none', 'paused', 'frozen', 'awaiting approval', 'test clock', 'clock advancing'],
    money: MONEY,
  },
  schedule: {
    states: ['active', 'paused', 'completed', 'cancelled', 'expired'],
    owners: ['plain', 'legs', 'subscription', 'allowance'],
    conditions: ['none', 'paused', 'frozen', 'awaiting approval', 'test clock', 'clock advancing'],
    money: MONEY,
  },
  occurrence: {
    states: ['dead letter', 'discarded'],
    owners: ['plain', 'legs'],
    conditions: ['none', 'paused', 'frozen', 'awaiting approval', 'test clock', 'clock advancing'],
    money: ['inside', 'to world', 'out of fees'],
  },
  subscription: {
    states: ['trialing', 'active', 'ending', 'paused', 'past due', 'cancelled', 'expired', 'used up'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'awaiting approval', 'test clock', 'clock advancing'],
    money: ['inside', 'to world', 'out of fees'],
  },
  plan: {
    states: ['offered'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside', 'to world'],
  },
  allowance: {
    states: ['ON', 'OFF', 'deleted', 'of another guardian'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'awaiting approval', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  account: {
    states: ['active', 'holding money', 'suspended', 'closed', 'erased', 'of the system'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  reservation: {
    states: ['open', 'resolved'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside', 'to world'],
  },
  asset: {
    states: ['new', 'known', 'of another scale'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  settings: {
    states: ['unset', 'set'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  pause: {
    states: ['lifted', 'in force'],
    owners: ['plain'],
    conditions: ['none', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  outage: {
    states: ['waiting', 'released', 'discarded'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen'],
    money: ['inside'],
  },
  job: {
    states: ['enabled', 'disabled', 'deleted'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  execution: {
    states: ['pending', 'running', 'completed', 'failed', 'failed, of a deleted job', 'cancelled'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  'webhook endpoint': {
    states: ['enabled', 'disabled', 'deleted'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  delivery: {
    states: [
      'pending',
      'running',
      'completed',
      'failed',
      'failed, of a deleted endpoint',
      'failed, of a disabled endpoint',
      'cancelled',
    ],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  'notification channel': {
    states: ['enabled', 'disabled', 'deleted'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  'audit event': {
    states: ['whole', 'erased'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  'own event': {
    states: ['new'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  'API key': {
    states: ['live', 'rotated', 'revoked', 'expired', 'of an admin'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  'token issuer': {
    states: ['live', 'removed'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock', 'clock advancing'],
    money: ['inside'],
  },
  tenant: {
    states: ['first', 'another'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen'],
    money: ['inside'],
  },
  clock: {
    states: ['missing', 'ready', 'advancing', 'failed', 'deleted'],
    owners: ['plain'],
    conditions: ['none', 'paused', 'frozen', 'test clock'],
    money: ['inside'],
  },
} as const satisfies Record<string, Axes>;

interface Axes {
  readonly states: readonly string[];
  readonly owners: readonly Owner[];
  readonly conditions: readonly Condition[];
  readonly money: readonly Money[];
}

export type Resource = keyof typeof RESOURCES;
export type StateOf<R extends Resource> = (typeof RESOURCES)[R]['states'][number];

/** One question: may this actor do this to such a row? */
export interface Cell<R extends Resource = Resource> {
  readonly resource: R;
  readonly verb: WritingVerb | LoopName;
  /** How the verb is called, where there are several ways: what of a payment is edited. */
  readonly way: string;
  readonly state: StateOf<R>;
  readonly owner: Owner;
  readonly actor: Actor;
  readonly condition: Condition;
  readonly money: Money;
}

export const AXES = ['call', 'state', 'owner', 'actor', 'condition', 'money'] as const;
export type Axis = (typeof AXES)[number];

export const callOf = ({ verb, way }: Pick<Cell, 'verb' | 'way'>): string => (way === '' ? verb : `${verb} (${way})`);

export const valueOf = (cell: Cell, axis: Axis): string => (axis === 'call' ? callOf(cell) : cell[axis]);

export const nameOf = (cell: Cell): string => [cell.resource, ...AXES.map((axis) => valueOf(cell, axis))].join(' | ');
