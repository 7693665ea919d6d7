// What a run cost: rows and WAL written, processor time of the server. Taken from the server's own counters, for both
// sides of a comparison alike.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/db/index.ts';

export interface Cost {
  /** Rows inserted, updated or deleted in the schema `usance`, per table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly walBytes: number;
  readonly serverCpuMs: number;
}

export async function costOf<T>(
  owner: Database,
  serverPid: number,
  work: () => Promise<T>,
): Promise<{ result: T; cost: Cost }> {
  const before = await counters(owner, serverPid);
  const result = await work();
  const after = await counters(owner, serverPid);
  const rows = Object.fromEntries(
    Object.entries(after.rows)
      .map(([table, count]) => [table, count - (before.rows[table] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
  return {
    result,
    cost: {
      rows,
      walBytes: after.walBytes - before.walBytes,
      serverCpuMs: after.serverCpuMs - before.serverCpuMs,
    },
  };
}

async function counters(owner: Database, serverPid: number): Promise<Cost> {
  // Sessions report what they wrote when they end; this one, which prepared everything, when it is told to.
  await owner.query('select pg_stat_force_next_flush()');
  await pause(300);
  const rows = await owner.query(
    `select regexp_replace(relname, '_(\\d{4}_\\d\\d|default)$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as rows
     from pg_stat_user_tables where schemaname = 'usance' group by 1`,
  );
  const [wal] = await owner.query(`select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as bytes`);
  return {
    rows: Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['rows'])])),
    walBytes: Number(wal?.['bytes']),
    serverCpuMs: serverCpuMs(serverPid),
  };
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
