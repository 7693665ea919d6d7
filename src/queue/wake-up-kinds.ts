// Kinds of wake-ups. A wake-up says that there may be work of a kind, and nothing about it: no id, no tenant, no state. A process that
// gets one reads its tables, as it would have at its next poll.
import { createHash } from 'node:crypto';
import type { Transaction } from '../db/index.ts';

export const WAKE_UPS = [
  'events_appended',
  'events_ordered',
  'payments_due',
  'payouts_due',
  'schedules_due',
  'executions_due',
] as const;
export type WakeUp = (typeof WAKE_UPS)[number];

/** The loops that each kind runs before their poll. */
export const LOOPS_OF: Readonly<Record<WakeUp, readonly string[]>> = {
  events_appended: ['sequencer'],
  events_ordered: ['matcher'],
  payments_due: ['processor'],
  payouts_due: ['payouts'],
  schedules_due: ['scheduler'],
  executions_due: ['jobs', 'webhooks'],
};

/**
 * Kinds that other processes get also if the loop runs here: any process can have followers of events, and a worker elsewhere can run
 * processors that this process does not have.
 */
export const FOR_ALL: ReadonlySet<WakeUp> = new Set<WakeUp>(['events_ordered', 'executions_due']);

/** The loop whose runs raise a kind, if they did anything. */
export const RAISED_BY: Readonly<Record<string, WakeUp>> = { sequencer: 'events_ordered' };

/** PostgreSQL truncates longer names, and two kinds would then share a channel. */
const LONGEST_NAME = 63;
const KEPT_OF_NAME = 24;

/** Channels belong to a database, which can hold several schemas. */
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

/** The longest sleep of the loops for due rows: they find a row that is due later by their own poll. */
const SOON_MS = 1_000;

/** Raises a wake-up if a row is due before its loop polls. Not for rows of test clocks: the loop `clocks` runs those. */
export function noteDueSoon(
  tx: Transaction,
  kind: WakeUp,
  rows: readonly { readonly clockId: string | null; readonly dueAt: Date }[],
): void {
  if (tx.begunAt === null) return;
  const soonMs = tx.begunAt.getTime() + SOON_MS;
  if (rows.some(({ clockId, dueAt }) => clockId === null && dueAt.getTime() <= soonMs)) noteWakeUp(tx, kind);
}

/** The wake-up that a note of a transaction names; null for any other note, which counts events (`appendEvents`). */
export function readWakeUpNote(name: string): WakeUp | null {
  return WAKE_UPS.find((kind) => name === PREFIX + kind) ?? null;
}
