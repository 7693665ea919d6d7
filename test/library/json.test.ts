// Every result of the library is plain JSON: `JSON.stringify` keeps all of it. Each operation is called with its example of the reference.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { OPERATIONS, fromWire } from '../../src/client/inner.ts';
import type { Usance } from '../../src/index.ts';
import { createUsance } from '../../src/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { shownCheck } from '../../src/library/reports.ts';
import type { ExampleRequest } from '../api/example-requests.ts';
import { MAIL_SERVER, exampleRequests } from '../api/example-requests.ts';
import { freshKey, useApi } from '../api/api.ts';
import { TEST_KEY } from '../support/database.ts';

const store = useApi();
const world: { usance?: Usance } = {};
const usance = (): Usance => world.usance ?? expect.fail('opened in beforeAll');
beforeAll(async () => {
  world.usance = await createUsance({
    chains: { sandbox: true },
    notifications: { smtp: MAIL_SERVER },
    databaseUrl: store.runtimeUrl,
    encryption: { key: TEST_KEY },
    migrate: false,
  });
});
afterAll(() => world.usance?.close());

function expectJson(result: unknown): void {
  expect(JSON.parse(JSON.stringify(result))).toStrictEqual(result);
}

type Method = (...given: readonly unknown[]) => unknown;
type Name = keyof typeof OPERATIONS;

/** Tenants are created beside a tenant, and a new one is returned as a handle: only its dry run is JSON. */
const isOperation = ([name]: readonly [string, unknown]): boolean => name in OPERATIONS && !name.startsWith('tenants.');
const operations = (Object.entries(ROUTES) as [Name, Route][]).filter(isOperation);

/** The arguments of a method: the parts of the path, the parameters, the options. */
function argumentsOf(name: Name, route: Route, { request, options }: ExampleRequest): unknown[] {
  const [, target = ''] = request.split(' ');
  const { pathname, searchParams } = new URL(target, 'http://example.test');
  const pattern = new RegExp(`^${route.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  const parts = (pattern.exec(pathname) ?? []).slice(1).map(decodeURIComponent);
  const { input } = OPERATIONS[name];
  const { format: _format, ...query } = Object.fromEntries(searchParams);
  const params = input === null ? [] : [fromWire(input === 'body' ? (options.body ?? {}) : query)];
  return [...parts, ...params, ...(route.method === 'GET' ? [] : [{ idempotencyKey: freshKey() }])];
}

describe('the result is JSON of', () => {
  const requestOf = exampleRequests(store);

  test.each(operations)('%s', async (name, route) => {
    const sent = await requestOf(name, route);
    const tenant = await usance().tenant(route.path.startsWith('/test-clocks') ? 'lab' : 'shop', { actor: 'examples' });
    const [resource = '', verb = ''] = name.split('.');
    const method =
      (tenant as unknown as Record<string, Record<string, Method>>)[resource]?.[verb] ?? expect.fail(`no ${name}`);
    const given = argumentsOf(name, route, sent);
    if ('list' in OPERATIONS[name]) {
      const pages = method(...given) as { page(): Promise<unknown> };
      return expectJson(await pages.page());
    }
    if (route.method !== 'GET') {
      const dry = await (method(...given.slice(0, -1), { dryRun: true }) as Promise<unknown>).catch(() => ({}));
      expectJson(dry);
    }
    return expectJson(await method(...given));
  });

  test('most operations', () => {
    expect(operations.length).toBeGreaterThan(100);
  });
});

describe('the result is JSON of what is no operation:', () => {
  async function* lines(...all: string[]): AsyncGenerator<string> {
    yield* all;
  }

  test('tenants', async () => {
    expectJson(await usance().tenants.list());
    const dry = await usance().tenants.create({ name: 'bakery' }, { dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, result: { name: 'bakery', kind: 'live' }, events: ['tenant.created'] });
    expect(dry.result.id).toMatch(/^ten_/);
    expectJson(dry);
    expectJson(await usance().tenants.ensure({ name: 'shop' }, { dryRun: true }));
  });

  test('ensure, in a dry run too', async () => {
    const shop = await usance().tenant('shop');
    expectJson(await shop.assets.ensure({ asset: 'USD/2' }));
    expectJson(await shop.accounts.ensure({ ref: 'alice' }));
    const dry = await shop.accounts.ensure({ ref: 'alice' }, { dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, result: { ref: 'alice' }, postings: [], events: [] });
    expectJson(dry);
    const made = await shop.accounts.ensure({ ref: 'not-there' }, { dryRun: true });
    expect(made).toMatchObject({ result: { ref: 'not-there' }, events: ['account.created'] });
    await expect(shop.accounts.get('not-there')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });

  test('imports, in a dry run too', async () => {
    const shop = await usance().tenant('shop');
    const file = {
      format: 'csv',
      open: () => lines('account,asset,amount', 'alice,USD/2,100', 'ivy,USD/2,7'),
    } as const;
    const dry = await shop.accounts.importBalances({ ...file, name: 'old' }, { dryRun: true });
    expect(dry).toMatchObject({
      dryRun: true,
      result: { lines: 2, booked: 2, accountsOpened: 1, totals: [{ asset: 'USD/2', file: '107', booked: '107' }] },
      postings: [
        { type: 'transfer', kind: 'opening_balance', fromRef: 'world', toRef: 'alice', amount: '100' },
        { type: 'transfer', toRef: 'ivy', amount: '7' },
      ],
    });
    expect(dry.postings[0]).toMatchObject({ from: expect.stringMatching(/^acct_/) });
    expect(dry.events).toContain('account.balances_imported');
    expectJson(dry);
    await expect(shop.accounts.get('ivy')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    const report = await shop.accounts.importBalances({ ...file, name: 'old', expect: { 'USD/2': 107 } });
    expect(report).toEqual(dry.result);
    expectJson(report);

    const { data } = await shop.plans.list({}).page();
    const rows = { format: 'jsonl', open: () => lines(rowOf(data[0]?.id ?? '')) } as const;
    const tried = await shop.subscriptions.import(rows, { dryRun: true });
    expect(tried).toMatchObject({
      dryRun: true,
      result: { created: 1 },
      events: ['schedule.created', 'subscription.created'],
    });
    expectJson(tried);
    const imported = await shop.subscriptions.import(rows);
    expect(imported).toEqual(tried.result);
    expectJson(imported);
    const misplaced = { ...rows, dryRun: true };
    await expect(shop.subscriptions.import(misplaced)).rejects.toMatchObject({
      code: 'FIELD_UNKNOWN',
      param: 'dryRun',
    });
  });

  const rowOf = (plan: string): string =>
    JSON.stringify({ reference: 'old-1', plan, payer: 'bob', next_due_at: '2099-01-01T00:00:00Z' });

  test('verify shows rows that break an invariant with TypeIDs', () => {
    const [tenantId, account] = [newId(), newId()];
    const check = { name: 'c', kind: 'money', says: 's', rows: 1n } as const;
    const [shown] = shownCheck({ ...check, offenders: [{ tenantId, asset: 'USD/2', details: { account } }] }).offenders;
    expect(shown).toEqual({
      tenant: toTypeId('tenant', tenantId),
      asset: 'USD/2',
      details: { account: toTypeId('account', account) },
    });
  });

  test('verify, its callback and its anchors', async () => {
    const seen: unknown[] = [];
    const results = await usance().verify({ onChecked: (result) => seen.push(result) });
    expect(results.every(({ rows }) => typeof rows === 'number')).toBe(true);
    expect(seen).toEqual(results);
    expectJson(results);
    const tenant = (await usance().tenant('shop')).id;
    const anchors = [{ tenant, seq: '1', hash: '0'.repeat(64), at: '2026-01-01T00:00:00Z' }];
    const against = await usance().verify({ anchors });
    const offenders = against.flatMap((check) => check.offenders);
    expect(offenders).toMatchObject([{ tenant }]);
    expectJson(against);
    await expect(usance().verify({ anchors: [{ ...anchors[0], seq: 'x' } as never] })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
    });
  });
});
