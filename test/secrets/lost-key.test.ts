// A lost encryption key: what it encrypted is given up, and everything works again with another key.
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { SetupError } from '../../src/kernel/index.ts';
import { createSecrets, newSecretKey } from '../../src/secrets/index.ts';
import { openMailServer, sendEmails, useMailServers } from '../notifications/mail.fixture.ts';
import { matchAll, order } from '../jobs/matcher.ts';
import { key, troubles } from '../support/books.ts';
import { useDatabase } from '../support/database.ts';
import { useReceiver, verified } from '../support/receiver.ts';
import { DELIVERING } from '../support/webhooks.ts';

const [LOST, NEXT] = [newSecretKey(), newSecretKey()];
const idOf = (one: string): string => createSecrets({ key: one }).keyId ?? '';
const database = useDatabase();
const receiver = useReceiver();
useMailServers();
const mail = await openMailServer();
const opened = new Set<Engine>();
const notices: string[] = [];
afterAll(async () => {
  for (const engine of opened) await engine.close();
});

async function start(encryptionKey: string): Promise<Engine> {
  const engine = await createEngine({
    ...DELIVERING,
    databaseUrl: database.runtimeUrl,
    migrate: false,
    encryption: { key: encryptionKey },
    onNotice: (line) => void notices.push(line),
    notifications: {
      smtp: {
        url: `smtp://127.0.0.1:${mail.port}?tls=none`,
        from: 'payments@usance.example.com',
        publicUrl: 'https://pay.example.com',
      },
    },
  });
  opened.add(engine);
  return engine;
}

async function stop(engine: Engine): Promise<void> {
  opened.delete(engine);
  await engine.close();
}

/** Orders and matches the events so far, and runs a loop. */
async function resident(engine: Engine, name: string): Promise<void> {
  await order(engine);
  await matchAll(engine);
  await engine.loops.find((one) => one.name === name)?.runOnce();
}

/** The statement of the operator's page, for a key. */
async function documented(keyId: string): Promise<string> {
  const page = await readFile(new URL('../../docs/operating/security.md', import.meta.url), 'utf8');
  const [, statement = ''] = /```sql\n(select \* from usance\.give_up_.*)\n```/.exec(page) ?? [];
  return statement.replace('1a2b3c4d', keyId);
}

test('a lost key is given up in one statement, and everything works again with another', async () => {
  const before = await start(LOST);
  const { id: tenantId } = await before.createTenant({ name: 'shop' });
  const shop = await before.tenant(tenantId);
  await shop.createAsset('USD/2');
  await shop.openAccount({ ref: 'alice' });
  await shop.deposit({ account: 'alice', asset: 'USD', amount: 100_00n, idempotencyKey: key() });
  await shop.openAccount({ ref: 'bob', contact: { email: 'bob@example.com' } });
  await order(before);
  const { endpoint } = await shop.createWebhookEndpoint({
    url: receiver.url('/hook'),
    eventPattern: 'account.created',
    headers: { 'x-shop': 'main' },
  });
  await shop.rotateWebhookSecret(endpoint.id);
  const slack = await shop.createNotificationChannel({ name: 'ops', kind: 'slack', url: receiver.url('/slack') });
  const signed = await shop.createNotificationChannel({ name: 'own', kind: 'webhook', url: receiver.url('/own') });
  await shop.updateEmailSettings({ enabled: true, kinds: ['payment_received'] });
  await stop(before);

  await expect(start(NEXT)).rejects.toThrow(SetupError);
  expect(await database.owner.query(await documented(idOf(LOST)))).toEqual([
    { given_up: 'contacts of accounts', count: '1' },
    { given_up: 'previous secrets of webhook endpoints', count: '1' },
    { given_up: 'headers of webhook endpoints', count: '1' },
    { given_up: 'secrets of webhook endpoints', count: '1' },
    { given_up: 'URLs and secrets of notification channels', count: '2' },
    { given_up: 'secrets of links to unsubscribe', count: '1' },
  ]);

  const after = await start(NEXT);
  const tenant = await after.tenant(tenantId);
  const keys = await database.owner.query('select id from usance.encryption_keys');
  expect(keys).toEqual([{ id: idOf(NEXT) }]);
  expect(await troubles(after)).toEqual([]);

  expect((await tenant.account('bob')).contact).toBeNull();
  await tenant.editAccount('bob', { contact: { email: 'bob@example.com' } });

  expect(await tenant.webhookEndpoint(endpoint.id)).toMatchObject({ enabled: true, headerNames: [] });
  await tenant.openAccount({ ref: 'carol' });
  await resident(after, 'webhooks');
  expect(receiver.got('/hook')).toEqual([]);
  expect(await tenant.deliveries({ endpointId: endpoint.id })).toMatchObject({
    deliveries: [{ status: 'pending', attemptNumber: 0 }],
  });
  expect(notices).toContainEqual(expect.stringMatching(/^deliveries to whe_\w+ wait: .* rotate it$/));
  const { secret } = await tenant.rotateWebhookSecret(endpoint.id);

  for (const { channel } of [slack, signed]) await tenant.testNotificationChannel(channel.id);
  await resident(after, 'notifications');
  expect(notices.filter((line) => line.startsWith('messages of '))).toHaveLength(2);
  for (const [{ channel }, path] of [
    [slack, '/slack'],
    [signed, '/own'],
  ] as const)
    await tenant.updateNotificationChannel(channel.id, { url: receiver.url(path) });
  const own = await tenant.rotateNotificationSecret(signed.channel.id);
  await stop(after);

  // Set aside jobs rest for half a minute in a process: another one does not know of them.
  const restarted = await start(NEXT);
  for (const name of ['webhooks', 'notifications']) await resident(restarted, name);
  const [request = expect.fail('nothing was received')] = receiver.got('/hook');
  expect(verified(secret, request)).toMatchObject({ type: 'account.created' });
  expect(request.headers['x-shop']).toBeUndefined();
  expect(receiver.got('/slack')).toHaveLength(1);
  const [message = expect.fail('no message was received')] = receiver.got('/own');
  verified(own.secret ?? '', message);

  const sender = await restarted.tenant(tenantId);
  await sender.createPayment({ from: 'alice', to: 'bob', asset: 'USD', amount: 1_00n, idempotencyKey: key() });
  await restarted.loops.find(({ name }) => name === 'processor')?.runOnce();
  await sendEmails(restarted);
  expect(mail.mailsTo('bob@example.com')).toHaveLength(1);
  const token = /unsubscribe\/([\w-]+)/.exec(mail.mailsTo('bob@example.com')[0]?.text ?? '')?.[1] ?? '';
  expect(await restarted.unsubscribe.look(token)).toEqual({ sender: 'shop' });
  expect(await troubles(restarted)).toEqual([]);
});
