// Kinds of wake-ups. A wake-up says that there may be work of a kind, and nothing about it: no id, no tenant, no state. A process that
// gets one looks into the tables, as it would have at its next poll.
import { createHash } from 'node:crypto';
import type { Transaction } from '../db/index.ts';

export const WAKE_UPS = ['events_appended', 'events_ordered', 'payments_due', 'schedules_due'] as const;
export type WakeUp = (typeof WAKE_UPS)[number];

/** The loop that each kind runs before its poll. Events that were ordered have no loop: streams and other followers wait for them. */
export const LOOP_OF: Readonly<Partial<Record<WakeUp, string>>> = {
  events_appended: 'sequencer',
  payments_due: 'processor',
  schedules_due: 'scheduler',
};

/** The loop whose runs raise a kind, if they did anything. */
export const RAISED_BY: Readonly<Record<string, WakeUp>> = { sequencer: 'events_ordered' };

/** PostgreSQL cuts longer names, and two kinds would share a channel. */
const LONGEST_NAME = 63;
const KEPT_OF_NAME = 24;

/** Channels are of a whole database, which may hold several schemas. */
export function channelOf(schema: string, name: string): string {
  const channel = `${schema}_${name}`;
  if (channel.length <= LONGEST_NAME) return channel;
  const digest = createHash('sha256').update(schema).digest('hex').slice(0, 12);
  return `${schema.slice(0, KEPT_OF_NAME)}_${digest}_${name}`;
}

const PREFIX = 'wake-up ';

/** Raises a wake-up when this transaction has committed. A caller's own transaction raises none: its commit is not seen here. */
export function noteWakeUp(tx: Transaction, kind: WakeUp): void {
  tx.note(PREFIX + kind, 1);
}

/** The longest poll of a loop that sleeps until an instant: it looks before a later one by itself. */
const SOON_MS = 1_000;

/** Raises a wake-up if a row is due before its loop would look. Rows of test clocks are not a loop's of real time. */
export function noteSoon(
  tx: Transaction,
  kind: WakeUp,
  rows: readonly { readonly clockId: string | null; readonly dueAt: Date }[],
): void {
  if (tx.begunAt === null) return;
  const soonMs = tx.begunAt.getTime() + SOON_MS;
  if (rows.some(({ clockId, dueAt }) => clockId === null && dueAt.getTime() <= soonMs)) noteWakeUp(tx, kind);
}

/** Null for any other note, which is of events. */
export function readWakeUpNote(name: string): WakeUp | null {
  return WAKE_UPS.find((kind) => name === PREFIX + kind) ?? null;
}
