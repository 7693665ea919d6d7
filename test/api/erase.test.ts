// Erasing a person over HTTP: who may, and that the person does not come back by a replay.
import { expect, test } from 'vitest';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { open, troubles } from '../support/books.ts';
import { freshKey, useApi } from './api.ts';

const SECRET = 'a-secret-of-forty-characters-for-the-tests';
const store = useApi({ usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } } });

test('erasing an account needs admin: ledger:write closes accounts, and does not rewrite the record', async () => {
  const { secret } = await store.tenant.createApiKey({ name: 'books', scopes: ['ledger:write', 'ledger:read'] });
  await store.send('POST /accounts', { body: { ref: 'ann' } });
  await store.send('POST /accounts/ann/close', { body: { reason: 'left' }, secret });
  const body = { reason: 'asked for', ref: true };
  const refused = await store.send('POST /accounts/ann/erase', { body, secret });
  expect(refused.word('code')).toBe('AUTH_SCOPE_MISSING');
  expect((await store.send('POST /accounts/ann/erase', { body })).status).toBe(200);
});

test('an erased person does not come back by a replay of the requests that made and closed the account', async () => {
  const body = { ref: 'maria', name: 'Maria Sample', contact: { email: 'maria@example.com' } };
  const [opened, closed] = [freshKey(), freshKey()];
  await store.send('POST /accounts', { body, key: opened });
  await store.send('POST /accounts/maria/close', { body: { reason: 'left' }, key: closed });
  const [before] = await store.owner.query(
    `select count(*)::int as kept from usance.idempotency_keys where answer like '%Maria Sample%'`,
  );
  expect(before?.['kept']).toBe(2);
  await store.send('POST /accounts/maria/erase', { body: { reason: 'asked for', ref: true } });
  const [after] = await store.owner.query(
    `select count(*)::int as kept from usance.idempotency_keys where answer like '%Maria Sample%'`,
  );
  expect(after?.['kept']).toBe(0);
  // A digest of what was asked would confirm a guess.
  expect(
    await store.owner.query(
      `select key from usance.idempotency_keys where key = any ($1::text[]) and fingerprint <> ''`,
      [[opened, closed]],
    ),
  ).toEqual([]);
  // What was done stays done: the key is not free for a second account.
  for (const [path, order, key] of [
    ['/accounts', body, opened],
    ['/accounts/maria/close', { reason: 'left' }, closed],
  ] as const) {
    const again = await store.send(`POST ${path}`, { body: order, key });
    expect([again.status, again.word('code')]).toEqual([422, 'IDEMPOTENCY_RESPONSE_ERASED']);
    expect(again.text).not.toContain('Maria Sample');
  }
  expect((await store.send('GET /accounts/maria')).status).toBe(404);
});

test('erasing an account erases the addresses and stored responses of its end user’s requests', async () => {
  await open(store.tenant, { nina: 1_000, omar: 1_000, shop: 0 });
  const { id } = await store.tenant.account('nina');
  const secretOf = (sub: string) => token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) });
  const asked = async (sub: string, agent: string) => {
    const how = { secret: secretOf(sub), headers: { 'user-agent': agent } };
    const body = { from: sub, to: 'shop', amount: 100, asset: 'USD', delay: '1h', metadata: { note: `of ${agent}` } };
    const hold = await store.send('POST /holds', { ...how, body });
    expect(hold.status).toBe(201);
    const path = `/holds/${hold.word('id')}`;
    expect((await store.send(`POST ${path}/cancel`, { ...how, body: {} })).status).toBe(200);
    // An answer that shows no account is theirs by who sent the request.
    await store.owner.query(
      `insert into usance.idempotency_keys (tenant_id, actor, key, fingerprint, answer) values ($1::uuid, $2, $3, 'f', $4)`,
      [store.tenant.id, `user:${(await store.tenant.account(sub)).id}`, freshKey(), `{"note":"of ${agent}"}`],
    );
  };
  await asked('nina', 'phone-of-nina');
  await asked('omar', 'phone-of-omar');
  const left = async (sql: string, params: string[]): Promise<unknown> => (await store.owner.query(sql, params))[0];
  const origins = (actor: string) =>
    left(
      `select count(*)::int as events, count(ip)::int as addresses, count(user_agent)::int as programs from usance.events
       where actor = $1`,
      [actor],
    );
  const answers = (actor: string) =>
    left(`select count(*)::int as keys, count(answer)::int as answers from usance.idempotency_keys where actor = $1`, [
      actor,
    ]);
  expect(await origins(`user:${id}`)).toEqual({ events: 2, addresses: 2, programs: 2 });
  expect(await answers(`user:${id}`)).toEqual({ keys: 3, answers: 3 });
  await store.tenant.withdraw({ account: 'nina', asset: 'USD', amount: 1_000, idempotencyKey: freshKey() });
  await store.send('POST /accounts/nina/close', { body: { reason: 'left' } });
  expect((await store.send('POST /accounts/nina/erase', { body: { reason: 'asked for' } })).status).toBe(200);
  expect(await origins(`user:${id}`)).toEqual({ events: 2, addresses: 0, programs: 0 });
  // The requests stay done.
  expect(await answers(`user:${id}`)).toEqual({ keys: 3, answers: 0 });
  const { id: other } = await store.tenant.account('omar');
  expect(await origins(`user:${other}`)).toEqual({ events: 2, addresses: 2, programs: 2 });
  expect(await answers(`user:${other}`)).toEqual({ keys: 3, answers: 3 });
  while ((await store.run('sequencer'))['ordered']);
  expect(await troubles(store.usance)).toEqual([]);
});
