// Many schedules due in one instant, and what a scheduler keeps in memory while it makes them: nothing that grows with their
// number.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database, Sql } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { DEFAULT_BOUNDS } from '../../src/payments/index.ts';
import { ScheduleClaimer, runDueSchedules } from '../../src/schedules/index.ts';
import { testTime } from '../support/processor.ts';

export interface Burst {
  readonly made: number;
  readonly batches: number;
  /** What is left of the heap after a collection, in MB, after each tenth of the work. */
  readonly heapMb: readonly number[];
  /** The most the process had of the machine's memory, in MB, and what it had at the start. */
  readonly rssMb: { readonly before: number; readonly peak: number };
}

export interface BurstSize {
  readonly schedules: number;
  readonly batchSize: number;
}

const MB = 1024 * 1024;

export async function burst(
  store: { readonly db: Database; readonly owner: Sql; readonly tenant: TenantHandle },
  { schedules, batchSize }: BurstSize,
): Promise<Burst> {
  await addSchedules(store, schedules);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const claimer = new ScheduleClaimer();
  const options = { batchSize, bounds: DEFAULT_BOUNDS, readClock: testTime().readClock };
  const rss = (): number => Math.round(process.memoryUsage.rss() / MB);
  const before = rss();
  let [made, batches, peak] = [0, 0, before];
  const heapMb: number[] = [];
  for (;;) {
    const { claimed, counts } = await runDueSchedules(store.db, claimer, options);
    if (claimed === 0) break;
    made += counts.made;
    batches += 1;
    peak = Math.max(peak, rss());
    if (made * 10 >= schedules * (heapMb.length + 1)) {
      collect();
      heapMb.push(Math.round((process.memoryUsage().heapUsed / MB) * 10) / 10);
    }
  }
  return { made, batches, heapMb, rssMb: { before, peak } };
}

/** Daily, all due in the same second, of 5,000 different days on which they began: as many rules to be read. */
async function addSchedules(
  { owner, tenant }: { readonly owner: Sql; readonly tenant: TenantHandle },
  count: number,
): Promise<void> {
  for (let n = 0; n < 20; n += 1) await tenant.openAccount({ ref: `burst-${n}` });
  const due = new Date(Date.now() - 30_000).toISOString().slice(0, 19);
  await owner.query(
    `begin; set local session_replication_role = replica;
     create temporary table made on commit drop as
       select gen_random_uuid() as id, r.id as payer_id, e.id as payee_id, (i / 20) % 5000 as days
       from generate_series(1, ${count}) i
       join usance.accounts r on r.tenant_id = '${tenant.id}' and r.ref = 'burst-' || i % 20
       join usance.accounts e on e.tenant_id = '${tenant.id}' and e.ref = 'burst-' || (i + 1) % 20;
     insert into usance.schedules (tenant_id, id, status, payer_id, payee_id, asset, amount, funding, priority, timing, missed, overlap,
         after_failure, created_by, counts_for, created_at, updated_at)
       select '${tenant.id}', id, 'active', payer_id, payee_id, 'USD/2', 10, 'at_execution', 1,
              jsonb_build_object('rule', jsonb_build_object('everySeconds', 86400), 'zone', 'UTC', 'start',
                to_char(timestamp '${due}' - days * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS')),
              'last', 'wait', 'continue', 'burst', '["burst"]', now(), now() from made;
     insert into usance.schedule_due (tenant_id, schedule_id, due_at, passed_slot, passed)
       select '${tenant.id}', id, timestamp '${due}' at time zone 'UTC', timestamp '${due}' - interval '1 ms', days from made;
     commit; analyze usance.schedules; analyze usance.schedule_due`,
  );
}
