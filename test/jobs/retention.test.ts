import { beforeAll, describe, expect, test } from 'vitest';
import type { Job } from '../../src/engine.ts';
import { executionIdOf, invocationIdOf } from '../../src/jobs/execution.ts';
import { forgetExecutions } from '../../src/jobs/retention-store.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addJob } from '../support/jobs.ts';
import { testTenant } from '../support/test-clock.ts';

const DAY_MS = 86_400_000;
const store = useUsance({ retention: { executionsMs: 90 * DAY_MS } });
const state: { job?: Job; test?: Job } = {};
const jobOf = (kind: 'job' | 'test'): Job => state[kind] as Job;

interface Old {
  /** When its event happened, and when it ended, in days before now. */
  readonly event: number;
  readonly ended?: number;
  readonly status?: 'completed' | 'failed' | 'pending';
  readonly attempts?: number;
  readonly of?: 'job' | 'test';
}

/** An execution of an old event, with the invocations before its last attempt. */
async function add({ event, ended = event, status = 'completed', attempts = 1, of = 'job' }: Old): Promise<string> {
  const { tenantId, id: jobId } = jobOf(of);
  const [row] = await store.owner.query(
    `select usance.hashed_id(usance.first_id_at(now() - make_interval(days => $1::int)), gen_random_uuid()::text) as id`,
    [event],
  );
  const eventId = String(row?.['id']);
  const id = executionIdOf(jobId, eventId);
  const keys = [tenantId, id, jobId, eventId, attempts];
  if (status === 'pending')
    await store.owner.query(
      `insert into usance.execution_queue (tenant_id, id, job_id, event_id, attempt, seq, due_at, created_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::int, 1, now(), now())`,
      keys,
    );
  else
    await store.owner.query(
      `insert into usance.executions (tenant_id, id, job_id, event_id, attempt, seq, status, started_at, attempted_at, ended_at, created_at)
       select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::int, 1, $6::text, e.at, e.at, e.at, e.at
       from (select now() - make_interval(days => $7::int) as at) e`,
      [...keys, status, ended],
    );
  if (status === 'failed')
    await store.owner.query(
      `insert into usance.execution_dead_letters values ($1::uuid, $2::uuid, $3::uuid, 'PROCESSOR_FAILED', 'x', now())`,
      keys.slice(0, 3),
    );
  for (let attempt = 1; attempt < attempts + (status === 'pending' ? 1 : 0); attempt += 1)
    await store.owner.query(
      `insert into usance.invocations (tenant_id, id, execution_id, attempt, started_at, ended_at, code, error)
       select $1::uuid, $2::uuid, $3::uuid, $4::int, e.at, e.at, 'X', 'x' from (select now() - make_interval(days => $5::int) as at) e`,
      [tenantId, invocationIdOf(id, attempt), id, attempt, ended],
    );
  return id;
}

const isThere = async (id: string): Promise<boolean> =>
  (await store.owner.query('select from usance.executions where id = $1::uuid', [id])).length > 0;
const attemptsOf = async (id: string): Promise<number> =>
  (await store.owner.query('select from usance.invocations where execution_id = $1::uuid', [id])).length;
/** Partitions of the months before this one. */
const months = async (): Promise<string[]> =>
  (
    await store.owner.query(
      `select relname::text as name from pg_class where relnamespace = 'usance'::regnamespace and relispartition
         and relname ~ '^(executions|invocations)_[0-9]' and relkind = 'r' and right(relname, 7) < to_char(now(), 'YYYY_MM') order by 1`,
    )
  ).map(({ name }) => String(name));
const before = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const forgetAll = async (days = 90): Promise<number> => {
  let dropped = 0;
  for (let more = true; more;) {
    const { months: gone, rows } = await forgetExecutions(store.db, before(days), 100);
    dropped += gone;
    more = gone > 0 || rows > 0;
  }
  return dropped;
};

describe('executions past their retention', () => {
  beforeAll(async () => {
    for (const table of ['executions', 'invocations'])
      await store.owner.query(`select usance.ensure_partitions($1::text, (now() - interval '12 months')::date, 12)`, [
        table,
      ]);
    state.job = await addJob(store.owner, store.tenant);
    state.test = await addJob(store.owner, (await testTenant(store.usance)).tenant);
  });

  test('go month by month, with their attempts; younger ones stay', async () => {
    const old = await add({ event: 200, attempts: 3 });
    const young = await add({ event: 60, attempts: 3 });
    const count = (await months()).length;
    const dropped = await forgetAll();
    expect(dropped).toBeGreaterThan(10);
    expect((await months()).length).toBe(count - dropped);
    expect([await isThere(old), await attemptsOf(old)]).toEqual([false, 0]);
    expect([await isThere(young), await attemptsOf(young)]).toEqual([true, 2]);
  });

  test('stay as long as they are dead letters, wait, or ended lately, with their attempts', async () => {
    await store.owner.query(`select usance.ensure_partitions(t, (now() - interval '7 months')::date, 2)
                             from unnest(array['executions', 'invocations']) t`);
    const letter = await add({ event: 190, status: 'failed', attempts: 2 });
    const waiting = await add({ event: 190, status: 'pending', attempts: 2 });
    const backfilled = await add({ event: 190, ended: 1, attempts: 3 });
    const gone = await add({ event: 190, attempts: 2 });
    const ofTest = await add({ event: 190, ended: 0, of: 'test' });
    await forgetAll();
    expect(await Promise.all([letter, backfilled, gone, ofTest].map(isThere))).toEqual([true, true, false, false]);
    expect(await Promise.all([letter, waiting, backfilled, gone].map(attemptsOf))).toEqual([1, 2, 2, 0]);
    await store.tenant.discardDeadLetter(letter, 'dealt with');
    await store.owner.query('delete from usance.execution_queue where id = $1::uuid', [waiting]);
    for (const [table, column] of Object.entries({ executions: 'id', invocations: 'execution_id' }))
      await store.owner.query(
        `update usance.${table} set ended_at = ended_at - interval '100 days' where ${column} = $1::uuid`,
        [backfilled],
      );
    await forgetAll();
    expect(await Promise.all([letter, backfilled].map(isThere))).toEqual([false, false]);
    expect(await Promise.all([letter, waiting, backfilled].map(attemptsOf))).toEqual([0, 0, 0]);
  });

  test('go also from a month with thousands of dead letters, which stay', async () => {
    await store.owner.query(`select usance.ensure_partitions(t, (now() - interval '7 months')::date, 2)
                             from unnest(array['executions', 'invocations']) t`);
    const { tenantId, id: jobId } = jobOf('job');
    await store.owner.query(
      `with made as (
         insert into usance.executions (tenant_id, id, job_id, event_id, attempt, seq, status, started_at, attempted_at, ended_at, created_at)
         select $1::uuid, usance.hashed_id(e.id, $2::text || ' ' || e.id::text), $2::uuid, e.id, 1, 1, 'failed', e.at, e.at, e.at, e.at
         from (select now() - interval '190 days' as at, usance.hashed_id(usance.first_id_at(now() - interval '190 days'), n::text) as id
               from generate_series(1, 1001) n) e
         returning tenant_id, id, job_id)
       insert into usance.execution_dead_letters select tenant_id, id, job_id, 'PROCESSOR_FAILED', 'x', now() from made`,
      [tenantId, jobId],
    );
    const gone = await add({ event: 190, attempts: 3 });
    const ofTest = await add({ event: 190, ended: 0, of: 'test' });
    const letter = await add({ event: 190, status: 'failed', attempts: 3 });
    const backfilled = await add({ event: 190, ended: 1, attempts: 3 });
    const month = `executions_${before(190).toISOString().slice(0, 7).replace('-', '_')}`;
    await forgetAll();
    expect(await months()).toContain(month);
    expect(await Promise.all([gone, ofTest, letter, backfilled].map(isThere))).toEqual([false, false, true, true]);
    expect(await Promise.all([gone, letter, backfilled].map(attemptsOf))).toEqual([0, 2, 2]);
    await store.owner.query('delete from usance.execution_dead_letters where job_id = $1::uuid', [jobId]);
    await forgetAll();
    expect(await months()).not.toContain(month);
  });

  test('of events without a month are deleted row by row', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => add({ event: 700, ended: 100, attempts: 2 })));
    const kept = await add({ event: 700, ended: 10 });
    expect(await forgetExecutions(store.db, before(90), 5)).toMatchObject({ rows: 5 });
    await forgetAll();
    expect(await Promise.all(ids.map(isThere))).toEqual(ids.map(() => false));
    expect(await isThere(kept)).toBe(true);
    await forgetAll(5);
    expect(await isThere(kept)).toBe(false);
  });

  test('go by the loop, and not while another transaction uses the table', async () => {
    await store.owner.query(`select usance.ensure_partitions('executions', (now() - interval '7 months')::date, 1)`);
    const id = await add({ event: 205 });
    const loop = store.usance.loops.find(({ name }) => name === 'retention');
    await store.owner.transaction(async (tx) => {
      await tx.query('lock table usance.executions in access share mode');
      await loop?.runOnce();
      expect(await isThere(id)).toBe(true);
    });
    while ((await loop?.runOnce())?.more);
    expect(await isThere(id)).toBe(false);
  });

  test('of the last day cannot be dropped by any process', async () => {
    for (const call of [
      'usance.drop_old_executions(now())',
      `usance.forget_executions(now() - interval '23 hours', 1)`,
      `usance.thin_executions(now() - interval '23 hours', 1)`,
    ])
      await expect(store.db.query(`select ${call}`)).rejects.toThrow('of the last day');
    for (const statement of [
      'delete from usance.executions',
      'update usance.executions set attempt = 1',
      'truncate usance.invocations',
      'delete from usance.executions_default',
    ])
      await expect(store.db.query(statement)).rejects.toThrow('permission denied');
  });

  test('leave the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
