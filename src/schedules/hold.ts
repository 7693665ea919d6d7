// Locks schedules for verbs that work on several at once: due rows first, then the schedules, each in the order of their ids. What
// they are is read after the last lock: a statement that waits for a lock sums charges and refunds as they were before it waited.
import type { Transaction } from '../db/index.ts';
import { lockScheduleDues } from './due-store.ts';
import type { ScheduleKey, StoredSchedule } from './store.ts';
import { lockSchedules, readSchedules } from './store.ts';

export async function holdSchedules(tx: Transaction, keys: readonly ScheduleKey[]): Promise<StoredSchedule[]> {
  const due = await lockScheduleDues(tx, keys);
  const active = new Set(await lockSchedules(tx, keys));
  // Resumed between the two locks: its due row exists now, and a scheduler must not visit it meanwhile.
  const late = keys.filter(({ id }) => active.has(id) && !due.has(id));
  if (late.length > 0) await lockScheduleDues(tx, late);
  return readSchedules(tx, keys);
}
