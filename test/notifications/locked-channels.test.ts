// Channels that a caller's transaction has locked: no connection of the process waits for it, and no other channel.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asNumber, only } from '../../src/db/index.ts';
import { freshTenant, matchAll, order } from '../jobs/matcher.ts';
import { open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { failPayments, sendAll, useReceiver } from './channels.fixture.ts';

const receiver = await useReceiver();
const store = useUsance({ outbound: { loopback: true } });

test('channels that a caller has locked are set aside, and the others are told at once', async () => {
  const tenant = await freshTenant(store.usance);
  await tenant.createAsset('USD/2');
  await open(tenant, { alice: 0, bob: 0 });
  await order(store.usance);
  const add = (name: string) =>
    tenant.createNotificationChannel({ name, kind: 'slack', url: receiver.url(`/${name}`), topics: ['dead_letters'] });
  const locked = [await add('c0'), await add('c1'), await add('c2'), await add('c3')].map(({ channel }) => channel.id);
  await add('free');
  await failPayments(tenant, 3);
  await order(store.usance);
  await matchAll(store.usance);
  let waiting = 0;
  await store.owner.transaction(async (tx) => {
    await tx.query(
      'select from usance.notification_channels where id in (select e::uuid from jsonb_array_elements_text($1::jsonb) e) for update',
      [JSON.stringify(locked)],
    );
    const run = sendAll(store.usance).then(() => 'over' as const);
    while ((await Promise.race([run, pause(20)])) !== 'over') {
      const rows = await tx.query(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = Math.max(waiting, asNumber(only(rows)['waiting']));
    }
    expect(receiver.posted('/free')).toHaveLength(3);
  });
  expect(waiting).toBe(0);
  expect(receiver.posted('/c0')).toEqual([]);
  await pause(1_100);
  await sendAll(store.usance);
  for (const name of ['c0', 'c1', 'c2', 'c3']) expect(receiver.posted(`/${name}`)).toHaveLength(3);
});
