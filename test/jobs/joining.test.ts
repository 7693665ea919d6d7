// How a job comes to its first events, whatever happens beside it: each event behind its beginning once, and none before.
import { describe, expect, test } from 'vitest';
import { createMatcher } from '../../src/jobs/match.ts';
import { createJob as createJobIn } from '../../src/jobs/create-job.ts';
import { updateJob as updateJobIn } from '../../src/jobs/update-job.ts';
import { LIBRARY, liveAt } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { PROCESSOR, announce, freshName } from '../support/jobs.ts';
import type { Type } from './matcher.ts';
import { appended, completeAll, createJob, freshTenant, matchAll, order, seqsOf, seqsOfType } from './matcher.ts';

const store = useUsance();
const UPDATED: Type = 'tenant.updated';
const times = (count: number): Type[] => Array.from({ length: count }, () => UPDATED);
const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  (await store.owner.query('select * from usance.jobs where id = $1::uuid', [id]))[0] ?? {};

describe('a new job', () => {
  test('whose transaction commits late gets every event behind its beginning', async () => {
    const tenant = await freshTenant(store.usance);
    // Another job, so that the matcher goes on meanwhile.
    await createJob(store.owner, tenant);
    await matchAll(store.usance);
    await announce(store.owner);
    const [made, committed] = [gate(), gate()];
    let id = '';
    const creating = store.usance.db.transaction(async (tx) => {
      const terms = { name: freshName(), eventPattern: UPDATED, processorName: PROCESSOR };
      const maker = { tenantId: tenant.id, caller: LIBRARY };
      ({ id } = await createJobIn(tx, liveAt(tx.begunAt as Date), maker, terms));
      made.open();
      await committed.passed;
    });
    await made.passed;
    await appended(store.usance, tenant.id, ...times(3));
    await order(store.usance);
    await matchAll(store.usance);
    committed.open();
    await creating;
    await appended(store.usance, tenant.id, ...times(2));
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, { id })).toEqual(await seqsOfType(tenant, UPDATED));
    // The first three were backfilled, the others matched as they came.
    const { after_seq: begins, joined_seq: joined, backfilled_seq: filled } = await rowOf(id);
    expect(Number(joined)).toBeGreaterThan(Number(begins));
    expect(filled).toBe(joined);
  });

  test('gets nothing of before its creation, however far behind the matcher is', async () => {
    const tenant = await freshTenant(store.usance);
    const first = await createJob(store.owner, tenant);
    await matchAll(store.usance);
    await appended(store.usance, tenant.id, ...times(5));
    await order(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, UPDATED);
    await order(store.usance);
    await matchAll(store.usance, { events: 1 });
    const all = await seqsOfType(tenant, UPDATED);
    expect(await seqsOf(store.owner, first)).toEqual(all);
    expect(await seqsOf(store.owner, job)).toEqual(all.slice(5));
  });

  test('with an earlier `after` gets the history behind it, page by page, and what happens meanwhile', async () => {
    const tenant = await freshTenant(store.usance);
    await appended(store.usance, tenant.id, 'execution_cap.set', ...times(40));
    await appended(store.usance, tenant.id, ...times(25));
    await order(store.usance);
    await matchAll(store.usance);
    const all = await createJob(store.owner, tenant, UPDATED, { after: 0n });
    const some = await createJob(store.owner, tenant, '*', { after: 30n });
    const matcher = createMatcher(store.usance.db, { page: 7 });
    for (let page = 0; page < 4; page += 1) {
      await matcher.match();
      await appended(store.usance, tenant.id, UPDATED);
      await order(store.usance);
      await matcher.backfill();
    }
    expect((await seqsOf(store.owner, all)).length + (await seqsOf(store.owner, some)).length).toBeLessThan(60);
    await matchAll(store.usance, { page: 7 });
    const seqs = await seqsOfType(tenant, UPDATED);
    expect(await seqsOf(store.owner, all)).toEqual(seqs);
    expect(await seqsOf(store.owner, some)).toEqual(seqs.filter((seq) => seq > 30));
  });

  test('that is locked by a caller is taken in later, and delays no other job', async () => {
    const tenant = await freshTenant(store.usance);
    const [held, other] = [await createJob(store.owner, tenant), await createJob(store.owner, tenant)];
    const [locked, done] = [gate(), gate()];
    const holding = store.owner.transaction(async (tx) => {
      await tx.query('select from usance.jobs where id = $1::uuid for update', [held.id]);
      locked.open();
      await done.passed;
    });
    await locked.passed;
    await appended(store.usance, tenant.id, ...times(3));
    await order(store.usance);
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, other)).toEqual(await seqsOfType(tenant, UPDATED));
    expect(await seqsOf(store.owner, held)).toEqual([]);
    done.open();
    await holding;
    await matchAll(store.usance);
    expect(await seqsOf(store.owner, held)).toEqual(await seqsOfType(tenant, UPDATED));
  });

  test('whose backfill is locked by a caller delays no backfill of another tenant', async () => {
    const tenants = [await freshTenant(store.usance), await freshTenant(store.usance)];
    for (const tenant of tenants) await appended(store.usance, tenant.id, ...times(10));
    await order(store.usance);
    const jobs = await Promise.all(tenants.map((tenant) => createJob(store.owner, tenant, UPDATED, { after: 0n })));
    await createMatcher(store.usance.db).match();
    const [first, last] = jobs.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.jobs where id = $1::uuid for update', [first?.id ?? '']);
      await matchAll(store.usance);
      expect((await seqsOf(store.owner, { id: last?.id ?? '' })).length).toBe(10);
    });
    await matchAll(store.usance);
    expect((await seqsOf(store.owner, { id: first?.id ?? '' })).length).toBe(10);
  });

  test('that is disabled or deleted in the middle of its backfill gets no further page', async () => {
    const tenant = await freshTenant(store.usance);
    await appended(store.usance, tenant.id, ...times(20));
    await order(store.usance);
    const disabled = await createJob(store.owner, tenant, UPDATED, { after: 0n });
    const matcher = createMatcher(store.usance.db, { page: 5 });
    await matcher.match();
    await matcher.backfill();
    await tenant.updateJob(disabled.id, { enabled: false });
    const got = await seqsOf(store.owner, disabled);
    await matchAll(store.usance, { page: 5 });
    expect(await seqsOf(store.owner, disabled)).toEqual(got);
    const deleted = await createJob(store.owner, tenant, UPDATED, { after: 0n });
    await matcher.match();
    await tenant.deleteJob(deleted.id);
    await matchAll(store.usance, { page: 5 });
    expect(await seqsOf(store.owner, deleted)).toEqual([]);
  });
});

describe('a job that is disabled and enabled again', () => {
  test('begins at the end of the order of that moment', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await appended(store.usance, tenant.id, ...times(2));
    await order(store.usance);
    await matchAll(store.usance);
    await tenant.updateJob(job.id, { enabled: false });
    await appended(store.usance, tenant.id, ...times(3));
    await order(store.usance);
    await matchAll(store.usance);
    await tenant.updateJob(job.id, { enabled: true });
    await appended(store.usance, tenant.id, ...times(4));
    await order(store.usance);
    await matchAll(store.usance);
    const seqs = await seqsOfType(tenant, UPDATED);
    expect(await seqsOf(store.owner, job)).toEqual([...seqs.slice(0, 2), ...seqs.slice(5)]);
  });

  test('does not run again on an event that a take matched before it saw the change, waiting or ended', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await createJob(store.owner, tenant);
    await matchAll(store.usance);
    // Disabled and enabled in one transaction, which reads the end of the order; a take that does not see it yet matches more.
    const [changed, matched] = [gate(), gate()];
    const changing = store.usance.db.transaction(async (tx) => {
      const maker = { tenantId: tenant.id, caller: LIBRARY };
      for (const enabled of [false, true])
        await updateJobIn(tx, liveAt(tx.begunAt as Date), maker, job.id, { enabled });
      changed.open();
      await matched.passed;
    });
    await changed.passed;
    await appended(store.usance, tenant.id, ...times(4));
    await order(store.usance);
    await createMatcher(store.usance.db).match();
    const seqs = await seqsOfType(tenant, UPDATED);
    expect(await seqsOf(store.owner, job)).toEqual(seqs);
    const [one = 0] = seqs;
    await store.owner.query(
      `with gone as (delete from usance.execution_queue where job_id = $1::uuid and seq = $2::bigint returning *)
       insert into usance.executions (tenant_id, id, job_id, event_id, seq, status, attempt, started_at, attempted_at, ended_at, created_at)
       select tenant_id, id, job_id, event_id, seq, 'completed', 1, now(), now(), now(), created_at from gone`,
      [job.id, one],
    );
    matched.open();
    await changing;
    await matchAll(store.usance);
    const { after_seq: begins, joined_seq: joined } = await rowOf(job.id);
    expect([Number(begins) < one, Number(joined) >= (seqs.at(-1) ?? 0)]).toEqual([true, true]);
    expect(await seqsOf(store.owner, job)).toEqual(seqs);
    expect(await completeAll(store.owner, job.id)).toBe(3);
  });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
