// The accounts that answer for another one, as an order or an edit names them: one (`guardian`), or several (`guardians`).
import type { Transaction } from '../db/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { findAccounts } from './account-store.ts';

export interface GuardianOrder {
  /** Id or ref of the account that answers for this one; null for none. */
  readonly guardian?: string | null;
  /** The same for several, at most ten: all that there are. */
  readonly guardians?: readonly string[];
}

/** Called in the transaction that removes guardians, whose child's account is locked. Modules above end what hangs on them. */
export type GuardiansRemoved = (
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  removed: { readonly tenantId: Uuid; readonly juniorId: Uuid; readonly guardianIds: readonly Uuid[] },
) => Promise<void>;

const MOST_GUARDIANS = 10;

/** Ids or refs, or null where nothing is said of guardians. */
export function guardiansNamed({ guardian, guardians }: GuardianOrder): readonly string[] | null {
  if (guardian !== undefined && guardians !== undefined)
    refuse('FIELD_INVALID/both_given', { first: 'guardian', param: 'guardians' });
  if (guardians !== undefined && guardians.length > MOST_GUARDIANS)
    refuse('FIELD_INVALID/too_many_items', { param: 'guardians', max: MOST_GUARDIANS });
  if (guardians !== undefined) return guardians;
  return guardian === undefined ? null : guardian === null ? [] : [guardian];
}

/** The field of an order that names its guardians. */
export const guardianParam = ({ guardians }: GuardianOrder): 'guardian' | 'guardians' =>
  guardians === undefined ? 'guardian' : 'guardians';

/** By the name that was given. One that does not exist, or is a system account, is refused. */
export async function findGuardians(
  tx: Transaction,
  tenantId: Uuid,
  orders: readonly GuardianOrder[],
): Promise<ReadonlyMap<string, Uuid>> {
  const named = orders.flatMap((order) =>
    (guardiansNamed(order) ?? []).map((name) => ({ name, param: guardianParam(order) })),
  );
  const wanted = [...new Set(named.map(({ name }) => name))];
  const found = wanted.length === 0 ? [] : await findAccounts(tx, tenantId, wanted);
  const ids = new Map([
    ...found.map((account) => [account.ref, account.id] as const),
    ...found.map((account) => [account.id, account.id] as const),
  ]);
  const systems = new Set(found.flatMap(({ kind, id }) => (kind === 'system' ? [id] : [])));
  for (const { name, param } of named) {
    const id = ids.get(name);
    if (id === undefined) refuse('ACCOUNT_NOT_FOUND', { account: name, param });
    if (systems.has(id)) refuse('FIELD_INVALID/guardian_is_system', { account: name, param });
  }
  return ids;
}
