// The guide to notifications: its commands are pasted into a shell, with a worker that sends and a mail server.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import { openMailServer, useMailServers } from '../notifications/mail.fixture.ts';
import { key } from '../support/books.ts';
import { filesOf, textsOf } from './guide.ts';
import { NOTIFY_GUIDE, sinkPort, stopSink } from './notify-people.ts';

// The first block makes a tenant and its key by a command, as those of the other guides do (test/cli); here the key is in the file already.
const [, ...commands] = textsOf(NOTIFY_GUIDE, 'sh');
useMailServers();
const server = await openMailServer();
const smtp = {
  url: `smtp://127.0.0.1:${server.port}?tls=none`,
  from: 'pay@example.com',
  publicUrl: 'https://pay.example.com',
};
const store = useApi({ usance: { outbound: { loopback: true }, notifications: { smtp } } });
const folder = useFolder();

test('what the guide to notifications shows happens when it is pasted', { timeout: 120_000 }, async () => {
  const tenant = await store.usance.createTenant({ name: 'bakery', kind: 'test' });
  const clock = await tenant.createTestClock({ name: 'bakery', now: '2027-01-01T00:00:00Z' });
  const { secret } = await tenant.createApiKey({ name: 'bakery', role: 'admin' });
  const made = { key: { secret }, clock: { id: toTypeId('testClock', clock.id) } };
  writeFileSync(join(folder, 'bakery.json'), JSON.stringify(made));
  for (const [name, text] of filesOf(NOTIFY_GUIDE)) writeFileSync(join(folder, name), text);
  store.usance.start(['clocks', 'sequencer', 'matcher', 'rescuer', 'notifications', 'emails']);
  const { withPort, asOnPage } = await sinkPort();
  onTestFinished(() => stopSink(folder));
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, API: `${store.url}/v1` };
  const script = withPort(commands.join('\n'));
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], { env, cwd: folder });
  const answers = asOnPage(stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers).toMatchObject([
    { name: 'on call', kind: 'slack', enabled: true, topics: ['dead_letters', 'freezes'] },
    {
      status: 'pending',
      attempt_number: 1,
      code: 'NOTIFICATION_FAILED',
      error: '127.0.0.1 could not be connected to (ECONNREFUSED)',
      next_retry_at: expect.stringMatching(/^2027-01-01T00:/),
    },
    { text: expect.stringMatching(/^usance · bakery \(test\): This is a test of the notification channel nch_\w+\.$/) },
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
  await tenant.createPayment({
    from: 'alice',
    to: 'bob',
    asset: 'EUR',
    amount: 1_250n,
    delay: '1h',
    idempotencyKey: key(),
  });
  await tenant.advanceTestClock(clock.id, '2027-01-01T03:00:00Z');
  await vi.waitFor(
    () =>
      expect(server.mailsTo('bob@example.com')).toMatchObject([
        { headers: { subject: '12,50 € von Alice', from: 'The Bakery <pay@example.com>' } },
      ]),
    { timeout: 30_000, interval: 200 },
  );
});
