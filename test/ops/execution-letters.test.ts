// Executions that failed for good, on the same desk as payments and occurrences.
import { describe, expect, test } from 'vitest';
import type { DeadLetter, Job, TenantHandle } from '../../src/engine.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { addExecution, addJob } from '../support/jobs.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance({ poolSize: 25 });
let tenants = 0;

interface Desk {
  readonly tenant: TenantHandle;
  readonly job: Job;
  readonly other: Job;
  /** Two executions of one job, one of the other, and a payment before them. */
  readonly ids: readonly string[];
  readonly payment: string;
}

async function desk(): Promise<Desk> {
  const tenant = await store.usance.createTenant({ name: `desk-${(tenants += 1)}` });
  await tenant.createAsset('USD/2');
  await open(tenant, { ann: 100, ben: 0 });
  const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 30, delay: '1h', idempotencyKey: key() };
  const { id: payment } = await tenant.createPayment(order);
  await tenant.failPayment(payment, 'wrong payee');
  const [job, other] = [await addJob(store.owner, tenant), await addJob(store.owner, tenant)];
  const ids: string[] = [];
  for (const of of [job, job, other]) ids.push(await addExecution(store.owner, of, 'failed'));
  return { tenant, job, other, ids, payment };
}

const names = (letters: readonly DeadLetter[]): string[] => letters.map(({ id }) => id);

describe('the desk', () => {
  test('has executions beside payments in one order, without an amount, with their job', async () => {
    const { tenant, job, ids, payment } = await desk();
    const letters = await tenant.deadLetters();
    expect(names(letters).toSorted()).toEqual([...ids, payment].toSorted());
    expect(names(letters)).toEqual(names(letters).toSorted().toReversed());
    const one = await tenant.deadLetter(ids[0] ?? '');
    expect(one).toMatchObject({
      kind: 'execution',
      jobId: job.id,
      asset: null,
      amount: null,
      scheduleId: null,
      slot: null,
      code: 'PROCESSOR_FAILED',
      detail: 'the mail server did not answer',
    });
    expect(letters.find(({ kind }) => kind === 'payment')).toMatchObject({ asset: 'USD/2', amount: 30n, jobId: null });
    expect(await tenant.overview()).toMatchObject({
      deadLetters: [{ asset: 'USD/2', count: 1, amount: 30n }],
      deadExecutions: 3,
    });
  });

  test('is read by kind, code, job and time, and by an asset without executions', async () => {
    const { tenant, job, other, ids, payment } = await desk();
    const found = async (filter: object) => names(await tenant.deadLetters(filter)).toSorted();
    expect(await found({ kind: 'execution' })).toEqual(ids.toSorted());
    expect(await found({ kind: 'payment' })).toEqual([payment]);
    expect(await found({ jobId: job.id })).toEqual(ids.slice(0, 2).toSorted());
    expect(await found({ jobId: other.id, code: 'PROCESSOR_FAILED' })).toEqual(ids.slice(2));
    expect(await found({ jobId: other.id, kind: 'payment' })).toEqual([]);
    expect(await found({ asset: 'USD' })).toEqual([payment]);
    expect(await found({ asset: 'USD', kind: 'execution' })).toEqual([]);
    expect(await found({ kind: 'execution', failedBefore: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await refusalOf(tenant.deadLetters({ jobId: 'no id' }))).toBe('JOB_NOT_FOUND');
  });

  test('is one tenant’s own', async () => {
    const { ids, tenant } = await desk();
    const { tenant: other } = await desk();
    const [id = ''] = ids;
    for (const act of [
      () => other.deadLetter(id),
      () => other.retryDeadLetter(id),
      () => other.discardDeadLetter(id, 'not ours'),
    ])
      expect(await refusedUnchanged(store.owner, tenant.id, act)).toBe('DEAD_LETTER_NOT_FOUND');
  });
});

describe('an execution on the desk', () => {
  test('that is retried waits again, and is off the desk', async () => {
    const { tenant, ids } = await desk();
    const [id = ''] = ids;
    await tenant.retryDeadLetter(id, { reason: 'the mail server is back' });
    expect(await tenant.execution(id)).toMatchObject({ status: 'pending', attemptNumber: 3 });
    expect(await refusedUnchanged(store.owner, tenant.id, () => tenant.retryDeadLetter(id))).toBe(
      'DEAD_LETTER_NOT_FOUND',
    );
  });

  test('by twenty at once is retried once', async () => {
    const { tenant, ids } = await desk();
    const [id = ''] = ids;
    const codes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(tenant.retryDeadLetter(id))));
    expect(codes.filter((code) => code === 'not refused')).toHaveLength(1);
    expect(await store.owner.query('select from usance.execution_queue where id = $1::uuid', [id])).toHaveLength(1);
  });

  test('is retried with all that a filter finds; those of a deleted job stay, and say why', async () => {
    const { tenant, other, ids, payment } = await desk();
    await tenant.deleteJob(other.id);
    expect(await tenant.retryDeadLetters({})).toMatchObject({
      retried: [payment, ...ids.slice(0, 2)].toSorted().map((id) => ({ id })),
      refused: [{ kind: 'execution', id: ids[2], code: 'JOB_DELETED' }],
      next: null,
    });
    expect(names(await tenant.deadLetters())).toEqual([ids[2]]);
  });

  test('is retried by its job alone', async () => {
    const { tenant, job, ids } = await desk();
    const { retried } = await tenant.retryDeadLetters({ jobId: job.id, code: 'PROCESSOR_FAILED' });
    expect(retried.map(({ id }) => id)).toEqual(ids.slice(0, 2).toSorted());
    expect(await tenant.deadLetters()).toHaveLength(2);
  });

  test('that is discarded stays failed, with the reason on record; with a reason, and once', async () => {
    const { tenant, ids } = await desk();
    const [id = ''] = ids;
    const discard = (reason: string) => () => tenant.discardDeadLetter(id, reason);
    expect(await refusedUnchanged(store.owner, tenant.id, discard(' '))).toBe('FIELD_INVALID');
    await discard('the receipt was sent by hand')();
    expect(await refusedUnchanged(store.owner, tenant.id, discard('again'))).toBe('DEAD_LETTER_NOT_FOUND');
    expect(await tenant.execution(id)).toMatchObject({ status: 'failed' });
    const [event] = await store.owner.query(
      'select type, actor, data from usance.events where resource_id = $1::uuid',
      [id],
    );
    expect(event).toMatchObject({
      type: 'execution.discarded',
      actor: 'library',
      data: { reason: 'the receipt was sent by hand' },
    });
    // It can still be retried by its id.
    expect(await tenant.retryExecution(id)).toMatchObject({ status: 'pending' });
  });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
