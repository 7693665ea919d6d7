// Erasing a person over HTTP: who may, and that the person does not come back by a replay.
import { expect, test } from 'vitest';
import { freshKey, useApi } from './api.ts';

const store = useApi();

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
  // What was done stays done: the key is not free for a second account.
  for (const [path, order, key] of [
    ['/accounts', body, opened],
    ['/accounts/maria/close', { reason: 'left' }, closed],
  ] as const) {
    const again = await store.send(`POST ${path}`, { body: order, key });
    expect([again.status, again.word('code')]).toEqual([422, 'IDEMPOTENCY_ANSWER_ERASED']);
    expect(again.text).not.toContain('Maria Sample');
  }
  expect((await store.send('GET /accounts/maria')).status).toBe(404);
});
