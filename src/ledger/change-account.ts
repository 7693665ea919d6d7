// Changing an account. The account's row is locked first and its balances after it: the order in which a new balance
// is made too (ensureBalances), so the flags on balances can never miss a change of state.
import type { Transaction } from '../db/index.ts';
import type { EventType } from '../events/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { AccountStatus, Contact, StoredAccount } from './account.ts';
import { ACCOUNT_MOVES } from './account.ts';
import { lockAccount, setBalanceFlags, updateAccount } from './account-store.ts';
import { checkedContact, contactOf, encryptContact, isSameContact } from './contact.ts';
import type { GuardianOrder, GuardiansRemoved } from './guardians.ts';
import { findGuardians, guardianParam, guardiansNamed } from './guardians.ts';
import { lockBalances, readBalances } from './balance-store.ts';
import { isWalletAccount } from './system-accounts.ts';

export interface StatusOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly to: AccountStatus;
  readonly reason: string;
  readonly caller: Caller;
}

const FACT = { active: 'account.reactivated', suspended: 'account.suspended', closed: 'account.closed' } as const;

export async function setAccountStatus(tx: Transaction, clock: Clock, order: StatusOrder): Promise<StoredAccount> {
  const account = await mustLock(tx, order.tenantId, order.id);
  requireChangeable(account);
  if (account.status === order.to) return account;
  if (!ACCOUNT_MOVES[account.status].includes(order.to)) {
    const { ref, status } = account;
    refuse('ACCOUNT_STATE_CONFLICT/status', { account: ref, status, wanted: order.to });
  }
  if (order.to === 'closed') await requireEmpty(tx, account);
  const next = { ...account, status: order.to, statusReason: order.reason, updatedAt: clock.now };
  await updateAccount(tx, next);
  await setBalanceFlags(tx, account.tenantId, account.id, order.to === 'active');
  await tell(tx, clock, account, next, order.caller, FACT[order.to]);
  return next;
}

export interface AccountEdit extends GuardianOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name?: string | null;
  readonly contact?: Contact | null;
  readonly caller: Caller;
}

/** Fields that are left out stay as they are. */
export async function editAccount(
  tx: Transaction,
  clock: Clock,
  edit: AccountEdit,
  secrets: Secrets,
  guardiansRemoved?: GuardiansRemoved,
): Promise<StoredAccount> {
  const account = await mustLock(tx, edit.tenantId, edit.id);
  requireChangeable(account);
  const next = {
    ...account,
    ...(edit.name === undefined ? {} : { name: edit.name }),
    ...editedContact(secrets, account, edit.contact),
    ...(await editedGuardians(tx, account, edit)),
    updatedAt: clock.now,
  };
  await updateAccount(tx, next);
  await tell(tx, clock, account, next, edit.caller, 'account.updated');
  const guardianIds = account.guardianIds.filter((id) => !next.guardianIds.includes(id));
  if (guardianIds.length > 0)
    await guardiansRemoved?.(tx, clock, edit.caller, { tenantId: account.tenantId, juniorId: account.id, guardianIds });
  return next;
}

/** The same contact again stays as it is stored, so that it is no change. */
function editedContact(
  secrets: Secrets,
  account: StoredAccount,
  given: Contact | null | undefined,
): Partial<Pick<StoredAccount, 'contact'>> {
  if (given === undefined) return {};
  const contact = checkedContact(given);
  // Clearing a contact needs no key.
  if (contact !== null && isSameContact(contact, contactOf(secrets, account))) return {};
  return { contact: encryptContact(secrets, account, contact) };
}

async function editedGuardians(
  tx: Transaction,
  account: StoredAccount,
  edit: AccountEdit,
): Promise<Partial<Pick<StoredAccount, 'guardianId' | 'guardianIds'>>> {
  const named = guardiansNamed(edit);
  if (named === null) return {};
  const ids = await findGuardians(tx, account.tenantId, [edit]);
  const guardianIds = named.map((name) => ids.get(name) ?? name);
  if (guardianIds.includes(account.id)) refuse('FIELD_INVALID/guardian_is_self', { param: guardianParam(edit) });
  return { guardianIds: [...new Set(guardianIds)], guardianId: guardianIds[0] ?? null };
}

/** A suspended wallet would stop its payouts without the record of a pause, and a guardian could move what is not theirs. */
function requireChangeable({ tenantId, id, kind, ref }: StoredAccount): void {
  if (kind === 'system') refuse('ACCOUNT_STATE_CONFLICT/system_account', { account: ref });
  if (isWalletAccount(tenantId, id)) refuse('ACCOUNT_STATE_CONFLICT/wallet_account', { account: ref });
}

async function mustLock(tx: Transaction, tenantId: Uuid, id: Uuid): Promise<StoredAccount> {
  return (await lockAccount(tx, tenantId, id)) ?? refuse('ACCOUNT_NOT_FOUND', { account: id });
}

async function requireEmpty(tx: Transaction, account: StoredAccount): Promise<void> {
  const held = await lockBalances(tx, await readBalances(tx, account.tenantId, account.id));
  const holding = held.find((balance) => balance.available > 0n || balance.reserved > 0n);
  if (holding) {
    const { asset } = holding;
    refuse('ACCOUNT_NOT_EMPTY', {
      account: account.ref,
      available: { amount: holding.available, asset },
      reserved: { amount: holding.reserved, asset },
    });
  }
}

async function tell(
  tx: Transaction,
  clock: Clock,
  before: StoredAccount,
  after: StoredAccount,
  caller: Caller,
  type: EventType,
): Promise<void> {
  const { tenantId, id } = before;
  // Personal fields stay out of history, where they could not be erased: what changed is told, not to what.
  const personal = ['name', 'contact'] as const;
  const changed = personal.filter((field) => before[field] !== after[field]);
  const pick = (account: StoredAccount): Record<string, unknown> => ({
    status: account.status,
    guardianId: account.guardianId,
    guardianIds: account.guardianIds,
  });
  const data = { old: pick(before), new: pick(after), reason: after.statusReason, changed };
  await appendEvents(tx, [
    { ...caller, tenantId, type, resource: 'account', resourceId: id, data, occurredAt: clock.now },
  ]);
}
