// A test tenant's clock: create, read, advance, cancel an advance, delete.
import type { Sql } from '../db/index.ts';
import type { EventSpan } from '../events/index.ts';
import { appendEvents, spanBetween } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { parseInstant } from '../payments/index.ts';
import type { TestClock } from '../tenants/index.ts';
import { cancelAdvance, createClock, deleteClock, findClock, requestAdvance } from '../tenants/index.ts';

export interface ClockReport extends TestClock {
  /** The events of the last advance, after it has ended and its events are ordered; null before that. */
  readonly happened: EventSpan | null;
}

export interface ClockVerbs {
  /**
   * The time of a test tenant, which has one clock. After a deleted clock: `now` is not before where that one stood, and what waited
   * for it waits for the new one.
   */
  createTestClock(order: { name: string; now: Date | string }): Promise<ClockReport>;
  testClock(id: Uuid): Promise<ClockReport>;
  /** One or none. */
  testClocks(): Promise<ClockReport[]>;
  /**
   * Sends the clock to an instant, and with it everything that falls due on the way; the loop `clocks` does the work. Until
   * the clock is `ready` other writes to the tenant are refused with CLOCK_ADVANCING.
   */
  advanceTestClock(id: Uuid, to: Date | string): Promise<ClockReport>;
  /**
   * Ends the advance under way: the clock is `ready` where it got to, and what was done on the way stays done. Changes nothing where
   * the clock does not advance.
   */
  cancelAdvance(id: Uuid): Promise<ClockReport>;
  /**
   * Stops the tenant's time. Scheduled payments keep their reserved funds and wait for the tenant's next clock; until there is one,
   * writes are refused with CLOCK_MISSING. Refused while an advance is under way. Deleting a deleted clock changes nothing.
   */
  deleteTestClock(id: Uuid): Promise<ClockReport>;
}

export function clockVerbs(context: VerbContext): ClockVerbs {
  const { tenantId, caller, sql } = context;
  const own = async (): Promise<ClockReport[]> => {
    const clock = await findClock(sql, tenantId);
    return clock ? [await report(sql, clock)] : [];
  };

  return {
    createTestClock: ({ name, now }) =>
      context.runUntimed(async (tx) => {
        const made = await createClock(tx, { tenantId, name, now: parseInstant(now, 'now') });
        const fact = {
          type: 'test_clock.created' as const,
          data: { new: { name, now: made.now } },
          occurredAt: made.now,
        };
        await appendEvents(tx, [{ ...caller, ...fact, tenantId, resource: 'test_clock', resourceId: made.id }]);
        return { ...made, happened: null };
      }),
    testClocks: own,
    testClock: async (id) =>
      (await own()).find((clock) => clock.id === id) ?? refuse('CLOCK_NOT_FOUND/unknown_id', { clock: id }),
    advanceTestClock: (id, to) =>
      context.runUntimed(async (tx) => {
        const { clock, beganEventId } = await requestAdvance(tx, { tenantId, id, to: parseInstant(to, 'to') });
        const data = { from: clock.now, to: clock.advance?.to };
        const fact = { id: beganEventId, type: 'test_clock.advance_requested' as const, data, occurredAt: clock.now };
        await appendEvents(tx, [{ ...caller, ...fact, tenantId, resource: 'test_clock', resourceId: id }]);
        return { ...clock, happened: null };
      }),
    cancelAdvance: (id) =>
      context.runUntimed(async (tx) => {
        const { clock, endedEventId } = await cancelAdvance(tx, { tenantId, id });
        if (endedEventId === null) return report(tx, clock);
        const data = { from: clock.advance?.from, to: clock.advance?.to, now: clock.now };
        const fact = { id: endedEventId, type: 'test_clock.advance_cancelled' as const, data, occurredAt: clock.now };
        await appendEvents(tx, [{ ...caller, ...fact, tenantId, resource: 'test_clock', resourceId: id }]);
        return { ...clock, happened: null };
      }),
    deleteTestClock: (id) =>
      context.runUntimed(async (tx) => {
        const { clock, isNew } = await deleteClock(tx, { tenantId, id });
        const fact = {
          type: 'test_clock.deleted' as const,
          data: { name: clock.name, now: clock.now },
          occurredAt: clock.now,
        };
        if (isNew) await appendEvents(tx, [{ ...caller, ...fact, tenantId, resource: 'test_clock', resourceId: id }]);
        return report(tx, clock);
      }),
  };
}

async function report(sql: Sql, clock: TestClock): Promise<ClockReport> {
  const { beganEventId, endedEventId = null } = clock.advance ?? {};
  const happened =
    beganEventId && endedEventId ? await spanBetween(sql, clock.tenantId, beganEventId, endedEventId) : null;
  return { ...clock, happened };
}
