// Who answers for whom. Whether a child exists that is not theirs is nothing a guardian is told.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { StoredAccount } from '../../ledger/index.ts';
import { findAccounts, shareAccount } from '../../ledger/index.ts';
import { findPair } from './store.ts';

export interface Family {
  readonly guardian: StoredAccount;
  /** Null where there is no such account. */
  readonly junior: StoredAccount | null;
}

export async function findGuardian(sql: Sql, tenantId: Uuid, guardian: string): Promise<StoredAccount> {
  const [found] = await findAccounts(sql, tenantId, [guardian]);
  return found ?? refuse('ACCOUNT_NOT_FOUND', { account: guardian, param: 'guardian' });
}

export async function findJunior(sql: Sql, tenantId: Uuid, junior: string): Promise<StoredAccount> {
  const [found] = await findAccounts(sql, tenantId, [junior]);
  return found ?? refuse('ACCOUNT_NOT_FOUND', { account: junior, param: 'junior' });
}

export async function findFamily(
  sql: Sql,
  tenantId: Uuid,
  names: { readonly guardian: string; readonly junior: string },
): Promise<Family> {
  const found = await findAccounts(sql, tenantId, [names.guardian, names.junior]);
  const named = (name: string): StoredAccount | undefined =>
    found.find(({ id }) => id === name) ?? found.find(({ ref }) => ref === name);
  const guardian = named(names.guardian) ?? refuse('ACCOUNT_NOT_FOUND', { account: names.guardian, param: 'guardian' });
  return { guardian, junior: named(names.junior) ?? null };
}

/**
 * The same with the child's account locked, so that none of its guardians is removed meanwhile: for a verb that lets an allowance pay. It
 * comes before every other lock, as in the verb that removes guardians.
 */
export async function lockFamily(
  sql: Sql,
  tenantId: Uuid,
  names: { guardian: string; junior: string },
): Promise<Family> {
  const { guardian, junior } = await findFamily(sql, tenantId, names);
  return { guardian, junior: junior && (await shareAccount(sql, tenantId, junior.id)) };
}

/** Of a schedule that is an allowance, before it is resumed: its payer still is a guardian of its child, and stays one meanwhile. */
export async function requirePayingGuardian(sql: Sql, key: { tenantId: Uuid; id: Uuid }): Promise<void> {
  const pair = await findPair(sql, key);
  if (pair === null) return;
  const junior = await shareAccount(sql, key.tenantId, pair.juniorId);
  if (junior?.guardianIds.includes(pair.guardianId)) return;
  refuse('ALLOWANCE.NOT_GUARDIAN/no_longer');
}

/** The child, where it is the guardian's. */
export function requireGuardian({ guardian, junior }: Family, name: string): StoredAccount {
  if (junior && junior.guardianIds.includes(guardian.id)) return junior;
  return refuse('ALLOWANCE.NOT_GUARDIAN/not_a_child', { junior: name, guardian: guardian.ref, param: 'junior' });
}
