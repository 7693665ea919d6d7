// The link to unsubscribe: without sign-in, for one account, and only by a request that means it.
import { expect, test } from 'vitest';
import { linkToken, readToken } from '../../src/notifications/email/link.ts';
import { newId } from '../../src/kernel/index.ts';
import { freshTenant, order } from '../jobs/matcher.ts';
import { useApi } from '../api/api.ts';
import { key } from '../support/books.ts';
import { openMailServer, sendEmails, useMailServers } from './mail.fixture.ts';

useMailServers();
const server = await openMailServer();
const smtp = {
  url: `smtp://127.0.0.1:${server.port}?tls=none`,
  from: 'payments@usance.example.com',
  publicUrl: 'https://pay.example.com',
};
const store = useApi({ usance: { notifications: { smtp } } });

let count = 0;

async function withMail() {
  const tenant = await freshTenant(store.usance);
  const bob = `bob-${(count += 1)}@example.com`;
  await tenant.createAsset('USD/2');
  await tenant.openAccount({ ref: 'alice', contact: { email: `alice-${count}@example.com` } });
  await tenant.openAccount({ ref: 'bob', contact: { email: bob } });
  await tenant.deposit({ account: 'alice', asset: 'USD', amount: 100_000n, idempotencyKey: key() });
  await tenant.updateEmailSettings({ enabled: true, fromName: 'Shop & Co' });
  await order(store.usance);
  const pay = async () => {
    await tenant.createPayment({ from: 'alice', to: 'bob', asset: 'USD', amount: 100n, idempotencyKey: key() });
    await store.run('processor');
    await sendEmails(store.usance);
  };
  await pay();
  const link = String(server.mailsTo(bob)[0]?.headers['list-unsubscribe']).slice(1, -1);
  return { tenant, bob, alice: `alice-${count}@example.com`, pay, path: new URL(link).pathname };
}

const post = (
  path: string,
  body: string | null = 'List-Unsubscribe=One-Click',
  type = 'application/x-www-form-urlencoded',
) => fetch(store.url + path, { method: 'POST', ...(body === null ? {} : { body, headers: { 'content-type': type } }) });
const answer = async (response: Response) => ({ status: response.status, text: await response.text() });

test('a mail reader unsubscribes the account with one POST, and only that account', async () => {
  const { tenant, alice, bob, pay, path } = await withMail();
  const looked = await fetch(store.url + path);
  expect(looked.headers.get('content-security-policy')).toContain("default-src 'none'");
  const { status, text } = await answer(looked);
  expect({ status, text }).toMatchObject({ status: 200, text: expect.stringContaining('from Shop &amp; Co?</p>') });
  // The colours of the browser, also dark ones: the page has none of its own.
  expect(text).toContain('<meta name="color-scheme" content="light dark">');
  await pay();
  expect(server.mailsTo(bob)).toHaveLength(2);
  expect(await answer(await post(path))).toMatchObject({ status: 200, text: expect.stringContaining('Unsubscribed') });
  expect(await answer(await post(path))).toMatchObject({ status: 200 });
  await pay();
  expect([server.mailsTo(bob).length, server.mailsTo(alice).length]).toEqual([2, 3]);
  expect((await tenant.emails('bob'))[0]).toMatchObject({ outcome: 'unsubscribed' });
  const { id } = await tenant.account('bob');
  expect(await tenant.emailOptOuts()).toMatchObject([{ accountId: id }]);
  expect(await tenant.events({ type: 'email_opt_out.created' })).toMatchObject([
    { actor: 'unsubscribe-link', resource: 'account', resourceId: id },
  ]);
  await tenant.deleteEmailOptOut('bob');
  await pay();
  expect(server.mailsTo(bob)).toHaveLength(3);
});

test.each([
  [
    'a multipart form',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
  ],
  ['the form of the page', 'application/x-www-form-urlencoded', ''],
])('%s unsubscribes too', async (_what, type, body) => {
  const { tenant, path } = await withMail();
  expect((await post(path, body, type)).status).toBe(200);
  expect(await tenant.emailOptOuts()).toHaveLength(1);
});

test('a link that was changed, guessed, or signed with another secret is unknown, and so is one of another tenant', async () => {
  const { tenant, path } = await withMail();
  const token = path.slice('/unsubscribe/'.length);
  const read = readToken(token);
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((ref) => tenant.account(ref)));
  expect(read).toMatchObject({ tenantId: tenant.id, accountId: bob?.id });
  const mac = read?.mac ?? Buffer.alloc(24);
  const bytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
  const forged = (tenantId: string, accountId: string, by = mac): string =>
    Buffer.concat([bytes(tenantId), bytes(accountId), by]).toString('base64url');
  const other = await withMail();
  const tokens = [
    forged(tenant.id, alice?.id ?? ''),
    forged(other.tenant.id, bob?.id ?? ''),
    forged(newId(), newId()),
    forged(tenant.id, bob?.id ?? '', Buffer.alloc(24)),
    linkToken(Buffer.alloc(32), { tenantId: tenant.id, accountId: bob?.id ?? '' }),
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    'x',
    encodeURIComponent('../../v1/payments'),
  ];
  for (const one of tokens) {
    expect((await fetch(`${store.url}/unsubscribe/${one}`)).status).toBe(404);
    expect((await post(`/unsubscribe/${one}`)).status).toBe(404);
  }
  expect(await tenant.emailOptOuts()).toEqual([]);
  expect(await other.tenant.emailOptOuts()).toEqual([]);
});

test('a large body is refused, and other methods are unknown', async () => {
  const { tenant, path } = await withMail();
  expect((await post(path, 'x'.repeat(5_000))).status).toBe(413);
  expect((await fetch(store.url + path, { method: 'DELETE' })).status).toBe(404);
  expect(await tenant.emailOptOuts()).toEqual([]);
});
