// What a payment, or a day of an account, may come to, and above what a second person has to agree. Who changed it, and
// from what, is on record.
import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { parseAmount, parsePositiveAmount, refuse } from '../kernel/index.ts';
import { derivedAccount, findAccounts, findAsset, setLimited } from '../ledger/index.ts';
import { writeLimit } from './limits-store.ts';

type Amount = bigint | string | number;

/** Null removes a limit, one that is left out stays. */
export interface LimitOrder {
  readonly account?: string;
  readonly asset: string;
  readonly maxAmount?: Amount | null;
  readonly dailyAmount?: Amount | null;
  /** One payment of more waits for a second person. 0: every payment does. */
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
    refuse('ASSET_NOT_FOUND', `there is no asset "${order.asset}"`, { param: 'asset' });
  const accountId = order.account === undefined ? null : await accountNamed(tx, tenantId, order.account);
  const [maxAmount, dailyAmount] = [amountOf(order.maxAmount), amountOf(order.dailyAmount)];
  if (accountId === null && typeof dailyAmount === 'bigint')
    refuse('FIELD_INVALID', 'a daily limit is of one account', { param: 'account' });
  // They have no balance that could say so, and nobody would count.
  if (accountId !== null && typeof dailyAmount === 'bigint' && derivedAccount(tenantId, accountId))
    refuse('ACCOUNT_STATE_CONFLICT', `what "${order.account}" sends in a day is not counted`, { param: 'account' });
  const approvalAbove = amountOf(order.approvalAbove, parseAmount);
  const amounts = { maxAmount, dailyAmount, approvalAbove };
  const written = await writeLimit(tx, { tenantId, accountId, asset, ...amounts, since: clock.now });
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

/** Nothing is told where nothing changed. */
function isSame(written: Awaited<ReturnType<typeof writeLimit>>): boolean {
  const { old, new: now } = written;
  return (
    old.maxAmount === now.maxAmount && old.dailyAmount === now.dailyAmount && old.approvalAbove === now.approvalAbove
  );
}

async function accountNamed(tx: Transaction, tenantId: Uuid, idOrRef: string): Promise<Uuid> {
  const [found] = await findAccounts(tx, tenantId, [idOrRef]);
  return found?.id ?? refuse('ACCOUNT_NOT_FOUND', `there is no account "${idOrRef}"`, { param: 'account' });
}

function amountOf(value: Amount | null | undefined, parse = parsePositiveAmount): bigint | null | undefined {
  return value === null || value === undefined ? value : parse(value);
}
