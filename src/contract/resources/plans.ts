// Plans: what subscriptions charge.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Plan as EnginePlan } from '../../engine.ts';
import { FREQUENCIES, PLAN_AFTER_FAILURES, PLAN_MISSED, PRIORITY_NAMES, periodInWords } from '../../engine.ts';
import { fromTypeId, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { newestFirst } from '../cursor.ts';
import { accountId, accountKey } from '../wire-format.ts';
import {
  AccountName,
  Amount,
  AmountIn,
  AssetName,
  Instant,
  closed,
  idOf,
  listOf,
  nullable,
  oneGivenOf,
  oneOf,
  pageQuery,
} from '../schemas.ts';
import { DecimalIn, eitherAmount, missingAmount, scaledAsset } from './amount-input.ts';
import { ALICE, CREATED_AT, PLAN } from './examples.ts';
import { Retry, readRetry } from './orders.ts';
import { RetryShown, showRetry } from './payment-shape.ts';
import { refusedAs } from '../validate.ts';

const Period = Type.Union(
  [
    closed({
      frequency: oneOf(FREQUENCIES),
      every: Type.Optional(Type.Integer({ minimum: 1, maximum: 999, description: 'Every nth period. Default 1.' })),
    }),
    closed({ every_seconds: Type.Integer({ minimum: 60, maximum: 2_147_483_647 }) }),
  ],
  {
    description:
      'A calendar period counted from the day of the subscription (the 31st becomes the last day of shorter months), or a fixed number of seconds.',
    ...refusedAs('PLAN_INVALID/not_a_period', { frequency: 'frequency', seconds: 'every_seconds' }),
  },
);

const TERMS = {
  name: Type.String({ minLength: 1, maxLength: 200, examples: ['Premium'] }),
  price: Type.Optional(AmountIn),
  price_decimal: Type.Optional(DecimalIn),
  period: Period,
  zone: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'IANA time zone of the calendar. Default UTC.',
      examples: ['Europe/Berlin'],
    }),
  ),
  charges: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 1_000 }), {
      description: 'The number of charges; or give `months`. Without both, subscriptions are open-ended.',
    }),
  ),
  months: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 120 }), {
      description: 'The number of months in which charges are made.',
    }),
  ),
  trial_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 730,
      description: 'Days before the first charge. Default 0: the first charge is made at once.',
    }),
  ),
  priority: Type.Optional(oneOf(PRIORITY_NAMES, { description: 'Priority of the charges. Default `normal`.' })),
  retry: Type.Optional(
    nullable(Retry, { description: 'Default, and for null: six attempts, 1, 2, 4, 8 and 16 minutes apart.' }),
  ),
  after_failure: Type.Optional(
    oneOf(PLAN_AFTER_FAILURES, {
      description: 'After a charge failed for good: `expire` (default), or `pause` as past due until it is resumed.',
    }),
  ),
  missed: Type.Optional(
    oneOf(PLAN_MISSED, {
      description:
        'For charges missed in an outage longer than a period: `last` makes only the newest (default), `all` makes each of them, one ' +
        'after the other, `skip` makes none. A skipped charge counts as one of `charges`.',
    }),
  ),
};

const PlanOrder = closed(
  {
    ...TERMS,
    asset: Type.Optional(AssetName),
    receiver: { ...AccountName, description: 'The account that is paid: id or ref.' } as typeof AccountName,
  },
  { title: 'PlanCreateParams', ...oneGivenOf(['price', 'price_decimal']) },
);
const PlanEdit = Type.Partial(closed(TERMS), {
  title: 'PlanUpdateParams',
  minProperties: 1,
  additionalProperties: false,
});

const Plan = closed(
  {
    id: idOf('plan'),
    name: Type.String(),
    price: Amount,
    asset: AssetName,
    receiver: idOf('account'),
    period: Period,
    summary: Type.String({ description: 'The period in words.', examples: ['every month'] }),
    zone: Type.String(),
    charges: Type.Union([Type.Integer(), Type.Null()]),
    months: Type.Union([Type.Integer(), Type.Null()]),
    trial_days: Type.Integer(),
    priority: oneOf(PRIORITY_NAMES),
    retry: nullable(RetryShown, { description: 'Null: the preset `subscription`.' }),
    after_failure: oneOf(PLAN_AFTER_FAILURES),
    missed: oneOf(PLAN_MISSED),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Plan' },
);

function show(plan: EnginePlan): Static<typeof Plan> {
  const { period } = plan;
  return {
    id: toTypeId('plan', plan.id),
    name: plan.name,
    price: plan.price.toString(),
    asset: plan.asset,
    receiver: accountId(plan.payeeId),
    period: 'everySeconds' in period ? { every_seconds: period.everySeconds } : { ...period },
    summary: periodInWords(period),
    zone: plan.zone,
    charges: plan.charges,
    months: plan.months,
    trial_days: plan.trialDays,
    priority: PRIORITY_NAMES[plan.priority] ?? 'normal',
    retry: showRetry(plan.retry),
    after_failure: plan.afterFailure,
    missed: plan.missed,
    created_at: plan.createdAt.toISOString(),
    updated_at: plan.updatedAt.toISOString(),
  };
}

function readPeriod(period: Static<typeof Period>): EnginePlan['period'] {
  return 'every_seconds' in period ? { everySeconds: period.every_seconds } : period;
}

/** The terms that were given, for the engine; `asset` by its full name where the price is a decimal. */
function read(terms: Static<typeof PlanEdit>, asset: string) {
  const { after_failure, period, price: minor, price_decimal, trial_days, retry, ...rest } = terms;
  const price = eitherAmount(minor, price_decimal, asset, 'price');
  return {
    ...rest,
    ...(price === undefined ? {} : { price }),
    ...(period === undefined ? {} : { period: readPeriod(period) }),
    ...(after_failure === undefined ? {} : { afterFailure: after_failure }),
    ...(trial_days === undefined ? {} : { trialDays: trial_days }),
    ...(retry === undefined ? {} : { retry: retry === null ? null : readRetry(retry) }),
  };
}

const EXAMPLE = {
  id: PLAN,
  name: 'Premium',
  price: '1250',
  asset: 'USD/2',
  receiver: ALICE,
  period: { frequency: 'MONTHLY' },
  summary: 'every month',
  zone: 'UTC',
  charges: null,
  months: 12,
  trial_days: 0,
  priority: 'normal',
  retry: null,
  after_failure: 'expire',
  missed: 'last',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

export const planRoutes = {
  'plans.create': route({
    method: 'POST',
    path: '/plans',
    summary: 'Create a plan',
    description:
      'The price, the period, the number of charges and the receiver. Subscribers approve the total of all charges; without `charges` ' +
      'and `months` they approve each charge until they cancel.',
    scope: 'payments:write',
    status: 201,
    body: PlanOrder,
    answer: Plan,
    example: {
      body: {
        name: 'Premium',
        price: '1250',
        asset: 'USD',
        receiver: 'alice',
        period: { frequency: 'MONTHLY' },
        months: 12,
      },
      answer: EXAMPLE,
    },
    async handle({ tenant, body }) {
      const { name, period, asset: named, receiver, ...rest } = body;
      if (body.price === undefined && body.price_decimal === undefined) missingAmount('price');
      const asset = await scaledAsset(tenant, named, body.price_decimal !== undefined);
      const { price = missingAmount('price'), ...terms } = read(rest, asset);
      const order = { ...terms, name, price, period: readPeriod(period), asset, receiver: accountKey(receiver) };
      return show(await tenant.createPlan(order));
    },
  }),

  'plans.list': route({
    method: 'GET',
    path: '/plans',
    summary: 'List plans',
    description: 'Newest first.',
    scope: 'payments:read',
    query: pageQuery({}),
    answer: listOf(Plan, 'PlanList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) => newestFirst(query, (range) => tenant.plans(range), show),
  }),

  'plans.get': route({
    method: 'GET',
    path: '/plans/{id}',
    summary: 'Get a plan',
    scope: 'payments:read',
    params: closed({ id: idOf('plan') }),
    answer: Plan,
    example: { params: { id: PLAN }, answer: EXAMPLE },
    handle: async ({ tenant, params }) => show(await tenant.plan(fromTypeId('plan', params.id))),
  }),

  'plans.update': route({
    method: 'PATCH',
    path: '/plans/{id}',
    summary: 'Update a plan',
    description: 'Applies to later subscriptions; existing subscriptions keep the terms that their payers approved.',
    scope: 'payments:write',
    params: closed({ id: idOf('plan') }),
    body: PlanEdit,
    answer: Plan,
    example: { params: { id: PLAN }, body: { price: '1500' }, answer: { ...EXAMPLE, price: '1500' } },
    async handle({ tenant, params, body }) {
      const id = fromTypeId('plan', params.id);
      const asset = body.price_decimal === undefined ? '' : (await tenant.plan(id)).asset;
      return show(await tenant.editPlan(id, read(body, asset)));
    },
  }),
};
