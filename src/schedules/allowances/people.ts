// Who answers for whom. Whether a child exists that is not theirs is nothing a guardian is told.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { Account } from '../../ledger/index.ts';
import { findAccounts } from '../../ledger/index.ts';

export interface Family {
  readonly guardian: Account;
  /** Null where there is no such account. */
  readonly junior: Account | null;
}

export async function findGuardian(sql: Sql, tenantId: Uuid, guardian: string): Promise<Account> {
  const [found] = await findAccounts(sql, tenantId, [guardian]);
  return found ?? refuse('ACCOUNT_NOT_FOUND', `there is no account "${guardian}"`, { param: 'guardian' });
}

export async function findJunior(sql: Sql, tenantId: Uuid, junior: string): Promise<Account> {
  const [found] = await findAccounts(sql, tenantId, [junior]);
  return found ?? refuse('ACCOUNT_NOT_FOUND', `there is no account "${junior}"`, { param: 'junior' });
}

export async function findFamily(
  sql: Sql,
  tenantId: Uuid,
  names: { readonly guardian: string; readonly junior: string },
): Promise<Family> {
  const found = await findAccounts(sql, tenantId, [names.guardian, names.junior]);
  const named = (name: string): Account | undefined =>
    found.find(({ id }) => id === name) ?? found.find(({ ref }) => ref === name);
  const guardian =
    named(names.guardian) ??
    refuse('ACCOUNT_NOT_FOUND', `there is no account "${names.guardian}"`, { param: 'guardian' });
  return { guardian, junior: named(names.junior) ?? null };
}

/** The child, where it is the guardian's. */
export function requireGuardian({ guardian, junior }: Family, name: string): Account {
  if (junior && junior.guardianIds.includes(guardian.id)) return junior;
  return refuse(
    'ALLOWANCE.NOT_GUARDIAN',
    `"${name}" is no child of "${guardian.ref}": an account lists its guardians in its field guardians`,
    { param: 'junior' },
  );
}
