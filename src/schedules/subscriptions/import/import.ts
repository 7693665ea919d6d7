// Import of subscriptions from another system, with their next due date. The file is read twice: first whole, and every problem of
// every line is found before anything is written; then it is made, some hundred lines a transaction, each subscription once under its
// reference. Lines that differ from those that were checked are not made. After a crash, run it again: what was imported is skipped.
//
// A subscription whose next charge is due already is charged by the next run of the scheduler, by the plan's policy for missed charges.
import type { Database, Transaction } from '../../../db/index.ts';
import type { Caller, Clock, FileRecord, RecordFormat, Uuid } from '../../../kernel/index.ts';
import { Refusal, inDigestedChunks, inUnchangedChunks, readRecords, refuse } from '../../../kernel/index.ts';
import type { Account } from '../../../ledger/index.ts';
import { findAccounts } from '../../../ledger/index.ts';
import type { Plan } from '../plan.ts';
import { findPlans } from '../store.ts';
import { makeImported } from './make.ts';
import type { ImportRow, ImportStatus, PlanTable } from './row.ts';
import { NEEDED_COLUMNS, leftOf, parseRow, planKeys, planOf, planTable } from './row.ts';
import { findReferences, insertImported, lockImports } from './store.ts';

export interface SubscriptionImport {
  readonly tenantId: Uuid;
  readonly caller: Caller;
  readonly format: RecordFormat;
  /** Opens the file's lines; called twice. */
  readonly open: () => AsyncIterable<string>;
  /** Only checks the file and reports. */
  readonly dryRun?: boolean;
  /** Subscriptions in one transaction, 1 to 1,000; default 200. */
  readonly batchSize?: number;
  /** Called with the number of lines of every batch that is committed. */
  readonly onProgress?: (lines: number) => void;
}

export interface ImportProblem {
  readonly line: number;
  readonly detail: string;
}

export interface SubscriptionImportReport {
  /** SHA-256 of the file's lines. */
  readonly file: string;
  readonly lines: number;
  readonly created: number;
  /** Imported by an earlier run. */
  readonly skipped: number;
  /** How many lines are wrong: with any, nothing is written. */
  readonly refused: number;
  /** The first 1,000 of them. */
  readonly problems: readonly ImportProblem[];
  /** Over the lines that are right. */
  readonly statuses: Readonly<Record<ImportStatus, number>>;
  readonly totals: readonly SubscriptionTotal[];
}

/** Over the lines that are right, by asset. */
export interface SubscriptionTotal {
  readonly asset: string;
  readonly subscriptions: number;
  /** One charge of each that is active. */
  readonly perPeriod: bigint;
  /** Active ones whose next charge is due already, and one charge of each. */
  readonly overdue: number;
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
): Promise<SubscriptionImportReport> {
  const batchSize = order.batchSize ?? DEFAULT_BATCH;
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 1_000))
    refuse('FIELD_INVALID', 'batchSize is a whole number from 1 to 1000', { param: 'batchSize' });
  const checked = await db.transaction(async (tx) => check(tx, (await readClock(tx)).now, order, batchSize));
  const { lines, skipped, refused, problems, statuses } = checked;
  const file = checked.digests.at(-1) ?? '';
  const totals = [...checked.totals.values()].toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
  const report = { file, lines, created: 0, skipped, refused, problems, statuses, totals };
  if (refused > 0 || order.dryRun) return report;
  let created = 0;
  for await (const chunk of inUnchangedChunks(chunksOf(order, batchSize), checked.digests)) {
    const batch = chunk.map(parseRow);
    created += await db.transaction(async (tx) => makeBatch(tx, await readClock(tx), order, file, batch));
    order.onProgress?.(batch.length);
  }
  return { ...report, created, skipped: lines - created };
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
        if (before !== undefined) refuse('IMPORT_INVALID', `line ${before} has the reference "${row.reference}" too`);
        seen.set(row.reference, row.line);
        rows.push(row);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        problem(record.line, error.message);
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
  const plans = await plansOf(tx, tenantId, rows);
  const receivers = [...plans.byId.values()].map(({ payeeId }) => payeeId);
  const known = await findAccounts(tx, tenantId, [...new Set([...rows.map(({ payer }) => payer), ...receivers])]);
  const accounts = accountTable(known);
  const references = await findReferences(
    tx,
    tenantId,
    rows.map(({ reference }) => reference),
  );
  for (const row of rows) {
    try {
      const plan = planOf(row, plans);
      const left = leftOf(row, plan, now);
      const isImported = isDone(row, references);
      if (!isImported) requireAccounts(row, plan, accounts);
      found.statuses[row.status] += 1;
      if (isImported) found.skipped += 1;
      found.totals.set(plan.asset, totalWith(found.totals.get(plan.asset), row, plan, left.paidBefore, now));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem(row.line, error.message);
    }
  }
}

const plansOf = async (tx: Transaction, tenantId: Uuid, rows: readonly ImportRow[]): Promise<PlanTable> =>
  planTable(await findPlans(tx, tenantId, planKeys(rows)));

interface AccountTable {
  readonly byId: ReadonlyMap<Uuid, Account>;
  readonly byRef: ReadonlyMap<string, Account>;
}

const accountTable = (accounts: readonly Account[]): AccountTable => ({
  byId: new Map(accounts.map((account) => [account.id, account])),
  byRef: new Map(accounts.map((account) => [account.ref, account])),
});

function requireAccounts(row: ImportRow, plan: Plan, { byId, byRef }: AccountTable): void {
  const payer =
    byId.get(row.payer) ?? byRef.get(row.payer) ?? refuse('IMPORT_INVALID', `there is no account "${row.payer}"`);
  const receiver = byId.get(plan.payeeId);
  if (payer.id === plan.payeeId) refuse('IMPORT_INVALID', 'the payer is the receiver of the plan');
  for (const account of [payer, receiver])
    if (account && account.status !== 'active')
      refuse('IMPORT_INVALID', `the account "${account.ref}" is ${account.status}`);
}

/** Whether it was imported; a Refusal where its reference is another subscription's. */
function isDone(row: ImportRow, references: ReadonlyMap<string, string | null>): boolean {
  const digest = references.get(row.reference);
  if (digest === undefined) return false;
  if (digest === null) refuse('IMPORT_CONFLICT', `another schedule has the reference "${row.reference}"`);
  if (digest !== row.digest) refuse('IMPORT_CONFLICT', `"${row.reference}" was imported with other values before`);
  return true;
}

function totalWith(
  before: SubscriptionTotal | undefined,
  row: ImportRow,
  { asset, price }: Plan,
  paidBefore: bigint,
  now: Date,
): SubscriptionTotal {
  const sum = before ?? { subscriptions: 0, perPeriod: 0n, overdue: 0, overdueAmount: 0n, paidBefore: 0n };
  const isActive = row.status === 'ACTIVE';
  const isOverdue = isActive && row.nextDueAt !== null && row.nextDueAt <= now;
  return {
    asset,
    subscriptions: sum.subscriptions + 1,
    perPeriod: sum.perPeriod + (isActive ? price : 0n),
    overdue: sum.overdue + (isOverdue ? 1 : 0),
    overdueAmount: sum.overdueAmount + (isOverdue ? price : 0n),
    paidBefore: sum.paidBefore + paidBefore,
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
  const plans = await plansOf(tx, tenantId, rows);
  const references = await findReferences(
    tx,
    tenantId,
    rows.map(({ reference }) => reference),
  );
  const made = [];
  for (const row of rows) {
    try {
      if (!isDone(row, references)) made.push(await makeImported(tx, clock, order, row, planOf(row, plans)));
    } catch (error) {
      // Something changed since the file was checked: this batch is undone, the ones before stay, and the line is named.
      if (error instanceof Refusal) refuse(error.code, `line ${row.line}: ${error.message}`);
      throw error;
    }
  }
  if (made.length > 0) await insertImported(tx, { tenantId, digest: file, at: clock.now }, made);
  return made.length;
}
