// Subscriptions: charges that repeat, within what was approved.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Subscription as EngineSubscription } from '../../engine.ts';
import { PRIORITY_NAMES, PRORATIONS, SUBSCRIPTION_STATUSES } from '../../engine.ts';
import { fromTypeId, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { before, stretch } from '../cursor.ts';
import { accountId, accountKey, idOrNull, instantOrNull } from '../wire-format.ts';
import {
  AccountName,
  Amount,
  AssetName,
  CREATED,
  Instant,
  Metadata,
  MetadataFilter,
  Reason,
  Reference,
  closed,
  expandQuery,
  idOf,
  listOf,
  nullable,
  oneOf,
  pageQuery,
  readCreated,
  someOf,
  textOrNull,
} from '../schemas.ts';
import { PAYOUT, Retry, readPayout, readRetry } from './orders.ts';
import { PAYS_OVER, RetryShown, showPaysOver, showRetry } from './payment-shape.ts';
import { ALICE, BOB, CREATED_AT, PAYMENT, PLAN, SUBSCRIPTION } from './examples.ts';

const Id = closed({ id: idOf('subscription') });
const params = { id: SUBSCRIPTION };

const EXPANDS = ['payer', 'receiver'] as const;

const Subscription = closed(
  {
    id: idOf('subscription'),
    plan: idOf('plan'),
    payer: idOf('account'),
    receiver: idOf('account'),
    ...PAYS_OVER,
    asset: AssetName,
    price: Amount,
    status: oneOf(SUBSCRIPTION_STATUSES, {
      description:
        '`trialing`: the first charge is due when the trial ends. `paused`: paused by a request until it is resumed. `past_due`: a charge failed for good and the plan has `after_failure: pause`. `expired`: a charge failed for good, or its last charge is over.',
    }),
    status_reason: textOrNull({
      description:
        'For an expired subscription: `payment_failed`; `approval_used_up`, all approved charges were made; or `term_ended`, the last charge is over and some were skipped, credited or refused. Otherwise the reason that was given.',
    }),
    priority: oneOf(PRIORITY_NAMES),
    retry: nullable(RetryShown, { description: 'The retry policy of each charge.' }),
    charges: nullable(Type.Integer(), { description: 'The approved number of charges; null: open-ended.' }),
    charges_made: Type.Integer(),
    charges_paid: Type.Integer(),
    charges_skipped: Type.Integer(),
    charges_credited: Type.Integer(),
    approved: nullable(Amount, {
      description:
        'The largest total of all charges: the price times the number of charges; after a change of plan, the amount charged before plus ' +
        'the new price times the new number of charges. Null: open-ended, and each charge is at most the price.',
    }),
    paid: Amount,
    credit: {
      ...Amount,
      description: 'The unused amount after a change of plan. It is deducted from the next charges and never paid out.',
    } as typeof Amount,
    trial_ends_at: nullable(Instant, { description: 'When the first charge is due; null without a trial.' }),
    cancel_at: nullable(Instant, {
      description:
        'When it is cancelled instead of charged: the end of the period, after a cancellation at the period end; null otherwise.',
    }),
    next_due_at: nullable(Instant),
    last_payment: nullable(idOf('payment'), { description: 'The newest charge.' }),
    schedule: idOf('schedule'),
    reference: textOrNull(),
    metadata: nullable(Metadata),
    created_at: Instant,
    updated_at: Instant,
    ended_at: nullable(Instant),
  },
  { title: 'Subscription', 'x-expand': EXPANDS },
);

export function showSubscription(subscription: EngineSubscription): Static<typeof Subscription> {
  return {
    id: toTypeId('subscription', subscription.id),
    plan: toTypeId('plan', subscription.planId),
    payer: accountId(subscription.payerId),
    receiver: accountId(subscription.payeeId),
    ...showPaysOver(subscription),
    asset: subscription.asset,
    price: subscription.price.toString(),
    status: subscription.status,
    status_reason: subscription.statusReason,
    priority: PRIORITY_NAMES[subscription.priority] ?? 'normal',
    retry: showRetry(subscription.retry),
    charges: subscription.charges,
    charges_made: subscription.chargesMade,
    charges_paid: subscription.chargesPaid,
    charges_skipped: subscription.chargesSkipped,
    charges_credited: subscription.chargesCredited,
    approved: subscription.approved?.toString() ?? null,
    paid: subscription.paid.toString(),
    credit: subscription.credit.toString(),
    trial_ends_at: instantOrNull(subscription.trialEndsAt),
    cancel_at: instantOrNull(subscription.cancelAt),
    next_due_at: instantOrNull(subscription.nextDueAt),
    last_payment: idOrNull('payment', subscription.lastPaymentId),
    schedule: toTypeId('schedule', subscription.id),
    reference: subscription.reference,
    metadata: subscription.metadata && { ...subscription.metadata },
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
    ended_at: instantOrNull(subscription.endedAt),
  };
}

const EXAMPLE = {
  id: SUBSCRIPTION,
  plan: PLAN,
  payer: BOB,
  receiver: ALICE,
  rail: 'ledger',
  destinations: null,
  route_priority: null,
  asset: 'USD/2',
  price: '1250',
  status: 'active',
  status_reason: null,
  priority: 'normal',
  retry: { max_attempts: 6, initial_delay: 'PT60S', multiplier: 2, max_delay: 'PT3600S', jitter: 0 },
  charges: 12,
  charges_made: 1,
  charges_paid: 0,
  charges_skipped: 0,
  charges_credited: 0,
  approved: '15000',
  paid: '0',
  credit: '0',
  trial_ends_at: null,
  cancel_at: null,
  next_due_at: '2026-12-13T09:30:00.000Z',
  last_payment: PAYMENT,
  schedule: 'sch_01k9zt7e9rpf5j7k0m3n6s8t1v',
  reference: null,
  metadata: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  ended_at: null,
};
const WHY = 'asked for by the customer';

export const subscriptionRoutes = {
  'subscriptions.create': route({
    method: 'POST',
    path: '/subscriptions',
    summary: 'Create a subscription',
    description:
      'The first charge is made at once, or when the trial ends; the next is due one period later. The payer approves the price times ' +
      'the number of charges, or the price of each charge if the plan has no end. With `rail` or `destinations` each charge is a payout ' +
      'to an address; the receiver of such a plan is `world`.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    body: closed(
      {
        plan: idOf('plan'),
        payer: AccountName,
        reference: Type.Optional(Reference),
        metadata: Type.Optional(Metadata),
        trial_days: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 730,
            description: 'Days before the first charge. Default: those of the plan.',
          }),
        ),
        priority: Type.Optional(
          oneOf(PRIORITY_NAMES, { description: 'Priority of the charges. Default: that of the plan.' }),
        ),
        retry: Type.Optional(Retry),
        ...PAYOUT,
      },
      { title: 'SubscriptionCreateParams' },
    ),
    answer: Subscription,
    example: { body: { plan: PLAN, payer: 'bob' }, answer: EXAMPLE },
    async handle({ tenant, body }) {
      const { plan, payer, trial_days, retry, reference, metadata, priority } = body;
      return showSubscription(
        await tenant.subscribe({
          plan: fromTypeId('plan', plan, 'plan'),
          payer: accountKey(payer),
          ...(reference === undefined ? {} : { reference }),
          ...(metadata === undefined ? {} : { metadata }),
          ...(priority === undefined ? {} : { priority }),
          ...(trial_days === undefined ? {} : { trialDays: trial_days }),
          ...(retry === undefined ? {} : { retry: readRetry(retry) }),
          ...readPayout(body),
          idempotencyKey: 'request',
        }),
      );
    },
  }),

  'subscriptions.list': route({
    method: 'GET',
    path: '/subscriptions',
    summary: 'List subscriptions',
    description:
      'Newest first. `reference`, `plan` and `payer` use an index; for the other filters a page reads at most 5,000 subscriptions, so ' +
      'it can be short or empty without being the last: continue with `next_cursor`. An end user sees the subscriptions that they pay, ' +
      'and cannot filter by `reference` or `metadata`, which belong to the tenant.',
    scope: 'payments:read',
    own: true,
    query: pageQuery({
      status: Type.Optional(someOf(SUBSCRIPTION_STATUSES)),
      plan: Type.Optional(idOf('plan')),
      payer: Type.Optional(AccountName),
      reference: Type.Optional(Reference),
      ...CREATED,
      metadata: Type.Optional(MetadataFilter),
      ...expandQuery(EXPANDS),
    }),
    answer: listOf(Subscription, 'SubscriptionList'),
    example: { query: { status: 'active' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle({ tenant, query }) {
      const { status, plan, payer, reference, metadata } = query;
      const filter = {
        ...(status === undefined ? {} : { status }),
        ...(plan === undefined ? {} : { plan: fromTypeId('plan', plan, 'plan') }),
        ...(payer === undefined ? {} : { payer: accountKey(payer) }),
        ...(reference === undefined ? {} : { reference }),
        ...readCreated(query),
        ...(metadata === undefined ? {} : { metadata }),
      };
      return stretch(
        query,
        async (limit, mark) => {
          const { subscriptions, next } = await tenant.subscriptionsPage(filter, { limit, ...before(mark) });
          return { rows: subscriptions, next };
        },
        showSubscription,
      );
    },
  }),

  'subscriptions.get': route({
    method: 'GET',
    path: '/subscriptions/{id}',
    summary: 'Get a subscription',
    scope: 'payments:read',
    own: true,
    params: Id,
    query: closed(expandQuery(EXPANDS)),
    answer: Subscription,
    example: { params, answer: EXAMPLE },
    handle: async ({ tenant, params: { id } }) =>
      showSubscription(await tenant.subscription(fromTypeId('subscription', id))),
  }),

  'subscriptions.update': route({
    method: 'PATCH',
    path: '/subscriptions/{id}',
    summary: 'Update the priority, retry policy or metadata of a subscription',
    description:
      'Applies from the next charge on; an open charge keeps its terms. The terms that the payer approved do not change.',
    scope: 'payments:write',
    params: Id,
    body: closed(
      {
        priority: Type.Optional(oneOf(PRIORITY_NAMES)),
        retry: Type.Optional(nullable(Retry, { description: 'Null: the preset `subscription`.' })),
        metadata: Type.Optional(nullable(Metadata)),
      },
      { title: 'SubscriptionUpdateParams', minProperties: 1 },
    ),
    answer: Subscription,
    example: { params, body: { priority: 'low' }, answer: { ...EXAMPLE, priority: 'low' } },
    async handle({ tenant, params: { id }, body }) {
      const { retry, ...rest } = body;
      return showSubscription(
        await tenant.editSubscription(fromTypeId('subscription', id), {
          ...rest,
          ...(retry === undefined ? {} : { retry: retry === null ? null : readRetry(retry) }),
        }),
      );
    },
  }),

  'subscriptions.cancel': route({
    method: 'POST',
    path: '/subscriptions/{id}/cancel',
    summary: 'Cancel a subscription',
    description:
      'At once, or at the end of the period: then it stays active until its next charge would be due, and is cancelled instead of ' +
      'charged. A cancellation at once also cancels an open charge, so it is not retried; paid charges stay paid. An end user can ' +
      'cancel a subscription that they pay.',
    scope: 'payments:write',
    own: true,
    params: Id,
    body: closed({
      at: Type.Optional(oneOf(['now', 'period_end'], { description: 'Default `now`.' })),
      reason: Type.Optional(Reason),
    }),
    answer: Subscription,
    example: {
      params,
      body: { reason: WHY },
      answer: {
        ...EXAMPLE,
        status: 'cancelled',
        status_reason: WHY,
        next_due_at: null,
        ended_at: '2026-11-14T10:00:00.000Z',
      },
    },
    handle: async ({ tenant, params: { id }, body }) =>
      showSubscription(await tenant.cancelSubscription(fromTypeId('subscription', id), body)),
  }),

  'subscriptions.changePlan': route({
    method: 'POST',
    path: '/subscriptions/{id}/change-plan',
    summary: 'Change the plan of a subscription',
    description:
      'The new plan must have the same asset and receiver. `none`: applies from the next charge on. `charge`: a new period begins at ' +
      'once; the unused part of the paid period becomes a credit that is deducted from its charge, and from later charges until it is ' +
      'used up.',
    scope: 'payments:write',
    idempotency: 'required',
    params: Id,
    body: closed(
      {
        plan: idOf('plan'),
        proration: Type.Optional(oneOf(PRORATIONS, { description: 'Default `none`.' })),
      },
      { title: 'PlanChange' },
    ),
    answer: Subscription,
    example: { params, body: { plan: PLAN }, answer: EXAMPLE },
    handle: async ({ tenant, params: { id }, body }) =>
      showSubscription(
        await tenant.changeSubscriptionPlan(fromTypeId('subscription', id), {
          ...body,
          plan: fromTypeId('plan', body.plan, 'plan'),
          idempotencyKey: 'request',
        }),
      ),
  }),

  'subscriptions.pause': route({
    method: 'POST',
    path: '/subscriptions/{id}/pause',
    summary: 'Pause a subscription',
    description:
      'No charge is made until it is resumed. Charges due in the pause are skipped, and count as charges. An open charge stays unchanged.',
    scope: 'payments:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Subscription,
    example: {
      params,
      body: { reason: WHY },
      answer: { ...EXAMPLE, status: 'paused', status_reason: WHY, next_due_at: null },
    },
    handle: async ({ tenant, params: { id }, body }) =>
      showSubscription(await tenant.pauseSubscription(fromTypeId('subscription', id), body)),
  }),

  'subscriptions.resume': route({
    method: 'POST',
    path: '/subscriptions/{id}/resume',
    summary: 'Resume a subscription, or withdraw its cancellation',
    description:
      'A paused, past-due or expired subscription becomes active and continues with its next future charge, within the approved total. Charges that fell due meanwhile are skipped (`charges_skipped`). An active subscription with `cancel_at` stays active, and its cancellation is withdrawn. Refused if the approved total is used up, or if the subscription is active without `cancel_at`.',
    scope: 'payments:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Subscription,
    example: { params, body: { reason: WHY }, answer: EXAMPLE },
    handle: async ({ tenant, params: { id }, body }) =>
      showSubscription(await tenant.resumeSubscription(fromTypeId('subscription', id), body)),
  }),
};
