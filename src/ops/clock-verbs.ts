// A test tenant's clock, as its owner sees it: made, looked at, sent on its way.
import type { Sql } from '../db/index.ts';
import type { EventSpan } from '../events/index.ts';
import { appendEvents, spanBetween } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { parseInstant } from '../payments/index.ts';
import type { TestClock } from '../tenants/index.ts';
import { createClock, findClock, requestAdvance } from '../tenants/index.ts';

export interface ClockReport extends TestClock {
  /** What the last advance did, once it has ended and its events have their places; null before that. */
  readonly happened: EventSpan | null;
}

export interface ClockVerbs {
  /** Of a test tenant, once: what time it is there. */
  createTestClock(order: { name: string; now: Date | string }): Promise<ClockReport>;
  testClock(id: Uuid): Promise<ClockReport>;
  /** One or none. */
  testClocks(): Promise<ClockReport[]>;
  /**
   * Sends the clock to an instant, and with it everything that falls due on the way; the loop `clocks` does the work. Until
   * the clock is `ready` other writes to the tenant are refused with CLOCK_ADVANCING.
   */
  advanceTestClock(id: Uuid, to: Date | string): Promise<ClockReport>;
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
        const fact = { type: 'clock.created', data: { new: { name, now: made.now } }, occurredAt: made.now };
        await appendEvents(tx, [{ ...caller, ...fact, tenantId, resource: 'clock', resourceId: made.id }]);
        return { ...made, happened: null };
      }),
    testClocks: own,
    testClock: async (id) =>
      (await own()).find((clock) => clock.id === id) ?? refuse('CLOCK_NOT_FOUND', 'the tenant has no such test clock'),
    advanceTestClock: (id, to) =>
      context.runUntimed(async (tx) => {
        const { clock, beganEventId } = await requestAdvance(tx, { tenantId, id, to: parseInstant(to, 'to') });
        const data = { from: clock.now, to: clock.advance?.to };
        const fact = { id: beganEventId, type: 'clock.advance_requested', data, occurredAt: clock.now };
        await appendEvents(tx, [{ ...caller, ...fact, tenantId, resource: 'clock', resourceId: id }]);
        return { ...clock, happened: null };
      }),
  };
}

async function report(sql: Sql, clock: TestClock): Promise<ClockReport> {
  const { beganEventId, endedEventId = null } = clock.advance ?? {};
  const happened =
    beganEventId && endedEventId ? await spanBetween(sql, clock.tenantId, beganEventId, endedEventId) : null;
  return { ...clock, happened };
}
