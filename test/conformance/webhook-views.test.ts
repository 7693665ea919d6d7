// The table of webhooks of the design of payouts, as a view: every column, and a real row of every status.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/db/index.ts';
import { matchAll, order } from '../jobs/matcher.ts';
import { addWorker, claim } from '../jobs/worker-rows.ts';
import { useUsance } from '../support/database.ts';
import { useReceiver } from '../support/receiver.ts';
import { DELIVERING, addEndpoint, deliver, makeDue } from '../support/webhooks.ts';

const COLUMNS = [
  'id',
  'event_id',
  'endpoint_id',
  'event_type',
  'webhook_url',
  'status',
  'delivered',
  'attempts',
  'last_attempt_at',
  'next_attempt_at',
  'error',
  'created_at',
];

describe('the view webhook_events', () => {
  const store = useUsance(DELIVERING);
  const receiver = useReceiver();
  const endpoints = new Map<string, string>();
  const docs = (text: string, schema = 'usance_docs'): Promise<Row[]> =>
    store.db.transaction(async (tx) => {
      await tx.query(`set local search_path = ${schema}`);
      return tx.query(text);
    });
  const add = async (name: string, ...statuses: number[]) => {
    receiver.answer(`/${name}`, ...statuses);
    const url = `${receiver.url(`/${name}`)}?token=planted`;
    const { id } = await addEndpoint(store.tenant, { url, eventPattern: 'account.created', retry: 'webhook-quick' });
    endpoints.set(id, name);
    return id;
  };

  beforeAll(async () => {
    const { tenant, usance, owner } = store;
    await order(usance);
    await add('delivered', 204);
    await add('dead', 410);
    await add('retried', 500, 204);
    await add('waiting', 503);
    const cancelled = await add('cancelled', 500);
    await tenant.openAccount({ ref: 'alice' });
    await deliver(usance);
    await tenant.deleteWebhookEndpoint(cancelled);
    await usance.loops.find(({ name }) => name === 'rescuer')?.runOnce();
    await makeDue(owner);
    await deliver(usance);
    const running = await add('running', 200);
    const fresh = await add('fresh', 200);
    for (const id of [...endpoints.keys()].filter((one) => one !== running && one !== fresh && one !== cancelled))
      await tenant.updateWebhookEndpoint(id, { enabled: false });
    await tenant.openAccount({ ref: 'bob' });
    await order(usance);
    await matchAll(usance);
    await claim(owner, running, await addWorker(owner), 1);
  });

  test('has every column of the design', async () => {
    const rows = await docs(`select ${COLUMNS.join(', ')} from webhook_events`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row['event_type'])).toEqual(rows.map(() => 'account.created'));
  });

  test('has a row of every status, and the URL without its query', async () => {
    const rows = await docs('select * from webhook_events');
    const told = rows.map((row) => [
      endpoints.get(String(row['endpoint_id'])),
      row['status'],
      row['delivered'],
      row['attempts'],
      ...['last_attempt_at', 'next_attempt_at', 'error'].map((column) => row[column] !== null),
    ]);
    expect(told.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual([
      ['cancelled', 'cancelled', false, 1, true, false, true],
      ['dead', 'failed', false, 1, true, false, true],
      ['delivered', 'completed', true, 1, true, false, false],
      ['fresh', 'pending', false, 0, false, true, false],
      ['retried', 'completed', true, 2, true, false, false],
      ['running', 'running', false, 1, true, false, false],
      ['waiting', 'pending', false, 2, true, true, true],
    ]);
    for (const row of rows)
      expect(row['webhook_url']).toBe(receiver.url(`/${endpoints.get(String(row['endpoint_id']))}`));
  });

  test('answers the query of the worker of the design, and the rate of its alert', async () => {
    const waiting = await docs('select id from webhook_events where delivered = false and attempts < 5');
    expect(waiting.length).toBe(5);
    const [rate] = await docs(
      `select round(100.0 * count(*) filter (where delivered) / count(*)) as percent from webhook_events where last_attempt_at > now() - interval '1 hour'`,
    );
    expect(Number(rate?.['percent'])).toBe(33);
  });

  test('has no rows of live tenants among those of test tenants', async () => {
    expect(await docs('select * from webhook_events', 'usance_docs_test')).toEqual([]);
  });
});
