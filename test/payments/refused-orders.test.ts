// Every reason for which an order is refused, alone and in a batch. After each, everything the tenant has is as it was.
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAX_AMOUNT } from '../../src/kernel/index.ts';
import { createEngine } from '../../src/engine.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import type { PauseScope } from '../../src/tenants/index.ts';
import { liftPause, pause } from '../../src/tenants/index.ts';
import { freeze, held, key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

const legs = (count: number) => Array.from({ length: count }, () => ({ to: 'payee', amount: 1 }));
const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
const ahead = (ms: number): Date => new Date(Date.now() + ms);

describe('an order is refused', () => {
  const store = useUsance();
  const GOOD: PaymentOrder = { from: 'payer', to: 'payee', asset: 'USD', amount: 1, delay: '1h' };
  let ready = false;
  const prepare = async (): Promise<void> => {
    if (ready) return;
    ready = true;
    const { tenant } = store;
    await tenant.createAsset('EUR/2');
    await open(tenant, { payer: 1_000, payee: 0, third: 0, 'a-suspended': 100, 'a-closed': 0, neighbour: 100 });
    await tenant.suspendAccount('a-suspended', 'for the test');
    await tenant.closeAccount('a-closed', 'for the test');
    await tenant.createPayment({ ...GOOD, reference: 'taken', idempotencyKey: key() });
    const other = await store.usance.createTenant({ name: 'another' });
    await other.openAccount({ ref: 'elsewhere' });
  };

  const lies = { not: 'an instant' } as unknown as Date;
  const CASES: Record<
    string,
    [code: string, fields: Partial<Record<keyof PaymentOrder | 'idempotencyKey', unknown>>][]
  > = {
    'for an account that it cannot use': [
      ['ACCOUNT_NOT_FOUND', { from: 'nobody' }],
      ['ACCOUNT_NOT_FOUND', { to: 'nobody' }],
      ['ACCOUNT_NOT_FOUND', { to: 'elsewhere' }],
      ['ACCOUNT_NOT_FOUND', { to: '019a0000-0000-7000-8000-000000000000' }],
      ['ACCOUNT_NOT_FOUND', { to: '' }],
      ['ACCOUNT_NOT_FOUND', { to: 'nul \0 inside' }],
      ['ACCOUNT_NOT_ACTIVE', { from: 'a-suspended' }],
      ['ACCOUNT_NOT_ACTIVE', { to: 'a-suspended' }],
      ['ACCOUNT_NOT_ACTIVE', { from: 'a-closed' }],
      ['ACCOUNT_NOT_ACTIVE', { to: 'a-closed' }],
      ['SELF_TRANSFER', { to: 'payer' }],
      ['ACCOUNT_STATE_CONFLICT', { from: 'world' }],
      ['ACCOUNT_STATE_CONFLICT', { from: 'fees' }],
      ['FIELD_INVALID', { to: undefined }],
    ],
    'for its amount': [
      ['AMOUNT_NOT_POSITIVE', { amount: 0 }],
      ['AMOUNT_NOT_POSITIVE', { amount: '0' }],
      ['AMOUNT_NOT_POSITIVE', { amount: -1n }],
      ['AMOUNT_INVALID', { amount: -1 }],
      ['AMOUNT_INVALID', { amount: 1.5 }],
      ['AMOUNT_INVALID', { amount: '1.5' }],
      ['AMOUNT_INVALID', { amount: '01' }],
      ['AMOUNT_INVALID', { amount: 2 ** 53 }],
      ['AMOUNT_INVALID', { amount: null }],
      ['AMOUNT_TOO_LARGE', { amount: MAX_AMOUNT + 1n }],
      ['FUNDS_INSUFFICIENT', { amount: 1_000 }],
      ['FUNDS_INSUFFICIENT', { amount: MAX_AMOUNT }],
    ],
    'for its asset': [
      ['ASSET_NOT_FOUND', { asset: 'GBP' }],
      ['ASSET_NOT_FOUND', { asset: 'USD/3' }],
      ['ASSET_NOT_FOUND', { asset: '' }],
      ['ASSET_NOT_FOUND', { asset: 'nul \0 inside' }],
      ['FUNDS_INSUFFICIENT', { asset: 'EUR' }],
    ],
    'for its time': [
      ['DELAY_OUT_OF_RANGE', { delay: -1 }],
      ['DELAY_INVALID', { delay: '-1' }],
      ['DELAY_INVALID', { delay: 1.5 }],
      ['DELAY_INVALID', { delay: 'soon' }],
      ['DELAY_INVALID', { delay: 'P1M' }],
      ['DELAY_INVALID', { delay: 'P' }],
      ['DELAY_OUT_OF_RANGE', { delay: '8d' }],
      ['DELAY_OUT_OF_RANGE', { delay: 7 * 86_400 + 1 }],
      ['DELAY_OUT_OF_RANGE', { delay: '999999999d' }],
      ['DELAY_OUT_OF_RANGE', { delay: Number.MAX_SAFE_INTEGER }],
      ['DELAY_OUT_OF_RANGE', { delay: '1900d', funding: 'at_execution' }],
      ['DELAY_OUT_OF_RANGE', { delay: undefined, executeAt: ahead(-5 * MINUTE) }],
      ['DELAY_OUT_OF_RANGE', { delay: undefined, executeAt: ahead(8 * DAY) }],
      ['DELAY_INVALID', { delay: undefined, executeAt: new Date(8.64e15), funding: 'at_execution' }],
      ['DELAY_INVALID', { delay: undefined, executeAt: '2026-11-15' }],
      ['DELAY_INVALID', { delay: undefined, executeAt: '2099-02-30T00:00:00Z' }],
      ['DELAY_INVALID', { delay: undefined, executeAt: '2099-13-01T00:00:00Z' }],
      ['DELAY_INVALID', { delay: undefined, executeAt: new Date(NaN) }],
      ['DELAY_INVALID', { delay: undefined, executeAt: lies }],
      ['FIELD_INVALID', { delay: '1h', executeAt: ahead(HOUR) }],
    ],
    'for its expiry': [
      ['EXPIRY_BEFORE_EXECUTION', { expiresAt: ahead(HOUR / 2) }],
      ['EXPIRY_BEFORE_EXECUTION', { delay: undefined, executeAt: ahead(HOUR), expiresAt: ahead(HOUR - 1) }],
      ['DELAY_INVALID', { expiresAt: 'never' }],
      ['DELAY_INVALID', { expiresAt: new Date(8.64e15) }],
    ],
    'for its legs': [
      ['LEGS_INVALID', { legs: [{ to: 'payee', amount: 1 }] }],
      ['LEGS_INVALID', { to: undefined, legs: [] }],
      ['LEGS_INVALID', { to: undefined, legs: [{ to: 'payee', amount: 2 }] }],
      ['LEGS_INVALID', { to: undefined, legs: legs(11), amount: 11 }],
      ['LEGS_INVALID', { to: undefined, amount: 2, legs: legs(2) }],
      [
        'AMOUNT_NOT_POSITIVE',
        {
          to: undefined,
          legs: [
            { to: 'payee', amount: 1 },
            { to: 'third', amount: 0 },
          ],
        },
      ],
      [
        'SELF_TRANSFER',
        {
          to: undefined,
          amount: 2,
          legs: [
            { to: 'payee', amount: 1 },
            { to: 'payer', amount: 1 },
          ],
        },
      ],
      [
        'ACCOUNT_NOT_FOUND',
        {
          to: undefined,
          amount: 2,
          legs: [
            { to: 'payee', amount: 1 },
            { to: 'x', amount: 1 },
          ],
        },
      ],
      [
        'ACCOUNT_NOT_ACTIVE',
        {
          to: undefined,
          amount: 2,
          legs: [
            { to: 'payee', amount: 1 },
            { to: 'a-closed', amount: 1 },
          ],
        },
      ],
    ],
    'for its other fields': [
      ['REFERENCE_EXISTS', { reference: 'taken' }],
      ['REFERENCE_EXISTS', { reference: 'taken', funding: 'at_execution' }],
      ['FIELD_INVALID', { reference: '' }],
      ['FIELD_INVALID', { reference: 'x'.repeat(256) }],
      ['FIELD_INVALID', { reference: 'line\nbreak' }],
      ['FIELD_INVALID', { funding: 'maybe' }],
      ['FIELD_INVALID', { priority: 'urgent' }],
      ['RETRY_INVALID', { retry: 'often' }],
      ['RETRY_INVALID', { retry: { maxAttempts: 0 } }],
      ['RETRY_INVALID', { retry: { attempts: 3 } }],
      ['RETRY_INVALID', { retry: { maxAttempts: 100, initialDelayMs: 0 } }],
      ['RETRY_INVALID', { retry: { maxAttempts: 100, maxDelayMs: 0 } }],
      ['FIELD_INVALID', { metadata: { text: 'x'.repeat(17_000) } }],
      ['FIELD_INVALID', { metadata: { text: 'nul \0' } }],
      ['FIELD_INVALID', { metadata: { text: 'half a pair \ud800' } }],
      ['FIELD_INVALID', { metadata: { count: 1n } }],
      ['FIELD_INVALID', { metadata: { deep: nested(100) } }],
      ['FIELD_INVALID', { metadata: [] }],
      ['FIELD_INVALID', { metadata: { count: 2 ** 53 } }],
      ['FIELD_INVALID', { metadata: { counts: [{ least: -Infinity }] } }],
      ['FIELD_INVALID', { reference: 'naïve' }],
      ['FIELD_INVALID', { reference: 'nul \0' }],
      ['IDEMPOTENCY_KEY_INVALID', { idempotencyKey: '' }],
      ['IDEMPOTENCY_KEY_INVALID', { idempotencyKey: 'x'.repeat(256) }],
      ['IDEMPOTENCY_KEY_INVALID', { idempotencyKey: 'naïve' }],
    ],
  };

  test.each(Object.entries(CASES))('%s', async (_reason, cases) => {
    await prepare();
    for (const [code, fields] of cases) {
      const order = { ...GOOD, idempotencyKey: key(), ...fields } as PaymentOrder & { idempotencyKey: string };
      const refused = await refusedUnchanged(store.owner, store.tenant.id, () => store.tenant.createPayment(order));
      expect(refused, `${code} expected of ${inspect(fields)}`).toBe(code);
    }
  });

  test('all of them in one batch, between good ones, which are made', async () => {
    await prepare();
    const bad = Object.values(CASES)
      .flat()
      .filter(([, fields]) => !('idempotencyKey' in fields));
    const orders = bad.flatMap(([, fields]) => [
      { ...GOOD, from: 'neighbour' },
      { ...GOOD, ...fields } as PaymentOrder,
    ]);
    const answers = await store.tenant.createPayments(orders, { idempotencyKey: key() });
    answers.forEach((answer, index) => {
      const outcome = 'payment' in answer ? 'made' : answer.refused.code;
      const wanted = index % 2 === 0 ? 'made' : bad[(index - 1) / 2]?.[0];
      expect(outcome, inspect(orders[index])).toBe(wanted);
    });
    expect(await held(store.tenant, 'neighbour')).toEqual([100n - BigInt(bad.length), BigInt(bad.length)]);
  });

  test('for metadata that nobody could read, alone and by itself', async () => {
    await prepare();
    const itself: Record<string, unknown> = {};
    itself['me'] = itself;
    for (const metadata of [itself, { deep: nested(4_000) }]) {
      const create = () => store.tenant.createPayment({ ...GOOD, metadata, idempotencyKey: key() });
      expect(await refusedUnchanged(store.owner, store.tenant.id, create)).toBe('FIELD_INVALID');
      const edit = async () => {
        const [{ id } = { id: '' }] = await store.tenant.payments({ reference: 'taken' });
        await store.tenant.editPayment(id, { metadata });
      };
      expect(await refusedUnchanged(store.owner, store.tenant.id, edit)).toBe('FIELD_INVALID');
    }
    const deepest = { deep: nested(99) };
    expect(await store.tenant.createPayment({ ...GOOD, metadata: deepest, idempotencyKey: key() })).toMatchObject({
      metadata: deepest,
    });
  });

  test('for an account of another tenant, by its id too, and the store has it no other way', async () => {
    await prepare();
    const other = await store.usance.tenant('another');
    const { id: theirs } = await other.account('elsewhere');
    const { id: ours } = await store.tenant.account('payee');
    for (const accounts of [{ from: theirs }, { to: theirs }]) {
      const create = () => store.tenant.createPayment({ ...GOOD, ...accounts, idempotencyKey: key() });
      expect(await refusedUnchanged(store.owner, store.tenant.id, create)).toBe('ACCOUNT_NOT_FOUND');
    }
    const legs = JSON.stringify([
      { account: ours, amount: '1' },
      { account: theirs, amount: '1' },
    ]);
    const { id: payer } = await store.tenant.account('payer');
    const strays = [
      { columns: [theirs, ours, null, 'USD/2'], named: theirs },
      { columns: [payer, theirs, null, 'USD/2'], named: theirs },
      { columns: [payer, ours, legs, 'USD/2'], named: theirs },
      { columns: [payer, ours, null, 'NONE/2'], named: 'NONE/2' },
    ];
    for (const { columns, named } of strays) {
      const insert = store.owner.query(
        `insert into usance.payments (tenant_id, id, status, rail, funding, payer_id, payee_id, legs, asset, amount,
                                      execute_at, priority, created_by, created_at, updated_at)
         values ($1::uuid, gen_random_uuid(), 'scheduled', 'ledger', 'at_execution', $2::uuid, $3::uuid, $4::jsonb, $5, 2,
                 now(), 1, 'a person with psql', now(), now())`,
        [store.tenant.id, ...columns],
      );
      await expect(insert).rejects.toThrow(`names the account or asset ${named}, which its tenant does not have`);
    }
  });

  test('an order a minute late is still taken: a request takes its time to arrive', async () => {
    const order = { ...GOOD, delay: undefined, executeAt: ahead(-HOUR / 120), idempotencyKey: key() };
    const { delay: _, ...late } = order;
    expect(await store.tenant.createPayment(late)).toMatchObject({ status: 'scheduled' });
  });

  test('how far ahead a hold may lie can be set', async () => {
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, bounds: { maxHoldDelayMs: HOUR } });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant('shop');
    const hold = (delay: string, fields: Partial<PaymentOrder> = {}) =>
      refusalOf(tenant.createPayment({ ...GOOD, ...fields, delay, idempotencyKey: key() }));
    expect(await hold('1h')).toBe('not refused');
    expect(await hold('3601s')).toBe('DELAY_OUT_OF_RANGE');
    expect(await hold('3601s', { funding: 'at_execution' })).toBe('not refused');
  });

  test('a hold may lie thirty days ahead where that is set, and the refusal says how to set it', async () => {
    const order = { ...GOOD, delay: '30d' };
    await expect(store.tenant.createPayment({ ...order, idempotencyKey: key() })).rejects.toMatchObject({
      code: 'DELAY_OUT_OF_RANGE',
      param: 'delay',
      message: expect.stringMatching(
        /at most 7 days ahead \(USANCE_MAX_HOLD_DELAY, .*maxHoldDelayMs\); .*"at_execution"/,
      ),
    });
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, bounds: { maxHoldDelayMs: 30 * DAY } });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant('shop');
    const made = await tenant.createPayment({ ...order, idempotencyKey: key() });
    expect(made).toMatchObject({ status: 'scheduled', funding: 'reserve' });
  });

  test.each<[PauseScope, string]>([
    ['tenant', ''],
    ['asset', 'USD/2'],
    ['rail', 'ledger'],
  ])('while its %s is paused', async (scope, value) => {
    const switchOf = { tenantId: store.tenant.id, scope, value, actor: 'operator' };
    await store.db.transaction((tx) => pause(tx, { ...switchOf, reason: 'an incident' }));
    const create = () => store.tenant.createPayment({ ...GOOD, idempotencyKey: key() });
    expect(await refusedUnchanged(store.owner, store.tenant.id, create)).toBe('PAUSED');
    await store.db.transaction((tx) => liftPause(tx, switchOf));
    expect(await refusalOf(create())).toBe('not refused');
  });

  test('while its asset is frozen', async () => {
    const frozen = await store.usance.createTenant({ name: 'frozen' });
    await frozen.createAsset('USD/2');
    await open(frozen, { payer: 10, payee: 0 });
    await freeze(store.owner, frozen.id, 'USD/2');
    const create = () => frozen.createPayment({ ...GOOD, idempotencyKey: key() });
    expect(await refusedUnchanged(store.owner, frozen.id, create)).toBe('ASSET_FROZEN');
  });
});

function inspect(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)).slice(0, 200);
}
