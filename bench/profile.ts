// Where the time of a batch goes: node bench/profile.ts [--batch 1,100,1000] [--lanes 1,2] [--payments 50000] [--plans]
//
// Defends no number; it is for whoever wants to raise one. Statements are timed by the server itself
// (pg_stat_statements, planning included), those inside triggers too; --plans prints what auto_explain saw of one batch.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Row } from '../src/db/index.ts';
import { perSecond } from './bench.ts';
import { OVERDUE, addPayments, openBooks } from './books.ts';
import type { Spread } from './books.ts';
import { settleWithCrew } from './crew.ts';
import { costOf } from './measure.ts';
import { openServer } from './server.ts';

const { values: options } = parseArgs({
  options: {
    batch: { type: 'string', default: '1,100,1000,3000' },
    lanes: { type: 'string', default: '1,2,3' },
    payments: { type: 'string', default: '50000' },
    spread: { type: 'string', default: 'uniform' },
    rounds: { type: 'string', default: '1' },
    plans: { type: 'boolean', default: false },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);

const server = await openServer({
  shared_preload_libraries: options.plans ? 'pg_stat_statements,auto_explain' : 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
});
try {
  const database = await server.database('profile');
  await database.owner.query('create extension pg_stat_statements');
  await openBooks(database);
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    for (const batchSize of numbers(options.batch)) {
      for (const lanes of numbers(options.lanes)) await profile(batchSize, lanes);
    }
  }
  if (options.plans) await showPlans();

  async function profile(batchSize: number, lanes: number): Promise<void> {
    // One at a time is slow, and says as much with fewer.
    const count = Math.min(Number(options.payments), batchSize * 2_000);
    await addPayments(database, { count, spread: options.spread as Spread, dueAt: OVERDUE });
    await database.owner.query('select pg_stat_statements_reset()');
    const { result, cost } = await costOf(database.owner, server.pid, () =>
      settleWithCrew({ databaseUrl: database.runtimeUrl, payments: count, batchSize, lanes }),
    );
    const each = (ms: number): number => Math.round((ms * 1_000) / count);
    console.log(
      `\nbatches of ${batchSize}, ${lanes} lanes: ${perSecond(count, result.ms)}/s; µs a payment: ` +
        `${each(result.ms)} in all, server ${each(cost.serverCpuMs)}, Node ${each(result.nodeCpuMs)}; ` +
        `WAL ${Math.round(cost.walBytes / count)} bytes a payment; ${JSON.stringify(result.counts)}`,
    );
    for (const failure of new Set(result.failures)) console.log(`  failed: ${failure}`);
    console.table(await statements(count));
  }

  async function statements(count: number): Promise<Row[]> {
    const rows = await database.owner.query(
      `select regexp_replace(left(regexp_replace(query, '\\s+', ' ', 'g'), 70), '\\m(usance\\.)', '', 'g') as statement,
              case when toplevel then '' else 'in a trigger' end as "where", calls::int,
              round((total_plan_time * 1000 / $1::int)::numeric, 2)::float8 as "plan µs",
              round((total_exec_time * 1000 / $1::int)::numeric, 2)::float8 as "run µs",
              round((total_exec_time / greatest(calls, 1))::numeric, 2)::float8 as "ms a call",
              round(wal_bytes / $1::int)::int as "WAL bytes", round(wal_fpi::numeric / $1::int, 3)::float8 as "full pages",
              round((shared_blks_hit + shared_blks_read)::numeric / $1::int, 1)::float8 as buffers
       from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
       order by total_exec_time + total_plan_time desc limit 16`,
      [count],
    );
    return rows;
  }

  async function showPlans(): Promise<void> {
    await addPayments(database, { count: 3_000, spread: options.spread as Spread, dueAt: OVERDUE });
    const from = readFileSync(server.logFile, 'utf8').length;
    for (const [name, value] of [
      ['log_min_duration', '0'],
      ['log_analyze', 'on'],
      ['log_buffers', 'on'],
      ['log_triggers', 'on'],
      ['log_nested_statements', 'on'],
    ] as const) {
      await database.owner.query(`alter database profile set auto_explain.${name} = '${value}'`);
    }
    await settleWithCrew({ databaseUrl: database.runtimeUrl, payments: 3_000, batchSize: 1_000, lanes: 1 });
    console.log(
      readFileSync(server.logFile, 'utf8')
        .slice(from)
        .replaceAll(/\{[0-9a-f,:. -]{200,}\}/g, '{…}'),
    );
  }
} finally {
  await server.close();
}
