// Limits: what one payment may be, what an account or a whole tenant may send in a day, and above what a second person has to
// approve. Every change is an event with the old and the new limits.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { parseAmount, parsePositiveAmount, refuse } from '../kernel/index.ts';
import { derivedAccount, findAccounts, findAsset, setLimited } from '../ledger/index.ts';
import type { LimitAmounts, LimitChange } from './limits-store.ts';
import { writeLimit } from './limits-store.ts';

type Amount = bigint | string | number;

/** Null removes a limit; omitted limits stay. */
export interface LimitOrder {
  readonly account?: string;
  readonly asset: string;
  readonly maxAmount?: Amount | null;
  /** Of one account. */
  readonly dailyAmount?: Amount | null;
  /** Without an account: the daily limit of every account that has no `dailyAmount` of its own. */
  readonly defaultDailyAmount?: Amount | null;
  /** Without an account: what all accounts of the tenant may send together in 24 hours. */
  readonly tenantDailyAmount?: Amount | null;
  /**
   * A payment needs approval when it, plus what the same caller sent from this payer unapproved in 24 hours, exceeds this. 0: every
   * payment needs approval.
   */
  readonly approvalAbove?: Amount | null;
}

export async function setLimit(
  tx: Transaction,
  clock: Clock,
  order: LimitOrder & { readonly tenantId: Uuid; readonly caller: Caller },
): Promise<void> {
  const { tenantId, caller } = order;
  const asset =
    (await findAsset(tx, tenantId, order.asset))?.name ??
    refuse('ASSET_NOT_FOUND', { param: 'asset', asset: order.asset });
  const accountId = order.account === undefined ? null : await accountNamed(tx, tenantId, order.account);
  const amounts = {
    maxAmount: amountOf('maxAmount', order.maxAmount),
    dailyAmount: amountOf('dailyAmount', order.dailyAmount),
    defaultDailyAmount: amountOf('defaultDailyAmount', order.defaultDailyAmount),
    tenantDailyAmount: amountOf('tenantDailyAmount', order.tenantDailyAmount),
    approvalAbove: amountOf('approvalAbove', order.approvalAbove, parseAmount),
  };
  requireLevel(order, amounts);
  // Accounts without a balance row: nothing could say that they are limited.
  if (accountId !== null && typeof amounts.dailyAmount === 'bigint' && derivedAccount(tenantId, accountId))
    refuse('ACCOUNT_STATE_CONFLICT/no_daily_limit', { param: 'account', account: order.account ?? accountId });
  const written = await writeLimit(tx, { tenantId, accountId, asset, ...amounts }, clock.now);
  if (accountId !== null) await setLimited(tx, { tenantId, accountId, asset }, written.new.dailyAmount !== null);
  if (isSame(written)) return;
  const resource = accountId === null ? 'tenant' : 'account';
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: 'limit.set',
      resource,
      resourceId: accountId ?? tenantId,
      data: { asset, ...written },
      occurredAt: clock.now,
    },
  ]);
}

type Amounts = Omit<LimitChange, 'tenantId' | 'accountId' | 'asset'>;

function requireLevel({ account }: LimitOrder, amounts: Amounts): void {
  if (account === undefined && typeof amounts.dailyAmount === 'bigint')
    refuse('FIELD_INVALID/limit_of_account', {
      param: 'account',
      limit: 'dailyAmount',
      shared: 'defaultDailyAmount',
      total: 'tenantDailyAmount',
    });
  for (const param of ['defaultDailyAmount', 'tenantDailyAmount'] as const)
    if (account !== undefined && typeof amounts[param] === 'bigint')
      refuse('FIELD_INVALID/limit_of_tenant', { param, account: 'account' });
}

/** Where nothing changed there is no event. */
const isSame = ({ old, new: now }: { readonly old: LimitAmounts; readonly new: LimitAmounts }): boolean =>
  (Object.keys(now) as (keyof LimitAmounts)[]).every((name) => old[name] === now[name]);

async function accountNamed(tx: Transaction, tenantId: Uuid, idOrRef: string): Promise<Uuid> {
  const [found] = await findAccounts(tx, tenantId, [idOrRef]);
  return found?.id ?? refuse('ACCOUNT_NOT_FOUND', { param: 'account', account: idOrRef });
}

function amountOf(
  param: keyof LimitAmounts,
  value: Amount | null | undefined,
  parse = parsePositiveAmount,
): bigint | null | undefined {
  return value === null || value === undefined ? value : parse(value, param);
}
