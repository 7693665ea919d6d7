// One subscription as a file has it, and what it becomes here: the charges that are left of its plan, from its next one on.
import { createHash } from 'node:crypto';
import type { FileRecord } from '../../../kernel/index.ts';
import { MAX_AMOUNT, parseAmount, refuse } from '../../../kernel/index.ts';
import { parseInstant } from '../../../payments/index.ts';
import { parseScheduleReference } from '../../order.ts';
import { Timetable, fillTiming } from '../../rules/index.ts';
import { withMonthDay } from '../month-day.ts';
import type { Agreed, Plan } from '../plan.ts';
import { MOST_CHARGES, agreed } from '../plan.ts';

export const IMPORT_STATUSES = ['ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What every CSV file has to have. */
export const NEEDED_COLUMNS = ['reference', 'plan', 'payer', 'next_due_at'] as const;
const COLUMNS: readonly string[] = [...NEEDED_COLUMNS, 'started_at', 'charges_made', 'paid', 'status'];

/** A charge every day for 2,700 years. */
const MOST_CHARGES_MADE = 1_000_000;

export interface ImportRow {
  readonly line: number;
  readonly reference: string;
  /** Id or name. */
  readonly plan: string;
  readonly payer: string;
  /** Null only where it is cancelled. */
  readonly nextDueAt: Date | null;
  readonly startedAt: Date | null;
  readonly chargesMade: number;
  /** Null: the plan's price for each charge made. */
  readonly paid: bigint | null;
  readonly status: ImportStatus;
  /** Of the row's text. */
  readonly digest: string;
}

/** Throws a Refusal where the line is wrong. */
export function parseRow(record: FileRecord): ImportRow {
  if ('problem' in record) return refuse('IMPORT_INVALID/unreadable_line', { problem: record.problem });
  const { line, fields } = record;
  const unknown = Object.keys(fields).filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0) refuse('IMPORT_INVALID/unknown_column', { column: unknown.join('", "'), columns: COLUMNS });
  const status = parseStatus(fields['status']);
  const row = {
    reference: parseScheduleReference(textOf(fields, 'reference')) ?? missing('reference'),
    plan: textOf(fields, 'plan'),
    payer: textOf(fields, 'payer'),
    nextDueAt: instantOf(fields, 'next_due_at') ?? (status === 'CANCELLED' ? null : missing('next_due_at')),
    startedAt: instantOf(fields, 'started_at'),
    chargesMade: countOf(fields['charges_made']),
    paid: isEmpty(fields['paid']) ? null : parseAmount(fields['paid'], 'paid'),
    status,
  };
  if (row.startedAt && row.nextDueAt && row.startedAt > row.nextDueAt) refuse('IMPORT_INVALID/starts_after_next_due');
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...row, paid: row.paid?.toString() ?? null }))
    .digest('hex');
  return { line, ...row, digest };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (isEmpty(value)) return missing(name);
  return typeof value === 'string' ? value : refuse('IMPORT_INVALID/not_text', { column: name });
}

function instantOf(fields: Readonly<Record<string, unknown>>, name: string): Date | null {
  return isEmpty(fields[name]) ? null : parseInstant(textOf(fields, name), name);
}

function countOf(value: unknown): number {
  if (isEmpty(value)) return 0;
  const count = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= MOST_CHARGES_MADE
    ? count
    : refuse('IMPORT_INVALID/charges_made', { max: MOST_CHARGES_MADE });
}

function parseStatus(value: unknown): ImportStatus {
  if (isEmpty(value)) return 'ACTIVE';
  const name = typeof value === 'string' ? value.toUpperCase() : value;
  return (
    IMPORT_STATUSES.find((status) => status === name) ?? refuse('IMPORT_INVALID/status', { allowed: IMPORT_STATUSES })
  );
}

export interface Left extends Agreed {
  /** What was paid before the import. */
  readonly paidBefore: bigint;
  /** Charges that the next run of the scheduler makes at once, by the plan's policy for missed charges. */
  readonly dueCharges: number;
}

/** The charges that are left: the first is due at `next_due_at`, and the others follow from it. */
export function leftOf(row: ImportRow, plan: Plan, now: Date): Left {
  const nextDueAt = row.nextDueAt ?? now;
  const approvedBefore = plan.price * BigInt(row.chargesMade);
  if (approvedBefore > MAX_AMOUNT) refuse('AMOUNT_TOO_LARGE/charges_made', { max: MAX_AMOUNT });
  const paidBefore = row.paid ?? approvedBefore;
  const { charges } = agreed({ ...plan, trialDays: 0 }, row.startedAt ?? nextDueAt);
  const left = charges === null ? null : charges - row.chargesMade;
  if (charges !== null && left !== null && left < 1)
    refuse('IMPORT_INVALID/no_charges_left', { made: row.chargesMade, charges });
  const term = { charges: left, months: null, trialDays: 0 };
  const { timing: plain, ...totals } = agreed({ ...plan, ...term }, nextDueAt);
  const timing = withMonthDay(plain, plan.zone, { nextDueAt, startedAt: row.startedAt });
  const timetable = new Timetable(fillTiming(timing, now));
  const first = timetable.first();
  if (row.nextDueAt && first?.at !== nextDueAt.getTime()) refuse('IMPORT_INVALID/clock_change', { zone: plan.zone });
  const due = nextDueAt > now ? 0 : timetable.placeAt(timetable.localAt(now.getTime())).ordinal;
  const dueCharges = row.status === 'ACTIVE' ? madeOf(plan.missed, Math.min(due, left ?? due)) : 0;
  return { timing, ...totals, paidBefore, dueCharges };
}

/** How many of the charges that are due at once are made. One that is due is never missed. */
function madeOf(missed: Plan['missed'], due: number): number {
  if (due <= 1 || missed === 'all') return Math.min(due, MOST_CHARGES + 1);
  return missed === 'last' ? 1 : 0;
}

const missing = (column: string): never => refuse('IMPORT_INVALID/missing_column', { column });
