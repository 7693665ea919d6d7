// What an order becomes: one payment, or many with an answer each.
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TenantVerbs } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { BulkRefusal } from '../../src/payments/index.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';
import { HOUR } from '../support/processor.ts';
import { doneOrWaiting } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';

describe('creating payments', () => {
  const store = useUsance();
  const pay = (fields: Partial<PaymentOrder> = {}): PaymentOrder => ({
    from: 'payer',
    to: 'payee',
    asset: 'USD',
    amount: 10,
    ...fields,
  });
  const create = (fields: Partial<PaymentOrder> = {}) =>
    store.tenant.createPayment({ ...pay(fields), idempotencyKey: key() });

  test('a payment with legs is found by each of its payees, and once by its payer', async () => {
    await open(store.tenant, { splitter: 100, first: 0, second: 0, third: 0 });
    const legs = ['first', 'second', 'third'].map((to, n) => ({ to, amount: n + 1 }));
    const order = { from: 'splitter', legs, asset: 'USD', amount: 6, delay: '1h' };
    const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    const other = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    for (const account of ['splitter', 'first', 'second', 'third']) {
      const found = await store.tenant.payments({ account });
      expect(found.map((payment) => payment.id)).toEqual([other.id, id]);
      const next = await store.tenant.payments({ account }, { before: other.id });
      expect(next.map((payment) => payment.id)).toEqual([id]);
    }
  });

  test.each(['by itself', 'under the key of a whole request'])(
    'a reference that is taken while a bulk is written costs that order alone, and nothing is made twice: %s',
    async (how) => {
      const [mine, other, till] = ['mine', 'other', 'till'].map((ref) => `${ref}-${how.length}`) as [
        string,
        string,
        string,
      ];
      await open(store.tenant, { [mine]: 1_000, [other]: 1_000, [till]: 0 });
      const terms = { to: till, asset: 'USD', amount: 100, delay: '1h' };
      const orders = [{ reference: how }, {}].map((fields) => ({ ...terms, from: mine, ...fields }));
      const bulk = (verbs: TenantVerbs) => verbs.createPayments(orders, { idempotencyKey: key() });
      const client = new pg.Client(store.runtimeUrl);
      await client.connect();
      onTestFinished(() => client.end());
      await client.query('begin');
      await store.tenant.within(client).createPayment({ ...terms, from: other, reference: how, idempotencyKey: key() });
      const made = { codes: [] as string[] };
      const note = async (verbs: TenantVerbs): Promise<null> => {
        made.codes = (await bulk(verbs)).map((each) => ('refused' in each ? each.refused.code : each.payment.status));
        return null;
      };
      const done =
        how === 'by itself'
          ? note(store.tenant)
          : store.tenant.idempotently({ key: key(), fingerprint: 'bulk' }, (verbs) => note(verbs));
      await doneOrWaiting(store.owner, done);
      await client.query('commit');
      await done;
      expect(made.codes).toEqual(['REFERENCE_EXISTS', 'scheduled']);
      expect(await store.tenant.payments({ from: mine })).toHaveLength(1);
      expect(await held(store.tenant, mine)).toEqual([900n, 100n]);
      expect(await troubles(store.usance)).toEqual([]);
    },
  );

  test('a payment that reserves sets its funds aside at once', async () => {
    await open(store.tenant, { payer: 1_000, payee: 0, other: 0 });
    const payment = await create({ amount: '250', delay: '48h' });
    expect(payment).toMatchObject({ status: 'scheduled', funding: 'reserve', amount: 250n, captured: 0n, attempts: 0 });
    expect(payment.executeAt.getTime() - payment.createdAt.getTime()).toBe(48 * HOUR);
    expect(await held(store.tenant, 'payer')).toEqual([750n, 250n]);
  });

  test('a payment that looks for funds at execution sets nothing aside and needs no funds yet', async () => {
    const before = await held(store.tenant, 'payer');
    const payment = await create({ amount: 5_000_000, funding: 'at_execution', delay: '48h' });
    expect(payment).toMatchObject({ status: 'scheduled', funding: 'at_execution' });
    expect(await held(store.tenant, 'payer')).toEqual(before);
  });

  test('what is asked for is what is kept', async () => {
    const executeAt = new Date(Date.now() + HOUR);
    const expiresAt = new Date(Date.now() + 2 * HOUR);
    const order = {
      executeAt,
      expiresAt: expiresAt.toISOString(),
      priority: 'high',
      retry: { maxAttempts: 2, initialDelayMs: 5_000 },
      reference: 'invoice 1',
      metadata: { invoice: 1, note: 'ä \\u0041 "q"' },
    } as const;
    const made = await create(order);
    expect(made).toMatchObject({ executeAt, expiresAt, priority: 0, reference: 'invoice 1', metadata: order.metadata });
    expect(made.retry).toMatchObject({ maxAttempts: 2, initialDelayMs: 5_000, multiplier: 2 });
    expect(await store.tenant.payment(made.id)).toEqual(made);
    expect(await store.tenant.payments({ reference: 'invoice 1' })).toEqual([made]);
  });

  test.each([
    [3_600, HOUR],
    ['3600', HOUR],
    ['90s', 90_000],
    ['2h', 2 * HOUR],
    ['1d', 24 * HOUR],
    ['PT2H', 2 * HOUR],
    ['P1DT1H1M1.5S', 24 * HOUR + HOUR + 61_500],
    ['P1W', 7 * 24 * HOUR],
    [0, 0],
    [undefined, 0],
  ])('a delay of %s is %d ms', async (delay, ms) => {
    const { executeAt, createdAt } = await create({ amount: 1, ...(delay === undefined ? {} : { delay }) });
    expect(executeAt.getTime() - createdAt.getTime()).toBe(ms);
  });

  test('an instant is understood in its own time zone', async () => {
    const soon = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + HOUR);
    const local = new Date(soon.getTime() + 2 * HOUR).toISOString().replace('.000Z', '+02:00');
    expect((await create({ amount: 1, executeAt: local })).executeAt).toEqual(soon);
  });

  test('accounts and assets may be named by id, ref, code or full name', async () => {
    const [from, to] = [await store.tenant.account('payer'), await store.tenant.account('payee')];
    const payment = await create({ from: from.id, to: to.id, asset: 'USD/2', amount: 1 });
    expect(payment).toMatchObject({ payerId: from.id, legs: [{ accountId: to.id, amount: 1n }], asset: 'USD/2' });
  });

  test("an id is whose it is, even if it is another account's ref", async () => {
    await open(store.tenant, { rightful: 0 });
    const { id } = await store.tenant.account('rightful');
    await store.tenant.openAccount({ ref: id });
    expect((await create({ to: id, funding: 'at_execution' })).legs).toEqual([{ accountId: id, amount: 10n }]);
  });

  test('each order of a bulk request has its own answer, and a bad one spoils nothing', async () => {
    await open(store.tenant, { bulk: 100 });
    const answers = await store.tenant.createPayments(
      [
        pay({ from: 'bulk', amount: 60, reference: 'b1' }),
        pay({ from: 'bulk', amount: 60 }),
        pay({ from: 'nobody' }),
        pay({ from: 'bulk', amount: 0 }),
        pay({ from: 'bulk', to: 'bulk' }),
        pay({ from: 'bulk', amount: 1, reference: 'b1' }),
        pay({ from: 'bulk', amount: 40 }),
        pay({ from: 'bulk', amount: 1, asset: 'EUR' }),
        pay({ from: 'bulk', amount: 1 }),
      ],
      { idempotencyKey: key() },
    );
    expect(answers.map((answer) => ('payment' in answer ? answer.payment.amount : answer.refused.code))).toEqual([
      60n,
      'FUNDS_INSUFFICIENT',
      'ACCOUNT_NOT_FOUND',
      'AMOUNT_NOT_POSITIVE',
      'SELF_TRANSFER',
      'REFERENCE_EXISTS',
      40n,
      'ASSET_NOT_FOUND',
      'FUNDS_INSUFFICIENT',
    ]);
    expect(await held(store.tenant, 'bulk')).toEqual([0n, 100n]);
    for (const answer of answers)
      if ('payment' in answer) expect(await store.tenant.payment(answer.payment.id)).toEqual(answer.payment);
  });

  test('a reference of an order that was refused is free for the next one', async () => {
    await open(store.tenant, { thin: 5 });
    const answers = await store.tenant.createPayments(
      [pay({ from: 'thin', amount: 6, reference: 'again' }), pay({ from: 'thin', amount: 5, reference: 'again' })],
      { idempotencyKey: key() },
    );
    expect(answers).toMatchObject([{ refused: { code: 'FUNDS_INSUFFICIENT' } }, { payment: { reference: 'again' } }]);
  });

  test('an atomic bulk request is made whole', async () => {
    await open(store.tenant, { whole: 100 });
    const orders = [pay({ from: 'whole', amount: 50 }), pay({ from: 'whole', amount: 50 })];
    const answers = await store.tenant.createPayments(orders, { idempotencyKey: key(), atomic: true });
    expect(answers).toMatchObject([{ payment: { status: 'scheduled' } }, { payment: { status: 'scheduled' } }]);
    expect(await held(store.tenant, 'whole')).toEqual([0n, 100n]);
  });

  test('an atomic bulk request with one bad order changes nothing and says what was wrong with which', async () => {
    await open(store.tenant, { atom: 100 });
    const orders = [pay({ from: 'atom' }), pay({ from: 'atom', amount: 91 }), pay({ from: 'atom', asset: 'EUR' })];
    const atomic = () => store.tenant.createPayments(orders, { idempotencyKey: 'atomic', atomic: true });
    const refused: unknown[] = [];
    const changed = await changedBy(store.owner, store.tenant.id, () =>
      atomic().catch((error: unknown) => refused.push(error)),
    );
    expect(changed).toEqual([]);
    const [error] = refused;
    if (!(error instanceof BulkRefusal)) throw new Error('expected a BulkRefusal', { cause: error });
    expect(error.results).toMatchObject([
      { refused: { code: 'BATCH_ABORTED' } },
      { refused: { code: 'FUNDS_INSUFFICIENT' } },
      { refused: { code: 'ASSET_NOT_FOUND', fields: { param: 'asset', asset: 'EUR' } } },
    ]);
    expect(error).toBeInstanceOf(Refusal);
    expect(error.code).toBe('FUNDS_INSUFFICIENT');
    expect(error.errors).toMatchObject([
      { index: 1, code: 'FUNDS_INSUFFICIENT' },
      { index: 2, code: 'ASSET_NOT_FOUND', param: 'asset', detail: 'there is no asset "EUR"' },
    ]);
    expect(error.message).toMatch(/^payments\[1\]: ./);
    const unknownAsset = await store.tenant
      .createPayments(orders.slice(2), { idempotencyKey: key(), atomic: true })
      .catch((thrown: unknown) => thrown);
    expect(unknownAsset).toMatchObject({
      message: 'payments[0]: there is no asset "EUR"',
      code: 'ASSET_NOT_FOUND',
      param: 'payments[0].asset',
    });

    // Only what was done is remembered: the same request, mended by a deposit, is tried anew.
    await store.tenant.createAsset('EUR/2');
    await store.tenant.deposit({ account: 'atom', asset: 'EUR', amount: 10, idempotencyKey: key() });
    await store.tenant.deposit({ account: 'atom', asset: 'USD', amount: 10, idempotencyKey: key() });
    expect(await atomic()).toHaveLength(3);
  });

  test('a bulk request holds 10,000 payments and no more', async () => {
    await open(store.tenant, { many: 10_000 });
    const orders = Array.from({ length: 10_000 }, (_, n) => pay({ from: 'many', amount: 1, reference: `many ${n}` }));
    const answers = await store.tenant.createPayments(orders, { idempotencyKey: key() });
    expect(answers.filter((answer) => 'payment' in answer)).toHaveLength(10_000);
    expect(await held(store.tenant, 'many')).toEqual([0n, 10_000n]);
    const bulk = (count: number) =>
      refusedUnchanged(store.owner, store.tenant.id, () =>
        store.tenant.createPayments(
          Array.from({ length: count }, () => pay()),
          { idempotencyKey: key() },
        ),
      );
    expect(await bulk(10_001)).toBe('BULK_TOO_LARGE');
    expect(await bulk(0)).toBe('BULK_TOO_LARGE');
  });

  test('a bulk request of which most is refused, each for another name, asks the store no more often for it', async () => {
    await open(store.tenant, { mixed: 100 });
    let statements = 0;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      onStatement: () => Promise.resolve(void (statements += 1)),
    });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant('shop');
    const bad = (n: number): Partial<PaymentOrder>[] => [
      { asset: `X${n}` },
      { to: `nobody-${n}` },
      { amount: 0 },
      { amount: 1_000 },
      { legs: [] },
    ];
    const orders = Array.from({ length: 10_000 }, (_, n) => {
      const order = pay({ from: 'mixed', amount: 1, reference: `mixed ${n}` });
      return n % 100 === 0 ? order : { ...order, ...bad(n)[n % 5] };
    });
    statements = 0;
    const answers = await tenant.createPayments(orders, { idempotencyKey: key() });
    expect(statements).toBeLessThan(30);
    const count = (code: string) =>
      answers.filter((answer) => ('payment' in answer ? 'made' : answer.refused.code) === code).length;
    const codes = [
      'made',
      'ASSET_NOT_FOUND',
      'ACCOUNT_NOT_FOUND',
      'AMOUNT_NOT_POSITIVE',
      'FUNDS_INSUFFICIENT',
      'LEGS_INVALID',
    ];
    expect(codes.map(count)).toEqual([100, 1_900, 2_000, 2_000, 2_000, 2_000]);
    expect(await held(store.tenant, 'mixed')).toEqual([0n, 100n]);
  });

  test('payments are listed newest first, by account, state and time, in pages that do not shift', async () => {
    await open(store.tenant, { lister: 100 });
    const made = [];
    for (const to of ['payee', 'other', 'payee']) made.push(await create({ from: 'lister', to, delay: '1h' }));
    const ids = (payments: readonly { id: string }[]) => payments.map((payment) => payment.id);
    const newest = ids(made).toReversed();
    expect(ids(await store.tenant.payments({ account: 'lister' }))).toEqual(newest);
    const first = await store.tenant.payments({ account: 'lister' }, { limit: 2 });
    await create({ from: 'lister' });
    const second = await store.tenant.payments({ account: 'lister' }, { limit: 2, before: first.at(-1)?.id ?? '' });
    expect([...ids(first), ...ids(second)]).toEqual(newest);
    expect(await store.tenant.payments({ account: 'lister', status: 'settled' })).toEqual([]);
    const executeFrom = new Date(Date.now() + HOUR / 2);
    expect(ids(await store.tenant.payments({ account: 'lister', executeFrom }))).toEqual(newest);
    expect(await store.tenant.payments({ account: 'lister', executeFrom, executeBefore: executeFrom })).toEqual([]);
    expect(await refusalOf(store.tenant.payments({}, { before: 'nonsense' }))).toBe('ID_INVALID');
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
