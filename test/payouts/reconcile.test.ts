// Reconciliation as arithmetic: 10,000 histories of a wallet, read at any moment, without a false alarm; and every planted unit is found.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../src/payouts/treasury/reconcile.ts';

/** One transfer of the wallet, in steps of time: when it is in a final block, when an endpoint says so, when it is booked. */
interface Transfer {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly sentAt: number;
  /** Null: it never lands. */
  readonly finalAt: number | null;
  readonly reverts: boolean;
  /** Steps until the endpoint that is asked shows the final block. */
  readonly seenAfter: number;
  /** Steps from then until the watch has booked the end. */
  readonly bookedAfter: number;
}

const STEPS = 40;
const transfer = fc.record({
  amount: fc.bigInt(1n, 1_000_000n),
  fee: fc.bigInt(0n, 5_000n),
  sentAt: fc.integer({ min: 0, max: STEPS }),
  finalAt: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
  reverts: fc.boolean(),
  seenAfter: fc.integer({ min: 0, max: 5 }),
  bookedAfter: fc.integer({ min: 0, max: 15 }),
});
const history = fc.record({
  opening: fc.bigInt(0n, 100_000_000n),
  transfers: fc.array(transfer, { maxLength: 12 }),
  /** The chain is read first, then the books, then the transfers that are open. */
  readAt: fc.integer({ min: 0, max: STEPS + 30 }),
  booksLater: fc.integer({ min: 0, max: 10 }),
  askedLater: fc.integer({ min: 0, max: 10 }),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

const FEE_LIMIT = 15_000n;
const takes = ({ amount, fee, reverts }: Transfer): bigint => (reverts ? 0n : amount) + fee;
const endsAt = ({ sentAt, finalAt }: Transfer): number | null => (finalAt === null ? null : sentAt + finalAt);
const seenAt = (one: Transfer): number | null => (endsAt(one) === null ? null : (endsAt(one) ?? 0) + one.seenAfter);
const bookedAt = (one: Transfer): number | null => (seenAt(one) === null ? null : (seenAt(one) ?? 0) + one.bookedAfter);
const by = (instant: number | null, now: number): boolean => instant !== null && instant <= now;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** The reading as the loop makes it: `planted` units are on the chain and in no book. */
function read({ opening, transfers, readAt, booksLater, askedLater }: History, planted = 0n) {
  const booksAt = readAt + booksLater;
  const askedAt = booksAt + askedLater;
  const booked = transfers.filter((one) => by(bookedAt(one), booksAt));
  const open = transfers.filter((one) => one.sentAt <= booksAt && !by(bookedAt(one), booksAt));
  const decided = open.filter((one) => by(seenAt(one), askedAt));
  return {
    booked: opening - sum(booked.map(takes)),
    onChain: opening - sum(transfers.filter((one) => by(endsAt(one), readAt)).map(takes)) + planted,
    bookedAbove: booked.filter((one) => (endsAt(one) ?? 0) > readAt).map(takes),
    landedBelow: decided.filter((one) => (endsAt(one) ?? 0) <= readAt).map(takes),
    undecided: open.filter((one) => !decided.includes(one)).map(({ amount }) => amount + FEE_LIMIT),
  };
}

describe('reconciliation', () => {
  test('raises no false alarm in 10,000 random histories', () => {
    fc.assert(
      fc.property(history, (one) => {
        expect(reconcile(read(one)).verdict).not.toBe('different');
      }),
      { numRuns: 10_000, seed: 18 },
    );
  });

  test('finds every planted unit, more or less, once the transfers have ended', () => {
    fc.assert(
      fc.property(history, fc.bigInt(-1_000n, 1_000n), (one, planted) => {
        fc.pre(planted !== 0n);
        const ended = one.transfers.filter(({ finalAt }) => finalAt !== null);
        const later = { ...one, transfers: ended, readAt: STEPS + 100 };
        expect(reconcile(read(later, planted))).toMatchObject({ verdict: 'different', difference: planted });
      }),
      { numRuns: 10_000, seed: 19 },
    );
  });

  test('finds every planted surplus at once, and a deficit beyond what open transfers can take', () => {
    fc.assert(
      fc.property(history, fc.bigInt(1n, 1_000n), (one, planted) => {
        const honest = reconcile(read(one));
        fc.pre(honest.verdict === 'even');
        expect(reconcile(read(one, planted)).verdict).toBe('different');
        const most = sum(read(one).undecided);
        expect(reconcile(read(one, -most - planted)).verdict).toBe('different');
      }),
      { numRuns: 5_000, seed: 20 },
    );
  });

  test('a deficit that an open transfer could explain stays open', () => {
    const reading = { booked: 100n, onChain: 60n, bookedAbove: [], landedBelow: [], undecided: [30n, 15n] };
    expect(reconcile(reading)).toEqual({ verdict: 'open', expected: 100n, difference: -40n });
    expect(reconcile({ ...reading, undecided: [30n] })).toMatchObject({ verdict: 'different', difference: -40n });
  });
});
