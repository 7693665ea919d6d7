// Ordered jobs: executions about one resource run one after the other, in the order of their events, whatever happens in between.
import { afterEach, describe, expect, test } from 'vitest';
import { asBoolean, asNumber, asText, only, readLiveClock } from '../../src/db/index.ts';
import type { Transaction } from '../../src/db/index.ts';
import type { Job, TenantHandle } from '../../src/engine.ts';
import { appendEvents } from '../../src/events/index.ts';
import { deleteManagedJob, retryExecutions, updateManagedJob } from '../../src/jobs/index.ts';
import type { ManagedJobParams, RunnableProcessor } from '../../src/jobs/index.ts';
import { createMatcher } from '../../src/jobs/match.ts';
import { openNext } from '../../src/jobs/order-store.ts';
import { completeAttempts } from '../../src/jobs/queue-store.ts';
import { createRescuer } from '../../src/jobs/rescue.ts';
import { LIBRARY, newId } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { addManagedJob } from '../support/jobs.ts';
import { freshTenant, matchAll, order } from './matcher.ts';
import { makeDue, testWorker } from './queue.ts';
import type { TestWorker } from './queue.ts';
import { addWorker, claim } from './worker-rows.ts';

const store = useUsance({ poolSize: 25 });
const NAME = 'webhook-delivery';
const POLICY = { maxAttempts: 2, initialDelayMs: 60_000, multiplier: 1, maxDelayMs: 60_000, jitter: 0 };

const workers: TestWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

interface World {
  readonly tenant: TenantHandle;
  readonly job: Job;
  readonly a: string;
  readonly b: string;
}

const TERMS = { eventPattern: 'tenant.updated', ordered: true, retry: POLICY };

async function world(more: Partial<ManagedJobParams> = {}): Promise<World> {
  const tenant = await freshTenant(store.usance);
  const job = await addManagedJob(store.usance, tenant.id, { ...TERMS, ...more });
  await matchAll(store.usance);
  return { tenant, job, a: newId(), b: newId() };
}

const DATA = { old: { defaultAsset: null }, new: { defaultAsset: 'USD/2' } };

async function append({ tenant }: World, ...resources: readonly string[]): Promise<void> {
  await store.db.transaction(async (tx) => {
    const about = { tenantId: tenant.id, type: 'tenant.updated' as const, resource: 'tenant', data: DATA };
    const occurredAt = tx.begunAt as Date;
    await appendEvents(
      tx,
      resources.map((resourceId) => ({ ...LIBRARY, ...about, resourceId, occurredAt })),
    );
  });
  await order(store.usance);
}

async function happen(at: World, ...resources: readonly string[]): Promise<void> {
  await append(at, ...resources);
  await matchAll(store.usance);
}

interface Queued {
  readonly id: string;
  readonly key: string;
  readonly blocked: boolean;
}

/** In the order of their events. */
async function queued({ job }: World, resource?: string): Promise<Queued[]> {
  const rows = await store.owner.query(
    `select id, order_key, blocked from usance.execution_queue where job_id = $1::uuid and ($2::uuid is null or order_key = $2::uuid)
     order by seq`,
    [job.id, resource ?? null],
  );
  return rows.map((row) => ({
    id: asText(row['id']),
    key: asText(row['order_key']),
    blocked: asBoolean(row['blocked']),
  }));
}

const blockedOf = async (at: World, resource?: string): Promise<boolean[]> =>
  (await queued(at, resource)).map(({ blocked }) => blocked);
const notes = async ({ job }: World): Promise<number> =>
  (await store.owner.query('select from usance.execution_order_notes where job_id = $1::uuid', [job.id])).length;

async function settle(): Promise<void> {
  const matcher = createMatcher(store.db);
  while ((await matcher.settle()).more);
}

function start(run: RunnableProcessor['run'], concurrency = 20): TestWorker {
  const worker = testWorker(store.db, store.runtimeUrl, [{ name: NAME, description: '', builtIn: true, run }], {
    concurrency,
  });
  workers.push(worker);
  return worker;
}

/** Ends the open execution of a key as a worker would, in the caller's transaction. */
async function complete(tx: Transaction, { tenant, job }: World, id: string, orderKey: string): Promise<void> {
  const [row] = await tx.query(
    'select worker_id, attempt, ctid::text as place from usance.execution_queue where id = $1::uuid',
    [id],
  );
  const attempt = asNumber(row?.['attempt']);
  await completeAttempts(tx, [
    {
      tenantId: tenant.id,
      executionId: id,
      workerId: asText(row?.['worker_id']),
      attempt,
      place: asText(row?.['place']),
      result: null,
    },
  ]);
  await openNext(tx, [{ tenantId: tenant.id, jobId: job.id, orderKey }]);
}

describe('executions of an ordered job', () => {
  test('about one resource run one after the other, and those about others beside them', async () => {
    const at = await world();
    await happen(at, at.a, at.b, at.a, at.a, at.b);
    expect(await blockedOf(at)).toEqual([false, false, true, true, true]);
    const { executions } = await at.tenant.executions({ jobId: at.job.id });
    expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['pending']));
    expect(executions.filter(({ nextRetryAt }) => nextRetryAt !== null)).toHaveLength(2);
    const [running, ran] = [new Map<string, number>(), new Map<string, bigint[]>()];
    await start(async (_event, _execution, _context, { orderKey, seq }) => {
      const key = orderKey ?? '';
      expect(running.get(key) ?? 0).toBe(0);
      running.set(key, 1);
      await new Promise(setImmediate);
      ran.set(key, [...(ran.get(key) ?? []), seq]);
      running.set(key, 0);
    }).drain();
    expect(ran.get(at.a)).toEqual((ran.get(at.a) ?? []).toSorted((one, other) => Number(one - other)));
    expect([ran.get(at.a)?.length, ran.get(at.b)?.length]).toEqual([3, 2]);
    expect(await queued(at)).toEqual([]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('wait for the retries of the one before, and go on when it has failed for good', async () => {
    const at = await world();
    await happen(at, at.a, at.a);
    const ran: string[] = [];
    const [first, second] = await queued(at);
    const worker = start((_event, _execution, _context, { executionId }) => {
      ran.push(executionId);
      if (executionId === first?.id) throw new Error('down');
    });
    await worker.drain();
    expect(ran).toEqual([first?.id]);
    expect(await blockedOf(at)).toEqual([false, true]);
    await makeDue(store.owner, first?.id ?? '');
    await worker.drain();
    expect(ran).toEqual([first?.id, first?.id, second?.id]);
    expect(await at.tenant.execution(second?.id ?? '')).toMatchObject({ status: 'completed' });
    expect(await at.tenant.deadLetters({ jobId: at.job.id })).toHaveLength(1);
  });

  test('that are retried as dead letters wait for the open one, and come before later events', async () => {
    const at = await world({ retry: { ...POLICY, maxAttempts: 1 } });
    await happen(at, at.a, at.a);
    const [first, second] = await queued(at);
    const fails = new Set([first?.id]);
    const ran: string[] = [];
    const worker = start((_event, _execution, _context, { executionId }) => {
      ran.push(executionId);
      if (fails.has(executionId)) throw new Error('down');
    });
    await worker.drain();
    await happen(at, at.a, at.a);
    const [third, fourth] = await queued(at);
    fails.clear();
    const by = { tenantId: at.tenant.id, caller: LIBRARY };
    await store.db.transaction(async (tx) =>
      retryExecutions(tx, await readLiveClock(tx), by, [first?.id ?? '', second?.id ?? ''], { completed: true }),
    );
    expect(await blockedOf(at)).toEqual([true, true, false, true]);
    await settle();
    expect(await blockedOf(at)).toEqual([true, true, false, true]);
    await worker.drain();
    expect(ran.slice(2)).toEqual([third?.id, first?.id, second?.id, fourth?.id]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('open after a cancel of the one before, within a look of the matcher', async () => {
    const at = await world();
    await happen(at, at.a, at.a, at.a);
    const [first, second, third] = await queued(at);
    await at.tenant.cancelExecution(second?.id ?? '');
    await settle();
    expect(await queued(at)).toMatchObject([
      { id: first?.id, blocked: false },
      { id: third?.id, blocked: true },
    ]);
    await at.tenant.cancelExecution(first?.id ?? '');
    expect(await queued(at)).toMatchObject([{ id: third?.id, blocked: true }]);
    expect(await troubles(store.usance)).toEqual([]);
    await settle();
    expect(await queued(at)).toMatchObject([{ id: third?.id, blocked: false }]);
    expect(await notes(at)).toBe(0);
  });

  test('open when the rescuer ends the one before, whose worker was lost', async () => {
    const at = await world({ retry: { ...POLICY, maxAttempts: 1 } });
    await happen(at, at.a, at.a);
    await claim(store.owner, at.job.id, await addWorker(store.owner, { leasedFor: -1, processors: [NAME] }), 1);
    await createRescuer(store.db).takeBack();
    expect(await blockedOf(at)).toEqual([false]);
  });

  test('of a backfill open too, in their order', async () => {
    const late = await world({ eventPattern: 'payment.settled' });
    await happen(late, late.a, late.b, late.a, late.a);
    // The matcher is past these events when it takes the job in, and new ones come beside the backfill.
    const job = await addManagedJob(store.usance, late.tenant.id, { ...TERMS, after: 0n });
    const at = { ...late, job };
    await createMatcher(store.db).match();
    await append(at, at.a, at.b);
    const matcher = createMatcher(store.db, { page: 1 });
    for (let more = true; more;) {
      const [matched, filled] = [await matcher.match(), await matcher.backfill()];
      more = (matched?.more ?? false) || filled.more;
    }
    await settle();
    expect((await blockedOf(at, at.a)).filter((blocked) => !blocked)).toHaveLength(1);
    expect(await blockedOf(at, at.a)).toHaveLength(4);
    expect((await blockedOf(at, at.b)).filter((blocked) => !blocked)).toHaveLength(1);
    // The new event may have opened first; the others follow in their order.
    const ran: bigint[] = [];
    await start((_event, _execution, _context, { orderKey, seq }) => {
      if (orderKey === at.a) ran.push(seq);
    }).drain();
    expect(ran).toHaveLength(4);
    expect(ran.slice(1)).toEqual(ran.slice(1).toSorted((one, other) => Number(one - other)));
    expect(await queued(at)).toEqual([]);
  });

  test('of events before the job was ordered are not in the order, and those queued while it was keep it', async () => {
    const at = await world({ ordered: false });
    await happen(at, at.a, at.a);
    const rows = await store.owner.query('select order_key from usance.execution_queue where job_id = $1::uuid', [
      at.job.id,
    ]);
    expect(rows).toEqual([{ order_key: null }, { order_key: null }]);
    const by = { tenantId: at.tenant.id, caller: LIBRARY };
    const setOrdered = (ordered: boolean) =>
      store.db.transaction(async (tx) => updateManagedJob(tx, await readLiveClock(tx), by, at.job.id, { ordered }));
    expect(await setOrdered(true)).toMatchObject({ ordered: true });
    await happen(at, at.a, at.a);
    expect(await blockedOf(at, at.a)).toEqual([false, true]);
    await setOrdered(false);
    await start(() => undefined).drain();
    expect((await at.tenant.executions({ jobId: at.job.id, status: 'completed' })).executions).toHaveLength(4);
  });

  test('of a deleted job are cancelled, blocked ones too', async () => {
    const at = await world();
    await happen(at, at.a, at.a, at.a);
    const by = { tenantId: at.tenant.id, caller: LIBRARY };
    await store.db.transaction(async (tx) => deleteManagedJob(tx, await readLiveClock(tx), by, at.job.id));
    const rescuer = createRescuer(store.db, { atOnce: 2 });
    while ((await rescuer.cancelDeleted()).more);
    expect(await queued(at)).toEqual([]);
    expect((await at.tenant.executions({ jobId: at.job.id, status: 'cancelled' })).executions).toHaveLength(3);
  });
});

describe('at the same moment', () => {
  /** Runs the work while another transaction has done its part and is not committed. */
  async function beside(part: (tx: Transaction) => Promise<void>, work: () => Promise<void>): Promise<void> {
    const [done, release] = [gate(), gate()];
    const other = store.db.transaction(async (tx) => {
      await part(tx);
      done.open();
      await release.passed;
    });
    await done.passed;
    try {
      await work();
    } finally {
      release.open();
      await other;
    }
  }

  /** Until a transaction of this database waits for a lock of another. */
  const somethingWaits = async (): Promise<void> => {
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await store.owner.query(waiting)).length).toBeGreaterThan(0);
  };

  test('an event that is matched while the open execution ends is opened by a look', async () => {
    const at = await world();
    await happen(at, at.a);
    const [first] = await queued(at);
    await claim(store.owner, at.job.id, await addWorker(store.owner, { processors: [NAME] }));
    await beside(
      (tx) => complete(tx, at, first?.id ?? '', at.a),
      async () => {
        await happen(at, at.a);
        expect(await notes(at)).toBe(1);
        // While the end is not committed the key stays noted.
        await settle();
        expect(await notes(at)).toBe(1);
      },
    );
    expect(await blockedOf(at)).toEqual([true]);
    expect(await troubles(store.usance)).toEqual([]);
    await settle();
    expect(await blockedOf(at)).toEqual([false]);
    expect(await notes(at)).toBe(0);
  });

  test('an end waits for a take that saw its execution open, and opens what the take added', async () => {
    const at = await world();
    await happen(at, at.a);
    const [first] = await queued(at);
    await claim(store.owner, at.job.id, await addWorker(store.owner, { processors: [NAME] }));
    await append(at, at.a);
    const [matched, release] = [gate(), gate()];
    const transaction: typeof store.db.transaction = (work, how) =>
      store.db.transaction(async (tx) => {
        const result = await work(tx);
        matched.open();
        await release.passed;
        return result;
      }, how);
    const take = createMatcher({ ...store.db, transaction }).match();
    await matched.passed;
    const end = store.db.transaction((tx) => complete(tx, at, first?.id ?? '', at.a));
    await somethingWaits();
    release.open();
    await Promise.all([take, end]);
    expect(await blockedOf(at)).toEqual([false]);
    expect(await notes(at)).toBe(0);
  });

  test('the one before ends and the next one is cancelled: the one behind both opens', async () => {
    const at = await world();
    await happen(at, at.a, at.a, at.a);
    const [first, second, third] = await queued(at);
    await claim(store.owner, at.job.id, await addWorker(store.owner, { processors: [NAME] }), 1);
    let cancelled: Promise<unknown> = Promise.resolve();
    await beside(
      (tx) => complete(tx, at, first?.id ?? '', at.a),
      async () => {
        // The next one is open in the other transaction, and cannot be cancelled before it has committed.
        cancelled = at.tenant.cancelExecution(second?.id ?? '');
        await somethingWaits();
      },
    );
    await cancelled;
    expect((await queued(at)).map(({ id }) => id)).toEqual([third?.id]);
    await settle();
    expect(await queued(at)).toMatchObject([{ id: third?.id, blocked: false }]);

    await happen(at, at.a, at.a);
    const [, fourth, fifth] = await queued(at);
    await claim(store.owner, at.job.id, await addWorker(store.owner, { processors: [NAME] }), 1);
    const own = await store.usance.tenant(at.tenant.id);
    await beside(
      async (tx) => {
        await tx.query('delete from usance.execution_queue where id = $1::uuid', [fourth?.id ?? '']);
      },
      () => store.db.transaction((tx) => complete(tx, at, third?.id ?? '', at.a)),
    );
    expect(await queued(at)).toMatchObject([{ id: fifth?.id, blocked: true }]);
    await settle();
    expect(await queued(at)).toMatchObject([{ id: fifth?.id, blocked: false }]);
    expect(await own.executions({ jobId: at.job.id, status: 'running' })).toMatchObject({ executions: [] });
  });

  test('takes, ends, failures, cancels and retries leave every key in turns, and nothing behind', async () => {
    const at = await world({ retry: { ...POLICY, maxAttempts: 1 } });
    const keys = Array.from({ length: 3 }, () => newId());
    const [running, ran] = [new Map<string, number>(), new Map<string, bigint[]>()];
    let [worst, calls] = [0, 0];
    const run: RunnableProcessor['run'] = async (_event, _execution, _context, { orderKey, seq, attempt }) => {
      const key = orderKey ?? '';
      const now = (running.get(key) ?? 0) + 1;
      running.set(key, now);
      worst = Math.max(worst, now);
      await new Promise(setImmediate);
      running.set(key, now - 1);
      if (attempt === 1) ran.set(key, [...(ran.get(key) ?? []), seq]);
      if ((calls += 1) % 7 === 0) throw new Error('now and then');
    };
    const [one, other] = [start(run, 3), start(run, 3)];
    for (let n = 0; n < 12; n += 1) {
      const some = Array.from({ length: 6 }, (_, k) => keys[(n + k * k) % 3] as string);
      const letters = await at.tenant.deadLetters({ jobId: at.job.id });
      const waiting = (await queued(at)).at(-1);
      await Promise.all([
        happen(at, ...some),
        one.step(),
        other.step(),
        ...letters.slice(0, 2).map(({ id }) => at.tenant.retryExecution(id)),
        ...(waiting && n % 3 === 2 ? [at.tenant.cancelExecution(waiting.id).catch(() => undefined)] : []),
      ]);
      await settle();
    }
    await expect
      .poll(
        async () => {
          await settle();
          await Promise.all([one.drain(), other.drain()]);
          return (await queued(at)).length;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    expect(worst).toBe(1);
    for (const key of keys) {
      const seqs = ran.get(key) ?? [];
      expect(seqs).toEqual(seqs.toSorted((a, b) => Number(a - b)));
    }
    const { executions } = await at.tenant.executions({ jobId: at.job.id }, { limit: 100 });
    expect(executions).toHaveLength(72);
    expect(await notes(at)).toBe(0);
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('what was left behind', () => {
  test('by something that knows of no order is found key by key, and opens', async () => {
    const at = await world();
    const keys = Array.from({ length: 5 }, () => newId());
    await happen(at, ...keys, ...keys);
    await store.owner.query('delete from usance.execution_queue where job_id = $1::uuid and not blocked', [at.job.id]);
    expect((await troubles(store.usance)).some((line) => line.startsWith('ordered-executions-take-turns'))).toBe(true);
    const matcher = createMatcher(store.db);
    expect(await matcher.noteStuck()).toBe(5);
    await settle();
    expect(await blockedOf(at)).toEqual([false, false, false, false, false]);
    expect(await matcher.noteStuck()).toBe(0);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('the next of a key with twenty thousand is found without reading them', async () => {
    const at = await world();
    await happen(at, at.a);
    await store.owner.query(
      `insert into usance.execution_queue (tenant_id, id, job_id, event_id, seq, due_at, created_at, order_key, blocked)
       select tenant_id, gen_random_uuid(), job_id, event_id, seq + n, '9999-12-31 00:00Z', created_at, order_key, true
       from usance.execution_queue, generate_series(1, 20000) n where job_id = $1::uuid`,
      [at.job.id],
    );
    await store.owner.query('analyze usance.execution_queue');
    const plans = await store.owner.query(
      `explain (analyze, buffers, format json) select q.id, q.blocked from usance.execution_queue q
       where q.tenant_id = $1::uuid and q.job_id = $2::uuid and q.order_key = $3::uuid order by q.blocked, q.seq limit 1`,
      [at.tenant.id, at.job.id, at.a],
    );
    const [{ Plan: plan }] = only(plans)['QUERY PLAN'] as [{ Plan: Record<string, number> }];
    expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(10);
    // Claims do not meet blocked ones.
    const worker = start(() => undefined, 1);
    await worker.step();
    await expect
      .poll(async () => (await at.tenant.executions({ jobId: at.job.id, status: 'completed' })).executions.length)
      .toBeGreaterThan(0);
    await worker.stop();
    await store.owner.query('delete from usance.execution_queue where job_id = $1::uuid', [at.job.id]);
  });
});
