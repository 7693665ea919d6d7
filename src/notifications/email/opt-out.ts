// Accounts that opted out of e-mail: by the link in an e-mail, which needs no sign-in, or by a caller for them.
import type { Database, Sql, Transaction } from '../../db/index.ts';
import { readLiveClock } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { Refusal, namedCaller } from '../../kernel/index.ts';
import type { StoredAccount } from '../../ledger/index.ts';
import { contactOf, findAccounts } from '../../ledger/index.ts';
import type { Secrets } from '../../secrets/index.ts';
import { aboutRow } from '../../secrets/index.ts';
import { findTenant, passingClock } from '../../tenants/index.ts';
import { addressDigest } from './address.ts';
import { deleteOptOut, insertOptOut } from './email-store.ts';
import { isSigned, readToken } from './link.ts';
import { LINK_SECRET } from './settings.ts';
import { findSettings } from './settings-store.ts';

const BY_LINK = 'unsubscribe-link';

/** Who a link is for, without the account: the page names the sender only. Null if it is not a link of this store. */
export interface UnsubscribeLink {
  readonly sender: string;
}

export interface UnsubscribeVerbs {
  /** Verifies a link, and changes nothing: mail filters open every link of an e-mail. */
  look(token: string): Promise<UnsubscribeLink | null>;
  /** Unsubscribes the account of the link. Null if it is not a link of this store; again and again is the same as once. */
  confirm(token: string): Promise<UnsubscribeLink | null>;
}

export function unsubscribeVerbs(db: Database, secrets: Secrets): UnsubscribeVerbs {
  const verified = async (token: string) => {
    const read = readToken(token);
    const settings = read && (await findSettings(db, read.tenantId));
    if (!read || !settings?.linkSecret) return null;
    const secret = secrets.decrypt(settings.linkSecret, aboutRow(LINK_SECRET, settings));
    if (!isSigned(secret, read)) return null;
    const tenant = await findTenant(db, read.tenantId);
    return tenant && { ...read, sender: settings.fromName ?? tenant.name };
  };
  return {
    async look(token) {
      const link = await verified(token);
      return link && { sender: link.sender };
    },
    async confirm(token) {
      const link = await verified(token);
      if (!link) return null;
      const { tenantId, accountId, sender } = link;
      await db.transaction(async (tx) => {
        const [account] = await findAccounts(tx, tenantId, [accountId]);
        if (!account) return;
        const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
        const digest = await digestOf(tx, secrets, account);
        await stopEmail(tx, clock, namedCaller({ actor: BY_LINK }), { tenantId, accountId }, digest);
      });
      return { sender };
    },
  };
}

/**
 * The digest of the address of an account; null if it has none, or if this process does not have the key of its contact. The opt-out is written in any
 * case: it is then one of the account, and not of others with the same address.
 */
export async function digestOf(sql: Sql, secrets: Secrets, account: StoredAccount): Promise<string | null> {
  const settings = await findSettings(sql, account.tenantId);
  if (!settings?.linkSecret) return null;
  try {
    const email = contactOf(secrets, account)?.email;
    const secret = secrets.decrypt(settings.linkSecret, aboutRow(LINK_SECRET, settings));
    return email === undefined ? null : addressDigest(secret, email);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

interface Target {
  readonly tenantId: Uuid;
  readonly accountId: Uuid;
}

export async function stopEmail(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  target: Target,
  digest: string | null,
): Promise<void> {
  if (await insertOptOut(tx, target, digest, clock.now)) await emit(tx, clock, caller, target, 'email_opt_out.created');
}

export async function resumeEmail(tx: Transaction, clock: Clock, caller: Caller, target: Target): Promise<void> {
  if (await deleteOptOut(tx, target.tenantId, target.accountId))
    await emit(tx, clock, caller, target, 'email_opt_out.deleted');
}

const emit = (
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, accountId }: Target,
  type: 'email_opt_out.created' | 'email_opt_out.deleted',
): Promise<void> =>
  appendEvents(tx, [
    { ...caller, tenantId, type, resource: 'account', resourceId: accountId, occurredAt: clock.now, data: {} },
  ]);
