// Claimed rows that are not tried now: they go back to the due set undecided, and no attempt is counted.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import type { Item } from './batch.ts';
import { DEFERRED_FOR_MS } from './decide.ts';
import type { DueRow } from './due-store.ts';
import { moveDue } from './due-store.ts';
import type { SettlingOwners } from './owner-rules.ts';
import type { Payment } from './payment.ts';
import { endedBy, noLaterThanEnd } from './payment.ts';
import { lockPaymentsIfFree } from './store.ts';

export interface DuePayment {
  readonly payment: Payment;
  readonly dueAt: Date;
}

/** Which due payments are not to be tried yet, and when they are. */
export type Paced = (clock: Clock, due: readonly DuePayment[]) => ReadonlyMap<Uuid, Date>;

/** Payments that no longer wait for locks, and whose row another transaction holds (a person with psql), go back for a while. */
export async function withoutTaken(tx: Transaction, clock: Clock, rows: readonly DueRow[]): Promise<readonly DueRow[]> {
  const marked = rows.filter((row) => row.blocked > 0);
  if (marked.length === 0) return rows;
  const free = await lockPaymentsIfFree(
    tx,
    marked.map((row) => ({ tenantId: row.tenantId, id: row.paymentId })),
  );
  const taken = new Set(marked.filter((row) => !free.has(row.paymentId)));
  if (taken.size === 0) return rows;
  const dueAt = new Date(clock.now.getTime() + DEFERRED_FOR_MS);
  await moveDue(
    tx,
    [...taken].map((row) => ({ ...row, dueAt, blocked: 1 })),
  );
  return rows.filter((row) => !taken.has(row));
}

/** Payments whose owner another transaction holds go back for a moment. */
export async function withoutBusy(
  tx: Transaction,
  clock: Clock,
  items: readonly Item[],
  { busy }: SettlingOwners,
): Promise<readonly Item[]> {
  if (busy.size === 0) return items;
  const dueAt = new Date(clock.now.getTime() + DEFERRED_FOR_MS);
  const moved = items.flatMap(({ payment, due: row }) =>
    row && busy.has(payment.id) ? [{ ...row, dueAt: noLaterThanEnd(payment, dueAt, clock.now) }] : [],
  );
  await moveDue(tx, moved);
  return items.filter(({ payment }) => !busy.has(payment.id));
}

/** Payments that are to be tried at another time go back until then. */
export async function withoutPaced(
  tx: Transaction,
  clock: Clock,
  items: readonly Item[],
  paced: Paced,
): Promise<readonly Item[]> {
  // What has ended is not tried any more, so it waits for no hour.
  const due = items.flatMap(({ payment, due: row }) =>
    row && endedBy(payment, clock.now) === null ? [{ payment, dueAt: row.dueAt }] : [],
  );
  const later = paced(clock, due);
  if (later.size === 0) return items;
  const moved = items.flatMap(({ payment, due: row }) => {
    const dueAt = later.get(payment.id);
    return row && dueAt ? [{ ...row, dueAt: noLaterThanEnd(payment, dueAt, clock.now) }] : [];
  });
  await moveDue(tx, moved);
  return items.filter(({ payment }) => !later.has(payment.id));
}
