// Defends: due schedules become settled payments at least 0.55 times as fast as payments that exist already are settled by
// the same processor in the same run: one payment a schedule, each created, claimed and settled, the scheduler and the
// processor in one process. Daily schedules over 100,000 accounts, with everything at its default. Measured in turns, each
// first in every other round because the store grows meanwhile; the ratio is of the medians.
import type { Bench, BenchResult, Size } from './bench.ts';
import { perSecond, rounded } from './bench.ts';
import { ASSET, OVERDUE, addPayments, openBooks } from './books.ts';
import { settleWithCrew } from './crew.ts';
import { costOf, median } from './measure.ts';
import { troublesOf } from './proof.ts';
import type { BenchDatabase } from './server.ts';
import { openServer } from './server.ts';

const WHO = ['settle', 'schedules'] as const;
/** Schedules and payments of a round, and rounds. */
const SIZES: Readonly<Record<Size, readonly [number, number]>> = {
  full: [100_000, 5],
  quick: [20_000, 1],
  smoke: [2_000, 1],
};

export const schedules: Bench = {
  name: 'schedules',
  defends: 'due schedules to settled payments/s ÷ payments/s of settling existing ones',
  async run({ size, say }): Promise<BenchResult> {
    const [count, rounds] = SIZES[size];
    const server = await openServer();
    try {
      const database = await server.database('schedules');
      const tenantId = await openBooks(database);
      const rates: Record<(typeof WHO)[number], number[]> = { settle: [], schedules: [] };
      const failures: string[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        for (const who of round % 2 === 1 ? WHO : WHO.toReversed()) {
          if (who === 'settle') await addPayments(database, { count, spread: 'uniform', dueAt: OVERDUE });
          else await addSchedules(database, tenantId, count);
          const loops = who === 'settle' ? ['processor'] : ['processor', 'scheduler'];
          const { result: done, cost } = await costOf(database.owner, server.pid, () =>
            settleWithCrew({ databaseUrl: database.runtimeUrl, payments: count, loops }),
          );
          const each = (ms: number): number => Math.round((ms * 1_000) / count);
          const cpu = `server ${each(cost.serverCpuMs)}, Node ${each(done.nodeCpuMs)} µs`;
          say(`round ${round}, ${who}: ${perSecond(count, done.ms)}/s; ${cpu} of processor time a payment`);
          rates[who].push(perSecond(count, done.ms));
          failures.push(...done.failures);
        }
      }
      return {
        ratio: rounded(median(rates.schedules) / median(rates.settle)),
        atLeast: 0.55,
        table: WHO.map((who) => ({ who, 'payments/s': median(rates[who]) })),
        details: { rates, failures },
        troubles: await troublesOf(database),
      };
    } finally {
      await server.close();
    }
  },
};

/** Daily in Berlin, at the time that it is there now: due, and not late. */
async function addSchedules(database: BenchDatabase, tenantId: string, count: number): Promise<void> {
  const { owner } = database;
  const [clock] = await owner.query(
    `select to_char(now() at time zone 'Europe/Berlin', 'YYYY-MM-DD') as day, to_char(now() at time zone 'Europe/Berlin', 'HH24:MI:SS') as time`,
  );
  const [day, time] = [String(clock?.['day']), String(clock?.['time'])];
  const timing = { rule: { frequency: 'DAILY' }, zone: 'Europe/Berlin', start: `2026-01-01T${time}` };
  await owner.query('checkpoint');
  await owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    // Those of the round before are done: each has its next slot tomorrow, which nobody waits for.
    await tx.query(
      `create temporary table made on commit drop as
       select uuidv7() as id, r.id as payer_id, e.id as payee_id, 100 + floor(random() * 900)::bigint as amount
       from (select i, 1 + floor(random() * 100000)::int as payer, 1 + floor(random() * 99999)::int as ahead
             from generate_series(1, $1::int) i) p
       join bench.accounts r on r.rank = p.payer
       join bench.accounts e on e.rank = (p.payer + p.ahead - 1) % 100000 + 1`,
      [count],
    );
    await tx.query(
      `insert into usance.schedules (tenant_id, id, status, payer_id, payee_id, asset, amount, funding, priority, timing, missed,
         overlap, after_failure, created_by, counts_for, created_at, updated_at)
       select $1::uuid, id, 'active', payer_id, payee_id, $2::text, amount, 'at_execution', 1, $3::jsonb, 'last', 'wait', 'continue',
              'bench', '["bench"]', now(), now()
       from made order by id`,
      [tenantId, ASSET, JSON.stringify(timing)],
    );
    await tx.query(
      `insert into usance.schedule_due (tenant_id, schedule_id, due_at, passed_slot, passed)
       select $1::uuid, id, $2::timestamp at time zone 'Europe/Berlin', $2::timestamp - interval '1 day', $2::date - date '2026-01-01'
       from made order by id`,
      [tenantId, `${day}T${time}`],
    );
  });
  for (const table of ['schedules', 'schedule_due', 'payments', 'due', 'balances'])
    await owner.query(`vacuum analyze usance.${table}`);
}
