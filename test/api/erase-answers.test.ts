// Every operation that has an idempotency key, with its example of the reference: after the accounts of the examples are erased, no
// stored answer shows one of them.
import { expect, test } from 'vitest';
import type { Route } from '../../src/api/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { freshKey, useApi } from './api.ts';
import { MAIL_SERVER, exampleRequests } from './example-requests.ts';

const routes = Object.entries(ROUTES) as [keyof typeof ROUTES, Route][];
const store = useApi({
  usance: { notifications: { smtp: MAIL_SERVER } },
  api: { rateLimits: { perKey: 100_000, perUser: 100_000 } },
});

const answersWith = async (text: string): Promise<string[]> => {
  const rows = await store.owner.query(
    'select answer from usance.idempotency_keys where strpos(answer, $1) > 0 order by key',
    [text],
  );
  return rows.map((row) => String(row['answer']));
};

test('no stored answer of any operation shows the id or the ref of an erased account', async () => {
  const requestOf = exampleRequests(store);
  const shows = new Set<string>();
  for (const [name, route] of routes) {
    const { request, options } = await requestOf(name, route);
    const answer = await store.send(request, { ...options, key: route.method === 'GET' ? null : freshKey() });
    expect(answer.status, answer.text).toBe(route.status);
    if (route.method !== 'GET' && /_refs?":\[?"(alice|bob)"/.test(answer.text)) shows.add(name);
  }
  expect(shows.size).toBeGreaterThan(35);
  // A refusal in a stored answer shows the account in its sentence only, and another field can have the ref.
  await store.send('POST /accounts', { body: { ref: 'erna' } });
  const order = { from: 'erna', to: 'alice', asset: 'USD', amount: '1', delay: '1h' };
  const refused = await store.send('POST /payments/bulk', { body: { payments: [order] } });
  expect(refused.word('data.0.error.detail')).toMatch(/account "erna"/);
  const byId = { ...order, from: (await store.send('GET /accounts/erna')).word('id') };
  const refusedById = await store.send('POST /payments/bulk', { body: { payments: [byId] } });
  expect(refusedById.word('data.0.error.detail')).toMatch(/account "acct_\w+"/);
  const other = { ...order, from: 'alice', to: 'bob', reference: 'erna' };
  expect((await store.send('POST /holds', { body: other })).status).toBe(201);
  // Another account whose ref contains that of an erased one keeps its answers.
  await store.send('POST /accounts', { body: { ref: 'malice' } });

  await store.owner.query(`update usance.accounts set status = 'closed' where ref in ('alice', 'bob', 'erna')`);
  for (const ref of ['erna', 'alice', 'bob']) {
    const { id } = await store.tenant.account(ref);
    const body = { reason: 'asked for', ref: true };
    const erased = await store.send(`POST /accounts/${toTypeId('account', id)}/erase`, { body, key: `erase ${ref}` });
    expect(erased.status, erased.text).toBe(200);
    // The answer of the erasure is stored too: it shows what is left.
    const showing = (await answersWith(toTypeId('account', id))).map((text) => JSON.parse(text) as unknown);
    expect(showing).toEqual([expect.objectContaining({ ref: `erased-${id}`, name: null, contact: null })]);
    expect(await answersWith(`"${ref}"`)).toEqual([]);
    expect(await answersWith(`\\"${ref}\\"`)).toEqual([]);
  }
  expect(await answersWith('"ref":"malice"')).toHaveLength(1);
});
