// Where a cron paces subscriptions, as in the document that asked for them: its scheduler comes by at midnight, its processor
// four times a day, and what is due in between waits for the next of them. Everything else keeps its own precise time.
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal, SetupError } from '../kernel/index.ts';
import type { DuePayment } from '../payments/index.ts';
import { Timetable } from './rules/index.ts';

export interface Pace {
  /** The first time it comes by at or after an instant, in milliseconds. */
  next(atMs: number): number;
}

/** Cron expressions, in UTC. */
export interface SubscriptionCrons {
  /** When charges are created. Default null: when due. */
  readonly scheduler?: string | null;
  /** When charges are attempted. Default null: when due. */
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
 * Which due payments are charges of subscriptions that the processor's cron has not come by for yet, and when it will.
 */
export function pacedCharges(pace: Pace): (clock: Clock, due: readonly DuePayment[]) => Map<Uuid, Date> {
  return (clock, due) =>
    new Map(
      due.flatMap(({ payment, dueAt }) => {
        if (payment.owner?.kind !== 'subscription') return [];
        const at = pace.next(dueAt.getTime());
        return at > clock.now.getTime() ? [[payment.id, new Date(at)] as const] : [];
      }),
    );
}
