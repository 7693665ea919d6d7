import { describe, expect, test } from 'vitest';
import type { JobParams } from '../../src/engine.ts';
import { MOST_JOBS } from '../../src/jobs/job.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { PROCESSOR, addJob, announce, freshName } from '../support/jobs.ts';
import { refusalOf } from '../support/refusal.ts';
import { testTenant } from '../support/test-clock.ts';
import { freshTenant, order } from './matcher.ts';

const store = useUsance({ poolSize: 25 });
const params = (change: Partial<JobParams> = {}): JobParams => ({
  name: freshName(),
  eventPattern: 'payment.settled',
  processorName: PROCESSOR,
  ...change,
});
const eventsOf = async (id: string): Promise<unknown[]> =>
  (
    await store.owner.query('select type, data, actor from usance.events where resource_id = $1::uuid order by id', [
      id,
    ])
  ).map(({ type, data, actor }) => ({ type, data, actor }));

describe('a job', () => {
  test('is created with its defaults and an event, and read by id and name', async () => {
    await announce(store.owner);
    const { tenant } = store;
    const end = await tenant.lastEventSeq();
    const job = await tenant.createJob(params({ name: 'receipts' }));
    expect(job).toEqual({
      tenantId: tenant.id,
      id: job.id,
      name: 'receipts',
      description: '',
      eventPattern: 'payment.settled',
      processorName: PROCESSOR,
      managed: false,
      ordered: false,
      enabled: true,
      retry: null,
      timeoutMs: 60_000,
      maxConcurrency: null,
      maxPerSecond: null,
      afterSeq: end,
      createdBy: LIBRARY.actor,
      createdAt: job.createdAt,
      updatedAt: job.createdAt,
    });
    expect(await tenant.job(job.id)).toEqual(job);
    expect(await tenant.job('receipts')).toEqual(job);
    expect(await eventsOf(job.id)).toEqual([
      {
        type: 'job.created',
        actor: 'library',
        data: {
          new: {
            name: 'receipts',
            description: '',
            eventPattern: 'payment.settled',
            processorName: PROCESSOR,
            enabled: true,
            retryConfig: null,
            timeoutMs: 60_000,
            maxConcurrency: null,
            maxPerSecond: null,
            after: Number(end),
          },
        },
      },
    ]);
  });

  test.each([
    ['an empty name', { name: '' }, 'FIELD_INVALID'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'FIELD_INVALID'],
    ['a name with a tab', { name: 'a\tb' }, 'FIELD_INVALID'],
    ['a name with spaces around it', { name: ' a' }, 'FIELD_INVALID'],
    ['a name that is no text', { name: 7 }, 'FIELD_INVALID'],
    ['a name like an id', { name: 'job_01k9zt3q9fh2j4m6p8r0t2w4y6' }, 'FIELD_INVALID'],
    ['a name like a UUID', { name: '0199b2a4-1c7e-7a11-8b3e-2f6d5c4b3a29' }, 'FIELD_INVALID'],
    ['a description of 1,001 characters', { description: 'x'.repeat(1_001) }, 'FIELD_INVALID'],
    ['a description that cannot be stored', { description: '\ud800' }, 'FIELD_INVALID'],
    ['no pattern', { eventPattern: '' }, 'EVENT_PATTERN_INVALID'],
    ['a pattern with two stars', { eventPattern: '*.*' }, 'EVENT_PATTERN_INVALID'],
    ['a processor that was never announced', { processorName: 'nobody' }, 'JOB_PROCESSOR_UNKNOWN'],
    ['an enabled that is no boolean', { enabled: 'yes' }, 'FIELD_INVALID'],
    ['a timeout below 100 ms', { timeoutMs: 99 }, 'FIELD_INVALID'],
    ['a timeout beyond a day', { timeoutMs: 86_400_001 }, 'FIELD_INVALID'],
    ['no concurrency', { maxConcurrency: 0 }, 'FIELD_INVALID'],
    ['half an execution a second', { maxPerSecond: 0.5 }, 'FIELD_INVALID'],
    ['a retry policy with an unknown field', { retryConfig: { attempts: 3 } }, 'RETRY_INVALID'],
    ['a retry policy that is a list', { retryConfig: [] }, 'FIELD_INVALID'],
    [
      'a retry policy with both names of the multiplier',
      { retryConfig: { multiplier: 2, backoffMultiplier: 3 } },
      'FIELD_INVALID',
    ],
    ['no attempt', { retryConfig: { maxAttempts: 0 } }, 'RETRY_INVALID'],
    ['an `after` that is no number', { after: '5' }, 'FIELD_INVALID'],
    ['an `after` below zero', { after: -1n }, 'FIELD_INVALID'],
    ['an `after` beyond the end', { after: 1_000_000n }, 'CURSOR_DIVERGED'],
    ['an `after` although it is disabled', { after: 0n, enabled: false }, 'FIELD_INVALID'],
  ])('with %s is refused, and nothing is changed', async (_title, change, code) => {
    await announce(store.owner);
    const create = () => store.tenant.createJob(params(change as Partial<JobParams>));
    expect(await refusedUnchanged(store.owner, store.tenant.id, create)).toBe(code);
  });

  test('has a policy of which the caller gives a part, and may name the multiplier as others do', async () => {
    const own = await addJob(store.owner, store.tenant, { retryConfig: { backoffMultiplier: 3, maxAttempts: 5 } });
    expect(own.retry).toEqual({ maxAttempts: 5, initialDelayMs: 1_000, multiplier: 3, maxDelayMs: 60_000, jitter: 0 });
    expect((await store.tenant.job(own.id)).retry).toEqual(own.retry);
    const changed = await store.tenant.updateJob(own.id, { retryConfig: { maxDelayMs: 5_000 } });
    expect(changed.retry).toMatchObject({ maxAttempts: 3, multiplier: 2, maxDelayMs: 5_000 });
    expect((await store.tenant.updateJob(own.id, { retryConfig: null })).retry).toBeNull();
  });

  test('has a name of its own among the jobs of its tenant, also of twenty made at once', async () => {
    await announce(store.owner);
    const [tenant, other] = [await freshTenant(store.usance), await freshTenant(store.usance)];
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(tenant.createJob(params({ name: 'same' })))),
    );
    expect(codes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'JOB_NAME_TAKEN'), 'not refused'].toSorted());
    expect((await other.createJob(params({ name: 'same' }))).name).toBe('same');
    const second = await tenant.createJob(params({ name: 'second' }));
    const rename = () => tenant.updateJob(second.id, { name: 'same' });
    expect(await refusedUnchanged(store.owner, tenant.id, rename)).toBe('JOB_NAME_TAKEN');
    await tenant.deleteJob((await tenant.job('same')).id);
    expect((await rename()).name).toBe('same');
  });

  test('is one of a thousand at most', async () => {
    const tenant = await freshTenant(store.usance);
    const { id } = await addJob(store.owner, tenant);
    await store.owner.query(
      `insert into usance.jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'name', n::text))).*
       from usance.jobs j, generate_series(2, $2::int) n where j.id = $1::uuid`,
      [id, MOST_JOBS],
    );
    expect(await refusalOf(tenant.createJob(params()))).toBe('JOBS_TOO_MANY');
    await tenant.deleteJob(id);
    expect((await tenant.createJob(params())).enabled).toBe(true);
    await store.owner.query(`delete from usance.jobs where tenant_id = $1::uuid`, [tenant.id]);
  });

  test('is changed field by field, with old and new values in its event; a change of nothing emits none', async () => {
    const { tenant } = store;
    const job = await addJob(store.owner, tenant, { description: 'old', maxConcurrency: 5 });
    const changed = await tenant.updateJob(job.id, { description: 'new', maxConcurrency: null, timeoutMs: 60_000 });
    expect(changed).toEqual({ ...job, description: 'new', maxConcurrency: null, updatedAt: changed.updatedAt });
    await tenant.updateJob(job.id, { description: 'new' });
    expect((await eventsOf(job.id)).slice(1)).toEqual([
      {
        type: 'job.updated',
        actor: 'library',
        data: { old: { description: 'old', maxConcurrency: 5 }, new: { description: 'new', maxConcurrency: null } },
      },
    ]);
    for (const wrong of [{ name: '' }, { processorName: 'nobody' }, { eventPattern: 'x*' }, { timeoutMs: 1 }])
      expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.updateJob(job.id, wrong))).not.toBe('');
  });

  test('begins at the end of the order when it is enabled again', async () => {
    const tenant = await freshTenant(store.usance);
    const job = await addJob(store.owner, tenant, { enabled: false });
    await order(store.usance);
    const end = await tenant.lastEventSeq();
    expect(end).toBeGreaterThan(job.afterSeq);
    expect((await tenant.updateJob(job.id, { enabled: true })).afterSeq).toBe(end);
    expect((await tenant.updateJob(job.id, { description: 'x' })).afterSeq).toBe(end);
  });

  test('that is deleted is not found any more, keeps its row, and emits one event', async () => {
    const { tenant } = store;
    const job = await addJob(store.owner, tenant);
    expect(await tenant.deleteJob(job.id)).toMatchObject({ id: job.id, name: job.name });
    for (const act of [
      () => tenant.job(job.id),
      () => tenant.job(job.name),
      () => tenant.updateJob(job.id, { enabled: false }),
      () => tenant.deleteJob(job.id),
      () => tenant.lockJob(job.id),
    ])
      expect(await refusedUnchanged(store.owner, tenant.id, act)).toBe('JOB_NOT_FOUND');
    expect((await eventsOf(job.id)).at(-1)).toEqual({
      type: 'job.deleted',
      actor: 'library',
      data: { name: job.name, eventPattern: job.eventPattern, processorName: job.processorName },
    });
    expect(await store.owner.query('select from usance.jobs where id = $1::uuid', [job.id])).toHaveLength(1);
  });

  test('of another tenant does not exist', async () => {
    const job = await addJob(store.owner, store.tenant);
    const other = await freshTenant(store.usance);
    for (const act of [
      () => other.job(job.id),
      () => other.job(job.name),
      () => other.updateJob(job.id, { enabled: false }),
      () => other.deleteJob(job.id),
    ])
      expect(await refusedUnchanged(store.owner, store.tenant.id, act)).toBe('JOB_NOT_FOUND');
  });

  test('of a test tenant has the time of its clock, and is refused while the clock advances', async () => {
    const { tenant, clock } = await testTenant(store.usance);
    const job = await addJob(store.owner, tenant);
    expect(job.createdAt).toEqual(new Date('2027-01-01T00:00:00Z'));
    await tenant.advanceTestClock(clock, '2027-01-02T00:00:00Z');
    expect(await refusalOf(tenant.updateJob(job.id, { enabled: false }))).toBe('CLOCK_ADVANCING');
    await tenant.cancelAdvance(clock);
  });
});

describe('jobs', () => {
  test('are listed newest first, in pages, by processor and by being enabled', async () => {
    const tenant = await freshTenant(store.usance);
    await announce(store.owner, 'other');
    const made = [];
    for (const change of [{}, { enabled: false }, { processorName: 'other' }, {}])
      made.push((await addJob(store.owner, tenant, change)).id);
    const ids = async (...given: Parameters<typeof tenant.jobs>) => (await tenant.jobs(...given)).map(({ id }) => id);
    const newest = made.toReversed();
    expect(await ids()).toEqual(newest);
    expect(await ids({}, { limit: 2 })).toEqual(newest.slice(0, 2));
    expect(await ids({}, { limit: 2, before: newest[1] ?? '' })).toEqual(newest.slice(2));
    expect(await ids({ enabled: false })).toEqual([made[1]]);
    expect(await ids({ processorName: 'other' })).toEqual([made[2]]);
    expect(await refusalOf(tenant.jobs({}, { before: 'x' }))).toBe('ID_INVALID');
  });

  test('name processors, which are listed by name', async () => {
    await announce(store.owner, 'b');
    await announce(store.owner, 'a');
    const names = (await store.tenant.processors()).map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(['a', 'b']));
  });

  test('leave the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
