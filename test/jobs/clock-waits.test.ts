// What an advance of a test clock waits for, and for how long: steps of its work by hand, with a worker that is only rows.
import { describe, expect, test } from 'vitest';
import { asBoolean, only } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { jobsByClock } from '../../src/jobs/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import type { TimedWork } from '../../src/tenants/index.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { PROCESSOR, addExecution, addJob } from '../support/jobs.ts';
import { START, testTenant } from '../support/test-clock.ts';
import { matchAll, order } from './matcher.ts';
import { addWorker, claim } from './worker-rows.ts';

const store = useUsance();

interface Advancing {
  readonly tenant: TenantHandle;
  readonly clock: Required<Clock> & { readonly clockId: string };
  readonly jobId: string;
  readonly workerId: string;
  /** The instant of the next work, by how far it is from the start; null: none. */
  next(work: TimedWork): Promise<number | null>;
  step(work: TimedWork): Promise<void>;
}

/** A test tenant whose clock is asked to advance by an hour, with an execution that a live worker has. */
async function advancing(): Promise<Advancing> {
  const of = await testTenant(store.usance);
  const { tenant } = of;
  const job = await addJob(store.owner, tenant);
  await addExecution(store.owner, job, 'pending');
  const workerId = await addWorker(store.owner, { leasedFor: 600, processors: [PROCESSOR] });
  await claim(store.owner, job.id, workerId);
  const until = new Date(Date.parse(START) + 3_600_000);
  await tenant.advanceTestClock(of.clock, until);
  await order(store.usance);
  await matchAll(store.usance);
  const [row] = await store.owner.query('select timeline_id from usance.test_clocks where tenant_id = $1::uuid', [
    tenant.id,
  ]);
  const clock = { clockId: String(row?.['timeline_id']), now: new Date(START), until };
  return {
    tenant,
    clock,
    jobId: job.id,
    workerId,
    async next(work) {
      const due = await work.nextDue(store.db, clock);
      return due && due.getTime() - Date.parse(START);
    },
    step: (work) => work.runDue(store.db, clock.clockId, () => Promise.resolve(clock)),
  };
}

const endAll = (of: Advancing): Promise<unknown> =>
  store.owner.query('delete from usance.execution_queue where job_id = $1::uuid', [of.jobId]);

describe('an advance that waits for an execution', () => {
  test('lets the tenant be written to from one step to the next, and not beyond the last', async () => {
    const of = await advancing();
    const work = jobsByClock({ stepMs: 50 });
    expect(await of.next(work)).toBe(0);
    await of.step(work);
    await of.tenant.openAccount({ ref: 'written-between-two-steps' });
    await order(store.usance);
    await matchAll(store.usance);
    await endAll(of);
    expect(await of.next(work)).toBe(0);
    await of.step(work);
    expect(await of.next(work)).toBeNull();
    await expect(of.tenant.openAccount({ ref: 'late' })).rejects.toMatchObject({ code: 'CLOCK_ADVANCING' });
  });

  test('goes on letting writes in when another process takes it up', async () => {
    const of = await advancing();
    await of.step(jobsByClock({ stepMs: 50 }));
    await endAll(of);
    const other = jobsByClock({ stepMs: 50 });
    expect(await of.next(other)).toBe(0);
    await of.step(other);
    expect(await of.next(other)).toBeNull();
  });

  test('waits for a writer in turns, and does not move while there is one', async () => {
    const of = await advancing();
    const work = jobsByClock({ stepMs: 50 });
    await of.step(work);
    await endAll(of);
    const holding = gate();
    const release = gate();
    const writing = store.db.transaction(async (tx) => {
      await tx.query('select from usance.test_clocks where tenant_id = $1::uuid for key share', [of.tenant.id]);
      holding.open();
      await release.passed;
    });
    await holding.passed;
    await of.step(work);
    expect(await of.next(work)).toBe(0);
    const row = only(
      await store.owner.query('select allows_writes from usance.test_clocks where tenant_id = $1::uuid', [
        of.tenant.id,
      ]),
    );
    expect(asBoolean(row['allows_writes'])).toBe(false);
    release.open();
    await writing;
    await of.step(work);
    expect(await of.next(work)).toBeNull();
  });

  test('gives up when nothing happens in its tenant, whatever other tenants do', async () => {
    const of = await advancing();
    const work = jobsByClock({ stepMs: 4_000, patienceMs: 200 });
    // Events of other tenants are matched all the time.
    const busy = setInterval(
      () => void store.owner.query('update usance.job_matcher set position = position + 1').catch(() => undefined),
      10,
    );
    await of.step(work).finally(() => clearInterval(busy));
    expect(await of.next(work)).toBeNull();
    // A later advance waits again, and gives up again.
    const later = { ...of.clock, until: new Date(of.clock.until.getTime() + 1) };
    expect(await work.nextDue(store.db, later)).toEqual(of.clock.now);
    await work.runDue(store.db, later.clockId, () => Promise.resolve(later));
    expect(await work.nextDue(store.db, later)).toBeNull();
  });

  test('waits for one whose worker died, until it is taken back', async () => {
    const of = await advancing();
    await addWorker(store.owner, { leasedFor: 600, processors: [PROCESSOR] });
    await store.owner.query('delete from usance.job_workers where id = $1::uuid', [of.workerId]);
    expect(await of.next(jobsByClock())).toBe(0);
  });

  test('can be ended by an older release, which does not know that it waits', async () => {
    const of = await advancing();
    await of.step(jobsByClock({ stepMs: 50 }));
    await store.db.query(
      `update usance.test_clocks set status = 'ready', stands_at = advance_to, finished_at = clock_timestamp(), ended_event_id = began_event_id
       where tenant_id = $1::uuid`,
      [of.tenant.id],
    );
    await of.tenant.openAccount({ ref: 'goes-on' });
  });
});

test('an advance of a tenant without jobs reads no queue', async () => {
  const of = await testTenant(store.usance);
  const clockId = (await of.tenant.testClock(of.clock)).timelineId;
  const heard: string[] = [];
  const db = store.pool({ onStatement: (text) => void heard.push(text) });
  expect(await jobsByClock().nextDue(db, { clockId, now: new Date(START) })).toBeNull();
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.filter((text) => text.includes('execution_queue'))).toEqual([]);
});
