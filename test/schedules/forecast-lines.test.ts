// The projection of a balance: pure, so whatever comes and goes is tried.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Funds, Flow } from '../../src/schedules/index.ts';
import { project } from '../../src/schedules/index.ts';

const flow = fc.record({
  at: fc.integer({ min: 1, max: 6 }),
  amount: fc.integer({ min: -50, max: 50 }).filter((amount) => amount !== 0),
  held: fc.boolean(),
  priority: fc.integer({ min: 0, max: 2 }),
});
const flows = fc.array(flow, { maxLength: 12 }).map((all) =>
  all.map((each, index): Flow => ({
    at: each.at,
    priority: each.priority,
    asset: 'USD/2',
    amount: BigInt(each.amount),
    held: each.held && each.amount < 0,
    paymentId: `payment-${index}`,
    scheduleId: null,
    slot: null,
  })),
);
const funds = fc
  .integer({ min: 0, max: 100 })
  .map((available): Funds => ({ available: BigInt(available), reserved: 600n }));

const more = (own: Funds, by: bigint): Funds => ({ ...own, available: own.available + by });
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

describe('a projection', () => {
  test('covers everything with what it says is needed, and not with a unit less', () => {
    fc.assert(
      fc.property(funds, flows, (own, all) => {
        const { needed, shortfall } = project(own, all);
        expect(needed > 0n).toBe(shortfall !== null);
        expect(project(more(own, needed), all)).toMatchObject({ needed: 0n, shortfall: null });
        if (needed > 0n) expect(project(more(own, needed - 1n), all).needed).toBe(1n);
      }),
    );
  });

  test('names the first instant after which less than nothing would be left', () => {
    fc.assert(
      fc.property(funds, flows, (own, all) => {
        const { shortfall } = project(own, all);
        const after = (at: number): bigint =>
          own.available + sum(all.filter((each) => each.at <= at && !each.held).map(({ amount }) => amount));
        const first = [1, 2, 3, 4, 5, 6].find((at) => after(at) < 0n);
        expect(shortfall?.line.at).toBe(first);
        if (first !== undefined) expect(shortfall?.missing).toBe(-after(first));
      }),
    );
  });

  test('has every flow once, in order, and ends with their sum, however they were given', () => {
    fc.assert(
      fc.property(funds, flows, fc.infiniteStream(fc.nat()), (own, all, chance) => {
        const { lines } = project(own, all);
        expect(lines.map(({ paymentId }) => String(paymentId)).toSorted()).toEqual(
          all.map(({ paymentId }) => String(paymentId)).toSorted(),
        );
        expect(lines.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => a - b));
        const last = lines.at(-1) ?? own;
        expect(last.available + last.reserved).toBe(
          own.available + own.reserved + sum(all.map(({ amount }) => amount)),
        );
        const shuffled = all.map((each) => ({ each, by: chance.next().value })).toSorted((a, b) => a.by - b.by);
        expect(
          project(
            own,
            shuffled.map(({ each }) => each),
          ),
        ).toEqual({ ...project(own, all) });
      }),
    );
  });
});
