// Bulk run-now: makes the payments that a filter finds due at once, retries among them. The caller confirms how many (`expect`) or
// bounds the number (`limit`), so that a filter that finds more than meant changes nothing, or little.
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Refused, VerbContext } from '../ledger/index.ts';
import { requireMayMove } from '../ledger/index.ts';
import type { Changed } from './answers.ts';
import { answer } from './answers.ts';
import type { RunNowFilter } from './list-store.ts';
import { listRunnable } from './list-store.ts';
import type { Payment } from './payment.ts';
import { flowOf, requireNotEnded } from './payment.ts';
import { parseReason } from './order.ts';
import { requireToRunNow, runNow } from './scheduled.ts';
import { SecondPerson } from './second-person.ts';

export interface RunNowOptions {
  /** Only lists the payments; changes nothing. */
  readonly dryRun?: boolean;
  /** How many payments the filter finds, from a dry run: with another number the call is refused and nothing changes. */
  readonly expect?: number;
  /** How many to take at most, 1 to 1,000 (the default): those first that are due first, and last those that need a second person. */
  readonly limit?: number;
  /** Recorded with the event of every payment. */
  readonly reason?: string;
}

export interface RanNow {
  /** Payments that are due now, also those that another call made due meanwhile; of a dry run, those that would be. */
  readonly payments: readonly Payment[];
  /**
   * Payments found that the caller cannot make due, each with its reason; of a dry run too. Among them those that were tried or changed
   * after the filter found them (PAYMENT_STATE_CONFLICT).
   */
  readonly refused: readonly (Refused & { readonly id: Uuid })[];
  /** How many the filter finds in all: the number to confirm with `expect`. */
  readonly found: number;
  /** How many more the filter finds, beyond those of this call. */
  readonly remaining: number;
}

const AT_MOST = 1_000;

export async function runManyNow(
  context: VerbContext,
  filter: RunNowFilter,
  { dryRun = false, expect, limit: bound, reason }: RunNowOptions,
): Promise<RanNow> {
  const limit = bound ?? AT_MOST;
  if (Object.keys(filter).length === 0) refuse('FIELD_INVALID/empty_filter', { param: 'filter' });
  if (!dryRun && expect === undefined && bound === undefined)
    refuse('FIELD_INVALID/not_confirmed', { param: 'expect', limit: 'limit' });
  if (expect !== undefined && !(Number.isInteger(expect) && expect >= 0))
    refuse('FIELD_INVALID/not_whole_number_from', { param: 'expect', min: 0 });
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= AT_MOST))
    refuse('FIELD_INVALID/not_whole_number', { param: 'limit', min: 1, max: AT_MOST });
  parseReason(reason);
  if (dryRun) {
    const { now } = await context.moment(context.sql);
    const { payments, total } = await listRunnable(context.sql, context.tenantId, filter, { now, limit });
    return ranNow(payments, await foretell(context, payments, now), total);
  }
  return context.run(async (tx, clock) => {
    const { payments: found, total } = await listRunnable(tx, context.tenantId, filter, { now: clock.now, limit });
    if (expect !== undefined && expect !== total)
      refuse('PAYMENT_COUNT_MISMATCH', { param: 'expect', found: total, expected: expect });
    if (found.length === 0) return ranNow([], [], total);
    const orders = found.map(({ tenantId, id }) => ({ tenantId, id, ...(reason === undefined ? {} : { reason }) }));
    const ids = found.map(({ id }) => id);
    const findAgain = async (now: Date): Promise<readonly Payment[]> =>
      (await listRunnable(tx, context.tenantId, filter, { now, limit, ids })).payments;
    const asked = { payments: found, findAgain };
    return ranNow(found, await runNow(tx, clock, context.caller, orders, context.identities, asked), total);
  });
}

/** What a run would answer now, without locks. */
async function foretell(context: VerbContext, payments: readonly Payment[], now: Date): Promise<Changed[]> {
  const { sql, caller, identities } = context;
  const second = new SecondPerson(sql, caller, identities);
  await second.lookUp({ items: payments.map((payment) => ({ payment })), lockedAt: now });
  return payments.map((payment) =>
    answer(() => {
      requireMayMove(caller, flowOf(payment));
      requireNotEnded(payment, now, 'run now');
      requireToRunNow(payment, second, now);
      return { payment };
    }),
  );
}

/** The answer at i is of payment i. */
const ranNow = (listed: readonly Payment[], answers: readonly Changed[], found: number): RanNow => ({
  payments: answers.flatMap((result) => ('payment' in result ? [result.payment] : [])),
  refused: answers.flatMap((result, index) =>
    'refused' in result ? [{ id: listed[index]?.id ?? '', ...result.refused }] : [],
  ),
  found,
  remaining: found - listed.length,
});
