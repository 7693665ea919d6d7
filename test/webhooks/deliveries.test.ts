// Deliveries as they are read, sent again and recovered, beside executions of other jobs.
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { newId } from '../../src/kernel/index.ts';
import { freshTenant, matchAll, order } from '../jobs/matcher.ts';
import { addWorker, claim } from '../jobs/worker-rows.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addExecution, addJob } from '../support/jobs.ts';
import { useReceiver } from '../support/receiver.ts';
import { refusalOf } from '../support/refusal.ts';
import { DELIVERING, addEndpoint, deliver, send } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);
const receiver = useReceiver();
let count = 0;
const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

/** A tenant with an endpoint that gets `account.created` at its own path. */
async function receiving(...answers: number[]) {
  const tenant = await freshTenant(store.usance);
  const path = `/${(count += 1)}`;
  receiver.answer(path, ...(answers.length === 0 ? [200] : answers));
  const endpoint = await addEndpoint(tenant, { url: receiver.url(path), eventPattern: 'account.created' });
  return { tenant, path, endpoint };
}

async function pages(tenant: TenantHandle, filter: object, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let before: string | null = null;
  do {
    const page: Awaited<ReturnType<TenantHandle['deliveries']>> = await tenant.deliveries(filter, {
      limit,
      ...(before === null ? {} : { before }),
    });
    ids.push(...page.deliveries.map(({ id }) => id));
    before = page.next;
  } while (before !== null);
  return ids;
}

describe('the deliveries of a tenant', () => {
  test('are those of its endpoints, page by page, without executions of its other jobs', async () => {
    const { tenant, endpoint } = await receiving();
    const other = await addEndpoint(tenant);
    const job = await addJob(store.owner, tenant);
    const own: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      for (const of of [endpoint, other]) own.push(await addExecution(store.owner, of, 'completed'));
      for (let m = 0; m < 3; m += 1) await addExecution(store.owner, job, 'completed');
    }
    expect((await pages(tenant, {}, 3)).toSorted()).toEqual(own.toSorted());
    expect(await pages(tenant, { endpointId: endpoint.id }, 3)).toHaveLength(4);
    expect(await pages(tenant, { endpointId: job.id }, 3)).toEqual([]);
    expect(await pages(tenant, { endpointId: 'whe_none' }, 3)).toEqual([]);
    const mine = await receiving();
    expect(await pages(mine.tenant, { endpointId: endpoint.id }, 3)).toEqual([]);
  });

  test('have a status each, and are filtered by it', async () => {
    const { tenant, endpoint } = await receiving();
    const ids = new Map<string, string>();
    for (const status of STATUSES) ids.set(status, await addExecution(store.owner, endpoint, status));
    for (const status of STATUSES) {
      expect((await tenant.deliveries({ status })).deliveries, status).toMatchObject([{ id: ids.get(status), status }]);
      expect(await tenant.delivery(ids.get(status) ?? '')).toMatchObject({ status, endpointId: endpoint.id });
    }
    expect(await refusalOf(tenant.deliveries({ status: 'lost' as 'failed' }))).toBe('FIELD_INVALID');
  });

  test('are not those of another tenant, nor executions of a job', async () => {
    const { endpoint } = await receiving();
    const delivery = await addExecution(store.owner, endpoint, 'failed');
    const { tenant } = await receiving();
    const execution = await addExecution(store.owner, await addJob(store.owner, tenant), 'failed');
    for (const id of [delivery, execution, newId(), 'exe_none']) {
      expect(await refusalOf(tenant.delivery(id))).toBe('DELIVERY_NOT_FOUND');
      expect(await refusalOf(tenant.redeliver(id))).toBe('DELIVERY_NOT_FOUND');
    }
  });

  test('show the attempt of a worker that died without a request, and are sent by the next one', async () => {
    const { tenant, path, endpoint } = await receiving();
    await tenant.openAccount({ ref: 'lost' });
    await order(store.usance);
    await matchAll(store.usance);
    const [id = ''] = await claim(
      store.owner,
      endpoint.id,
      await addWorker(store.owner, { silentFor: 20, leasedFor: -5 }),
    );
    expect(await tenant.delivery(id)).toMatchObject({
      status: 'running',
      attempts: [{ status: 'running', request: null }],
    });
    await store.usance.loops.find(({ name }) => name === 'rescuer')?.runOnce();
    await send(store.usance);
    expect(await tenant.delivery(id)).toMatchObject({
      status: 'completed',
      attempts: [
        { number: 1, status: 'failed', code: 'WORKER_LOST', request: null, response: null },
        { number: 2, status: 'success', request: { url: receiver.url(path) } },
      ],
    });
  });
});

describe('a delivery', () => {
  test('that completed or failed is sent again, with all its attempts and the same webhook-id', async () => {
    const { tenant, path, endpoint } = await receiving(200, 410, 200);
    await tenant.openAccount({ ref: 'again' });
    await deliver(store.usance);
    const {
      deliveries: [found],
    } = await tenant.deliveries({ endpointId: endpoint.id });
    const id = found?.id ?? '';
    expect(await tenant.redeliver(id, { reason: 'lost' })).toMatchObject({ status: 'pending', attemptNumber: 1 });
    await send(store.usance);
    expect(await tenant.delivery(id)).toMatchObject({ status: 'failed', code: 'ENDPOINT_GONE', attemptNumber: 2 });
    expect(await refusalOf(tenant.redeliver(id))).toBe('WEBHOOK_ENDPOINT_DISABLED');
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: true });
    await tenant.redeliver(id);
    await send(store.usance);
    const done = await tenant.delivery(id);
    expect(done).toMatchObject({ status: 'completed', attemptNumber: 3, code: null });
    expect(done.attempts.map(({ response }) => response?.status)).toEqual([200, 410, 200]);
    expect(new Set(receiver.got(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(['pending', 'running', 'cancelled'] as const)('that is %s is not sent again', async (status) => {
    const { tenant, endpoint } = await receiving();
    expect(await refusalOf(tenant.redeliver(await addExecution(store.owner, endpoint, status)))).toBe(
      'DELIVERY_NOT_REDELIVERABLE',
    );
  });

  test('that failed is a dead letter: filtered by its endpoint, retried, discarded', async () => {
    const { tenant, endpoint } = await receiving();
    const other = await addEndpoint(tenant);
    const [one, two] = [
      await addExecution(store.owner, endpoint, 'failed'),
      await addExecution(store.owner, endpoint, 'failed'),
    ];
    const three = await addExecution(store.owner, other, 'failed');
    expect((await tenant.deadLetters({ jobId: endpoint.id })).map(({ id }) => id).toSorted()).toEqual(
      [one, two].toSorted(),
    );
    await tenant.discardDeadLetter(one, 'no longer wanted');
    expect(await tenant.delivery(one)).toMatchObject({ status: 'failed' });
    expect(await tenant.retryDeadLetters({ jobId: endpoint.id })).toMatchObject({
      retried: [{ id: two }],
      refused: [],
    });
    expect(await tenant.delivery(two)).toMatchObject({ status: 'pending' });
    // A verb of jobs on the row of an endpoint that is gone.
    await tenant.deleteWebhookEndpoint(other.id);
    expect(await refusalOf(tenant.retryExecution(three))).toBe('JOB_DELETED');
    expect(await refusalOf(tenant.redeliver(three))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    expect(await tenant.delivery(three)).toMatchObject({ status: 'failed' });
  });
});

describe('recover', () => {
  test('retries what failed since an instant, and leaves completed and earlier deliveries alone', async () => {
    const { tenant, path, endpoint } = await receiving(410, 200);
    await tenant.openAccount({ ref: 'early' });
    await deliver(store.usance);
    const since = new Date();
    receiver.answer(path, 410);
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: true });
    await tenant.openAccount({ ref: 'late' });
    await deliver(store.usance);
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: true });
    receiver.answer(path, 200);
    expect(await tenant.recoverWebhookEndpoint(endpoint.id, { since })).toEqual({
      retried: 1,
      next: null,
      missed: 0,
      missedIsAtLeast: false,
      from: since,
    });
    await deliver(store.usance);
    const { deliveries } = await tenant.deliveries({ endpointId: endpoint.id });
    expect(deliveries.map(({ status }) => status)).toEqual(['completed', 'failed']);
    const [recovered] = await tenant.events({ type: 'webhook_endpoint.recovered' });
    expect(recovered).toMatchObject({
      resourceId: endpoint.id,
      data: { retried: 1, missed: 0, since: since.toISOString() },
    });
  });

  test('sends nothing from before the endpoint was created, and counts what it missed, in a dry run too', async () => {
    const tenant = await freshTenant(store.usance);
    for (const ref of ['before-1', 'before-2']) await tenant.openAccount({ ref });
    await order(store.usance);
    const path = `/born-${(count += 1)}`;
    receiver.answer(path, 200);
    const endpoint = await addEndpoint(tenant, { url: receiver.url(path), eventPattern: 'account.created' });
    await deliver(store.usance);
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: false });
    for (const ref of ['missed-1', 'missed-2', 'missed-3']) await tenant.openAccount({ ref });
    await order(store.usance);
    await tenant.updateWebhookEndpoint(endpoint.id, { enabled: true });
    const found = { retried: 0, missed: 3, missedIsAtLeast: false, from: endpoint.createdAt };
    const longAgo = { since: new Date(0) };
    expect(await tenant.recoverWebhookEndpoint(endpoint.id, longAgo)).toMatchObject(found);
    expect(await tenant.recoverWebhookEndpoint(endpoint.id, { since: new Date() })).toMatchObject({ missed: 0 });
    await deliver(store.usance);
    const { deliveries } = await tenant.deliveries({ endpointId: endpoint.id });
    expect(deliveries).toHaveLength(3);
    expect(receiver.got(path)).toHaveLength(3);
    expect(await tenant.recoverWebhookEndpoint(endpoint.id, longAgo)).toMatchObject({ ...found, missed: 0 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('since an instant in the future is refused', async () => {
    const { tenant, endpoint } = await receiving();
    const since = new Date(Date.now() + 60_000);
    expect(await refusalOf(tenant.recoverWebhookEndpoint(endpoint.id, { since }))).toBe('FIELD_INVALID');
  });

  test('of another tenant, or by a cursor that is none, is refused', async () => {
    const { endpoint } = await receiving();
    const { tenant, endpoint: own } = await receiving();
    expect(await refusalOf(tenant.recoverWebhookEndpoint(endpoint.id, { since: new Date() }))).toBe(
      'WEBHOOK_ENDPOINT_NOT_FOUND',
    );
    expect(await refusalOf(tenant.recoverWebhookEndpoint(own.id, { since: new Date(), after: 'x' }))).toBe(
      'ID_INVALID',
    );
    expect(await refusalOf(tenant.recoverWebhookEndpoint(own.id, { since: 'yesterday' }))).toBe('DELAY_INVALID');
  });
});
