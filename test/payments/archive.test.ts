// Payments that ended long ago are put aside, and nobody notices but the disk.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { LIBRARY, SYSTEM, liveAt } from '../../src/kernel/index.ts';
import { archiveSlice } from '../../src/payments/archive.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { testProcessor } from '../support/processor.ts';
import type { Race } from '../support/race.ts';
import { runRace, stopper } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';

/** Everything that has ended is old: the day is in the past of a minute from now. */
const OLD = { olderThanMs: -60_000, caller: LIBRARY };

describe('an archived payment', () => {
  const store = useUsance({ retention: { paymentsMs: OLD.olderThanMs } });
  const pay = (fields: object = {}) =>
    store.tenant.createPayment({ from: 'ann', to: 'ben', asset: 'USD', amount: 10, ...fields, idempotencyKey: key() });
  const archive = () => store.usance.archive(OLD);
  const places = async (): Promise<Record<string, number>> => {
    const [row] = await store.owner.query(
      `select (select count(*)::int from usance.payments) as here, (select count(*)::int from usance.archived_payments) as archived`,
    );
    return row as Record<string, number>;
  };
  const settled = async (fields: object = {}) => {
    const { id } = await pay(fields);
    await testProcessor(store.db).drain();
    return id;
  };
  const refund = (id: string, amount?: number) =>
    store.tenant.refundPayment(id, { ...(amount === undefined ? {} : { amount }), idempotencyKey: key() });

  test('has ended, and is no dead letter that nobody has dealt with', async () => {
    await open(store.tenant, { ann: 100_000, ben: 0, cem: 0 });
    const done = await settled({ reference: 'done' });
    const shared = await settled({
      to: undefined,
      legs: [
        { to: 'ben', amount: 6 },
        { to: 'cem', amount: 4 },
      ],
    });
    const cancelled = (await store.tenant.cancelPayment((await pay({ delay: '1h' })).id)).id;
    const letter = (await pay({ delay: '1h' })).id;
    const discarded = (await pay({ delay: '1h', reference: 'discarded' })).id;
    for (const id of [letter, discarded]) await store.tenant.failPayment(id, 'not wanted');
    await store.tenant.discardDeadLetter(discarded, 'looked at');
    const open_ = (await pay({ delay: '1h' })).id;

    // A slice is asked for what ended before a day that nothing ended before.
    const clock = liveAt(new Date('2020-01-01T00:00:00Z'));
    expect(await archiveSlice(store.db, clock, SYSTEM, { olderThanMs: 0, from: null })).toMatchObject({ archived: 0 });
    expect(await archive()).toBe(4);
    const rows = await store.owner.query('select id from usance.archived_payments');
    expect(new Set(rows.map((row) => row['id']))).toEqual(new Set([done, shared, cancelled, discarded]));
    expect((await store.tenant.payment(letter)).status).toBe('failed');
    expect((await store.tenant.payment(open_)).status).toBe('scheduled');
    expect(await store.tenant.auditEvents({ action: 'PAYMENTS_ARCHIVED' })).toMatchObject([
      { actor: 'library', resource: 'tenant', details: { payments: 4 } },
    ]);
    expect(await archive()).toBe(0);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is found as before: by itself, in every list, by its payees, in its story and in the views', async () => {
    const id = await settled({ reference: 'found' });
    const views = () =>
      store.db.query(
        `select h.*, e.events from usance_docs.payment_holds h
         cross join lateral (select count(*)::int as events from usance_docs.hold_events e where e.hold_id = h.hold_id) e
         order by h.hold_id`,
      );
    const look = async () => ({
      one: await store.tenant.payment(id),
      story: await store.tenant.timeline(id),
      all: await store.tenant.payments(),
      page: await store.tenant.payments({}, { limit: 2, before: id }),
      settled: await store.tenant.payments({ status: 'settled' }),
      ofPayer: await store.tenant.payments({ account: 'ann' }),
      ofSecondPayee: await store.tenant.payments({ account: 'cem' }),
      byReference: await store.tenant.payments({ reference: 'found' }),
      statement: await store.tenant.statement('ann', {
        asset: 'USD',
        from: new Date('2020-01-01T00:00:00Z'),
        to: new Date('2120-01-01T00:00:00Z'),
      }),
      balances: await store.tenant.balances('ann'),
      views: await views(),
    });
    const before = await look();
    expect(before.ofSecondPayee).toHaveLength(1);
    expect(await archive()).toBe(1);
    expect(await look()).toEqual(before);
  });

  test('keeps its reference: nobody pays by it again', async () => {
    expect(await refusalOf(pay({ reference: 'done' }))).toBe('REFERENCE_EXISTS');
    expect(await refusalOf(pay({ reference: 'discarded' }))).toBe('REFERENCE_EXISTS');
  });

  test('is over for whoever would change what is over', async () => {
    const [found] = await store.tenant.payments({ reference: 'done' });
    const id = found?.id ?? '';
    expect(await refusalOf(store.tenant.cancelPayment(id))).toBe('PAYMENT_STATE_CONFLICT');
    expect(await refusalOf(store.tenant.retryPayment(id))).toBe('PAYMENT_STATE_CONFLICT');
    expect(await refusalOf(refund(id, 11))).toBe('REFUND_EXCEEDS_PAYMENT');
    expect((await places())['archived']).toBe(5);
  });

  test('is taken out by a refund, by twenty at once as by one, and goes back afterwards', async () => {
    const [before] = await held(store.tenant, 'ann');
    const [found] = await store.tenant.payments({ reference: 'done' });
    const id = found?.id ?? '';
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(refund(id, 3))));
    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'REFUND_EXCEEDS_PAYMENT')).toHaveLength(17);
    expect((await held(store.tenant, 'ann'))[0]).toBe(before + 9n);
    expect((await store.tenant.payment(id)).refunded).toBe(9n);
    expect((await places())['archived']).toBe(4);
    expect(await archive()).toBe(1);
    expect((await refund(id)).payment.refunded).toBe(10n);
    expect(await troubles(store.usance)).toEqual([]);
    await archive();
  });

  test('that failed gets its second chance all the same', async () => {
    const [found] = await store.tenant.payments({ reference: 'discarded' });
    const id = found?.id ?? '';
    expect((await store.tenant.retryPayment(id)).status).toBe('scheduled');
    await store.tenant.runPaymentNow(id);
    await testProcessor(store.db).drain();
    expect((await store.tenant.payment(id)).status).toBe('settled');
    expect(await archive()).toBe(1);
  });

  test('of a subscription still counts as paid', async () => {
    const plan = await store.tenant.createPlan({
      name: 'gold',
      receiver: 'cem',
      asset: 'USD',
      price: 7,
      period: { frequency: 'MONTHLY' },
      charges: 12,
    });
    const { id } = await store.tenant.subscribe({ plan: plan.id, payer: 'ann', idempotencyKey: key() });
    await testProcessor(store.db).drain();
    expect(await archive()).toBe(1);
    expect(await store.tenant.subscription(id)).toMatchObject({ chargesMade: 1, chargesPaid: 1, paid: 7n });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is not waited for: what somebody holds is archived the next time', async () => {
    const id = await settled();
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.payments where id = $1::uuid for no key update', [id]);
      expect(await archive()).toBe(0);
    });
    expect(await archive()).toBe(1);
  });

  describe('and a refund at the same time', () => {
    const stop = stopper();
    const state: { engine?: Engine } = {};
    beforeAll(async () => {
      const { runtimeUrl: databaseUrl } = store;
      const retention = { paymentsMs: null };
      state.engine = await createEngine({ databaseUrl, migrate: false, onStatement: stop.onStatement, retention });
    });
    afterAll(() => state.engine?.close());
    const give = async (usance: Engine | undefined, id: string): Promise<string> => {
      const tenant = await usance?.tenant(store.tenant.id);
      await tenant?.refundPayment(id, { amount: 4, idempotencyKey: key() });
      return 'refunded';
    };
    const putAside = async (usance: Engine | undefined): Promise<string> => String(await usance?.archive(OLD));
    const judge = async (id: string): Promise<void> => {
      expect(await store.tenant.payment(id)).toMatchObject({ refunded: 4n });
      expect(await archive()).toBeLessThanOrEqual(1);
    };
    test.each<[string, Race<string>]>([
      [
        'moves it while it is archived',
        { arrange: settled, stopped: () => putAside(state.engine), other: (id) => give(store.usance, id), judge },
      ],
      [
        'is stopped while it is archived',
        { arrange: settled, stopped: (id) => give(state.engine, id), other: () => putAside(store.usance), judge },
      ],
    ])('%s: refunded once, in every order', async (_how, race) => {
      expect(await runRace(store.owner, stop, race)).toBeGreaterThan(5);
      expect(await troubles(store.usance)).toEqual([]);
    });
  });

  test('is one of a slice: the loop goes through all of them, a thousand at a time', async () => {
    await store.tenant.createPayments(
      Array.from({ length: 1_001 }, () => ({ from: 'ann', to: 'ben', asset: 'USD', amount: 1 })),
      { idempotencyKey: key() },
    );
    await testProcessor(store.db).drain();
    const loop = store.usance.loops.find(({ name }) => name === 'retention');
    const first = await loop?.runOnce();
    // Two that are open or a dead letter were walked past.
    expect(first?.counts).toMatchObject({ archived: 998, walks: 0 });
    expect((await loop?.runOnce())?.counts).toMatchObject({ archived: 3, walks: 1 });
    expect(await places()).toMatchObject({ here: 2 });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('leaves for nowhere else: no role removes one, and verify finds what a superuser did', async () => {
    await expect(store.db.query('delete from usance.archived_payments')).rejects.toMatchObject({ code: '42501' });
    await expect(store.db.query('delete from usance.payments')).rejects.toMatchObject({ code: '42501' });
    for (const table of ['payments', 'archived_payments']) {
      await expect(store.owner.query(`delete from usance.${table}`)).rejects.toMatchObject({ code: '23001' });
    }
    await expect(store.owner.query('update usance.archived_payments set amount = 1')).rejects.toMatchObject({
      code: '23001',
    });
    const asReplica = (statement: string) =>
      store.owner.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
    const victim = `(select id from usance.archived_payments where captured > 0 order by id limit 1)`;
    await store.owner.query(`create table removed as select * from usance.archived_payments where id = ${victim}`);
    await asReplica(`insert into usance.payments select * from removed`);
    expect(await troubles(store.usance)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^archived-payments-rest: .*"twice":true/)]),
    );
    await asReplica(`delete from usance.payments where id = (select id from removed);
                     delete from usance.archived_payments where id = (select id from removed)`);
    expect(await troubles(store.usance)).toContainEqual(expect.stringMatching(/^payments-equal-transfers/));
    await asReplica('insert into usance.archived_payments select * from removed');
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('has every column that a payment has', async () => {
    const columns = (table: string) =>
      store.owner.query(
        `select attname, format_type(atttypid, atttypmod) as type, attnotnull from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
        [`usance.${table}`],
      );
    const own = await columns('payments');
    expect(await columns('archived_payments')).toEqual(own);
    const shown = await columns('all_payments');
    expect(shown.map(({ attname }) => attname)).toEqual(own.map(({ attname }) => attname));
  });
});
