// The guide to notifications: its commands are pasted into a shell, beside a receiver in the place of Slack and a mail server.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import { sendAll, useReceiver } from '../notifications/channels.fixture.ts';
import { openMailServer, sendEmails, useMailServers } from '../notifications/mail.fixture.ts';
import { key } from '../support/books.ts';
import { textsOf } from './guide.ts';

// The first block makes a tenant and its key by a command, as those of the other guides do (test/cli); here the key is in the file already.
const [, ...commands] = textsOf('notify-people.md', 'sh');
useMailServers();
const server = await openMailServer();
const receiver = await useReceiver();
const smtp = {
  url: `smtp://127.0.0.1:${server.port}?tls=none`,
  from: 'pay@example.com',
  publicUrl: 'https://pay.example.com',
};
const store = useApi({ usance: { outbound: { loopback: true }, notifications: { smtp } } });
const folder = useFolder();

test('what the guide to notifications shows happens when it is pasted', { timeout: 60_000 }, async () => {
  const tenant = await store.usance.createTenant({ name: 'bakery' });
  const { secret } = await tenant.createApiKey({ name: 'bakery', role: 'admin' });
  writeFileSync(join(folder, 'bakery.json'), JSON.stringify({ key: { secret } }));
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, API: `${store.url}/v1`, HOOK: receiver.url('/services/T000/B000/XXXX') };
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', commands.join('\n')], { env, cwd: folder });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers).toMatchObject([
    { event_id: expect.stringMatching(/^evt_/) },
    { name: 'on call', kind: 'slack', enabled: true, topics: ['dead_letters', 'freezes'] },
    { enabled: false, from_name: 'The Bakery', kinds: ['payment_received', 'payment_failed'] },
    { id: 'payment_received.de' },
    { asset: 'EUR/2' },
    { ref: 'alice' },
    { ref: 'bob', contact: { locale: 'de-DE' } },
    { account: expect.stringMatching(/^acct_/) },
  ]);
  await tenant.updateEmailSettings({ enabled: true });
  await tenant.deleteEmailOptOut('bob');
  await tenant.deposit({ account: 'alice', asset: 'EUR', amount: 5_000n, idempotencyKey: key() });
  await tenant.createPayment({ from: 'alice', to: 'bob', asset: 'EUR', amount: 1_250n, idempotencyKey: key() });
  await store.run('processor');
  await sendEmails(store.usance);
  await sendAll(store.usance);
  expect(receiver.posted('/services/T000/B000/XXXX')).toHaveLength(1);
  expect(server.mailsTo('bob@example.com')).toMatchObject([
    { headers: { subject: '12,50 € von Alice', from: 'The Bakery <pay@example.com>' } },
  ]);
});
