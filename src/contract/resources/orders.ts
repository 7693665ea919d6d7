// The fields of a request to create a hold or a payment, and their conversion for the engine.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { PaymentOrder as EngineOrder, TenantVerbs } from '../../engine.ts';
import { PRIORITY_NAMES, ROUTE_PRIORITIES, parseDelayMs } from '../../engine.ts';
import { RETRY_PRESETS, refuse } from '../../kernel/index.ts';
import { accountKey } from '../wire-format.ts';
import {
  AccountName,
  AssetName,
  DelayIn,
  Destinations,
  Metadata,
  Reference,
  closed,
  forCompatibility,
  instantIn,
  oneGivenOf,
  oneOf,
} from '../schemas.ts';
import { AMOUNT, orderAsset, requireGiven, requiredAmount } from './amount-input.ts';
import { refusedAs } from '../validate.ts';

const WHEN = {
  execute_at: Type.Optional(instantIn('When the payment is due; instead of `delay`. Default: now.')),
  delay: Type.Optional(DelayIn),
  expires_at: Type.Optional(instantIn('If it is not settled by then, the payment expires. Default: never.')),
};

const WHAT = {
  ...AMOUNT,
  asset: Type.Optional(AssetName),
  ...WHEN,
  reference: Type.Optional(Reference),
  metadata: Type.Optional(Metadata),
};

export const HoldOrder = closed(
  {
    from: Type.Optional(AccountName),
    to: Type.Optional(AccountName),
    to_user: Type.Optional({ ...AccountName, ...forCompatibility('Another name for `to`.') }),
    ...WHAT,
  },
  { title: 'HoldCreateParams', ...oneGivenOf(['to', 'to_user'], ['amount', 'amount_decimal']) },
);

const waiting = (when: string) =>
  Type.Unsafe<string | number>({
    ...DelayIn,
    description: `${when} Seconds, \`48h\`, or an ISO 8601 duration such as \`PT48H\`.`,
  });

const RetryFields = closed({
  max_attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  initial_delay: Type.Optional(
    waiting('Wait after the first failed attempt. Raises an omitted `max_delay` that would be shorter.'),
  ),
  multiplier: Type.Optional(Type.Number({ minimum: 1, maximum: 100 })),
  max_delay: Type.Optional(waiting('Longest wait. Refused if it is below a given `initial_delay`.')),
  jitter: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

const PRESETS = Object.keys(RETRY_PRESETS) as (keyof typeof RETRY_PRESETS)[];

export const Retry = Type.Union([oneOf(PRESETS), RetryFields], {
  description:
    'A preset, or fields of a policy that override the default. The default is the preset `hold` for payments, `payout` for payouts, ' +
    '`subscription` for plans and edited subscriptions, `allowance` for allowances, and the policy of the plan for new subscriptions.',
  ...refusedAs('RETRY_INVALID/not_a_policy', { presets: PRESETS }),
});

export const Leg = closed({ to: AccountName, ...AMOUNT }, oneGivenOf(['amount', 'amount_decimal']));

/** Fields of a payment over a chain. */
export const PAYOUT = {
  rail: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description:
        '`ledger` (default) pays accounts. The name of a chain, such as `sandbox`, makes the payment a payout to `destination`. `any` ' +
        '(default with `destinations`): the chain is chosen among `destinations` when the payout runs.',
      examples: ['ledger'],
    }),
  ),
  destination: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The address of the payee on the chain in `rail`; instead of `to`.',
      examples: ['sbx1017e36c840e14cb75d0846ecf145e2f16909e3c'],
    }),
  ),
  destinations: Type.Optional(Destinations),
  route_priority: Type.Optional(
    oneOf(ROUTE_PRIORITIES, {
      description:
        'Priority of the choice of a chain: the fee, the time to finality, or the reliability. Default `low_fee`.',
    }),
  ),
};

export const PaymentOrder = closed(
  {
    from: AccountName,
    to: Type.Optional(AccountName),
    legs: Type.Optional(
      Type.Array(Leg, {
        minItems: 1,
        maxItems: 10,
        description: 'Instead of `to`: payees that are paid together; their amounts add up to `amount`.',
      }),
    ),
    ...WHAT,
    funding: Type.Optional(
      oneOf(['reserve', 'at_execution'], {
        description:
          '`reserve` (default): funds are reserved now. `at_execution`: funds are taken when the payment is due.',
      }),
    ),
    ...PAYOUT,
    retry: Type.Optional(Retry),
    priority: Type.Optional(oneOf(PRIORITY_NAMES)),
  },
  {
    title: 'PaymentCreateParams',
    ...oneGivenOf(['to', 'legs', 'destination', 'destinations'], ['amount', 'amount_decimal']),
  },
);

type What = Pick<
  Static<typeof PaymentOrder>,
  'amount' | 'amount_decimal' | 'execute_at' | 'delay' | 'expires_at' | 'reference' | 'metadata'
>;

function what(body: What, asset: string): Omit<EngineOrder, 'from'> {
  const { execute_at, delay, expires_at, reference, metadata } = body;
  return {
    asset,
    amount: requiredAmount(body, asset),
    ...(execute_at === undefined ? {} : { executeAt: execute_at }),
    ...(delay === undefined ? {} : { delay }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export async function readHoldOrder(tenant: TenantVerbs, body: Static<typeof HoldOrder>): Promise<EngineOrder> {
  requireGiven(body);
  // An end user acts for their own account; a key acts for no particular account.
  const from = body.from ?? tenant.subject ?? refuse('FIELD_INVALID/from_required', { param: 'from' });
  if (body.to !== undefined && body.to_user !== undefined) {
    refuse('FIELD_INVALID/both_given', { first: 'to', param: 'to_user' });
  }
  const to = body.to ?? body.to_user ?? refuse('FIELD_INVALID/required', { param: 'to' });
  return {
    ...what(body, await orderAsset(tenant, body)),
    from: accountKey(from),
    to: accountKey(to),
    funding: 'reserve',
  };
}

/** `asset` is the default one where the order names none, by its full name where the order has decimals. */
export function readPaymentOrder(body: Static<typeof PaymentOrder>, asset: string): EngineOrder {
  return {
    ...what(body, asset),
    from: accountKey(body.from),
    ...(body.to === undefined ? {} : { to: accountKey(body.to) }),
    ...(body.legs ? { legs: readLegs(body.legs, asset) } : {}),
    ...(body.funding ? { funding: body.funding } : {}),
    ...(body.priority ? { priority: body.priority } : {}),
    ...(body.retry === undefined ? {} : { retry: readRetry(body.retry) }),
    ...readPayout(body),
  };
}

export function readPayout(
  body: Pick<Static<typeof PaymentOrder>, 'rail' | 'destination' | 'destinations' | 'route_priority'>,
): Pick<EngineOrder, 'rail' | 'destination' | 'destinations' | 'routePriority'> {
  const { rail, destination, destinations, route_priority } = body;
  return {
    ...(rail === undefined ? {} : { rail }),
    ...(destination === undefined ? {} : { destination }),
    ...(destinations === undefined ? {} : { destinations }),
    ...(route_priority === undefined ? {} : { routePriority: route_priority }),
  };
}

export function readLegs(legs: readonly Static<typeof Leg>[], asset: string) {
  return legs.map((leg, index) => ({
    to: accountKey(leg.to),
    amount: requiredAmount(leg, asset, `legs[${index}].amount`),
  }));
}

export function readRetry(retry: Static<typeof Retry>): NonNullable<EngineOrder['retry']> {
  if (typeof retry === 'string') return retry;
  const { max_attempts, initial_delay, multiplier, max_delay, jitter } = retry;
  return {
    ...(max_attempts === undefined ? {} : { maxAttempts: max_attempts }),
    ...(initial_delay === undefined ? {} : { initialDelayMs: parseDelayMs(initial_delay, 'retry.initial_delay') }),
    ...(multiplier === undefined ? {} : { multiplier }),
    ...(max_delay === undefined ? {} : { maxDelayMs: parseDelayMs(max_delay, 'retry.max_delay') }),
    ...(jitter === undefined ? {} : { jitter }),
  };
}
