// Built-in processors: what they record with the end of an attempt, and what they say about the next one.
import { afterEach, describe, expect, test } from 'vitest';
import { asText } from '../../src/db/index.ts';
import { InvocationFailure } from '../../src/jobs/index.ts';
import type { RecordedEnd, RunnableProcessor, WorkerOptions } from '../../src/jobs/index.ts';
import { WEBHOOK_RETRY_PRESETS } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import type { TestWorker } from './queue.ts';
import { ended, enqueue, insertJob, invocationsOf, queueRow, someEvent, takeOver, testWorker } from './queue.ts';

const setup = useUsance();
const workers: TestWorker[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await setup.owner.query('delete from usance.execution_queue');
  await setup.owner.query('drop table if exists public.records');
});

const HOUR_MS = 3_600_000;

function start(processor: Partial<RunnableProcessor>, options: Partial<WorkerOptions> = {}): TestWorker {
  const whole = { name: 'work', description: '', run: () => undefined, ...processor };
  const worker = testWorker(setup.db, setup.runtimeUrl, [whole], options);
  workers.push(worker);
  return worker;
}

async function executions(count: number, terms: Parameters<typeof insertJob>[2] = {}): Promise<string[]> {
  const job = await insertJob(setup.db, setup.tenant.id, terms);
  const event = await someEvent(setup.usance, setup.tenant);
  return enqueue(setup.db, job, { count, event });
}

const seen = (ends: readonly RecordedEnd[]): unknown[] =>
  ends.map(({ claimed, outcome, became, detail }) => [claimed.executionId, outcome.kind, became, detail]);

async function recordsTable(): Promise<void> {
  await setup.owner.query('create table public.records (id uuid, detail text check (detail <> $$bad$$))');
  await setup.owner.query('grant all on public.records to public');
}

const insertRecords: NonNullable<RunnableProcessor['record']> = async (tx, ends) => {
  await tx.query('insert into public.records select * from unnest($1::uuid[], $2::text[])', [
    ends.map(({ claimed }) => claimed.executionId),
    ends.map(({ detail }) => String(detail)),
  ]);
};

const recorded = async (): Promise<Map<string, string>> => {
  const rows = await setup.owner.query('select id, detail from public.records');
  return new Map(rows.map((row) => [asText(row['id']), asText(row['detail'])]));
};

describe('the record of a processor', () => {
  test('gets what each attempt attached, with its outcome and what became of it', async () => {
    const ids = await executions(3);
    const ends: RecordedEnd[] = [];
    let calls = 0;
    await start({
      run: (_event, _execution, context, { executionId }) => {
        const n = ids.indexOf(executionId);
        context.attach('replaced');
        context.attach({ n });
        if (n === 1) throw new Error('busy');
        if (n === 2) throw new InvocationFailure('PROCESSOR_FAILED', 'gone', { permanent: true });
        return undefined;
      },
      record: async (_tx, some) => {
        calls += 1;
        ends.push(...some);
      },
    }).drain();
    ends.sort((one, other) => (one.claimed.executionId < other.claimed.executionId ? -1 : 1));
    expect(seen(ends)).toEqual([
      [ids[0], 'completed', 'completed', { n: 0 }],
      [ids[1], 'failed', 'retrying', { n: 1 }],
      [ids[2], 'failed', 'failed', { n: 2 }],
    ]);
    expect(ends.map(({ nextAt }) => nextAt !== null)).toEqual([false, true, false]);
    expect(calls).toBe(1);
  });

  test('commits with the end of the attempt, or not at all', async () => {
    await recordsTable();
    const [id = ''] = await executions(1);
    let isFirst = true;
    const db = {
      ...setup.db,
      transaction: (async (work, how) =>
        setup.db.transaction(async (tx) => {
          const result = await work(tx);
          const [row] = await tx.query('select from public.records');
          if (row && isFirst) {
            isFirst = false;
            throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
          }
          return result;
        }, how)) as typeof setup.db.transaction,
    };
    const worker = testWorker(db, setup.runtimeUrl, [
      {
        name: 'work',
        description: '',
        run: (_event, _execution, context) => context.attach('one'),
        record: insertRecords,
      },
    ]);
    workers.push(worker);
    await worker.drain();
    expect(isFirst).toBe(false);
    expect(await recorded()).toEqual(new Map([[id, 'one']]));
    expect(await ended(setup.db, id)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  test('that throws for one attempt leaves the records of the others, and that attempt ends without one', async () => {
    await recordsTable();
    const ids = await executions(9);
    const notices: string[] = [];
    await start(
      {
        run: (_event, _execution, context, { executionId }) =>
          context.attach(executionId === ids[4] ? 'bad' : `good ${ids.indexOf(executionId)}`),
        record: insertRecords,
      },
      { onNotice: (line) => notices.push(line) },
    ).drain();
    const found = await recorded();
    expect(found.size).toBe(8);
    expect(found.has(ids[4] ?? '')).toBe(false);
    for (const id of ids) expect(await ended(setup.db, id)).toMatchObject({ status: 'completed', result: null });
    expect(notices).toEqual([expect.stringContaining('its processor could not record that')]);
  });

  test('that throws does not change how a failed attempt ends', async () => {
    const [id = ''] = await executions(1);
    await start({
      run: () => Promise.reject(new InvocationFailure('PROCESSOR_FAILED', 'status 500', { retryAfterMs: HOUR_MS })),
      record: () => Promise.reject(new TypeError('a mistake')),
    }).drain();
    expect(await queueRow(setup.db, id)).toMatchObject({ attempt: 1, workerId: null, lastCode: 'PROCESSOR_FAILED' });
    expect(await invocationsOf(setup.db, id)).toMatchObject([{ error: 'status 500' }]);
  });

  test('is not called for an attempt that another worker has, and not for one that is given back', async () => {
    const [taken = '', stopped = ''] = await executions(2);
    const ends: RecordedEnd[] = [];
    const [running, release] = [gate(), gate()];
    const worker = start(
      {
        run: async (_event, _execution, { signal }, { executionId }) => {
          running.open();
          if (executionId === taken) await release.passed;
          else await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
        record: async (_tx, some) => void ends.push(...some),
      },
      { drainMs: 50 },
    );
    await worker.step();
    await running.passed;
    const held = await queueRow(setup.db, taken);
    await setup.db.query(`update usance.execution_queue set worker_id = null, claimed_at = null where id = $1::uuid`, [
      taken,
    ]);
    release.open();
    await worker.stop();
    expect(ends).toEqual([]);
    expect(await queueRow(setup.db, stopped)).toMatchObject({ attempt: 0, workerId: null });
    await takeOver(setup.db, held?.workerId ?? '');
  });
});

describe('a failure of a built-in processor', () => {
  const dueInMs = async (id: string): Promise<number> =>
    ((await queueRow(setup.db, id))?.dueAt.getTime() ?? 0) - Date.now();
  const fail = async (hints: ConstructorParameters<typeof InvocationFailure>[2], terms = {}): Promise<string> => {
    const [id = ''] = await executions(1, terms);
    await start({ run: () => Promise.reject(new InvocationFailure('PROCESSOR_FAILED', 'no', hints)) }).drain();
    return id;
  };

  test('puts the next attempt off until the instant that it names', async () => {
    const waitMs = await dueInMs(await fail({ retryAfterMs: HOUR_MS }));
    expect(waitMs).toBeGreaterThan(HOUR_MS - 10_000);
    expect(waitMs).toBeLessThanOrEqual(HOUR_MS);
  });

  test('waits a day at most, and never shorter than the policy says', async () => {
    expect(await dueInMs(await fail({ retryAfterMs: 1e15 }))).toBeLessThanOrEqual(24 * HOUR_MS);
    const retry = { ...WEBHOOK_RETRY_PRESETS.webhook, delaysMs: [2 * HOUR_MS], maxAttempts: 2, jitter: 0 };
    expect(await dueInMs(await fail({ retryAfterMs: 1_000 }, { retry }))).toBeGreaterThan(1.9 * HOUR_MS);
    for (const odd of [Number.NaN, -5, Infinity]) {
      const waitMs = await dueInMs(await fail({ retryAfterMs: odd }));
      expect(waitMs).toBeLessThanOrEqual(1_000);
    }
  });

  test('ends the execution if it is permanent, and does not add attempts to the policy', async () => {
    expect(await ended(setup.db, await fail({ permanent: true, retryAfterMs: 1_000 }))).toMatchObject({
      status: 'failed',
      attempt: 1,
    });
    const retry = { ...WEBHOOK_RETRY_PRESETS.webhook, delaysMs: [], maxAttempts: 1 };
    expect(await ended(setup.db, await fail({ retryAfterMs: 1_000 }, { retry }))).toMatchObject({ status: 'failed' });
  });

  test('follows waits that are given one by one', async () => {
    const retry = { ...WEBHOOK_RETRY_PRESETS.webhook, delaysMs: [HOUR_MS, 3 * HOUR_MS], maxAttempts: 3, jitter: 0 };
    const [id = ''] = await executions(1, { retry });
    const worker = start({ run: () => Promise.reject(new Error('no')) });
    const waits: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      await worker.drain();
      if (n < 2) waits.push(Math.ceil((await dueInMs(id)) / HOUR_MS));
      await setup.db.query(
        `update usance.execution_queue set due_at = now() - interval '1 second' where id = $1::uuid`,
        [id],
      );
    }
    expect(waits).toEqual([1, 3]);
    expect(await ended(setup.db, id)).toMatchObject({ status: 'failed', attempt: 3 });
  });
});
