import type { Sql } from '../db/index.ts';
import { deleteKeyRecords } from './store.ts';

/** How long a key's first answer can be had again. */
export const KEYS_KEPT_MS = 30 * 86_400_000;

/** Forgets keys whose time is over, at most so many at once; returns how many there were. Real time, whatever the tenant's. */
export async function forgetKeys(sql: Sql, now: Date, limit: number): Promise<number> {
  return deleteKeyRecords(sql, new Date(now.getTime() - KEYS_KEPT_MS), limit);
}
