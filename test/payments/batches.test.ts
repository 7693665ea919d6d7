// Every verb takes a batch of orders and answers each for itself: what one is refused for is no other's trouble, and a
// second order for a payment finds what the first one did.
import { beforeAll, describe, expect, test } from 'vitest';
import { IDENTITIES } from '../../src/access/index.ts';
import type { Transaction } from '../../src/db/index.ts';
import { asDate } from '../../src/db/index.ts';
import type { Caller, Clock } from '../../src/kernel/index.ts';
import { callerOf, liveAt } from '../../src/kernel/index.ts';
import type { Tried } from '../../src/payments/index.ts';
import { Claimer, DEFAULT_BOUNDS, settleDue } from '../../src/payments/index.ts';
import type { Answer } from '../../src/payments/answers.ts';
import { approvePayments, rejectPayments } from '../../src/payments/approve.ts';
import { refundPayments, retryPayments } from '../../src/payments/ended.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import {
  cancelPayments,
  capturePayments,
  editPayments,
  extendPayments,
  failPayments,
  runNow,
} from '../../src/payments/scheduled.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR } from '../support/processor.ts';

interface Key {
  readonly tenantId: string;
  readonly id: string;
}
type Run = (tx: Transaction, clock: Clock, caller: Caller, keys: Key[]) => Promise<Answer<object>[]>;
type State = 'scheduled' | 'settled' | 'failed' | 'awaited';

const NOBODY = '01a0ffff-0000-7000-8000-000000000000';
const LONG = 'x'.repeat(1_001);
const ahead = (hours: number): Date => new Date(Date.now() + hours * HOUR);

/** Each verb on [good, unknown, good, ill-formed, the first again]; `again` is the answer to the last. */
const VERBS: Record<string, { from: State; run: Run; bad: string; again: string; after: object; heldOfEach: bigint }> =
  {
    cancel: {
      from: 'scheduled',
      run: (tx, clock, caller, keys) =>
        cancelPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => (n === 3 ? { ...one, reason: LONG } : one)),
        ),
      bad: 'FIELD_INVALID',
      again: 'PAYMENT_STATE_CONFLICT',
      after: { status: 'cancelled' },
      heldOfEach: 0n,
    },
    capture: {
      from: 'scheduled',
      run: (tx, clock, caller, keys) =>
        capturePayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({ ...one, amount: n === 3 ? 101n : 60n })),
          IDENTITIES,
        ),
      bad: 'CAPTURE_EXCEEDS_HOLD',
      again: 'CAPTURE_EXCEEDS_HOLD',
      after: { status: 'scheduled', captured: 60n },
      heldOfEach: 40n,
    },
    edit: {
      from: 'scheduled',
      run: (tx, clock, caller, keys) =>
        editPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({
            ...one,
            amount: n === 3 ? 1_000_000n : n === 4 ? 70n : 80n,
            executeAt: ahead(n + 2),
          })),
          DEFAULT_BOUNDS,
        ),
      bad: 'FUNDS_INSUFFICIENT',
      again: 'done',
      after: { status: 'scheduled' },
      heldOfEach: 75n,
    },
    extend: {
      from: 'scheduled',
      run: (tx, clock, caller, keys) =>
        extendPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({ ...one, expiresAt: ahead(n === 3 ? 0 : n + 2) })),
          DEFAULT_BOUNDS,
        ),
      bad: 'EXPIRY_BEFORE_EXECUTION',
      again: 'done',
      after: { status: 'scheduled' },
      heldOfEach: 100n,
    },
    fail: {
      from: 'scheduled',
      run: (tx, clock, caller, keys) =>
        failPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({ ...one, reason: n === 3 ? ' ' : 'a reason' })),
        ),
      bad: 'FIELD_INVALID',
      again: 'PAYMENT_STATE_CONFLICT',
      after: { status: 'failed' },
      heldOfEach: 0n,
    },
    'run now': {
      from: 'scheduled',
      run: (tx, clock, caller, keys) => runNow(tx, clock, caller, keys, IDENTITIES),
      bad: 'done',
      again: 'done',
      after: { status: 'scheduled' },
      heldOfEach: 100n,
    },
    refund: {
      from: 'settled',
      run: (tx, clock, caller, keys) =>
        refundPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({ ...one, amount: n === 3 ? 101n : 60n })),
          OWNER_RULES,
        ),
      bad: 'REFUND_EXCEEDS_PAYMENT',
      again: 'REFUND_EXCEEDS_PAYMENT',
      after: { status: 'settled', refunded: 60n },
      heldOfEach: 0n,
    },
    retry: {
      from: 'failed',
      run: (tx, clock, caller, keys) =>
        retryPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => (n === 3 ? { ...one, reason: LONG } : one)),
          { rules: OWNER_RULES, bounds: DEFAULT_BOUNDS },
        ),
      bad: 'FIELD_INVALID',
      again: 'PAYMENT_STATE_CONFLICT',
      after: { status: 'scheduled', attempts: 0 },
      heldOfEach: 100n,
    },
    approve: {
      from: 'awaited',
      run: (tx, clock, caller, keys) =>
        approvePayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({ ...one, termsVersion: 1, ...(n === 3 ? { reason: LONG } : {}) })),
          IDENTITIES,
        ),
      bad: 'FIELD_INVALID',
      again: 'PAYMENT_STATE_CONFLICT',
      after: { status: 'scheduled', approval: 'given' },
      heldOfEach: 100n,
    },
    reject: {
      from: 'awaited',
      run: (tx, clock, caller, keys) =>
        rejectPayments(
          tx,
          clock,
          caller,
          keys.map((one, n) => ({ ...one, reason: n === 3 ? '' : 'a reason' })),
          IDENTITIES,
        ),
      bad: 'FIELD_INVALID',
      again: 'PAYMENT_STATE_CONFLICT',
      after: { status: 'cancelled' },
      heldOfEach: 0n,
    },
  };

describe('a batch of orders', () => {
  const store = useUsance();
  beforeAll(() => open(store.tenant, { payee: 0 }));

  test.each(Object.entries(VERBS))('to %s is answered order by order', async (name, verb) => {
    const { tenant } = store;
    const payer = `payer-to-${name.replace(' ', '-')}`;
    await open(tenant, { [payer]: 1_000 });
    if (verb.from === 'awaited') await tenant.setLimit({ account: payer, asset: 'USD', approvalAbove: 0 });
    const bring = async (): Promise<string> => {
      const order = { from: payer, to: 'payee', asset: 'USD', amount: 100, delay: '1h' };
      const { id } = await tenant.createPayment({ ...order, idempotencyKey: key() });
      if (verb.from === 'settled') await tenant.capturePayment(id, { idempotencyKey: key() });
      if (verb.from === 'failed') await tenant.failPayment(id, 'for the test');
      return id;
    };
    const [first, second, bad] = [await bring(), await bring(), await bring()];
    const keys = [first, NOBODY, second, bad, first].map((id) => ({ tenantId: tenant.id, id }));
    const before = await tenant.payment(bad);
    const answers = await store.db.transaction((tx) =>
      verb.run(tx, liveAt(new Date()), callerOf({ actor: 'somebody else' }), keys),
    );
    const codes = answers.map((answer) => ('refused' in answer ? answer.refused.code : 'done'));
    expect(codes).toEqual(['done', 'PAYMENT_NOT_FOUND', 'done', verb.bad, verb.again]);
    expect(await tenant.payment(first)).toMatchObject(verb.after);
    expect(await tenant.payment(second)).toMatchObject(verb.after);
    if (verb.bad !== 'done') expect(await tenant.payment(bad)).toEqual(before);
    const ofBad = before.endedAt ? 0n : before.amount;
    expect((await held(tenant, payer))[1]).toBe(2n * verb.heldOfEach + ofBad);
    // A second edit or extension of the same payment is the one that holds.
    const last = await tenant.payment(first);
    const due = await store.owner.query('select due_at from usance.due where payment_id = $1::uuid', [first]);
    if (name === 'edit') expect([last.amount, asDate(due[0]?.['due_at'])]).toEqual([70n, last.executeAt]);
    if (name === 'extend') expect(last.expiresAt?.getTime()).toBeGreaterThan(ahead(5).getTime());
  });

  test('that lost a race tells of no payment what its first try had done', async () => {
    await open(store.tenant, { racer: 100 });
    const order = { from: 'racer', to: 'payee', asset: 'USD', amount: 10 };
    const { id } = await store.tenant.createPayment({ ...order, idempotencyKey: key() });
    let tries = 0;
    const db = store.pool({
      async onStatement(text) {
        if (text === 'commit' && tries === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
        if (!text.startsWith('begin')) return;
        tries += 1;
        // Before the second try everything was put off.
        if (tries === 2)
          await store.owner.query(
            `update usance.due d set due_at = now() + interval '1 hour' from usance.payments p
             where p.id = d.payment_id and p.approval is distinct from 'awaited'`,
          );
      },
    });
    const readClock = async (tx: Transaction): Promise<Clock> => liveAt(tx.begunAt ?? new Date());
    const tried = new Map<string, Tried>();
    const settling = { batchSize: 10, simulateFailures: 0, ownerRules: OWNER_RULES, readClock, tried };
    expect(await settleDue(db, new Claimer(), settling)).toMatchObject({ claimed: 0 });
    expect([tries, [...tried.keys()]]).toEqual([2, []]);
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'scheduled' });
  });

  test('leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
