// Subscriptions: charges that repeat, within what was approved.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Subscription as EngineSubscription } from '../../engine.ts';
import { SUBSCRIPTION_STATUSES } from '../../engine.ts';
import { fromTypeId, toTypeId } from '../../kernel/index.ts';
import { route } from '../contract.ts';
import { newestFirst } from '../cursor.ts';
import { accountId, accountKey, idOrNull, instantOrNull } from '../names.ts';
import {
  AccountName,
  Amount,
  AssetName,
  Instant,
  Metadata,
  Reason,
  Reference,
  closed,
  idOf,
  listOf,
  nullable,
  oneOf,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { ALICE, BOB, CREATED_AT, PAYMENT, PLAN, SUBSCRIPTION } from './examples.ts';

const tag = 'subscriptions';
const Id = closed({ id: idOf('subscription') });
const params = { id: SUBSCRIPTION };

const Subscription = closed(
  {
    id: idOf('subscription'),
    plan: idOf('plan'),
    payer: idOf('account'),
    receiver: idOf('account'),
    asset: AssetName,
    price: Amount,
    status: oneOf(SUBSCRIPTION_STATUSES, {
      description:
        '`past_due`: a charge failed for good and the plan says `pause`. `expired`: it failed for good, or all that was approved is charged.',
    }),
    status_reason: textOrNull(),
    charges: Type.Integer({ description: 'How many were approved.' }),
    charges_made: Type.Integer(),
    charges_paid: Type.Integer(),
    approved: { ...Amount, description: 'The price times the charges: no more is ever charged.' } as typeof Amount,
    paid: Amount,
    next_due_at: nullable(Instant),
    last_payment: nullable(idOf('payment'), { description: 'The newest charge.' }),
    schedule: idOf('schedule'),
    reference: textOrNull(),
    metadata: nullable(Metadata),
    created_at: Instant,
    updated_at: Instant,
    ended_at: nullable(Instant),
  },
  { title: 'Subscription' },
);

function show(subscription: EngineSubscription): Static<typeof Subscription> {
  return {
    id: toTypeId('subscription', subscription.id),
    plan: toTypeId('plan', subscription.planId),
    payer: accountId(subscription.payerId),
    receiver: accountId(subscription.payeeId),
    asset: subscription.asset,
    price: subscription.price.toString(),
    status: subscription.status,
    status_reason: subscription.statusReason,
    charges: subscription.charges,
    charges_made: subscription.chargesMade,
    charges_paid: subscription.chargesPaid,
    approved: subscription.approved.toString(),
    paid: subscription.paid.toString(),
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
  asset: 'USD/2',
  price: '1250',
  status: 'active',
  status_reason: null,
  charges: 12,
  charges_made: 1,
  charges_paid: 0,
  approved: '15000',
  paid: '0',
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
  createSubscription: route({
    method: 'POST',
    path: '/subscriptions',
    tag,
    summary: 'Subscribe an account to a plan',
    description:
      'The first charge is made at once, the next is due one period later. The payer approves the price times the number of charges.',
    scope: 'payments:write',
    idempotency: 'required',
    status: 201,
    body: closed(
      {
        plan: idOf('plan'),
        payer: AccountName,
        reference: Type.Optional(Reference),
        metadata: Type.Optional(Metadata),
      },
      { title: 'SubscriptionOrder' },
    ),
    answer: Subscription,
    example: { body: { plan: PLAN, payer: 'bob' }, answer: EXAMPLE },
    handle: async ({ tenant, body }) =>
      show(
        await tenant.subscribe({
          ...body,
          plan: fromTypeId('plan', body.plan, 'plan'),
          payer: accountKey(body.payer),
          idempotencyKey: 'request',
        }),
      ),
  }),

  listSubscriptions: route({
    method: 'GET',
    path: '/subscriptions',
    tag,
    summary: 'List subscriptions',
    description: 'Newest first. An end user sees those that they pay.',
    scope: 'payments:read',
    own: true,
    query: pageQuery({
      status: Type.Optional(oneOf(SUBSCRIPTION_STATUSES)),
      plan: Type.Optional(idOf('plan')),
      payer: Type.Optional(AccountName),
    }),
    answer: listOf(Subscription, 'SubscriptionList'),
    example: { query: { status: 'active' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle({ tenant, query }) {
      const { status, plan, payer } = query;
      const filter = {
        ...(status === undefined ? {} : { status }),
        ...(plan === undefined ? {} : { plan: fromTypeId('plan', plan, 'plan') }),
        ...(payer === undefined ? {} : { payer: accountKey(payer) }),
      };
      return newestFirst(query, (range) => tenant.subscriptions(filter, range), show);
    },
  }),

  getSubscription: route({
    method: 'GET',
    path: '/subscriptions/{id}',
    tag,
    summary: 'One subscription',
    scope: 'payments:read',
    own: true,
    params: Id,
    answer: Subscription,
    example: { params, answer: EXAMPLE },
    handle: async ({ tenant, params: { id } }) => show(await tenant.subscription(fromTypeId('subscription', id))),
  }),

  cancelSubscription: route({
    method: 'POST',
    path: '/subscriptions/{id}/cancel',
    tag,
    summary: 'End a subscription',
    description:
      'At once. A charge that is open is cancelled with it, so nothing is tried again; what was paid stays paid.',
    scope: 'payments:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
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
      show(await tenant.cancelSubscription(fromTypeId('subscription', id), body)),
  }),

  resumeSubscription: route({
    method: 'POST',
    path: '/subscriptions/{id}/resume',
    tag,
    summary: 'Resume a subscription that is past due or expired',
    description:
      'Continues with the first charge that lies ahead, within the approved total; charges missed meanwhile are not made up for. Refused where that total is used up.',
    scope: 'payments:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: Subscription,
    example: { params, body: { reason: WHY }, answer: EXAMPLE },
    handle: async ({ tenant, params: { id }, body }) =>
      show(await tenant.resumeSubscription(fromTypeId('subscription', id), body)),
  }),
};
