// External money: what comes from `world`, goes to `world`, or leaves `fees`. A caller without the scope ledger:money moves none of it,
// now or later. Every verb that lets money move asks here, about the row it is on, after loading it; so here is where wallets are guarded too.
import type { Caller, Refused, Uuid } from '../kernel/index.ts';
import { Refusal, refused } from '../kernel/index.ts';
import { derivedAccount, isWalletAccount } from './system-accounts.ts';

/** Money that goes from some accounts to others: of a payment, a schedule, a transfer. */
export interface MoneyFlow {
  readonly tenantId: Uuid;
  readonly from: readonly Uuid[];
  readonly to: readonly Uuid[];
}

export function isExternal({ tenantId, from, to }: MoneyFlow): boolean {
  return (
    from.some((account) => derivedAccount(tenantId, account) !== null) ||
    to.some((account) => derivedAccount(tenantId, account) === 'world')
  );
}

/** Why the caller may not move it, or null. Nobody moves money of a wallet: payouts do, and corrections of the treasury. */
export function refusedExternal(caller: Caller, flow: MoneyFlow, param?: string): Refused | null {
  const wallet = [...flow.from, ...flow.to].find((account) => isWalletAccount(flow.tenantId, account));
  if (wallet !== undefined)
    return refused('ACCOUNT_OF_WALLET', { account: wallet, ...(param === undefined ? {} : { param }) });
  if (caller.mayMoveExternalMoney || !isExternal(flow)) return null;
  const named = param === undefined ? {} : { param };
  return refused('AUTH_SCOPE_MISSING/external_money', { scope: 'ledger:money', ...named });
}

export function requireMayMove(caller: Caller, flow: MoneyFlow, param?: string): void {
  const denied = refusedExternal(caller, flow, param);
  if (denied) throw new Refusal(denied);
}
