// A test tenant's clock: made once, read by every verb that writes, and sent on its way. Walking the way is for a module
// that sees all that can be due.
import type { Sql, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { isStorable, newId, refuse } from '../kernel/index.ts';
import { beginAdvance, findClock, holdStandingClock, insertClock } from './clock-store.ts';
import type { TestClock } from './clock.ts';
import { FIRST_INSTANT_MS, LAST_INSTANT_MS, MAX_ADVANCE_DAYS, MAX_ADVANCE_MS } from './clock.ts';
import { findTenant } from './store.ts';

export interface ClockOrder {
  readonly tenantId: Uuid;
  readonly name: string;
  readonly now: Date;
}

/** A clock lives as long as its tenant: what was promised by it would hang in no time at all. */
export async function createClock(tx: Transaction, order: ClockOrder): Promise<TestClock> {
  const { tenantId, name, now } = order;
  if (name.length < 1 || name.length > 100 || !isStorable(name))
    refuse('FIELD_INVALID', 'a name is 1 to 100 characters, without NUL', { param: 'name' });
  requireInstant(now, 'now');
  if ((await findTenant(tx, tenantId))?.kind !== 'test')
    refuse('CLOCK_TENANT_LIVE', 'this tenant is live, and so is its time: make a test tenant');
  const made = await insertClock(tx, { tenantId, id: newId(), name, now });
  return made ?? refuse('CLOCK_EXISTS', 'the tenant has its clock: advance it, or make another test tenant');
}

/** The time a verb of a test tenant acts at. Refused while the clock is on its way: this write would be of no instant. */
export async function standingClock(sql: Sql, tenantId: Uuid): Promise<Clock> {
  const standing = await holdStandingClock(sql, tenantId);
  if (standing) return { clockId: standing.id, now: standing.now };
  const clock = await findClock(sql, tenantId);
  if (!clock) return refuse('CLOCK_MISSING', 'this test tenant has no clock yet: make one, and say what time it is');
  return refuse('CLOCK_ADVANCING', `${onItsWay(clock)}; ask again when it has arrived`);
}

/** Where the clock stands or is passing; null where there is none yet. For the record, not to act by. */
export async function passingClock(sql: Sql, tenantId: Uuid): Promise<Clock | null> {
  const clock = await findClock(sql, tenantId);
  return clock && { clockId: clock.id, now: clock.now };
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
  if (!clock || clock.id !== order.id) return refuse('CLOCK_NOT_FOUND', 'the tenant has no such test clock');
  if (clock.status === 'advancing') refuse('CLOCK_ADVANCING', `${onItsWay(clock)}; ask again when it has arrived`);
  const wayMs = order.to.getTime() - clock.now.getTime();
  const stands = `the clock stands at ${clock.now.toISOString()}`;
  if (wayMs < 0) refuse('CLOCK_BACKWARDS', `${stands}, and time only goes forward: name that instant or a later one`);
  if (wayMs > MAX_ADVANCE_MS)
    refuse('CLOCK_TOO_FAR', `${stands}: advance it by at most ${MAX_ADVANCE_DAYS} days at once, then again`);
  const beganEventId = newId();
  const begun = await beginAdvance(tx, { ...order, beganEventId });
  // Somebody else was faster, between the look and the write.
  return begun
    ? { clock: begun, beganEventId }
    : refuse('CLOCK_ADVANCING', 'the clock is being advanced; ask again when it has arrived');
}

const onItsWay = (clock: TestClock): string =>
  `the clock is on its way to ${clock.advance?.to.toISOString() ?? 'later'}, and now at ${clock.now.toISOString()}`;

function requireInstant(instant: Date, param: string): void {
  const ms = instant.getTime();
  if (ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS) return;
  refuse('FIELD_INVALID', `${param} is an instant between the years 1970 and 9990`, { param });
}
