// One table of names. An operation is `resource.verb`: that is its method in the client and the library. Its route, its event and its
// command follow from that name by the rules in names-rules.ts; a cell that differs has a reason. docs/reference/names.md is written
// from this table, and test/library/names.test.ts compares it with every surface.
import type { EventType } from '../engine.ts';
import type { ROUTES } from './routes.ts';

export interface Names {
  /** The events of the operation: each call that changes something emits one of them. Empty for reads, and where the caller names the type. */
  readonly events: readonly EventType[];
  /** The caller names the type of the event. */
  readonly own?: true;
  /** Events that it can emit as well. */
  readonly also?: readonly EventType[];
  /** Without `usance`; null where there is none. */
  readonly command: string | null;
  /** Method and path below /v1, where it differs from the rule. */
  readonly route?: string;
  /** Only the library has the method. */
  readonly only?: 'library';
  /** Why a cell differs from the rule. Present exactly where one does. */
  readonly because?: string;
  /** Something else worth saying. */
  readonly note?: string;
}

const reads = (command: string | null = null, more: Partial<Names> = {}): Names => ({ events: [], command, ...more });
const emits = (event: EventType, more: Partial<Names> = {}): Names => ({ events: [event], command: null, ...more });

const HOLD = 'A hold is a payment that reserves funds: its events are those of the payment.';
const ONE_NOUN = 'One command, `payouts`, has payments over chains under their own name.';
const GUARDS = 'One command, `payouts`, has what a tenant allows its payouts.';
const INTENT = 'A payment intent is a payout, which is a payment: its events are those of the payment.';
const TRANSFER = 'The money moves by a transfer, and the event is about it.';
const NESTED = 'An allowance is named by its guardian and its child.';
const ENDED_EARLY = ['payment.released', 'payment.settled'] as const;
const ONE_COMMAND = { because: 'One command, `webhooks`, has endpoints and their deliveries.' };
const webhooks = (command: string, event: EventType, also?: readonly EventType[]): Names =>
  emits(event, { command: `webhooks ${command}`, ...ONE_COMMAND, ...(also ? { also } : {}) });
const CHANNELS = { because: 'The command `notifications` is about channels.' };
const channels = (command: string, event: EventType, also?: readonly EventType[]): Names =>
  emits(event, { command: `notifications ${command}`, ...CHANNELS, ...(also ? { also } : {}) });
const BY_CHAIN = { because: 'A tenant has one wallet on a chain, which names it.' };
const wallets = (verb: string, event: EventType): Names =>
  emits(event, { command: `treasury-wallets ${verb}`, route: `POST /treasury-wallets/{chain}/${verb}`, ...BY_CHAIN });
const LETTER = 'A dead letter is a failed payment, occurrence or execution, and the event is about that.';
const PART_OF_OVERVIEW = 'A tenant has one overview.';

export const NAMES = {
  'assets.create': emits('asset.created', { also: ['tenant.updated'] }),
  'assets.list': reads(),
  'assets.ensure': emits('asset.created', { only: 'library', because: 'Creates the asset, or returns it.' }),

  'accounts.create': emits('account.created'),
  'accounts.list': reads(),
  'accounts.get': reads(),
  'accounts.update': emits('account.updated', { also: ['schedule.paused', 'payment.cancelled'] }),
  'accounts.suspend': emits('account.suspended'),
  'accounts.reactivate': emits('account.reactivated'),
  'accounts.close': emits('account.closed'),
  'accounts.erase': emits('account.erased', { also: ['audit_event.erased'] }),
  'accounts.revokeTokens': emits('account.tokens_revoked'),
  'accounts.deposit': emits('transfer.posted', { because: TRANSFER }),
  'accounts.withdraw': emits('transfer.posted', { because: TRANSFER }),
  'accounts.listTransfers': reads(),
  'accounts.listReservations': reads(),
  'accounts.getBalances': reads(),
  'accounts.getStatement': reads(),
  'accounts.getForecast': reads(),
  'accounts.getBalanceHistory': reads(),
  'accounts.getUpcomingCalendar': reads(null, {
    route: 'GET /accounts/{id}/upcoming.ics',
    because: 'Calendar programs expect the extension `.ics`.',
  }),
  'accounts.ensure': emits('account.created', { only: 'library', because: 'Creates the account, or returns it.' }),
  'accounts.importBalances': emits('account.balances_imported', {
    also: ['account.created', 'transfer.posted', 'asset.created', 'tenant.created'],
    command: 'accounts import-balances',
    only: 'library',
  }),

  'holds.create': emits('payment.created', { also: ['payment.approval_requested'], because: HOLD }),
  'holds.list': reads(),
  'holds.get': reads(),
  'holds.listEvents': reads(),
  'holds.cancel': emits('payment.cancelled', { also: ENDED_EARLY, because: HOLD }),
  'holds.capture': emits('payment.captured', { also: ['payment.settled'], because: HOLD }),
  'holds.extend': emits('payment.extended', { because: HOLD }),

  'payments.create': emits('payment.created', { also: ['payment.approval_requested'] }),
  'payments.list': reads('payments list'),
  'payments.get': reads('payments get'),
  'payments.update': emits('payment.updated', { also: ['payment.approval_requested'] }),
  'payments.listTimeline': reads(null, { note: 'The command `payments get` prints it.' }),
  'payments.cancel': emits('payment.cancelled', { also: ENDED_EARLY }),
  'payments.capture': emits('payment.captured', { also: ['payment.settled'] }),
  'payments.extend': emits('payment.extended'),
  'payments.refund': emits('payment.refunded'),
  'payments.retry': emits('payment.retried', { also: ['payment.approval_requested'], command: 'payments retry' }),
  'payments.runNow': emits('payment.run_now', { command: 'payments run-now' }),
  'payments.fail': emits('payment.failed', { command: 'payments fail' }),
  'payments.why': reads('why', {
    route: 'GET /payments/{id}/why',
    because: 'The route is a read, and the command is the shortest for the most frequent question.',
  }),
  'payments.receipt': reads('receipt', {
    route: 'GET /payments/{id}/receipt',
    because: 'The noun is what the caller gets; the command is as short as `why`.',
  }),
  'payments.approve': emits('payment.approved'),
  'payments.reject': emits('payment.rejected', { also: ENDED_EARLY }),
  'payments.createMany': emits('payment.created', {
    also: ['payment.approval_requested'],
    route: 'POST /payments/bulk',
    because: '`POST /payments` creates one; `bulk` is the usual word for many.',
  }),
  'payments.runManyNow': emits('payment.run_now', { note: 'The command is `payments run-now` with a filter.' }),

  'schedules.preview': reads(null, {
    route: 'POST /schedules/preview',
    because: 'Nothing is stored: there is no id, and the rule is in the body.',
  }),
  'schedules.create': emits('schedule.created'),
  'schedules.list': reads(),
  'schedules.get': reads(),
  'schedules.update': emits('schedule.updated', { also: ['schedule.occurrence_skipped'] }),
  'schedules.pause': emits('schedule.paused', { also: ['payment.cancelled'] }),
  'schedules.resume': emits('schedule.resumed'),
  'schedules.cancel': emits('schedule.cancelled', { also: ['payment.cancelled'] }),
  'schedules.trigger': emits('schedule.triggered', { also: ['payment.created', 'payment.approval_requested'] }),
  'schedules.backfill': emits('schedule.backfilled', { also: ['payment.created', 'payment.approval_requested'] }),
  'schedules.listUpcoming': reads(),
  'schedules.listOccurrences': reads(),

  'outageGuard.get': reads(),
  'outageGuard.set': emits('outage_guard.set'),
  'outages.list': reads('outages list'),
  'outages.release': emits('outage.released', { command: 'outages release' }),
  'outages.discard': emits('outage.discarded', { command: 'outages discard' }),

  'plans.create': emits('plan.created'),
  'plans.list': reads(),
  'plans.get': reads(),
  'plans.update': emits('plan.updated'),

  'subscriptions.create': emits('subscription.created', { also: ['schedule.created'] }),
  'subscriptions.list': reads(),
  'subscriptions.get': reads(),
  'subscriptions.update': emits('subscription.updated', { also: ['schedule.updated'] }),
  'subscriptions.cancel': emits('subscription.cancelled', {
    also: ['subscription.cancellation_scheduled', 'schedule.cancelled', 'payment.cancelled'],
  }),
  'subscriptions.changePlan': emits('subscription.plan_changed', {
    also: ['schedule.updated', 'schedule.occurrence_skipped', 'payment.created'],
  }),
  'subscriptions.pause': emits('subscription.paused', { also: ['schedule.paused'] }),
  'subscriptions.resume': emits('subscription.resumed', {
    also: ['subscription.cancellation_withdrawn', 'schedule.resumed'],
  }),
  'subscriptions.import': emits('subscription.created', {
    also: ['schedule.created', 'subscription.past_due', 'subscription.paused', 'subscription.cancelled'],
    command: 'subscriptions import',
    only: 'library',
    because: 'An import creates subscriptions.',
  }),

  'allowances.create': emits('allowance.created', {
    also: ['schedule.created', 'schedule.paused'],
    route: 'POST /guardians/{guardian}/allowances/{junior}',
    because: NESTED,
  }),
  'allowances.get': reads(null, { route: 'GET /guardians/{guardian}/allowances/{junior}', because: NESTED }),
  'allowances.list': reads(null, { route: 'GET /guardians/{guardian}/allowances', because: NESTED }),
  'allowances.listJuniors': reads(null, { route: 'GET /guardians/{guardian}/juniors', because: NESTED }),
  'allowances.listForJunior': reads(null, { route: 'GET /juniors/{junior}/allowances', because: NESTED }),
  'allowances.listCredits': reads(null, {
    route: 'GET /guardians/{guardian}/allowances/{junior}/credits',
    because: NESTED,
  }),
  'allowances.update': emits('allowance.updated', {
    also: [
      'schedule.updated',
      'schedule.paused',
      'schedule.resumed',
      'schedule.occurrence_skipped',
      'payment.cancelled',
    ],
    route: 'PATCH /guardians/{guardian}/allowances/{junior}',
    because: NESTED,
  }),
  'allowances.delete': emits('allowance.deleted', {
    also: ['schedule.cancelled', 'payment.cancelled'],
    route: 'DELETE /guardians/{guardian}/allowances/{junior}',
    because: NESTED,
  }),

  'events.append': reads(null, {
    own: true,
    route: 'POST /events',
    because: 'The event does not exist before: `POST /events` appends it. The event is the one that is given.',
  }),
  'events.appendMany': reads(null, {
    own: true,
    route: 'POST /events/bulk',
    because: '`POST /events` appends one; `bulk` is the usual word for many. The events are those that are given.',
  }),
  'events.list': reads(),
  'events.follow': {
    ...reads(),
    route: 'GET /events/stream',
    because: 'The route is a stream of server-sent events.',
  },
  'events.subscribe': emits('job.created', {
    also: ['job.updated'],
    only: 'library',
    because: 'Creates the job that runs a handler, or updates it.',
  }),
  'jobs.create': emits('job.created', { command: 'jobs create' }),
  'jobs.list': reads('jobs list'),
  'jobs.get': reads('jobs get'),
  'jobs.update': emits('job.updated', { command: 'jobs update' }),
  'jobs.delete': emits('job.deleted', { command: 'jobs delete' }),
  'jobs.ensure': emits('job.created', { only: 'library', because: 'Creates the job, or returns it.' }),
  'executions.list': reads('executions list'),
  'executions.get': reads('executions get'),
  'executions.listInvocations': reads(null, { note: 'The command `executions get` prints them.' }),
  'executions.retry': emits('execution.retried', { command: 'executions retry' }),
  'executions.cancel': {
    events: ['execution.cancelled', 'execution.cancel_requested'],
    command: 'executions cancel',
    because: 'A running execution is only requested to end: its attempt can still complete it.',
  },
  'processors.list': reads('jobs processors', {
    because: 'The command `processor` runs payments: processors of jobs are listed beside the jobs.',
  }),

  'webhookEndpoints.create': webhooks('create', 'webhook_endpoint.created', ['job.created']),
  'webhookEndpoints.list': reads('webhooks list', ONE_COMMAND),
  'webhookEndpoints.get': reads('webhooks get', ONE_COMMAND),
  'webhookEndpoints.update': webhooks('update', 'webhook_endpoint.updated', ['job.updated']),
  'webhookEndpoints.delete': webhooks('delete', 'webhook_endpoint.deleted', ['job.deleted']),
  'webhookEndpoints.rotateSecret': webhooks('rotate-secret', 'webhook_endpoint.secret_rotated'),
  'webhookEndpoints.test': webhooks('test', 'webhook_endpoint.tested'),
  'webhookEndpoints.recover': webhooks('recover', 'webhook_endpoint.recovered', ['execution.retried']),
  'webhookEndpoints.listDeliveries': reads('webhooks deliveries', ONE_COMMAND),
  'deliveries.list': reads(null, { note: 'The command `webhooks deliveries` lists them without an endpoint.' }),
  'deliveries.get': reads('webhooks delivery', ONE_COMMAND),
  'deliveries.redeliver': emits('execution.retried', {
    command: 'webhooks redeliver',
    because:
      'A delivery is an execution, and the event is about that. One command, `webhooks`, has endpoints and their deliveries.',
  }),

  'auditEvents.list': reads('audit-events list'),
  'auditEvents.getChain': reads(null, { route: 'GET /audit-events/chain', because: 'A tenant has one chain.' }),
  'auditEvents.erase': emits('audit_event.erased'),

  'pauses.create': emits('pause.created'),
  'pauses.list': reads(),
  'pauses.lift': emits('pause.lifted', {
    route: 'DELETE /pauses/{id}',
    because: 'Lifting is deleting; the word says what happens to payments.',
  }),
  'executionCap.get': reads('execution-cap get'),
  'executionCap.set': emits('execution_cap.set', { command: 'execution-cap set' }),
  'limits.set': emits('limit.set'),
  'limits.list': reads(),

  'quotes.create': emits('quote.created'),
  'quotes.list': reads(),
  'quotes.get': reads(),
  'quotes.accept': emits('quote.accepted', { also: ['payment.created', 'payment.approval_requested'] }),
  'payments.getRoute': reads(),
  'payments.listAttempts': reads(),
  'payments.resolve': emits('payment.resolved', {
    also: ['payment.settled', 'payment.attempt_failed'],
    command: 'payouts resolve',
    because: ONE_NOUN,
  }),
  'paymentIntents.create': emits('payment.created', {
    also: ['payment.approval_requested', 'quote.accepted'],
    because: INTENT,
  }),
  'paymentIntents.list': reads('payouts list', { because: ONE_NOUN }),
  'paymentIntents.get': reads('payouts get', { because: ONE_NOUN }),
  'paymentIntents.getRoute': reads('payouts route', { because: ONE_NOUN }),
  'paymentIntents.cancel': emits('payment.cancelled', { command: 'payouts cancel', because: INTENT }),
  'payoutPolicy.get': reads('payouts policy get', { because: GUARDS }),
  'payoutPolicy.set': emits('payout_policy.set', { command: 'payouts policy set', because: GUARDS }),
  'payoutDestinations.create': emits('payout_destination.created', {
    command: 'payouts destinations add',
    because: GUARDS,
  }),
  'payoutDestinations.list': reads('payouts destinations list', { because: GUARDS }),
  'payoutDestinations.get': reads('payouts destinations get', { because: GUARDS }),
  'payoutDestinations.approve': emits('payout_destination.approved', {
    command: 'payouts destinations approve',
    because: GUARDS,
  }),
  'payoutDestinations.remove': emits('payout_destination.removed', {
    command: 'payouts destinations remove',
    because: GUARDS,
  }),
  'payoutCaps.set': emits('payout_cap.set', { command: 'payouts caps set', because: GUARDS }),
  'payoutCaps.list': reads('payouts caps list', { because: GUARDS }),

  'treasuryWallets.list': reads('treasury-wallets list'),
  'treasuryWallets.unfreeze': wallets('unfreeze', 'treasury_wallet.unfrozen'),
  'treasuryWallets.setFloor': wallets('floor', 'treasury_wallet.floor_set'),
  'alerts.list': reads('alerts list'),
  'chains.list': reads('chains list'),
  'chains.listHistory': reads('chains history', {
    route: 'GET /chains/{name}/history',
    because: 'A chain is named by its name; `history` is the usual word for earlier measurements.',
  }),

  'cronRuns.list': reads(),
  'overview.get': reads(),
  'overview.getSeries': reads(null, { route: 'GET /overview/series', because: PART_OF_OVERVIEW }),
  'overview.getUpcoming': reads(null, { route: 'GET /overview/upcoming', because: PART_OF_OVERVIEW }),
  'search.get': reads(),
  'settings.get': reads(null, { route: 'GET /settings', because: 'A tenant has one set of settings.' }),
  'deadLetters.list': reads('dead-letters list'),
  'deadLetters.listGroups': reads(null, {
    route: 'GET /dead-letters/groups',
    because: 'Groups are of all dead letters.',
  }),
  'deadLetters.get': reads('dead-letters get'),
  'deadLetters.retry': {
    events: ['payment.retried', 'schedule.occurrence_retried', 'execution.retried'],
    also: ['payment.created', 'payment.approval_requested'],
    command: 'dead-letters retry',
    because: LETTER,
  },
  'deadLetters.discard': {
    events: ['payment.discarded', 'schedule.occurrence_discarded', 'execution.discarded'],
    command: 'dead-letters discard',
    because: LETTER,
  },
  'deadLetters.discardMany': {
    events: ['payment.discarded', 'schedule.occurrence_discarded', 'execution.discarded'],
    command: null,
    because: LETTER,
  },
  'deadLetters.retryMany': {
    events: ['payment.retried', 'schedule.occurrence_retried', 'execution.retried'],
    also: ['payment.created', 'payment.approval_requested'],
    command: null,
    because: `${LETTER} The command is \`dead-letters retry --all\`.`,
  },

  'apiKeys.create': emits('api_key.created', { command: 'api-keys create' }),
  'apiKeys.list': reads('api-keys list'),
  'apiKeys.revoke': emits('api_key.revoked', {
    command: 'api-keys revoke',
    route: 'DELETE /api-keys/{id}',
    because: 'Revoking is deleting; the word says what happens to the key.',
  }),
  'apiKeys.rotate': emits('api_key.rotated', { command: 'api-keys rotate' }),
  'notificationChannels.create': channels('create', 'notification_channel.created', ['job.created']),
  'notificationChannels.list': reads('notifications list', CHANNELS),
  'notificationChannels.get': reads('notifications get', CHANNELS),
  'notificationChannels.update': channels('update', 'notification_channel.updated', ['job.updated']),
  'notificationChannels.delete': channels('delete', 'notification_channel.deleted', ['job.deleted']),
  'notificationChannels.rotateSecret': channels('rotate-secret', 'notification_channel.secret_rotated'),
  'notificationChannels.test': channels('test', 'notification_channel.tested'),
  'email.get': reads(),
  'email.update': emits('email.updated', { also: ['job.created', 'job.updated'] }),
  'emailTemplates.set': emits('email_template.set'),
  'emailTemplates.list': reads(),
  'emailTemplates.get': reads(),
  'emailTemplates.delete': emits('email_template.deleted'),
  'emailOptOuts.create': emits('email_opt_out.created'),
  'emailOptOuts.list': reads(),
  'emailOptOuts.delete': emits('email_opt_out.deleted'),
  'emails.list': reads(),

  'tokenIssuers.create': emits('token_issuer.created'),
  'tokenIssuers.list': reads(),
  'tokenIssuers.update': emits('token_issuer.updated'),
  'tokenIssuers.delete': emits('token_issuer.deleted'),

  'tenants.create': emits('tenant.created', { also: ['api_key.created'] }),
  'tenants.list': reads(),
  'tenants.ensure': emits('tenant.created', { only: 'library', because: 'Creates the tenant, or returns it.' }),
  'testClocks.create': emits('test_clock.created', {
    also: ['tenant.created', 'api_key.created'],
    command: 'test-clocks create',
  }),
  'testClocks.list': reads('test-clocks list'),
  'testClocks.get': reads(),
  'testClocks.advance': emits('test_clock.advance_requested', {
    command: 'test-clocks advance',
    because: 'An advance takes time: `test_clock.advanced` or `test_clock.advance_failed` says that it ended.',
  }),
  'testClocks.cancelAdvance': emits('test_clock.advance_cancelled', { command: 'test-clocks cancel-advance' }),
  'testClocks.delete': emits('test_clock.deleted', { command: 'test-clocks delete' }),
  'testClocks.wait': { ...reads(), only: 'library', note: 'Reads the clock until its advance has ended.' },
} as const satisfies Readonly<Record<string, Names>> & Readonly<Record<keyof typeof ROUTES, Names>>;
