// Many schedulers and processors, killed again and again, over 10,000 schedules: each slot once, and the books add up.
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { SEED, banner } from './banner.ts';

const SCHEDULES = 10_000;
const SLOTS = 3;
const WORKERS = 4;
const KILLS = 40;

const store = useUsance();

test(`${WORKERS} schedulers and processors that are killed ${KILLS} times make each slot of ${SCHEDULES} schedules once`, async () => {
  await prepare();
  const workers: ChildProcess[] = [];
  const start = (): ChildProcess => fork(join(import.meta.dirname, 'schedule-worker.ts'), [store.runtimeUrl]);
  for (let index = 0; index < WORKERS; index += 1) workers.push(start());
  let kills = 0;
  try {
    // A kill while there is work; every worker gets its turn, long enough to be in the middle of something.
    while (kills < KILLS && (await left()) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 150 + ((SEED + kills * 37) % 300)));
      const victim = kills % WORKERS;
      workers[victim]?.kill('SIGKILL');
      workers[victim] = start();
      kills += 1;
    }
    await vi.waitUntil(async () => (await left()) === 0, { timeout: 10 * 60_000, interval: 500 });
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
  }
  const [row] = await store.owner.query(
    `select (select count(*)::int from usance.occurrences where status = 'made') as made,
            (select count(distinct (schedule_id, slot))::int from usance.occurrences) as slots,
            (select count(distinct payment_id)::int from usance.occurrences) as payments,
            (select count(*)::int from usance.payments where owner_id is not null and status = 'settled') as settled,
            (select count(*)::int from usance.schedules where status = 'completed') as completed`,
  );
  banner('schedulers killed', { seed: SEED, schedules: SCHEDULES, slots: SCHEDULES * SLOTS, workers: WORKERS, kills });
  const all = SCHEDULES * SLOTS;
  expect(row).toEqual({ made: all, slots: all, payments: all, settled: all, completed: SCHEDULES });
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(await troubles(store.usance)).toEqual([]);
});

/** What is to be made or settled still. */
async function left(): Promise<number> {
  const [row] = await store.owner.query(
    `select (select count(*) from usance.schedule_due) + (select count(*) from usance.due) as left`,
  );
  return Number(row?.['left']);
}

/** Hourly, three slots each, all of them due; between a hundred accounts. */
async function prepare(): Promise<void> {
  const { tenant, owner } = store;
  const accounts = Array.from({ length: 100 }, (_, index) => `account-${index}`);
  for (const ref of accounts) {
    await tenant.openAccount({ ref });
    await tenant.deposit({ account: ref, asset: 'USD', amount: 1_000_000, idempotencyKey: ref });
  }
  const start = new Date(Date.now() - 4 * 3_600_000).toISOString().slice(0, 19);
  const timing = JSON.stringify({ rule: { everySeconds: 3_600 }, zone: 'UTC', start, count: SLOTS });
  await owner.query(
    `begin; set local session_replication_role = replica;
     create temporary table made on commit drop as
       select gen_random_uuid() as id, r.id as payer_id, e.id as payee_id
       from generate_series(1, ${SCHEDULES}) i
       join usance.accounts r on r.ref = 'account-' || i % 100 join usance.accounts e on e.ref = 'account-' || (i + 1 + i / 100 % 98) % 100;
     insert into usance.schedules (tenant_id, id, status, payer_id, payee_id, asset, amount, funding, priority, timing, missed, missed_cap,
         overlap, after_failure, created_by, counts_for, created_at, updated_at)
       select '${tenant.id}', id, 'active', payer_id, payee_id, 'USD/2', 10, 'at_execution', 1, '${timing}', 'all', 100, 'allow',
              'continue', 'proof', '["proof"]', now(), now() from made;
     insert into usance.schedule_due (tenant_id, schedule_id, due_at, passed_slot, passed)
       select '${tenant.id}', id, timestamp '${start}' at time zone 'UTC', timestamp '${start}' - interval '1 ms', 0 from made;
     commit`,
  );
}
