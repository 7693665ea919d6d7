// The dead-letter desk: what gave up, why, since when and how much money it is about. One desk for every kind of letter; each
// kind is kept, replayed and discarded by the module it belongs to. So far there are payments.
import type { Code, Uuid } from '../kernel/index.ts';
import { isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { findAsset } from '../ledger/index.ts';
import type { LetterFilter } from '../payments/index.ts';
import { discardPayment, listDeadLetters, parseInstant, retryPayments } from '../payments/index.ts';

export interface DeadLetter {
  readonly kind: 'payment';
  /** Of what gave up. */
  readonly id: Uuid;
  /** The cause of the last attempt. */
  readonly code: string;
  readonly detail: string;
  /** What is at stake: what was to be paid and was not. */
  readonly asset: string;
  readonly amount: bigint;
  readonly failedAt: Date;
  readonly ageMs: number;
}

export interface DeadLetterFilter {
  readonly code?: string;
  /** Name or code. */
  readonly asset?: string;
  readonly failedFrom?: Date | string;
  readonly failedBefore?: Date | string;
}

export interface Replayed {
  readonly replayed: readonly Uuid[];
  /** What could not be: it stays where it is. */
  readonly refused: readonly { readonly id: Uuid; readonly code: Code; readonly detail: string }[];
  /** There was more than one request takes. */
  readonly more: boolean;
}

export interface DeadLetterVerbs {
  /** Newest first. */
  deadLetters(filter?: DeadLetterFilter, page?: { limit?: number; before?: Uuid }): Promise<DeadLetter[]>;
  deadLetter(id: Uuid): Promise<DeadLetter>;
  /** Gives it its attempts again; funds are reserved anew. */
  replayDeadLetter(id: Uuid, options?: { reason?: string }): Promise<void>;
  /** All that a filter finds, oldest first, at most 1,000 at once. */
  replayDeadLetters(filter: DeadLetterFilter, options?: { reason?: string }): Promise<Replayed>;
  /** Leaves it at that: what failed stays failed, and is off the desk. */
  discardDeadLetter(id: Uuid, reason: string): Promise<void>;
}

const PAGE = 100;
const REPLAYED_AT_ONCE = 1_000;

export function deadLetterVerbs(context: VerbContext): DeadLetterVerbs {
  const { tenantId, caller, sql } = context;
  const nowhere = (id: string): never => refuse('DEAD_LETTER_NOT_FOUND', `there is no dead letter ${id}`);
  const key = (id: Uuid): { tenantId: Uuid; id: Uuid } => (isUuid(id) ? { tenantId, id } : nowhere(id));
  const filterOf = async (filter: DeadLetterFilter): Promise<LetterFilter> => {
    const { code, asset, failedFrom, failedBefore } = filter;
    return {
      ...(code === undefined ? {} : { code }),
      ...(asset === undefined ? {} : { asset: (await findAsset(sql, tenantId, asset))?.name ?? asset }),
      ...(failedFrom === undefined ? {} : { failedFrom: parseInstant(failedFrom, 'failedFrom') }),
      ...(failedBefore === undefined ? {} : { failedBefore: parseInstant(failedBefore, 'failedBefore') }),
    };
  };
  // In a transaction for its clock: an age is of the tenant's time.
  const list = (filter: LetterFilter, limit: number, before: Uuid | null = null): Promise<DeadLetter[]> =>
    context.run(async (tx, { now }) => {
      const letters = await listDeadLetters(tx, tenantId, filter, { limit, mark: before && key(before).id });
      return letters.map(({ tenantId: _tenant, ...letter }) => ({
        ...letter,
        kind: 'payment',
        ageMs: Math.max(0, now.getTime() - letter.failedAt.getTime()),
      }));
    });
  const deadLetter = async (id: Uuid): Promise<DeadLetter> => {
    const [found] = await list({ id: key(id).id }, 1);
    return found ?? nowhere(id);
  };

  return {
    deadLetters: async (filter = {}, { limit = PAGE, before } = {}) => list(await filterOf(filter), limit, before),
    deadLetter,
    async replayDeadLetter(id, options = {}) {
      await deadLetter(id);
      const [result] = await context.run((tx, clock) => retryPayments(tx, clock, caller, [{ ...key(id), ...options }]));
      if (result && 'refused' in result) refuse(result.refused.code, result.refused.detail);
    },
    async replayDeadLetters(filter, options = {}) {
      const found = await listDeadLetters(sql, tenantId, await filterOf(filter), {
        limit: REPLAYED_AT_ONCE + 1,
        oldestFirst: true,
      });
      const letters = found.slice(0, REPLAYED_AT_ONCE);
      const orders = letters.map(({ id }) => ({ tenantId, id, ...options }));
      const results =
        orders.length === 0 ? [] : await context.run((tx, clock) => retryPayments(tx, clock, caller, orders));
      const refused = results.flatMap((result, index) => {
        if (!('refused' in result)) return [];
        const { code, detail } = result.refused;
        return [{ id: letters[index]?.id ?? '', code, detail }];
      });
      const replayed = results.flatMap((result) => ('payment' in result ? [result.payment.id] : []));
      return { replayed, refused, more: found.length > letters.length };
    },
    async discardDeadLetter(id, reason) {
      await context.run((tx, clock) => discardPayment(tx, clock, caller, { ...key(id), reason }));
    },
  };
}
