// Where a cron paces subscriptions, as in the document that asked for them: its scheduler comes by at midnight, its processor
// four times a day, and what is due in between waits for the next of them. Everything else keeps its own precise time.
import type { Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal, SetupError } from '../kernel/index.ts';
import type { DuePayment } from '../payments/index.ts';
import { Timetable } from './rules/index.ts';
import { MAKER } from './schedule.ts';
import { subscriptionsAmong } from './subscriptions/store.ts';

export interface Pace {
  /** The first time it comes by at or after an instant, in milliseconds. */
  next(atMs: number): number;
}

/** Cron expressions, in UTC. */
export interface SubscriptionCrons {
  readonly scheduler?: string | null;
  readonly processor?: string | null;
}

/** Null: at their own time. */
export interface Paces {
  readonly scheduler: Pace | null;
  readonly processor: Pace | null;
}

export const pacesOf = ({ scheduler, processor }: SubscriptionCrons): Paces => ({
  scheduler: scheduler ? paceOf(scheduler, 'SCHEDULER_CRON') : null,
  processor: processor ? paceOf(processor, 'PROCESSOR_CRON') : null,
});

function paceOf(cron: string, name: string): Pace {
  const timetable = read(cron, name);
  return { next: (atMs) => timetable.next({ local: atMs - 1, ordinal: 0 })?.at ?? atMs };
}

function read(cron: string, name: string): Timetable {
  try {
    return new Timetable({ rule: { cron }, zone: 'UTC', start: '1970-01-01' });
  } catch (error) {
    if (error instanceof Refusal) throw new SetupError(`${name} cannot be used: ${error.message}`);
    throw error;
  }
}

/**
 * Which due payments are charges of subscriptions that the processor's cron has not come by for yet, and when it will. At
 * that instant, when they all come, nothing is asked.
 */
export function pacedCharges(
  pace: Pace,
): (tx: Transaction, clock: Clock, due: readonly DuePayment[]) => Promise<Map<Uuid, Date>> {
  return async (tx, clock, due) => {
    const early = due.flatMap(({ payment, dueAt }) => {
      const at = pace.next(dueAt.getTime());
      const [maker, scheduleId = ''] = payment.createdBy.split(':');
      return maker === MAKER && at > clock.now.getTime() ? [{ payment, scheduleId, at }] : [];
    });
    if (early.length === 0) return new Map();
    const charging = await subscriptionsAmong(
      tx,
      early.map(({ payment, scheduleId }) => ({ tenantId: payment.tenantId, id: scheduleId })),
    );
    return new Map(
      early.flatMap(({ payment, scheduleId, at }) =>
        charging.has(scheduleId) ? [[payment.id, new Date(at)] as const] : [],
      ),
    );
  };
}
