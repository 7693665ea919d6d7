// Limits: what one payment may be, what may leave an account or the whole tenant in a day, and what needs approval.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { PaymentLimit } from '../../engine.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { accountKey, idOrNull } from '../names.ts';
import { AccountName, Amount, AmountIn, AssetName, closed, idOf, listOf, nullable } from '../schemas.ts';
import { ALICE } from './examples.ts';

const tag = 'operating';

const Limit = closed(
  {
    account: nullable(idOf('account'), { description: 'Null: of every account of the tenant.' }),
    asset: Type.String(),
    max_amount: nullable(Amount, { description: 'What one payment may be at most.' }),
    daily_amount: nullable(Amount, { description: 'What may leave the account in 24 hours.' }),
    default_daily_amount: nullable(Amount, {
      description: 'Of the tenant: what may leave each account in 24 hours that has no `daily_amount`.',
    }),
    tenant_daily_amount: nullable(Amount, {
      description: 'Of the tenant: what may leave all its accounts together in 24 hours.',
    }),
    approval_above: nullable(Amount, {
      description:
        'A payment awaits approval when it, and what its maker sent from the payer in 24 hours without approval, is more.',
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

// One type that may be null: as a union its misfits would be told twice.
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
    tag,
    summary: 'Set limits of the tenant or an account',
    description:
      'For one asset. Null removes a limit, one that is left out stays. They count from the next payment on; what is ' +
      'scheduled keeps its terms. A daily limit that is set after it was unset starts from 0 used, whatever was sent before; ' +
      'changing its value keeps what was counted. Without an account: the limits of the tenant, among them the daily limit of every account ' +
      'that has none of its own, and a daily total of all accounts.',
    scope: 'admin',
    body: closed(
      {
        account: Type.Optional(AccountName),
        asset: AssetName,
        max_amount: amountOrNull('What one payment may be at most, in minor units, more than 0. Null: no limit.'),
        daily_amount: amountOrNull(
          'What may leave the account in 24 hours, more than 0; needs `account`. Null: the default of the tenant.',
        ),
        default_daily_amount: amountOrNull(
          'What may leave each account in 24 hours that has no `daily_amount`, more than 0; without `account`.',
        ),
        tenant_daily_amount: amountOrNull(
          'What may leave all accounts together in 24 hours, more than 0; without `account`.',
        ),
        approval_above: amountOrNull(
          'A payment awaits approval when it, and what its maker sent from the payer in 24 hours without approval, is more. 0: every payment.',
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
    tag,
    summary: 'List limits',
    description: 'The tenant’s own first, then those of its accounts; at most 10,000.',
    scope: 'ops:read',
    answer: LIST,
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.limits(), show),
  }),
};
