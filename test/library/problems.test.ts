// The problems of a request, as each surface shows them: HTTP in snake_case, the client and the library in camelCase.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createEngine } from '../../src/engine.ts';
import type { Client } from '../../src/client/index.ts';
import { UsanceProblem, createClient } from '../../src/client/index.ts';
import type { TenantHandle, Usance } from '../../src/index.ts';
import { Refusal, createUsance } from '../../src/index.ts';
import { TEST_KEY, useDatabase } from '../support/database.ts';

const database = useDatabase();
const KEY = 'a-key-for-the-problems-of-requests';
interface World {
  readonly usance: Usance;
  readonly shop: TenantHandle;
  readonly url: string;
  readonly client: Client;
  readonly close: () => Promise<void>;
}
let opened: World | undefined;
const world = (): World => opened ?? expect.fail('opened in beforeAll');

beforeAll(async () => {
  const usance = await createUsance({
    databaseUrl: database.runtimeUrl,
    encryption: { key: TEST_KEY },
    migrate: false,
  });
  const shop = await usance.tenants.ensure({ name: 'shop' });
  await shop.assets.ensure({ asset: 'USD/2', default: true });
  for (const ref of ['alice', 'bob']) await shop.accounts.ensure({ ref });
  await shop.accounts.deposit('alice', { amount: 50_00n, asset: 'USD/2' }, { idempotencyKey: 'deposit' });
  const engine = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false });
  await (await engine.tenant('shop')).createApiKey({ name: 'test', role: 'admin', secret: KEY });
  const api = createApi(engine, { host: '127.0.0.1', port: 0 });
  const { url } = await api.listen();
  const client = createClient({ url, key: KEY, maxRetries: 0 });
  opened = {
    usance,
    shop,
    url,
    client,
    close: async () => {
      await api.close();
      await engine.close();
      await usance.close();
    },
  };
});
afterAll(() => opened?.close());

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': 'problem' };
  const answer = await fetch(`${world().url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('not refused'),
    (error: unknown) => error,
  );

describe('a request with four mistakes', () => {
  const WRONG = { from: 'alice', amount: 'ten', execute_at: 'soon', reference: '\u00e9', tip: 1 };
  const ORDER = { from: 'alice', amount: 'ten', executeAt: 'soon', reference: '\u00e9', tip: 1 } as never;
  const problems = (executeAt: string): unknown[] => [
    {
      code: 'FIELD_UNKNOWN',
      param: 'tip',
      detail: expect.stringContaining('"tip" is not a field'),
    },
    {
      code: 'AMOUNT_INVALID',
      param: 'amount',
      detail: 'amount must be a whole number of minor units, such as "1250" for 12.50 of USD/2',
    },
    {
      code: 'DELAY_INVALID',
      param: executeAt,
      detail: expect.stringContaining('must be an instant such as 2026-11-15T09:30:00Z'),
    },
    {
      code: 'FIELD_INVALID',
      param: 'reference',
      detail: 'reference must have 1 to 255 printable ASCII characters',
    },
  ];
  const byParam = (errors: unknown): unknown[] =>
    (errors as { param: string }[]).toSorted((a, b) => (a.param < b.param ? -1 : 1));

  test('gets them all at once over HTTP', async () => {
    const problem = await post('/payments', WRONG);
    expect(problem).toMatchObject({ status: 400, code: 'FIELD_UNKNOWN', reason: 'unknown', param: 'tip' });
    expect(byParam(problem['errors'])).toEqual(byParam(problems('execute_at')));
  });

  test('gets them from the library, named in camelCase', async () => {
    const refusal = await thrownBy(world().shop.payments.create(ORDER, { idempotencyKey: 'four' }));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'FIELD_UNKNOWN', reason: 'unknown', param: 'tip' });
    const { errors } = refusal as Refusal;
    expect(byParam(errors)).toEqual(byParam(problems('executeAt')));
    expect(errors.find(({ param }) => param === 'executeAt')?.detail).toMatch(/^executeAt must be/);
  });

  test('gets them from the client, named in camelCase', async () => {
    const problem = await thrownBy(world().client.payments.create(ORDER));
    expect(problem).toBeInstanceOf(UsanceProblem);
    expect(problem).toMatchObject({ status: 400, code: 'FIELD_UNKNOWN', reason: 'unknown', param: 'tip' });
    const { errors } = problem as UsanceProblem;
    expect(byParam(errors)).toEqual(byParam(problems('executeAt')));
    expect(errors.find(({ param }) => param === 'executeAt')?.detail).toMatch(/^executeAt must be/);
  });
});

describe('the list of problems', () => {
  const FINE = { from: 'alice', to: 'bob', amount: '1', delay: '1h' };

  test('is left out where there is one', async () => {
    const problem = await post('/payments', { ...FINE, amount: 'ten' });
    expect(problem).toMatchObject({ code: 'AMOUNT_INVALID', reason: 'not_minor_units', param: 'amount' });
    expect(problem).not.toHaveProperty('errors');
  });

  test('names a field once, however many branches its union has', async () => {
    const problem = await post('/payments', { ...FINE, retry: 7, amount: 'ten' });
    const params = (problem['errors'] as { param: string }[]).map(({ param }) => param);
    expect(params.toSorted()).toEqual(['amount', 'retry']);
  });

  test('names unknown fields, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, 1]));
    const problem = await post('/payments', { ...FINE, ...many });
    expect(problem).toMatchObject({ code: 'FIELD_UNKNOWN', param: 'field_0' });
    expect(problem['errors']).toHaveLength(50);
  });

  test('has at most fifty', async () => {
    const payments = Array.from({ length: 2_000 }, () => ({ ...FINE, amount: 'ten', reference: '\u00e9' }));
    const problem = await post('/payments/bulk', { payments });
    expect(problem['errors']).toHaveLength(50);
  });
});

describe('a refusal with an amount and an id', () => {
  test('is rendered for its surface', async () => {
    const { shop, client } = world();
    const account = await shop.accounts.get('alice');
    const order = { from: account.id, to: 'bob', amount: '100000', asset: 'USD/2', delay: '1h' };
    const detail = expect.stringMatching(
      new RegExp(`^account "${account.id}" has 50\\.00 USD available; 1000\\.00 USD`),
    );
    const fields = {
      account: account.id,
      available: { amount: '5000', asset: 'USD/2' },
      required: { amount: '100000', asset: 'USD/2' },
    };
    expect(await post('/holds', order)).toMatchObject({ code: 'FUNDS_INSUFFICIENT', detail, fields });
    expect(await thrownBy(client.holds.create(order))).toMatchObject({ message: detail, fields });
    expect(await thrownBy(shop.holds.create(order, { idempotencyKey: 'poor' }))).toMatchObject({ message: detail });
  });

  test('names the account as the request does', async () => {
    const { client } = world();
    const order = { from: 'alice', to: 'bob', amount: '100000', asset: 'USD/2', delay: '1h' };
    const poor = /account "alice" has 50\.00 USD available; 1000\.00 USD/;
    const calls = [
      client.holds.create(order),
      client.payments.createMany({ payments: [order], atomic: true }),
      client.accounts.withdraw('alice', { amount: '100000', asset: 'USD/2' }),
    ];
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow(poor)));
    const { data } = await client.payments.createMany({ payments: [order] });
    expect(data[0]?.error?.detail).toMatch(poor);
    await expect(client.holds.create(order)).rejects.toMatchObject({ fields: { account: 'alice' } });
  });
});

describe('a refusal', () => {
  test('names fields as its surface does', async () => {
    const { shop } = world();
    const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '1', delay: '1h' };
    const both = { ...order, amount_decimal: '0.01' };
    expect(await post('/holds', both)).toMatchObject({
      code: 'FIELD_INVALID',
      reason: 'both_given',
      param: 'amount_decimal',
      detail: 'give either amount or amount_decimal, not both',
    });
    const { amount_decimal: amountDecimal, ...rest } = both;
    const refusal = await thrownBy(shop.holds.create({ ...rest, amountDecimal }, { idempotencyKey: 'both' }));
    expect(refusal).toMatchObject({
      param: 'amountDecimal',
      message: 'give either amount or amountDecimal, not both',
      fields: { first: 'amount' },
    });
    const problem = await thrownBy(world().client.holds.create({ ...rest, amountDecimal }));
    expect(problem).toMatchObject({
      param: 'amountDecimal',
      message: 'give either amount or amountDecimal, not both',
      problem: { detail: 'give either amount or amount_decimal, not both' },
    });
  });

  test('lists the fields that are known, as its surface names them', async () => {
    const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '1', delay: '1h', whatever: 1 };
    const refusal = await thrownBy(world().shop.holds.create(order, { idempotencyKey: 'known' }));
    const problem = await thrownBy(world().client.holds.create(order));
    expect((refusal as Error).message).toContain('amountDecimal');
    expect((problem as Error).message).toBe((refusal as Error).message);
  });
});

test('a long name of an unknown field is cut: a body of such names does not come back at twice its size', async () => {
  const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 1, delay: '1h' };
  const problem = await post('/payments', { ...order, ['x'.repeat(100_000)]: 1 });
  expect(problem).toMatchObject({ code: 'FIELD_UNKNOWN', param: `${'x'.repeat(200)}…` });
  expect(JSON.stringify(problem).length).toBeLessThan(2_000);
});

// Values that fit the schema, and are wrong: the engine finds these.
describe('a request with several wrong values', () => {
  const PREVIEW = { rule: { cron: '61 * * * *' }, zone: 'Mars/Olympus', start: 'soon', until: 'later' };
  const PAYMENT = {
    from: 'nobody',
    legs: [
      { to: 'no-one', amount: '60' },
      { to: 'bob', amount: '50' },
    ],
    amount: '100',
    asset: 'XTS/2',
    priority: 'normal',
    retry: { initial_delay: '10m', max_delay: '1m' },
  } as const;
  const listed = (problem: Record<string, unknown>): string[] =>
    (problem['errors'] as { code: string; param: string }[]).map(({ code, param }) => `${code} ${param}`);

  test('of a schedule has a problem for each field of its timing', async () => {
    const problem = await post('/schedules/preview', PREVIEW);
    expect(problem).toMatchObject({ code: 'ZONE_UNKNOWN', param: 'zone' });
    expect(listed(problem)).toEqual([
      'ZONE_UNKNOWN zone',
      'LOCAL_TIME_INVALID start',
      'RULE_INVALID rule.cron',
      'LOCAL_TIME_INVALID until',
    ]);
  });

  test('of a schedule does not blame a rule for a zone or a start that cannot be read', async () => {
    const rrule = 'FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20270101T090000';
    const wrong = await post('/schedules/preview', { rule: { rrule }, zone: 'Mars/Olympus', start: 'soon' });
    expect(listed(wrong)).toEqual(['ZONE_UNKNOWN zone', 'LOCAL_TIME_INVALID start']);
    const right = await post('/schedules/preview', {
      rule: { rrule },
      zone: 'Europe/Berlin',
      start: '2027-01-01T09:00:00',
    });
    expect(right).toHaveProperty('summary');
  });

  test('of a new schedule also has those of its payment', async () => {
    const { legs: _legs, ...order } = PAYMENT;
    expect(listed(await post('/schedules', { ...order, ...PREVIEW, to: 'no-one' }))).toEqual([
      'RETRY_INVALID retry',
      'ZONE_UNKNOWN zone',
      'LOCAL_TIME_INVALID start',
      'RULE_INVALID rule.cron',
      'LOCAL_TIME_INVALID until',
      'ACCOUNT_NOT_FOUND from',
      'ACCOUNT_NOT_FOUND to',
      'ASSET_NOT_FOUND asset',
    ]);
  });

  test('of a payment has a problem for each field', async () => {
    expect(listed(await post('/payments', PAYMENT))).toEqual([
      'RETRY_INVALID retry',
      'ACCOUNT_NOT_FOUND from',
      'ASSET_NOT_FOUND asset',
      'ACCOUNT_NOT_FOUND legs[0].to',
    ]);
    // The sum of the legs depends on the amount, and is compared once each field is right by itself.
    const { retry: _retry, ...rest } = PAYMENT;
    expect(listed(await post('/payments', rest))).toContain('LEGS_INVALID legs');
  });

  test('of a hold has a problem for each field', async () => {
    const hold = { from: 'nobody', to: 'no-one', asset: 'XTS/2', amount: '1', delay: 'soon' };
    expect(listed(await post('/holds', hold))).toEqual([
      'DELAY_INVALID delay',
      'ACCOUNT_NOT_FOUND from',
      'ASSET_NOT_FOUND asset',
      'ACCOUNT_NOT_FOUND to',
    ]);
  });

  test('has them on every surface', async () => {
    const { shop, client } = world();
    const order = { ...PAYMENT, retry: { initialDelay: '10m', maxDelay: '1m' } };
    const [inLibrary, inClient] = [
      await thrownBy(shop.payments.create(order, { idempotencyKey: 'problems' })),
      await thrownBy(client.payments.create(order)),
    ];
    for (const error of [inLibrary, inClient]) {
      const { errors } = error as Refusal | UsanceProblem;
      expect(errors?.map(({ param }) => param)).toEqual(['retry', 'from', 'asset', 'legs[0].to']);
    }
  });

  test('of a payment of a bulk request has the fields of the whole request', async () => {
    const problem = await post('/payments/bulk', { atomic: true, payments: [PAYMENT] });
    expect(problem).toMatchObject({
      param: 'payments[0]',
      errors: [{ index: 0, param: 'retry', code: 'RETRY_INVALID' }],
    });
  });

  test('without an idempotency key also says that the key is missing', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ from: 'alice', amount: '-1' });
    const answer = await fetch(`${world().url}/v1/payments`, { method: 'POST', headers, body });
    const problem = (await answer.json()) as Record<string, unknown>;
    expect(problem).toMatchObject({ code: 'IDEMPOTENCY_KEY_MISSING', param: 'Idempotency-Key' });
    expect(listed(problem)).toEqual(
      expect.arrayContaining(['IDEMPOTENCY_KEY_MISSING Idempotency-Key', 'AMOUNT_INVALID amount']),
    );
    const { shop } = world();
    const error = (await thrownBy(
      shop.payments.create({ from: 'alice', amount: -1 } as never, undefined as never),
    )) as Refusal;
    expect(error.errors.map(({ param }) => param)).toEqual(expect.arrayContaining(['amount']));
  });
});
