// Creates that come together are made together. Each keeps its own key, answer and refusal, as if it had come alone.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { Payment, PaymentOrder } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

describe('creates at once', () => {
  const store = useUsance({ poolSize: 4 });
  const order = (from: string, fields: Partial<PaymentOrder> = {}): PaymentOrder => ({
    from,
    to: 'payee',
    asset: 'USD',
    amount: 10,
    ...fields,
  });
  const idOf = ({ id }: Payment): string => id;
  const submit = (wanted: PaymentOrder, request = { key: key(), fingerprint: 'same' }) =>
    store.tenant.createPaymentGrouped(request, wanted, idOf);

  /** An engine that counts its transactions. */
  const counting = async (options: EngineOptions = {}) => {
    let commits = 0;
    const onStatement = (text: string): void => void (commits += text === 'commit' ? 1 : 0);
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, onStatement, ...options });
    onTestFinished(() => engine.close());
    return { tenant: await engine.tenant('shop'), commits: () => commits };
  };

  test('share a transaction, up to the size of a group', async () => {
    await open(store.tenant, { payee: 0, crowd: 10_000 });
    const { tenant, commits } = await counting({ maxGroup: 50 });
    const fifty = Array.from({ length: 101 }, () =>
      tenant.createPaymentGrouped({ key: key(), fingerprint: '' }, order('crowd'), idOf),
    );
    const ids = (await Promise.all(fifty)).map(({ answer }) => answer);
    expect(new Set(ids).size).toBe(101);
    // The first goes at once; what queued meanwhile goes in two groups.
    expect(commits()).toBe(3);
    expect(await held(store.tenant, 'crowd')).toEqual([8_990n, 1_010n]);
  });

  test('are each refused for their own reasons, and spoil nobody', async () => {
    await open(store.tenant, { thin: 25 });
    const outcomes = await Promise.all(
      [
        order('thin'),
        order('nobody'),
        order('thin'),
        order('thin', { amount: 0 }),
        order('thin'),
        order('thin', { amount: 5, reference: 'grouped' }),
        order('thin', { amount: 5, reference: 'grouped' }),
        order('thin', { metadata: { text: '\0' } }),
      ].map((wanted) => refusalOf(submit(wanted))),
    );
    expect(outcomes).toEqual([
      'not refused',
      'ACCOUNT_NOT_FOUND',
      'not refused',
      'AMOUNT_NOT_POSITIVE',
      'FUNDS_INSUFFICIENT',
      'not refused',
      'REFERENCE_EXISTS',
      'FIELD_INVALID',
    ]);
    expect(await held(store.tenant, 'thin')).toEqual([0n, 25n]);
  });

  test('with one key are made once, and all are told of the same payment', async () => {
    await open(store.tenant, { once: 1_000 });
    const request = { key: 'grouped once', fingerprint: 'a' };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => submit(order('once'), request)));
    expect(new Set(outcomes.map(({ answer }) => answer)).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await refusalOf(submit(order('once'), { ...request, fingerprint: 'b' }))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await held(store.tenant, 'once')).toEqual([990n, 10n]);
  });

  test('are not held up by one whose payer is held elsewhere', async () => {
    await open(store.tenant, { stuck: 30, free: 1_000 });
    const { id } = await store.tenant.account('stuck');
    const stuck: Promise<unknown>[] = [];
    await store.owner.transaction(async (tx) => {
      await tx.query('select 1 from usance.balances where account_id = $1::uuid for no key update', [id]);
      // More of them than there are connections. Each costs a fifth of a second, and the first is refused as busy after five.
      for (let n = 0; n < 5; n += 1) stuck.push(refusalOf(submit(order('stuck'))));
      for (let n = 0; n < 5; n += 1) await Promise.all([submit(order('free')), submit(order('free'))]);
      stuck.push(refusalOf(submit(order('stuck'))));
      await submit(order('free'));
      expect(await held(store.tenant, 'free')).toEqual([890n, 110n]);
      expect(await held(store.tenant, 'stuck')).toEqual([30n, 0n]);
    });
    const outcomes = await Promise.all(stuck);
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'FUNDS_INSUFFICIENT')).toHaveLength(3);
    await submit(order('free'));
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
