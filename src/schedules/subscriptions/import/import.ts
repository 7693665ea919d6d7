// Import of subscriptions from another system, with their next due date. The file is read twice: first whole, and every problem of
// every line is found before anything is written; then it is made, some hundred lines a transaction, each subscription once under its
// reference. Lines that differ from those that were checked are not made. After a crash, run it again: what was imported is skipped.
//
// A subscription whose next charge is due already is charged by the next run of the scheduler, by the plan's policy for missed charges.
import type { Database, Transaction } from '../../../db/index.ts';
import type { Caller, Clock, FileRecord, RecordFormat, Uuid } from '../../../kernel/index.ts';
import { Refusal, inDigestedChunks, inUnchangedChunks, invariant, readRecords, refuse } from '../../../kernel/index.ts';
import type { Batches, Journaled } from '../../../ledger/index.ts';
import type { Plan } from '../plan.ts';
import type { LookedUp } from './look-up.ts';
import { importedBefore, lookUp, resolve } from './look-up.ts';
import { makeImported } from './make.ts';
import type { ImportRow, ImportStatus } from './row.ts';
import { NEEDED_COLUMNS, leftOf, parseRow } from './row.ts';
import { insertImported, lockImports } from './store.ts';

/** A file with subscriptions of another system. */
export interface SubscriptionImport {
  /** The tenant, as a UUID. */
  readonly tenantId: Uuid;
  /** The caller for the audit log. */
  readonly caller: Caller;
  /** The format of the file: `csv` or `jsonl`. */
  readonly format: RecordFormat;
  /** Opens the file's lines; called twice. */
  readonly open: () => AsyncIterable<string>;
  /** `true`: every batch is rolled back; `created` stays 0. Default false. */
  readonly dryRun?: boolean;
  /** Subscriptions in one transaction, 1 to 1,000; default 200. */
  readonly batchSize?: number;
  /** Called with the number of lines of every committed batch. Default: none. */
  readonly onProgress?: (lines: number) => void;
}

export interface ImportProblem {
  readonly line: number;
  readonly detail: string;
}

/** The result of an import of subscriptions. */
export interface SubscriptionImportReport {
  /** SHA-256 of the file's lines. */
  readonly file: string;
  /** Lines of the file. */
  readonly lines: number;
  /** Subscriptions that this run created. */
  readonly created: number;
  /** Imported by an earlier run. */
  readonly skipped: number;
  /** How many lines are wrong: with any, nothing is written. */
  readonly refused: number;
  /** The first 1,000 wrong lines. */
  readonly problems: readonly ImportProblem[];
  /** Lines that are right, by status. */
  readonly statuses: Readonly<Record<ImportStatus, number>>;
  /** Totals by asset, over the lines that are right. */
  readonly totals: readonly SubscriptionTotal[];
  /** The postings and events of a dry run; absent otherwise. */
  readonly journaled?: Journaled;
}

/** Over the lines that are right, by asset. */
export interface SubscriptionTotal {
  readonly asset: string;
  readonly subscriptions: number;
  /** One charge of each that is active. */
  readonly perPeriod: bigint;
  /** Active ones that are new and due already; the charges that the next run of the scheduler makes of them, and their sum. */
  readonly overdue: number;
  readonly overdueCharges: number;
  readonly overdueAmount: bigint;
  /** What the payers paid before. */
  readonly paidBefore: bigint;
}

const MOST_PROBLEMS = 1_000;
const DEFAULT_BATCH = 200;

type ReadClock = (tx: Transaction) => Promise<Clock>;

export async function importSubscriptions(
  db: Database,
  readClock: ReadClock,
  order: SubscriptionImport,
  batches: Batches,
): Promise<SubscriptionImportReport> {
  const batchSize = order.batchSize ?? DEFAULT_BATCH;
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 1_000))
    refuse('FIELD_INVALID/not_whole_number', { param: 'batchSize', min: 1, max: 1_000 });
  const checked = await db.transaction(async (tx) => check(tx, (await readClock(tx)).now, order, batchSize));
  const { lines, skipped, refused, problems, statuses } = checked;
  const file = checked.digests.at(-1) ?? '';
  const totals = [...checked.totals.values()].toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
  const found = { file, lines, created: 0, skipped, refused, problems, statuses, totals };
  if (refused > 0) return { ...found, ...batches.journal() };
  let created = 0;
  for await (const chunk of inUnchangedChunks(chunksOf(order, batchSize), checked.digests)) {
    const batch = chunk.map(parseRow);
    created += await batches.run(async (tx) => makeBatch(tx, await readClock(tx), order, file, batch));
    order.onProgress?.(batch.length);
  }
  if (order.dryRun) return { ...found, ...batches.journal() };
  return { ...found, created, skipped: lines - created };
}

const chunksOf = (
  { open, format }: SubscriptionImport,
  size: number,
): AsyncGenerator<{ readonly items: FileRecord[]; readonly digest: string }> =>
  inDigestedChunks(open(), (lines) => readRecords(lines, format, NEEDED_COLUMNS), size);

interface Checked {
  /** One for each chunk; the last is that of the whole file. */
  readonly digests: string[];
  lines: number;
  skipped: number;
  refused: number;
  readonly problems: ImportProblem[];
  readonly statuses: Record<ImportStatus, number>;
  readonly totals: Map<string, SubscriptionTotal>;
}

/** The first reading: every line by itself, then against the tenant's plans, accounts and references. */
async function check(tx: Transaction, now: Date, order: SubscriptionImport, size: number): Promise<Checked> {
  const found: Checked = {
    digests: [],
    lines: 0,
    skipped: 0,
    refused: 0,
    problems: [],
    statuses: { ACTIVE: 0, PAST_DUE: 0, PAUSED: 0, CANCELLED: 0 },
    totals: new Map(),
  };
  const seen = new Map<string, number>();
  const problem = (line: number, detail: string): void => {
    found.refused += 1;
    if (found.problems.length < MOST_PROBLEMS) found.problems.push({ line, detail });
  };
  for await (const { items, digest } of chunksOf(order, size)) {
    found.digests.push(digest);
    const rows: ImportRow[] = [];
    for (const record of items) {
      found.lines += 1;
      try {
        const row = parseRow(record);
        const before = seen.get(row.reference);
        if (before !== undefined) refuse('IMPORT_INVALID/reference_twice', { line: before, reference: row.reference });
        seen.set(row.reference, row.line);
        rows.push(row);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        problem(record.line, error.refused.detail);
      }
    }
    if (rows.length > 0) await checkRows(tx, now, { tenantId: order.tenantId, rows, found, problem });
  }
  found.problems.sort((a, b) => a.line - b.line);
  return found;
}

async function checkRows(
  tx: Transaction,
  now: Date,
  given: {
    readonly tenantId: Uuid;
    readonly rows: readonly ImportRow[];
    readonly found: Checked;
    readonly problem: (line: number, detail: string) => void;
  },
): Promise<void> {
  const { tenantId, rows, found, problem } = given;
  const known = await lookUp(tx, tenantId, rows);
  for (const row of rows) {
    try {
      const { plan, paidBefore, dueCharges, isNew } = looked(row, known, now);
      found.statuses[row.status] += 1;
      if (!isNew) found.skipped += 1;
      const total = { isActive: row.status === 'ACTIVE', paidBefore, dueCharges };
      found.totals.set(plan.asset, totalWith(found.totals.get(plan.asset), plan, total));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem(row.line, error.refused.detail);
    }
  }
}

/** Throws a Refusal where the row cannot be made. One that was imported before is right as it is. */
function looked(
  row: ImportRow,
  known: LookedUp,
  now: Date,
): { readonly plan: Plan; readonly paidBefore: bigint; readonly dueCharges: number; readonly isNew: boolean } {
  const before = importedBefore(row, known);
  if (before) {
    const plan = known.plans.byId.get(before.planId);
    invariant(plan !== undefined, 'an imported subscription to have a plan');
    return { plan, paidBefore: before.paidBefore, dueCharges: 0, isNew: false };
  }
  const { plan, payer } = resolve(row, known);
  const { paidBefore, dueCharges } = leftOf(row, plan, now);
  if (payer.id === plan.payeeId) refuse('IMPORT_INVALID/payer_is_receiver');
  for (const account of [payer, known.accounts.byId.get(plan.payeeId)])
    if (account && account.status !== 'active')
      refuse(`ACCOUNT_NOT_ACTIVE/${account.status}`, { account: account.ref });
  return { plan, paidBefore, dueCharges, isNew: true };
}

function totalWith(
  before: SubscriptionTotal | undefined,
  { asset, price }: Plan,
  row: { readonly isActive: boolean; readonly paidBefore: bigint; readonly dueCharges: number },
): SubscriptionTotal {
  const none = { subscriptions: 0, perPeriod: 0n, overdue: 0, overdueCharges: 0, overdueAmount: 0n, paidBefore: 0n };
  const sum = before ?? none;
  return {
    asset,
    subscriptions: sum.subscriptions + 1,
    perPeriod: sum.perPeriod + (row.isActive ? price : 0n),
    overdue: sum.overdue + (row.dueCharges > 0 ? 1 : 0),
    overdueCharges: sum.overdueCharges + row.dueCharges,
    overdueAmount: sum.overdueAmount + price * BigInt(row.dueCharges),
    paidBefore: sum.paidBefore + row.paidBefore,
  };
}

/** Returns how many were made; the others were imported before. */
async function makeBatch(
  tx: Transaction,
  clock: Clock,
  order: SubscriptionImport,
  file: string,
  rows: readonly ImportRow[],
): Promise<number> {
  const { tenantId } = order;
  await lockImports(tx, tenantId);
  const known = await lookUp(tx, tenantId, rows);
  const made = [];
  for (const row of rows) {
    try {
      if (!importedBefore(row, known)) made.push(await makeImported(tx, clock, order, row, resolve(row, known)));
    } catch (error) {
      // Something changed since the file was checked: this batch is undone, the ones before stay, and the line is named. A caller without
      // the scope is refused as by every other verb: the file is not at fault.
      if (error instanceof Refusal && error.code !== 'AUTH_SCOPE_MISSING')
        refuse('IMPORT_INVALID/unreadable', { line: row.line, problem: error.refused.detail });
      throw error;
    }
  }
  if (made.length > 0) await insertImported(tx, { tenantId, digest: file, at: clock.now }, made);
  return made.length;
}
