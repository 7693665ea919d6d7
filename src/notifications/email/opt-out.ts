// Accounts that opted out of e-mail: by the link in an e-mail, which needs no sign-in, or by a caller for them.
import type { Database, Transaction } from '../../db/index.ts';
import { readLiveClock } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { namedCaller } from '../../kernel/index.ts';
import { findAccounts } from '../../ledger/index.ts';
import type { Secrets } from '../../secrets/index.ts';
import { aboutRow } from '../../secrets/index.ts';
import { findTenant, passingClock } from '../../tenants/index.ts';
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
        if ((await findAccounts(tx, tenantId, [accountId])).length === 0) return;
        const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
        await setSubscribed(tx, clock, namedCaller({ actor: BY_LINK }), { tenantId, accountId }, false);
      });
      return { sender };
    },
  };
}

/** Whether that changed anything. */
export async function setSubscribed(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  { tenantId, accountId }: { readonly tenantId: Uuid; readonly accountId: Uuid },
  subscribed: boolean,
): Promise<boolean> {
  const changed = subscribed
    ? await deleteOptOut(tx, tenantId, accountId)
    : await insertOptOut(tx, tenantId, accountId, clock.now);
  if (changed)
    await appendEvents(tx, [
      {
        ...caller,
        tenantId,
        type: subscribed ? 'email_opt_out.deleted' : 'email_opt_out.created',
        resource: 'account',
        resourceId: accountId,
        occurredAt: clock.now,
        data: {},
      },
    ]);
  return changed;
}
