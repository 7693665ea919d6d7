// Deliveries of endpoints that answered 410, or were deleted, while others were under way.
import { expect, test } from 'vitest';
import { freshTenant, matchAll, order } from '../jobs/matcher.ts';
import { useUsance } from '../support/database.ts';
import { useReceiver } from '../support/receiver.ts';
import { DELIVERING, addEndpoint, deliver, makeDue, send } from '../support/webhooks.ts';

const store = useUsance(DELIVERING);
const receiver = useReceiver();
const statesOf = async (id: string): Promise<Record<string, number>> => {
  const rows = await store.owner.query(
    `select status, count(*)::int as rows from (
       select status from usance.executions where job_id = $1::uuid
       union all select 'waiting' from usance.execution_queue where job_id = $1::uuid) e group by status`,
    [id],
  );
  return Object.fromEntries(rows.map(({ status, rows: count }) => [String(status), Number(count)]));
};

test('deliveries that have not begun when an endpoint answers 410 wait, and are sent once it is enabled again', async () => {
  const tenant = await freshTenant(store.usance);
  receiver.answer('/gone', 410);
  const { id } = await addEndpoint(tenant, { url: receiver.url('/gone'), eventPattern: 'account.created' });
  for (let n = 0; n < 40; n += 1) await tenant.openAccount({ ref: `a${n}` });
  await deliver(store.usance);
  const { failed = 0, waiting = 0 } = await statesOf(id);
  expect(failed + waiting).toBe(40);
  expect(failed).toBeLessThan(20);
  expect(await tenant.webhookEndpoint(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
  receiver.answer('/gone', 200);
  await tenant.updateWebhookEndpoint(id, { enabled: true });
  await new Promise((resolve) => void setTimeout(resolve, 1_100));
  await makeDue(store.owner);
  await send(store.usance);
  expect(await statesOf(id)).toEqual({ failed, completed: 40 - failed });
});

test('a delivery under way when its endpoint is deleted ends as cancelled if it fails: nobody could retry it', async () => {
  const tenant = await freshTenant(store.usance);
  receiver.answer('/deleted', { status: 500, afterMs: 500 });
  const { id } = await addEndpoint(tenant, { url: receiver.url('/deleted'), eventPattern: 'account.created' });
  for (let n = 0; n < 4; n += 1) await tenant.openAccount({ ref: `d${n}` });
  await order(store.usance);
  await matchAll(store.usance);
  const sending = send(store.usance);
  await receiver.until('/deleted', 4);
  await tenant.deleteWebhookEndpoint(id);
  await sending;
  expect(await statesOf(id)).toEqual({ cancelled: 4 });
  expect(await tenant.deadLetters({ kind: 'execution' })).toEqual([]);
});
