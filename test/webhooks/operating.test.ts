// What operators see and what leaves: bodies by age and by erasure, old attempts, metrics, the checks of verify, and rights.
import { describe, expect, test } from 'vitest';
import { asText } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { dueSince } from '../../src/jobs/index.ts';
import { deleteDeliveryBodies, forgetDeliveryAttempts, readEndpointHealth } from '../../src/webhooks/index.ts';
import { freshTenant } from '../jobs/matcher.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { useReceiver } from '../support/receiver.ts';
import { DELIVERING, addEndpoint, deliver, makeDue, send } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);
const receiver = useReceiver();
let count = 0;
const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** A delivery whose receiver repeats what it got. */
async function echoed(...statuses: number[]) {
  const tenant = await freshTenant(store.usance);
  const path = `/${(count += 1)}`;
  receiver.answer(
    path,
    ...(statuses.length === 0 ? [200] : statuses).map((status) => ({ status, body: 'you sent planted-mail' })),
  );
  const endpoint = await addEndpoint(tenant, { url: receiver.url(path), eventPattern: 'account.created' });
  await tenant.openAccount({ ref: `echo-${count}` });
  await deliver(store.usance);
  const {
    deliveries: [found],
  } = await tenant.deliveries({ endpointId: endpoint.id });
  return {
    tenant,
    endpoint,
    path,
    id: found?.id ?? expect.fail('there is no delivery'),
    eventId: found?.eventId ?? '',
  };
}
const response = async (tenant: TenantHandle, id: string, attempt = 0) => (await tenant.delivery(id)).attempts[attempt];
const age = (executionId: string, days: number): Promise<unknown> =>
  store.owner.query(
    `update usance.delivery_attempts set ended_at = now() - make_interval(days => $2::int) where execution_id = $1::uuid`,
    [executionId, days],
  );

describe('bodies of responses', () => {
  test('are deleted after a number of days, with the digest of the request; status and timing stay', async () => {
    const [old, young] = [await echoed(), await echoed()];
    await age(old.id, 31);
    await age(young.id, 29);
    expect(await deleteDeliveryBodies(store.db, daysAgo(30), 1_000)).toBe(1);
    expect(await deleteDeliveryBodies(store.db, daysAgo(30), 1_000)).toBe(0);
    expect(await response(old.tenant, old.id)).toMatchObject({
      request: { digest: null, bytes: expect.any(Number) },
      response: { status: 200, body: null, headers: null },
      timing: { totalMs: expect.any(Number) },
    });
    expect(await response(young.tenant, young.id)).toMatchObject({ response: { body: 'you sent planted-mail' } });
  });

  test('of the last hour are never deleted by age', async () => {
    await expect(deleteDeliveryBodies(store.db, new Date(), 10)).rejects.toThrow('bodies of the last hour');
  });

  test('are deleted when their event is erased, also those of attempts that come later', async () => {
    const { tenant, id, eventId } = await echoed(500, 200);
    await tenant.eraseAuditEvent(eventId, 'asked for by the person');
    expect(await response(tenant, id)).toMatchObject({
      request: { digest: null },
      response: { status: 500, body: null },
    });
    await makeDue(store.owner);
    await send(store.usance);
    const rows = await store.owner.query(
      `select row_to_json(a)::text as text from usance.delivery_attempts a where execution_id = $1::uuid`,
      [id],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(asText(row['text'])).not.toContain('planted-mail');
    // What was erased is not sent: the delivery ends.
    expect((await tenant.delivery(id)).status).not.toBe('pending');
  });
});

test('old attempts are forgotten with their executions, and the deliveries that are left can be read', async () => {
  const { tenant, id } = await echoed();
  await store.owner.query(
    `update usance.delivery_attempts set ended_at = now() - interval '100 days',
       id = usance.hashed_id(usance.first_id_at(now() - interval '100 days'), 'old') where execution_id = $1::uuid`,
    [id],
  );
  expect(await forgetDeliveryAttempts(store.db, daysAgo(90), 1_000)).toEqual({ months: 0, rows: 1 });
  expect(await tenant.delivery(id)).toMatchObject({
    status: 'completed',
    sent: null,
    attempts: [{ request: null, response: null }],
  });
  await expect(forgetDeliveryAttempts(store.db, new Date(), 10)).rejects.toThrow('attempts of the last day');
});

test('the runtime role can insert attempts, and neither change nor delete them', async () => {
  const { id } = await echoed();
  for (const statement of ['update usance.delivery_attempts set url = null', 'delete from usance.delivery_attempts'])
    await expect(store.db.query(`${statement} where execution_id = $1::uuid`, [id])).rejects.toThrow(
      'permission denied',
    );
});

test('metrics count endpoints that fail and that were disabled, and how late deliveries of the others are', async () => {
  const before = await readEndpointHealth(store.db);
  const [failing, gone] = [await echoed(500), await echoed(410)];
  const after = await readEndpointHealth(store.db);
  expect(after.failing.filter((id) => !before.failing.includes(id))).toEqual([failing.endpoint.id]);
  expect(after.disabled - before.disabled).toBe(1);
  expect(await gone.tenant.webhookEndpoint(gone.endpoint.id)).toMatchObject({ disabledReason: 'gone' });

  await store.owner.query(
    `update usance.execution_queue set due_at = now() - interval '1 hour' where job_id = $1::uuid`,
    [failing.endpoint.id],
  );
  const since = (except: readonly string[]) => dueSince(store.db, new Date(), 'webhook-delivery', except);
  expect((await since([]))?.getTime()).toBeLessThan(Date.now() - 3_590_000);
  expect(await since(after.failing)).toBeNull();
});

describe('verify', () => {
  test('finds an endpoint whose state differs from that of its job', async () => {
    const { endpoint } = await echoed();
    expect(await troubles(store.usance)).toEqual([]);
    await store.owner.query(`update usance.webhook_endpoints set disabled_reason = 'caller' where id = $1::uuid`, [
      endpoint.id,
    ]);
    expect(JSON.stringify(await troubles(store.usance))).toContain('endpoints-own-their-jobs');
    await store.owner.query(`update usance.webhook_endpoints set disabled_reason = null where id = $1::uuid`, [
      endpoint.id,
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
