// A cursor is a place in the order of a tenant's events that certifies itself: `<seq>-<8 digits of the hash of its block>`. After a
// failover that lost commits, a restored backup or a change of database the same seq has another hash, and a consumer is told so instead
// of missing events. A bare seq is accepted, and only compared with the end.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import { blockAt, lastCursorOf } from './list-store.ts';

export interface EventCursor {
  readonly seq: bigint;
  /** The first 8 digits of the hash of the block that has this seq; null where it is not known. */
  readonly proof: string | null;
}

const CURSOR = /^([0-9]{1,18})(?:-([0-9a-f]{8}))?$/;

export function parseCursor(text: string): EventCursor | null {
  const found = CURSOR.exec(text);
  return found ? { seq: BigInt(found[1] ?? ''), proof: found[2] ?? null } : null;
}

export function formatCursor({ seq, proof }: EventCursor): string {
  return proof === null ? seq.toString() : `${seq}-${proof}`;
}

/** Refuses a cursor of another history, and one beyond the end. Returns it with its proof, also where it was a bare seq. */
export async function requireCursor(sql: Sql, tenantId: Uuid, cursor: EventCursor): Promise<EventCursor> {
  const { seq, proof } = cursor;
  if (seq === 0n) return cursor;
  const block = await blockAt(sql, tenantId, seq);
  if (block && (proof === null || block.proof === proof)) return { seq, proof: block.proof };
  const { seq: end } = await lastCursorOf(sql, tenantId);
  return refuse(block ? 'CURSOR_DIVERGED/other_history' : 'CURSOR_DIVERGED/beyond_end', {
    seq: seq.toString(),
    end: end.toString(),
  });
}
