import { beforeAll, describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { at, useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('a statement', () => {
  const store = useApi();
  const instants: string[] = [];
  const move = async (request: string, body: object): Promise<void> => {
    const made = await store.send(request, { body: { asset: 'USD', ...body } });
    expect(made.status, made.text).toBe(201);
    instants.push(made.word('posted_at'));
  };
  beforeAll(async () => {
    await open(store.tenant, { alice: 0, bob: 0 });
    await move('POST /accounts/alice/deposit', { amount: 500, description: 'wages, "net"' });
    await move('POST /accounts/alice/withdraw', { amount: 120, description: '=cash' });
    await store.send('POST /holds', { body: { from: 'alice', to: 'bob', amount: 80, asset: 'USD' } });
    await store.run('processor');
    await store.send('POST /holds', { body: { from: 'alice', to: 'bob', amount: 50, asset: 'USD', delay: '1h' } });
  });
  const ALL = 'from=2020-01-01T00:00:00Z&to=2090-01-01T00:00:00Z&asset=USD';

  test('opens, lists what moved with the balance after it, and closes', async () => {
    const all = await store.send(`GET /accounts/alice/statement?${ALL}`);
    expect(all.body).toMatchObject({ asset: 'USD/2', opening_balance: '0', closing_balance: '300', final: false });
    expect(all.list('lines')).toMatchObject([
      { kind: 'deposit', amount: '500', balance: '500', description: 'wages, "net"' },
      { kind: 'withdrawal', amount: '-120', balance: '380' },
      { amount: '-80', balance: '300' },
    ]);
    const bob = await store.send(`GET /accounts/bob/statement?${ALL}`);
    expect(bob.body).toMatchObject({ closing_balance: '80', lines: [{ amount: '80', balance: '80' }] });
  });

  test('of two periods that meet shares no line, and the first closes as the second opens', async () => {
    const middle = encodeURIComponent(instants[1] ?? '');
    const first = await store.send(`GET /accounts/alice/statement?from=2020-01-01T00:00:00Z&to=${middle}&asset=USD`);
    const second = await store.send(`GET /accounts/alice/statement?from=${middle}&to=2090-01-01T00:00:00Z&asset=USD`);
    expect(first.get('closing_balance')).toBe(second.get('opening_balance'));
    const ids = [...first.list('lines'), ...second.list('lines')].map((line) => at(line, 'transfer'));
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
    const nothing = await store.send(
      'GET /accounts/alice/statement?from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00Z&asset=USD',
    );
    expect(nothing.body).toMatchObject({ opening_balance: '0', lines: [], closing_balance: '0', final: true });
  });

  test.each([
    ['Accept', '', { accept: 'text/csv' }],
    ['the query', '&format=csv', {}],
  ])('is CSV where %s asks for it, and no formula in it runs', async (_title, query, headers) => {
    const csv = await store.send(`GET /accounts/alice/statement?${ALL}${query}`, { headers });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe('posted_at,kind,transfer,counterparty,description,amount,balance');
    expect(lines[1]).toBe('2020-01-01T00:00:00.000Z,opening balance,,,,,0');
    expect(lines[2]).toMatch(/,deposit,trf_\w+,acct_\w+,"wages, ""net""",500,500$/);
    expect(lines[3]).toMatch(/,'=cash,-120,380$/);
    expect(lines.slice(-2)).toEqual(['2090-01-01T00:00:00.000Z,closing balance (not final),,,,,300', '']);
  });

  test('is refused for a period that ends before it begins, or of an asset that is not there', async () => {
    const ask = (query: string) => store.send(`GET /accounts/alice/statement?${query}`);
    expect(problemIn(await ask('from=2021-01-01T00:00:00Z&to=2020-01-01T00:00:00Z&asset=USD'))).toMatchObject({
      code: 'FIELD_INVALID',
      param: 'to',
    });
    expect(problemIn(await ask('from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00Z&asset=EUR'))).toMatchObject({
      code: 'ASSET_NOT_FOUND',
    });
  });

  test('agrees with the balances at any instant', async () => {
    const total = async (when: string) =>
      (await store.send(`GET /accounts/alice/balances?at=${encodeURIComponent(when)}`)).get('data');
    expect(await total('2020-01-01T00:00:00Z')).toEqual([]);
    expect(await total(instants[0] ?? '')).toEqual([{ asset: 'USD/2', available: null, reserved: null, total: '500' }]);
    expect(await total(instants[1] ?? '')).toMatchObject([{ total: '380' }]);
    const now = (await store.send('GET /accounts/alice/balances')).get('data');
    expect(now).toEqual([{ asset: 'USD/2', available: '250', reserved: '50', total: '300' }]);
    expect(await total('2090-01-01T00:00:00Z')).toMatchObject([{ total: '300' }]);
  });

  test('of `world` is the mirror of what came in', async () => {
    const world = await store.send(`GET /accounts/world/statement?${ALL}`);
    expect(world.get('closing_balance')).toBe('-380');
  });

  test('has at most 10,000 lines', async () => {
    await store.owner.query(
      `insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, posted_at)
       select a.tenant_id, gen_random_uuid(), w.id, a.id, 'USD/2', 1, 'deposit', now()
       from usance.accounts a join usance.accounts w on w.tenant_id = a.tenant_id and w.ref = 'world',
            generate_series(1, 10000)
       where a.ref = 'alice'`,
    );
    const long = await store.send(`GET /accounts/alice/statement?${ALL}`);
    expect(problemIn(long)).toMatchObject({ code: 'STATEMENT_TOO_LONG', param: 'from' });
  });
});
