import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { NO_SECRETS } from '../secrets/index.ts';
import type { Tenant } from '../tenants/index.ts';
import type { AccountKind, Contact, StoredAccount } from './account.ts';
import { insertAccounts } from './account-store.ts';
import { checkedContact, encryptContact } from './contact.ts';
import { accountOpened, tenantCreated } from './facts.ts';
import type { GuardianOrder } from './guardians.ts';
import { findGuardians, guardiansNamed } from './guardians.ts';
import { SYSTEM_ACCOUNTS, systemAccountId, walletAccountId } from './system-accounts.ts';

export interface AccountOrder extends GuardianOrder {
  readonly ref: string;
  readonly kind?: Exclude<AccountKind, 'system'>;
  readonly name?: string | null;
  readonly contact?: Contact | null;
}

// Printable, no spaces: a ref goes into URLs, logs and CSV files.
const REF = /^[!-~]{1,200}$/;

export function isRef(text: string): boolean {
  return REF.test(text);
}

/**
 * All or nothing: a ref that is taken, or a guardian that does not exist, refuses the whole list. A contact needs `secrets` with a key.
 */
export async function openAccounts(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  tenantId: Uuid,
  orders: readonly AccountOrder[],
  secrets: Secrets = NO_SECRETS,
): Promise<StoredAccount[]> {
  const guardians = await findGuardians(tx, tenantId, orders);
  const wanted = orders.map((order): StoredAccount => {
    if (!isRef(order.ref)) refuse('FIELD_INVALID/account_ref', { param: 'ref' });
    if (SYSTEM_ACCOUNTS.some((name) => name === order.ref)) {
      refuse('ACCOUNT_EXISTS', { ref: order.ref, param: 'ref' });
    }
    const guardianIds = (guardiansNamed(order) ?? []).flatMap((name) => guardians.get(name) ?? []);
    const account = blank(tenantId, newId(), order.ref, clock);
    return {
      ...account,
      kind: order.kind ?? 'user',
      name: order.name ?? null,
      contact: encryptContact(secrets, account, checkedContact(order.contact ?? null)),
      guardianId: guardianIds[0] ?? null,
      guardianIds: [...new Set(guardianIds)],
    };
  });
  const opened = await insertAccounts(tx, wanted);
  const taken = wanted.find((account) => !opened.some((other) => other.id === account.id));
  if (taken) refuse('ACCOUNT_EXISTS', { ref: taken.ref, param: 'ref' });
  await appendEvents(
    tx,
    opened.map((account) => accountOpened(caller, clock, account)),
  );
  return opened;
}

/** The account of a wallet, by its number. Another account may have its ref: then the number is added. */
export async function openWalletAccount(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  tenantId: Uuid,
  { number, ref, name }: { readonly number: number; readonly ref: string; readonly name: string },
): Promise<Uuid> {
  const id = walletAccountId(tenantId, number);
  for (const each of [ref, `${ref}:${number}`]) {
    const wallet = { ...blank(tenantId, id, each, clock), kind: 'treasury' as const, name };
    const [opened] = await insertAccounts(tx, [wallet]);
    if (!opened) continue;
    await appendEvents(tx, [accountOpened(caller, clock, opened)]);
    return id;
  }
  return refuse('ACCOUNT_EXISTS', { ref: `${ref}:${number}`, param: 'ref' });
}

/** What a new tenant begins with; then it is there, and told. */
export async function openSystemAccounts(tx: Transaction, clock: Clock, caller: Caller, tenant: Tenant): Promise<void> {
  await insertAccounts(
    tx,
    SYSTEM_ACCOUNTS.map((ref) => ({
      ...blank(tenant.id, systemAccountId(tenant.id, ref), ref, clock),
      kind: 'system' as const,
    })),
  );
  await appendEvents(tx, [tenantCreated(caller, clock, tenant)]);
}

function blank(tenantId: Uuid, id: Uuid, ref: string, clock: Clock): StoredAccount {
  return {
    tenantId,
    id,
    ref,
    kind: 'user',
    status: 'active',
    statusReason: null,
    name: null,
    contact: null,
    guardianId: null,
    guardianIds: [],
    createdAt: clock.now,
    updatedAt: clock.now,
  };
}
