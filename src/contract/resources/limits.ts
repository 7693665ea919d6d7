// Limits: what one payment may be, what may leave an account or the whole tenant in a day, and what needs approval.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { PaymentLimit } from '../../engine.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { accountKey, idOrNull } from '../wire-format.ts';
import { AccountName, Amount, AmountIn, AssetName, closed, idOf, listOf, nullable } from '../schemas.ts';
import { ALICE } from './examples.ts';

const Limit = closed(
  {
    account: nullable(idOf('account'), {
      description: 'Null: the limits of the tenant, which apply to every account.',
    }),
    asset: Type.String(),
    max_amount: nullable(Amount, { description: 'The largest amount of one payment.' }),
    daily_amount: nullable(Amount, { description: 'The largest sum that can leave the account in 24 hours.' }),
    default_daily_amount: nullable(Amount, {
      description:
        'Only for the tenant: the largest sum that can leave each account without a `daily_amount` in 24 hours.',
    }),
    tenant_daily_amount: nullable(Amount, {
      description: 'Only for the tenant: the largest sum that can leave all its accounts together in 24 hours.',
    }),
    approval_above: nullable(Amount, {
      description:
        'A payment awaits approval if its amount, plus the sum that its creator sent from the payer without approval in 24 hours, is larger.',
    }),
  },
  { title: 'Limit' },
);

const show = (limit: PaymentLimit): Static<typeof Limit> => ({
  account: idOrNull('account', limit.accountId),
  asset: limit.asset,
  max_amount: limit.maxAmount?.toString() ?? null,
  daily_amount: limit.dailyAmount?.toString() ?? null,
  default_daily_amount: limit.defaultDailyAmount?.toString() ?? null,
  tenant_daily_amount: limit.tenantDailyAmount?.toString() ?? null,
  approval_above: limit.approvalAbove?.toString() ?? null,
});

// One nullable type: as a union its errors would be reported twice.
const amountOrNull = (description: string) =>
  Type.Optional(Type.Unsafe<string | number | null>({ ...AmountIn, type: ['string', 'integer', 'null'], description }));

const LIST = listOf(Limit, 'LimitList');
const EXAMPLE = {
  account: ALICE,
  asset: 'USD/2',
  max_amount: null,
  daily_amount: '50000',
  default_daily_amount: null,
  tenant_daily_amount: null,
  approval_above: '100000',
};

export const limitRoutes = {
  'limits.set': route({
    method: 'POST',
    path: '/limits',
    summary: 'Set limits of the tenant or an account',
    description:
      'For one asset. Null removes a limit; an omitted limit stays unchanged. New limits apply to later payments; scheduled payments ' +
      'keep their terms. A daily limit that is set after it was unset starts with 0 used; changing its value keeps the used amount. ' +
      'Without an account the request sets the limits of the tenant, including the default daily limit of accounts that have none, and ' +
      'a daily total of all accounts.',
    scope: 'admin',
    body: closed(
      {
        account: Type.Optional(AccountName),
        asset: AssetName,
        max_amount: amountOrNull('The largest amount of one payment, in minor units, more than 0. Null: no limit.'),
        daily_amount: amountOrNull(
          'The largest sum that can leave the account in 24 hours, more than 0; requires `account`. Null: the default of the tenant.',
        ),
        default_daily_amount: amountOrNull(
          'The largest sum that can leave each account without a `daily_amount` in 24 hours, more than 0; only without `account`.',
        ),
        tenant_daily_amount: amountOrNull(
          'The largest sum that can leave all accounts together in 24 hours, more than 0; only without `account`.',
        ),
        approval_above: amountOrNull(
          'A payment awaits approval if its amount, plus the sum that its creator sent from the payer without approval in 24 hours, is larger. 0: every payment.',
        ),
      },
      { title: 'LimitParams' },
    ),
    answer: LIST,
    example: {
      body: { account: 'alice', asset: 'USD/2', daily_amount: '50000', approval_above: '100000' },
      answer: { data: [EXAMPLE], next_cursor: null },
    },
    async handle({ tenant, body }) {
      const { account, asset, max_amount, daily_amount, default_daily_amount, tenant_daily_amount, approval_above } =
        body;
      await tenant.setLimit({
        asset,
        ...(account === undefined ? {} : { account: accountKey(account) }),
        ...(max_amount === undefined ? {} : { maxAmount: max_amount }),
        ...(daily_amount === undefined ? {} : { dailyAmount: daily_amount }),
        ...(default_daily_amount === undefined ? {} : { defaultDailyAmount: default_daily_amount }),
        ...(tenant_daily_amount === undefined ? {} : { tenantDailyAmount: tenant_daily_amount }),
        ...(approval_above === undefined ? {} : { approvalAbove: approval_above }),
      });
      return wholeList(tenant.limits(), show);
    },
  }),

  'limits.list': route({
    method: 'GET',
    path: '/limits',
    summary: 'List limits',
    description: 'The limits of the tenant first, then those of its accounts; at most 10,000.',
    scope: 'ops:read',
    answer: LIST,
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.limits(), show),
  }),
};
