// A test tenant's clock: created, read by every verb that writes, advanced, stopped and deleted. The steps of an advance are the
// work of a module that sees everything that can be due.
import type { Sql, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { isStorable, newId, refuse } from '../kernel/index.ts';
import {
  beginAdvance,
  cancelAdvanceOf,
  findClock,
  findLastClock,
  holdLastClock,
  holdStandingClock,
  insertClock,
  lockClock,
  markClockDeleted,
} from './clock-store.ts';
import type { TestClock } from './clock.ts';
import { FIRST_INSTANT_MS, LAST_INSTANT_MS, MAX_ADVANCE_DAYS, MAX_ADVANCE_MS } from './clock.ts';
import { findTenant } from './store.ts';

export interface ClockOrder {
  readonly tenantId: Uuid;
  readonly name: string;
  readonly now: Date;
}

/** A clock that follows a deleted one continues its timeline: what waited for that one waits for this one, and time does not go back. */
export async function createClock(tx: Transaction, order: ClockOrder): Promise<TestClock> {
  const { tenantId, name, now } = order;
  if (name.length < 1 || name.length > 100 || !isStorable(name))
    refuse('FIELD_INVALID', 'a name is 1 to 100 characters, without NUL', { param: 'name' });
  requireInstant(now, 'now');
  if ((await findTenant(tx, tenantId))?.kind !== 'test')
    refuse('CLOCK_TENANT_LIVE', 'this tenant is live, and so is its time: make a test tenant');
  const last = await holdLastClock(tx, tenantId);
  const exists = 'the tenant already has a clock: advance it, delete it, or create another test tenant';
  if (last && !last.deletedAt) refuse('CLOCK_EXISTS', exists);
  if (last && now < last.now)
    refuse(
      'CLOCK_BACKWARDS',
      `the tenant's deleted clock stood at ${last.now.toISOString()}: start at that instant or a later one`,
      { param: 'now' },
    );
  const id = newId();
  const made = await insertClock(tx, { tenantId, id, timelineId: last?.timelineId ?? id, name, now });
  return made ?? refuse('CLOCK_EXISTS', exists);
}

/** The time a verb of a test tenant acts at. Refused while the clock is on its way: this write would be of no instant. */
export async function standingClock(sql: Sql, tenantId: Uuid): Promise<Clock> {
  const standing = await holdStandingClock(sql, tenantId);
  if (standing) return standing;
  const clock = await findClock(sql, tenantId);
  if (!clock) return refuse('CLOCK_MISSING', 'this test tenant has no clock: create one first');
  return refuse('CLOCK_ADVANCING', `${onItsWay(clock)}; ask again when it has arrived`);
}

/** Where the clock stands or is passing, or stood when it was deleted; null before the first one. For reads and records, not for writes. */
export async function passingClock(sql: Sql, tenantId: Uuid): Promise<Clock | null> {
  const clock = await findLastClock(sql, tenantId);
  return clock && { clockId: clock.timelineId, now: clock.now };
}

export interface AdvanceOrder {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly to: Date;
}

/** To the instant where it stands is an advance too: what is due now runs. The event has to be appended by the caller. */
export async function requestAdvance(
  tx: Transaction,
  order: AdvanceOrder,
): Promise<{ clock: TestClock; beganEventId: Uuid }> {
  requireInstant(order.to, 'to');
  const clock = await findClock(tx, order.tenantId);
  if (!clock || clock.id !== order.id) return refuseUnknown();
  if (clock.status === 'advancing') refuse('CLOCK_ADVANCING', `${onItsWay(clock)}; ask again when it has arrived`);
  const wayMs = order.to.getTime() - clock.now.getTime();
  const stands = `the clock stands at ${clock.now.toISOString()}`;
  if (wayMs < 0) refuse('CLOCK_BACKWARDS', `${stands}, and time only goes forward: name that instant or a later one`);
  if (wayMs > MAX_ADVANCE_MS)
    refuse('CLOCK_TOO_FAR', `${stands}: advance it by at most ${MAX_ADVANCE_DAYS} days at once, then again`);
  const beganEventId = newId();
  const begun = await beginAdvance(tx, { ...order, beganEventId });
  if (begun) return { clock: begun, beganEventId };
  // Between the look and the write another request was faster.
  if ((await findClock(tx, order.tenantId))?.id !== order.id) return refuseUnknown();
  return refuse('CLOCK_ADVANCING', 'the clock is being advanced; ask again when it has arrived');
}

export interface ClockName {
  readonly tenantId: Uuid;
  readonly id: Uuid;
}

/**
 * Ends the advance under way where the clock got to; everything up to there is done, and nothing after it. Waits for the step that
 * runs, if any. No change where nothing advances: `endedEventId` is then null, otherwise the caller has to append that event.
 */
export async function cancelAdvance(
  tx: Transaction,
  name: ClockName,
): Promise<{ clock: TestClock; endedEventId: Uuid | null }> {
  const clock = await lockClock(tx, name, 'no key update');
  if (!clock || clock.deletedAt) return refuseUnknown();
  if (clock.status !== 'advancing') return { clock, endedEventId: null };
  // Made under the lock: the event comes after those of the last step.
  const endedEventId = newId();
  return { clock: await cancelAdvanceOf(tx, clock, endedEventId), endedEventId };
}

/** No change where it was deleted before. Waits for writes that are under way: they are at the instant of this clock. */
export async function deleteClock(tx: Transaction, name: ClockName): Promise<{ clock: TestClock; isNew: boolean }> {
  const clock = await lockClock(tx, name, 'update');
  if (!clock) return refuseUnknown();
  if (clock.deletedAt) return { clock, isNew: false };
  if (clock.status === 'advancing') refuse('CLOCK_ADVANCING', `${onItsWay(clock)}; cancel the advance first`);
  return { clock: await markClockDeleted(tx, clock), isNew: true };
}

const refuseUnknown = (): never => refuse('CLOCK_NOT_FOUND', 'the tenant has no such test clock');

const onItsWay = (clock: TestClock): string =>
  `the clock is on its way to ${clock.advance?.to.toISOString() ?? 'later'}, and now at ${clock.now.toISOString()}`;

function requireInstant(instant: Date, param: string): void {
  const ms = instant.getTime();
  if (ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS) return;
  refuse('FIELD_INVALID', `${param} is an instant between the years 1970 and 9990`, { param });
}
