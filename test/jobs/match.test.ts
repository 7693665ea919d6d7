import { describe, expect, test } from 'vitest';
import { createMatcher } from '../../src/jobs/match.ts';
import { matcherLoop } from '../../src/jobs/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { START, advance, after, testTenant } from '../support/test-clock.ts';
import type { Type } from './matcher.ts';
import { appended, createJob, freshTenant, matchAll, order, positionOf, seqsOf, seqsOfType } from './matcher.ts';

const UPDATED: Type = 'tenant.updated';
const CAPPED: Type = 'execution_cap.set';

describe('without an enabled job', () => {
  const store = useUsance();
  const statements: string[] = [];
  const matcher = () => createMatcher(store.pool({ onStatement: (text) => void statements.push(text) }));

  test('the matcher reads its state and nothing else, however long the order is', async () => {
    await appended(store.usance, store.tenant.id, UPDATED, CAPPED);
    await order(store.usance);
    expect(await matcher().match()).toEqual({ executions: 0, more: false });
    expect(statements).toHaveLength(1);
    expect(await positionOf(store.owner)).toBe(1);
  });

  test('the position goes to the end of the order when the first job joins, and nothing is missed', async () => {
    const job = await createJob(store.owner, store.tenant);
    await appended(store.usance, store.tenant.id, UPDATED);
    await order(store.usance);
    const [, , last = 0] = [0, ...(await seqsOfType(store.tenant, UPDATED))];
    expect(await matchAll(store.usance)).toBe(1);
    expect(await seqsOf(store.owner, job)).toEqual([last]);
    const [end] = await store.owner.query('select max(first_position + events) as position from usance.event_blocks');
    expect(await positionOf(store.owner)).toBe(Number(end?.['position']));
  });

  test('the position stays when the last job is disabled, and goes to the end when one is enabled again', async () => {
    const [job] = await store.tenant.jobs();
    await store.tenant.updateJob(job?.id ?? '', { enabled: false });
    await appended(store.usance, store.tenant.id, UPDATED, UPDATED);
    await order(store.usance);
    const before = await positionOf(store.owner);
    expect(await matchAll(store.usance)).toBe(0);
    expect(await positionOf(store.owner)).toBe(before);
    await store.tenant.updateJob(job?.id ?? '', { enabled: true });
    expect(await matchAll(store.usance)).toBe(0);
    expect(await positionOf(store.owner)).toBeGreaterThan(before);
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('a job', () => {
  const store = useUsance();

  test('gets one execution for each event behind its creation that its pattern names', async () => {
    const tenant = await freshTenant(store.usance);
    await appended(store.usance, tenant.id, UPDATED, CAPPED);
    await order(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, UPDATED, CAPPED, UPDATED);
    await order(store.usance);
    expect(await matchAll(store.usance)).toBe(2);
    expect(await seqsOf(store.owner, job)).toEqual((await seqsOfType(tenant, UPDATED)).slice(1));
    expect(await matchAll(store.usance)).toBe(0);
    const [row] = await store.owner.query('select * from usance.execution_queue where job_id = $1::uuid', [job.id]);
    expect(row).toMatchObject({ tenant_id: tenant.id, clock_id: null, attempt: 0, worker_id: null });
    expect(row?.['due_at']).toBe(row?.['created_at']);
  });

  test('with a list of patterns gets one execution for each event that any of them matches', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant, 'tenant.*,execution_cap.set,*.set,execution_cap.set');
    expect(job.eventPattern).toBe('tenant.*,execution_cap.set,*.set');
    const one = await createJob(store.owner, tenant, 'payment.settled,execution_cap.set,job.created');
    await appended(store.usance, tenant.id, UPDATED, CAPPED, UPDATED);
    await order(store.usance);
    expect(await matchAll(store.usance)).toBe(3 + 1 + 2);
    expect(await seqsOf(store.owner, job)).toHaveLength(3);
    const wanted = [...(await seqsOfType(tenant, CAPPED)), ...(await seqsOfType(tenant, 'job.created')).slice(-2)];
    expect(await seqsOf(store.owner, one)).toEqual(wanted.toSorted((a, b) => a - b));
  });

  test('with a star gets no event about jobs and executions; one that names the type gets it, its own creation too', async () => {
    const tenant = await freshTenant(store.usance);
    const all = await createJob(store.owner, tenant, '*');
    const jobs = await createJob(store.owner, tenant, 'job.*');
    const created = await createJob(store.owner, tenant, 'job.created');
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, all)).toEqual(await seqsOfType(tenant, UPDATED));
    expect(await seqsOf(store.owner, jobs)).toEqual([]);
    expect(await seqsOf(store.owner, created)).toEqual((await seqsOfType(tenant, 'job.created')).slice(-3));
  });

  test('gets no event of another tenant', async () => {
    const [one, other] = [await freshTenant(store.usance), await freshTenant(store.usance)];
    const job = await createJob(store.owner, one);
    await appended(store.usance, other.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, job)).toEqual([]);
  });

  test('gets all events of a block that one take cannot queue, each once', async () => {
    const tenant = await freshTenant(store.usance);
    const jobs = [await createJob(store.owner, tenant), await createJob(store.owner, tenant, '*')];
    await appended(store.usance, tenant.id, ...Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? UPDATED : CAPPED)));
    await order(store.usance);
    const matcher = createMatcher(store.usance.db, { executions: 4 });
    const takes: number[] = [];
    for (let more = true; more;) {
      const matched = await matcher.match();
      takes.push(matched?.executions ?? 0);
      more = matched?.more ?? false;
    }
    // Events 1, 2 and 3 have 2, 1 and 2 executions.
    expect(takes).toEqual([5, 4, 5, 1]);
    expect(await Promise.all(jobs.map((job) => seqsOf(store.owner, job)))).toEqual([
      await seqsOfType(tenant, UPDATED),
      [...(await seqsOfType(tenant, UPDATED)), ...(await seqsOfType(tenant, CAPPED))].toSorted((a, b) => a - b),
    ]);
  });

  test('is matched beside any number of tenants, a few in each take', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => freshTenant(store.usance)));
    const jobs = await Promise.all(tenants.map((tenant) => createJob(store.owner, tenant)));
    for (const tenant of tenants) await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    expect(await matchAll(store.usance, { tenants: 1 })).toBe(4);
    for (const [n, job] of jobs.entries())
      expect(await seqsOf(store.owner, job)).toEqual(await seqsOfType(tenants[n] ?? store.tenant, UPDATED));
  });

  test('gets each event once if twenty processes match at the same time', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, ...Array.from({ length: 50 }, (): Type => UPDATED));
    await order(store.usance);
    const pools = Array.from({ length: 20 }, () => createMatcher(store.pool({ maxConnections: 1 }), { executions: 3 }));
    for (let seen = 0; seen < 50; seen = (await seqsOf(store.owner, job)).length)
      await Promise.all(pools.map((matcher) => matcher.match()));
    expect(await seqsOf(store.owner, job)).toEqual(await seqsOfType(tenant, UPDATED));
  });

  test('has its new pattern for the events that are not matched yet', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, UPDATED, CAPPED);
    await order(store.usance);
    await matchAll(store.usance);
    await tenant.updateJob(job.id, { eventPattern: CAPPED });
    await appended(store.usance, tenant.id, UPDATED, CAPPED);
    await order(store.usance);
    await matchAll(store.usance);
    const [first = 0] = await seqsOfType(tenant, UPDATED);
    expect(await seqsOf(store.owner, job)).toEqual([first, (await seqsOfType(tenant, CAPPED))[1]]);
  });

  test('that is deleted gets nothing any more', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await matchAll(store.usance);
    await tenant.deleteJob(job.id);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, job)).toEqual([]);
  });

  test('of a test tenant has executions that are due by its clock, at the instant of the event', async () => {
    const lab = await testTenant(store.usance);
    const job = await createJob(store.owner, lab.tenant, 'account.created');
    await lab.tenant.openAccount({ ref: 'ann' });
    await advance(store.usance, lab, after(3_600_000));
    await lab.tenant.openAccount({ ref: 'ben' });
    await order(store.usance);
    await matchAll(store.usance);
    const rows = await store.owner.query(
      'select clock_id, due_at, created_at from usance.execution_queue where job_id = $1::uuid order by seq',
      [job.id],
    );
    const [clock] = await store.owner.query('select timeline_id from usance.test_clocks where id = $1::uuid', [
      lab.clock,
    ]);
    expect(rows.map((row) => [row['clock_id'], new Date(String(row['due_at'])).toISOString()])).toEqual([
      [clock?.['timeline_id'], START],
      [clock?.['timeline_id'], after(3_600_000).toISOString()],
    ]);
  });

  test('wakes the workers when it has an execution', async () => {
    const follower = store.usance.wakeUps.follow('executions_due');
    const tenant = await freshTenant(store.usance);
    await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await store.usance.loops.find(({ name }) => name === 'matcher')?.runOnce();
    const startedMs = performance.now();
    await follower.wait(60_000);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    follower.close();
  });

  test('of a store that lost the end of its order gets the events that take the lost places', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await matchAll(store.usance);
    // As if a thousand events, seen and matched, had been lost.
    await store.owner.query('update usance.job_matcher set position = position + 1000');
    await store.owner.query(
      'update usance.jobs set after_seq = after_seq + 1000, joined_seq = joined_seq + 1000, backfilled_seq = backfilled_seq + 1000 where id = $1::uuid',
      [job.id],
    );
    expect(await troubles(store.usance)).toEqual([expect.stringContaining('jobs-begin-in-the-order')]);
    await matchAll(store.usance);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, job)).toEqual(await seqsOfType(tenant, UPDATED));
  });

  test('leaves the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('the loop', () => {
  const store = useUsance();

  test('matches new events of one tenant between two pages of another’s backfill', async () => {
    const [busy, quick] = [await freshTenant(store.usance), await freshTenant(store.usance)];
    await appended(store.usance, busy.id, ...Array.from({ length: 100 }, (): Type => UPDATED));
    await order(store.usance);
    const live = await createJob(store.owner, quick);
    const long = await createJob(store.owner, busy, UPDATED, { after: 0n });
    const loop = matcherLoop(store.usance.db, { page: 10 });
    const runOnce = () => loop.runOnce(new AbortController().signal, true);
    await runOnce();
    await appended(store.usance, quick.id, UPDATED);
    await order(store.usance);
    expect(await runOnce()).toMatchObject({ more: true });
    expect(await seqsOf(store.owner, live)).toEqual(await seqsOfType(quick, UPDATED));
    expect((await seqsOf(store.owner, long)).length).toBeLessThan(50);
    for (let more = true; more;) more = (await runOnce()).more ?? false;
    expect(await seqsOf(store.owner, long)).toEqual(await seqsOfType(busy, UPDATED));
  });
});
