// External money: what comes from `world`, goes to `world`, or leaves `fees`. A caller without the scope ledger:money moves none of it,
// now or later. Every verb that lets money move asks here, about the row it is on, after loading it.
import type { Caller, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Refused } from './book.ts';
import { derivedAccount } from './system-accounts.ts';

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

/** Why the caller may not move it, or null. */
export function refusedExternal(caller: Caller, flow: MoneyFlow): Refused | null {
  return caller.mayMoveExternalMoney || !isExternal(flow) ? null : EXTERNAL;
}

export function requireMayMove(caller: Caller, flow: MoneyFlow, param?: string): void {
  const refused = refusedExternal(caller, flow);
  if (refused) refuse(refused.code, refused.detail, param === undefined ? {} : { param });
}

const EXTERNAL: Refused = {
  code: 'AUTH_SCOPE_MISSING',
  detail: 'money from or to "world", or out of "fees", is external money: this needs the scope ledger:money too',
};
