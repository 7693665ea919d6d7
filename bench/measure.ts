// What a run cost: rows, index entries and WAL written, processor time of the server. All of it comes from the server's own
// counters, in the same way for both sides of a comparison.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/db/index.ts';
import { perSecond, rounded } from './bench.ts';

export interface Cost {
  /** Rows inserted, updated or deleted, per table: those of usance, of a peer's ledger and of its queue. */
  readonly rows: Readonly<Record<string, number>>;
  readonly walBytes: number;
  readonly serverCpuMs: number;
  /** Entries inserted into B-trees; only where it was asked for. */
  readonly indexEntries?: number;
}

interface Counters {
  readonly rows: Readonly<Record<string, number>>;
  readonly wal: string;
  readonly serverCpuMs: number;
}

export async function costOf<T>(
  owner: Database,
  serverPid: number,
  work: () => Promise<T>,
  { indexEntries = false }: { readonly indexEntries?: boolean } = {},
): Promise<{ result: T; cost: Cost }> {
  if (indexEntries) await keepWal(owner);
  const before = await counters(owner, serverPid);
  const result = await work();
  const after = await counters(owner, serverPid);
  const rows = Object.fromEntries(
    Object.entries(after.rows)
      .map(([table, count]) => [table, count - (before.rows[table] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
  const [wal] = await owner.query('select ($2::pg_lsn - $1::pg_lsn)::float8 as bytes', [before.wal, after.wal]);
  return {
    result,
    cost: {
      rows,
      walBytes: Number(wal?.['bytes']),
      serverCpuMs: after.serverCpuMs - before.serverCpuMs,
      ...(indexEntries ? { indexEntries: await countIndexEntries(owner, before.wal, after.wal) } : {}),
    },
  };
}

async function counters(owner: Database, serverPid: number): Promise<Counters> {
  // Sessions report their writes when they end. This one, which prepared everything, reports when it is told to.
  await owner.query('select pg_stat_force_next_flush()');
  await pause(300);
  const rows = await owner.query(
    `select regexp_replace(relname, '_(\\d{4}_\\d\\d|default)$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as rows
     from pg_stat_user_tables where schemaname in ('usance', 'plain', 'graphile_worker', 'pgboss') group by 1`,
  );
  const [wal] = await owner.query('select pg_current_wal_lsn()::text as lsn');
  return {
    rows: Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['rows'])])),
    wal: String(wal?.['lsn']),
    serverCpuMs: serverCpuMs(serverPid),
  };
}

const SLOT = 'bench';

/** Keeps the WAL of the run, which a checkpoint would otherwise remove: a slot costs no write and changes no setting. */
async function keepWal(owner: Database): Promise<void> {
  await owner.query('create extension if not exists pg_walinspect');
  await dropSlot(owner);
  await owner.query(`select pg_create_physical_replication_slot('${SLOT}', true)`);
}

/**
 * The server has no counter of index entries, but each one is a record in the WAL. A page that splits takes its entry along
 * in the record of the split, and then gets an entry in its parent, or a new root: so the records of the parents count the
 * leaves that split. Heap-only updates have no entry, and partial indexes only those of their rows.
 */
async function countIndexEntries(owner: Database, from: string, to: string): Promise<number> {
  const [row] = await owner.query(
    `select coalesce(sum(count), 0)::float8 as entries from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)
     where "resource_manager/record_type" ~ '^Btree/(INSERT_|NEWROOT)'`,
    [from, to],
  );
  await dropSlot(owner);
  return Number(row?.['entries']);
}

async function dropSlot(owner: Database): Promise<void> {
  await owner.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '${SLOT}'`);
}

/** One measured run of a side. */
export interface MeasuredRun {
  readonly payments: number;
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly cost: Cost;
}

/** Medians of the runs of one side, per payment; the columns of a table. */
export function perPayment(runs: readonly MeasuredRun[]): Record<string, number> {
  const of = (value: (run: MeasuredRun) => number): number => median(runs.map((run) => value(run) / run.payments));
  return {
    'payments/s': median(runs.map((run) => perSecond(run.payments, run.ms))),
    'server µs': Math.round(of((run) => run.cost.serverCpuMs * 1_000)),
    'Node µs': Math.round(of((run) => run.nodeCpuMs * 1_000)),
    rows: rounded(of((run) => sum(Object.values(run.cost.rows)))),
    'index entries': rounded(of((run) => run.cost.indexEntries ?? NaN)),
    'WAL bytes': Math.round(of((run) => run.cost.walBytes)),
  };
}

/** Processor time of server and Node together, in µs a payment. */
export function cpuPerPayment(runs: readonly MeasuredRun[]): number {
  return median(runs.map((run) => ((run.nodeCpuMs + run.cost.serverCpuMs) * 1_000) / run.payments));
}

/** The postmaster, the sessions that ended, and those that live. Linux only; elsewhere 0. */
function serverCpuMs(postmaster: number): number {
  const TICK_MS = 10;
  let ticks = 0;
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const fields = statOf(name);
      if (!fields) continue;
      const [, parent] = fields;
      const times = fields.slice(11, 15).map(Number);
      if (Number(name) === postmaster) ticks += sum(times);
      else if (Number(parent) === postmaster) ticks += sum(times.slice(0, 2));
    }
  } catch {
    return 0;
  }
  return ticks * TICK_MS;
}

/** Fields of /proc/<pid>/stat after the command's name: state, parent, … user and system time at 11 and 12. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of them is at or below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  if (share === 0.5 && sorted.length % 2 === 0) {
    return ((sorted[sorted.length / 2 - 1] ?? NaN) + (sorted[sorted.length / 2] ?? NaN)) / 2;
  }
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
