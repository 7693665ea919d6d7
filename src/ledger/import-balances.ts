// Import of opening balances: deposits from `world`, a thousand lines a transaction, each at most once under the
// import's name. The file is read twice: first whole, to refuse it before anything is booked; then to book it. Lines that
// differ from those that were checked are not booked. After a crash, run it again: what is booked is skipped. The answer
// compares file and books per asset.
import type { Sql, Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { Refusal, inDigestedChunks, inUnchangedChunks, newId, parseAsset, refuse } from '../kernel/index.ts';
import { findAccounts, listAssets } from './account-store.ts';
import { isRefused } from './book.ts';
import { createAsset } from './create-asset.ts';
import type { Batches, Journaled } from './dry-run.ts';
import { unrecorded } from './dry-run.ts';
import { requireMayMove } from './external-money.ts';
import { isRef, openAccounts } from './open-account.ts';
import type { ImportFormat, OpeningBalance } from './opening-balances-file.ts';
import { readOpeningBalances } from './opening-balances-file.ts';
import { insertOpeningBalances, sumOpeningBalances } from './opening-balances-store.ts';
import { postTransfers } from './post-transfers.ts';
import { systemAccountId } from './system-accounts.ts';

/** A file with opening balances. */
export interface ImportOrder {
  /** The tenant, as a UUID. */
  readonly tenantId: Uuid;
  /** The import's name, 1 to 100 characters: the same file under the same name books once. */
  readonly name: string;
  /** The format of the file: `csv` or `jsonl`. */
  readonly format: ImportFormat;
  /** Opens the file's lines; called twice. */
  readonly open: () => AsyncIterable<string>;
  /** The total of each asset in minor units, from the system the balances come from. Default: not compared. */
  readonly expect?: ReadonlyMap<string, bigint>;
  /** The caller for the audit log. */
  readonly caller: Caller;
  /** Called with the number of lines of every committed batch. Default: none. */
  readonly onProgress?: (lines: number) => void;
  /** Assets to create first, if the tenant has none of the name. Default: none. */
  readonly createAssets?: readonly string[];
  /** `true`: every batch is rolled back, and the report says what they would have booked. Default false. */
  readonly dryRun?: boolean;
}

export interface ImportTotal {
  readonly asset: string;
  /** Sum over the file. */
  readonly file: bigint;
  /** Sum of everything booked under this import's name. */
  readonly booked: bigint;
}

/** The result of an import of opening balances. */
export interface ImportReport {
  /** Lines of the file. */
  readonly lines: number;
  /** Lines that this run booked. */
  readonly booked: number;
  /** Booked by an earlier run of the same import. */
  readonly skipped: number;
  /** Accounts that this run opened. */
  readonly accountsOpened: number;
  /** Totals by asset. */
  readonly totals: readonly ImportTotal[];
  /** The postings and events of a dry run; absent otherwise. */
  readonly journaled?: Journaled;
}

const LINES_PER_TRANSACTION = 1_000;

export async function importOpeningBalances(
  sql: Sql,
  readClock: (tx: Transaction) => Promise<Clock>,
  order: ImportOrder,
  batches: Batches,
): Promise<ImportReport> {
  if (order.name.length < 1 || order.name.length > 100) {
    refuse('FIELD_INVALID/wrong_length', { param: 'name', min: 1, max: 100 });
  }
  requireMayMove(order.caller, { tenantId: order.tenantId, from: [systemAccountId(order.tenantId, 'world')], to: [] });
  const { createAssets = [], dryRun = false } = order;
  const makeAssets = async (tx: Transaction, clock: Clock): Promise<void> => {
    for (const name of createAssets) await createAsset(tx, clock, order.caller, order.tenantId, name);
  };
  if (createAssets.length > 0) await batches.run(async (tx) => makeAssets(tx, await readClock(tx)));
  const assets = await assetNames(sql, order.tenantId);
  for (const { name, code } of createAssets.map((each) => parseAsset(each))) assets.set(name, name).set(code, name);
  const file = await sumFile(order, assets);
  requireExpected(order, assets, file.totals);
  let booked = 0;
  // The next batch of a dry run opens the same account again.
  const opened = new Set<string>();
  const rolledBack = new Map<string, bigint>();
  const before = dryRun ? await sumOpeningBalances(sql, order.tenantId, order.name) : null;
  for await (const chunk of inUnchangedChunks(chunksOf(order), file.digests)) {
    const done = await batches.run(async (tx) => {
      const clock = await readClock(tx);
      // Those of the first batch were rolled back with it; its journal has them.
      if (dryRun) await unrecorded(tx, () => makeAssets(tx, clock));
      return bookChunk(tx, clock, order, assets, chunk);
    });
    booked += done.booked.length;
    for (const ref of done.opened) opened.add(ref);
    if (dryRun) for (const { asset, amount } of done.booked) add(rolledBack, asset, amount);
    order.onProgress?.(chunk.length);
  }
  const sums = before ?? (await sumOpeningBalances(sql, order.tenantId, order.name));
  for (const [asset, amount] of rolledBack) add(sums, asset, amount);
  const names = [...new Set([...file.totals.keys(), ...sums.keys()])].toSorted();
  const totals = names.map((asset) => ({ asset, file: file.totals.get(asset) ?? 0n, booked: sums.get(asset) ?? 0n }));
  const counts = { lines: file.lines, booked, skipped: file.moving - booked, accountsOpened: opened.size };
  return { ...counts, totals, ...batches.journal() };
}

function add(sums: Map<string, bigint>, asset: string, amount: bigint): void {
  sums.set(asset, (sums.get(asset) ?? 0n) + amount);
}

const chunksOf = ({ open, format }: ImportOrder): AsyncGenerator<{ items: OpeningBalance[]; digest: string }> =>
  inDigestedChunks(open(), (lines) => readOpeningBalances(lines, format), LINES_PER_TRANSACTION);

/** The first reading: every line is well-formed, every asset known, every ref possible, no account named twice. */
async function sumFile(
  order: ImportOrder,
  assets: ReadonlyMap<string, string>,
): Promise<{ lines: number; moving: number; totals: Map<string, bigint>; digests: string[] }> {
  const totals = new Map<string, bigint>();
  const digests: string[] = [];
  const seen = new Set<string>();
  let lines = 0;
  let moving = 0;
  for await (const { items, digest } of chunksOf(order)) {
    digests.push(digest);
    for (const record of items) {
      lines += 1;
      const asset = assets.get(record.asset);
      const { line, account } = record;
      if (!asset) return refuse('IMPORT_INVALID/unknown_asset', { line, asset: record.asset });
      if (!isRef(account)) refuse('IMPORT_INVALID/account_ref', { line });
      const pair = `${account}\n${asset}`;
      if (seen.has(pair)) refuse('IMPORT_INVALID/duplicate', { line, account, asset });
      seen.add(pair);
      if (record.amount > 0n) moving += 1;
      add(totals, asset, record.amount);
    }
  }
  return { lines, moving, totals, digests };
}

function requireExpected(
  order: ImportOrder,
  assets: ReadonlyMap<string, string>,
  totals: ReadonlyMap<string, bigint>,
): void {
  for (const [named, expected] of order.expect ?? []) {
    const asset = assets.get(named);
    if (!asset) return refuse('ASSET_NOT_FOUND', { asset: named, param: 'expect' });
    const total = totals.get(asset) ?? 0n;
    if (total !== expected)
      refuse('IMPORT_TOTAL_MISMATCH', {
        total: { amount: total, asset },
        expected: { amount: expected, asset },
        param: 'expect',
      });
  }
}

async function bookChunk(
  tx: Transaction,
  clock: Clock,
  order: ImportOrder,
  assets: ReadonlyMap<string, string>,
  chunk: readonly OpeningBalance[],
): Promise<{ booked: readonly { asset: string; amount: bigint }[]; opened: readonly string[] }> {
  const { tenantId, name: importName } = order;
  const known = new Map(
    (
      await findAccounts(
        tx,
        tenantId,
        chunk.map((line) => line.account),
      )
    ).map((found) => [found.ref, found.id]),
  );
  const unknown = [...new Set(chunk.map((line) => line.account))].filter((ref) => !known.has(ref));
  for (const opened of await openAccounts(
    tx,
    clock,
    order.caller,
    tenantId,
    unknown.map((ref) => ({ ref })),
  ))
    known.set(opened.ref, opened.id);

  const wanted = chunk
    .filter((line) => line.amount > 0n)
    .map((line) => ({ ...line, accountId: known.get(line.account) ?? '', asset: assets.get(line.asset) ?? '' }));
  for (const { accountId } of wanted) requireMayMove(order.caller, { tenantId, from: [], to: [accountId] });
  const { inserted, differing } = await insertOpeningBalances(tx, tenantId, importName, wanted);
  const [other] = differing;
  if (other) {
    const { line, account, asset } = other;
    refuse('IMPORT_CONFLICT/other_amount', { line, account, asset });
  }
  const world = systemAccountId(tenantId, 'world');
  const outcomes = await postTransfers(
    tx,
    clock,
    inserted.map((line) => ({
      tenantId,
      debitAccountId: world,
      creditAccountId: line.accountId,
      asset: line.asset,
      amount: line.amount,
      kind: 'opening_balance',
      description: `import ${importName}`,
    })),
  );
  outcomes.forEach((outcome, index) => {
    if (!isRefused(outcome)) return;
    throw new Refusal({ ...outcome, fields: { ...outcome.fields, param: `line ${inserted[index]?.line ?? 0}` } });
  });
  if (inserted.length > 0) {
    const data = { import: importName, balances: inserted.length, firstLine: inserted[0]?.line };
    const fact = { type: 'account.balances_imported' as const, resource: 'import', resourceId: newId(), data };
    await appendEvents(tx, [{ ...order.caller, tenantId, ...fact, occurredAt: clock.now }]);
  }
  return { booked: inserted, opened: unknown };
}

async function assetNames(sql: Sql, tenantId: Uuid): Promise<Map<string, string>> {
  const assets = await listAssets(sql, tenantId);
  return new Map(assets.flatMap((asset) => [[asset.name, asset.name] as const, [asset.code, asset.name] as const]));
}
