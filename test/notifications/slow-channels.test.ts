// Channels that hang or fail: what they hold of the worker, and that other channels and other tenants are told meanwhile.
import { expect, test, vi } from 'vitest';
import type { Channel, TenantHandle } from '../../src/engine.ts';
import { freshTenant } from '../jobs/matcher.ts';
import { enqueue, someEvent } from '../jobs/queue.ts';
import { useUsance } from '../support/database.ts';
import { sendAll, useReceiver } from './channels.fixture.ts';

const receiver = await useReceiver();
const store = useUsance({ outbound: { loopback: true } });
/** Of the loop: messages of a worker at the same time, of a tenant, of a channel, and those that are kept for tenants that send little. */
const [ALL, OF_A_TENANT, OF_A_CHANNEL, KEPT] = [40, 20, 4, 8];
let count = 0;

interface Sending {
  readonly path: string;
  readonly channel: Channel;
  /** Messages that wait from now on. */
  happen(messages: number): Promise<void>;
}

async function channelOf(tenant: TenantHandle): Promise<Sending> {
  const path = `/slow-${(count += 1)}`;
  const { channel } = await tenant.createNotificationChannel({
    name: `channel ${count}`,
    kind: 'webhook',
    url: receiver.url(path),
    topics: ['dead_letters'],
    maxPerMinute: 60,
  });
  const event = await someEvent(store.usance, tenant);
  const job = { tenantId: channel.tenantId, id: channel.id };
  return {
    path,
    channel,
    happen: async (messages) => void (await enqueue(store.owner, job, { count: messages, event })),
  };
}

const held = (channels: readonly Sending[]): number =>
  channels.reduce((sum, { path }) => sum + receiver.posted(path).length, 0);

test('a channel that hangs delays neither the other channels of its tenant nor other tenants', async () => {
  const tenant = await freshTenant(store.usance);
  const hanging = await channelOf(tenant);
  const others = [await channelOf(tenant), await channelOf(await freshTenant(store.usance))];
  receiver.answers(hanging.path, 'hang');
  for (const one of [hanging, ...others]) await one.happen(12);
  const run = sendAll(store.usance);
  for (const { path } of others) await receiver.reached(path, 12);
  await receiver.reached(hanging.path, OF_A_CHANNEL);
  expect(receiver.posted(hanging.path)).toHaveLength(OF_A_CHANNEL);
  receiver.release(hanging.path);
  await run;
  expect(receiver.posted(hanging.path)).toHaveLength(12);
});

test('a channel whose last five messages failed has one slot, and the others of its tenant are told meanwhile', async () => {
  const tenant = await freshTenant(store.usance);
  const [failing, quick] = [await channelOf(tenant), await channelOf(tenant)];
  receiver.answers(failing.path, (nth) => (nth <= 5 ? 503 : 'hang'));
  await failing.happen(12);
  const run = sendAll(store.usance);
  await receiver.reached(failing.path, 6);
  await quick.happen(12);
  await receiver.reached(quick.path, 12);
  expect(receiver.posted(failing.path)).toHaveLength(6);
  receiver.release(failing.path);
  await run;
  expect(await tenant.notificationChannel(quick.channel.id)).toMatchObject({ failingSince: null });
  // Those that failed wait for their next attempts; the seven others were sent.
  expect(receiver.posted(failing.path)).toHaveLength(12);
});

test.each([1, 2])('hanging channels of %d tenants leave the first messages of another their slots', async (tenants) => {
  await store.owner.query('truncate usance.execution_queue');
  const hanging: Sending[] = [];
  for (let n = 0; n < tenants; n += 1) {
    const tenant = await freshTenant(store.usance);
    for (let m = 0; m < 6; m += 1) hanging.push(await channelOf(tenant));
  }
  for (const one of hanging) {
    receiver.answers(one.path, 'hang');
    await one.happen(OF_A_CHANNEL);
  }
  const quiet = await channelOf(await freshTenant(store.usance));
  const run = sendAll(store.usance);
  const most = tenants === 1 ? OF_A_TENANT : ALL - KEPT;
  await vi.waitFor(() => expect(held(hanging)).toBe(most), 10_000);
  await quiet.happen(2);
  await receiver.reached(quiet.path, 2);
  // They arrive while every slow one is held: no message more of those was begun.
  expect(held(hanging)).toBe(most);
  for (const { path } of hanging) receiver.release(path);
  await run;
  expect(held(hanging)).toBe(hanging.length * OF_A_CHANNEL);
});
