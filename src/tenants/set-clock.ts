// A test tenant's clock: created, read by every verb that writes, advanced, stopped and deleted. The steps of an advance are the
// work of a module that sees everything that can be due.
import type { Sql, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { isStorable, newBlockId, newId, refuse } from '../kernel/index.ts';
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
    refuse('FIELD_INVALID/wrong_length', { param: 'name', min: 1, max: 100 });
  requireInstant(now, 'now');
  if ((await findTenant(tx, tenantId))?.kind !== 'test') refuse('CLOCK_TENANT_LIVE');
  const last = await holdLastClock(tx, tenantId);
  if (last && !last.deletedAt) refuse('CLOCK_EXISTS');
  if (last && now < last.now) refuse('CLOCK_BACKWARDS/before_deleted_clock', { now: last.now, param: 'now' });
  const id = newId();
  const made = await insertClock(tx, { tenantId, id, timelineId: last?.timelineId ?? id, name, now });
  return made ?? refuse('CLOCK_EXISTS');
}

/** The time a verb of a test tenant acts at. Refused while the clock is on its way: this write would be of no instant. */
export async function standingClock(sql: Sql, tenantId: Uuid): Promise<Clock> {
  const standing = await holdStandingClock(sql, tenantId);
  if (standing) return standing;
  const clock = await findClock(sql, tenantId);
  return clock ? refuseAdvancing(clock) : refuse('CLOCK_MISSING');
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
  if (!clock || clock.id !== order.id) return refuseUnknown(order.id);
  if (clock.status === 'advancing') refuseAdvancing(clock);
  const wayMs = order.to.getTime() - clock.now.getTime();
  if (wayMs < 0) refuse('CLOCK_BACKWARDS/before_now', { now: clock.now, param: 'to' });
  if (wayMs > MAX_ADVANCE_MS) refuse('CLOCK_TOO_FAR', { now: clock.now, maxDays: MAX_ADVANCE_DAYS, param: 'to' });
  const beganEventId = newBlockId();
  const begun = await beginAdvance(tx, { ...order, beganEventId });
  if (begun) return { clock: begun, beganEventId };
  // Between the look and the write another request was faster.
  const current = await findClock(tx, order.tenantId);
  return current?.id === order.id ? refuseAdvancing(current) : refuseUnknown(order.id);
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
  if (!clock || clock.deletedAt) return refuseUnknown(name.id);
  if (clock.status !== 'advancing') return { clock, endedEventId: null };
  // Made under the lock: the event comes after those of the last step.
  const endedEventId = newBlockId();
  return { clock: await cancelAdvanceOf(tx, clock, endedEventId), endedEventId };
}

/** No change where it was deleted before. Waits for writes that are under way: they are at the instant of this clock. */
export async function deleteClock(tx: Transaction, name: ClockName): Promise<{ clock: TestClock; isNew: boolean }> {
  const clock = await lockClock(tx, name, 'update');
  if (!clock) return refuseUnknown(name.id);
  if (clock.deletedAt) return { clock, isNew: false };
  if (clock.status === 'advancing') refuseAdvancing(clock);
  return { clock: await markClockDeleted(tx, clock), isNew: true };
}

const refuseUnknown = (id: Uuid): never => refuse('CLOCK_NOT_FOUND/unknown_id', { clock: id });

const refuseAdvancing = ({ now, advance }: TestClock): never =>
  refuse('CLOCK_ADVANCING', { now, to: advance?.to ?? now });

function requireInstant(instant: Date, param: string): void {
  const ms = instant.getTime();
  if (ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS) return;
  const [min, max] = [new Date(FIRST_INSTANT_MS), new Date(LAST_INSTANT_MS)];
  refuse('FIELD_INVALID/instant_out_of_range', { param, min, max });
}
