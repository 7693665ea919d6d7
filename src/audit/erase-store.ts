import type { Sql } from '../db/index.ts';
import { asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

/** Returns the events that can be erased, and locks them until the transaction ends. */
export async function lockErasable(tx: Sql, tenantId: Uuid, events: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await tx.query('select id from usance.lock_erasable($1::uuid, $2::uuid[]) e (id)', [tenantId, events]);
  return rows.map((row) => asText(row['id']));
}

/** The login that an `audit_event.erased` event has to name: the database compares it. */
export async function readLogin(tx: Sql): Promise<string> {
  return asText(only(await tx.query('select session_user::text as login'))['login']);
}

/** Erases what processors of jobs returned and said about events that are erased. Returns the number of executions. */
export async function eraseExecutions(tx: Sql, tenantId: Uuid, events: readonly Uuid[]): Promise<number> {
  const row = only(
    await tx.query('select usance.erase_executions($1::uuid, $2::uuid[]) as executions', [tenantId, events]),
  );
  return asNumber(row['executions']);
}

/** Erases the details of the events that an `audit_event.erased` event names. Returns how many. */
export async function eraseNamed(tx: Sql, tenantId: Uuid, erasedEventId: Uuid): Promise<number> {
  const row = only(
    await tx.query('select usance.erase_events($1::uuid, $2::uuid) as erased', [tenantId, erasedEventId]),
  );
  return asNumber(row['erased']);
}
