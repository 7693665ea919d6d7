// A cursor is a seq that can be compared with the order it was read from: `<seq>-<8 digits of the hash of its link>`. After a failover that
// lost commits, a restored backup or a change of database, the same seq has another hash, and the consumer gets an error instead of
// silently missing events. A bare seq is accepted, and only compared with the end.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { blockAt, lastCursorOf } from './list-store.ts';

export interface EventCursor {
  readonly seq: bigint;
  /** The first 8 digits of the hash of the link that has this seq; null if it is not known. */
  readonly hashPrefix: string | null;
}

const CURSOR = /^([0-9]{1,18})(?:-([0-9a-f]{8}))?$/;

export function parseCursor(text: string): EventCursor | null {
  const found = CURSOR.exec(text);
  return found ? { seq: BigInt(found[1] ?? ''), hashPrefix: found[2] ?? null } : null;
}

export function formatCursor({ seq, hashPrefix }: EventCursor): string {
  return hashPrefix === null ? seq.toString() : `${seq}-${hashPrefix}`;
}

/** Refuses a cursor of another history, and one beyond the end. Returns it with its hash prefix, even if it was a bare seq. */
export async function requireCursor(sql: Sql, tenantId: Uuid, cursor: EventCursor): Promise<EventCursor> {
  const { seq, hashPrefix } = cursor;
  if (seq === 0n) return cursor;
  const block = await blockAt(sql, tenantId, seq);
  if (block && (hashPrefix === null || block.hashPrefix === hashPrefix)) return { seq, hashPrefix: block.hashPrefix };
  const { seq: end } = await lastCursorOf(sql, tenantId);
  return refuse(block ? 'CURSOR_DIVERGED/other_history' : 'CURSOR_DIVERGED/beyond_end', {
    seq: seq.toString(),
    end: end.toString(),
  });
}
