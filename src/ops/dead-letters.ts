// The dead-letter desk: what gave up, why, since when and how much money it is about. One desk for every kind of letter, in
// one order (ids are of one time, whatever they name); each kind is kept, retried and discarded by the module it belongs to.
import type { Sql, Transaction } from '../db/index.ts';
import type { Caller, Clock, Code, Uuid } from '../kernel/index.ts';
import { Refusal, isUuid, oneOf, refuse } from '../kernel/index.ts';
import { discardExecution, listExecutionLetters, retryExecutions } from '../jobs/index.ts';
import type { Refused, VerbContext } from '../ledger/index.ts';
import { findAsset } from '../ledger/index.ts';
import type { LetterFilter, OrderBounds } from '../payments/index.ts';
import { discardPayment, listDeadLetters, parseInstant, retryPayments } from '../payments/index.ts';
import {
  OWNER_RULES,
  discardOccurrence,
  formatLocal,
  listOccurrenceLetters,
  retryOccurrences,
} from '../schedules/index.ts';

export const LETTER_KINDS = ['payment', 'occurrence', 'execution'] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

export interface DeadLetter {
  readonly kind: LetterKind;
  /** The id of the payment, occurrence or execution that failed. */
  readonly id: Uuid;
  /** The cause of the last attempt. */
  readonly code: string;
  readonly detail: string;
  /** The amount that was not paid; null for an execution. */
  readonly asset: string | null;
  readonly amount: bigint | null;
  readonly failedAt: Date;
  readonly ageMs: number;
  /** The schedule of an occurrence, and the slot in local time. */
  readonly scheduleId: Uuid | null;
  readonly slot: string | null;
  /** The job of an execution. */
  readonly jobId: Uuid | null;
}

export interface DeadLetterFilter {
  readonly kind?: LetterKind;
  readonly code?: string;
  /** Name or code. Executions have none. */
  readonly asset?: string;
  /** Only executions of this job. */
  readonly jobId?: Uuid;
  readonly failedFrom?: Date | string;
  readonly failedBefore?: Date | string;
}

export interface Retried {
  readonly retried: readonly Pick<DeadLetter, 'kind' | 'id'>[];
  /** Items that could not be retried; they stay dead letters. */
  readonly refused: readonly (Pick<DeadLetter, 'kind' | 'id'> & { readonly code: Code; readonly detail: string })[];
  /** The last letter of this call, `after` which the next one continues, also behind those that were refused; null if no more match. */
  readonly next: Uuid | null;
}

export interface Discarded extends Pick<Retried, 'refused' | 'next'> {
  readonly discarded: Retried['retried'];
}

/** The part of the matching letters that one call handles. */
interface Part {
  readonly limit?: number;
  /** `next` of the previous call. The letter itself need not exist any more. Default: from the oldest. */
  readonly after?: Uuid;
}

export interface DeadLetterVerbs {
  /** Newest first. */
  deadLetters(filter?: DeadLetterFilter, page?: { limit?: number; before?: Uuid }): Promise<DeadLetter[]>;
  deadLetter(id: Uuid): Promise<DeadLetter>;
  /** A payment gets all its attempts and reserves its funds again; an occurrence gets its payment; an execution gets all its attempts. */
  retryDeadLetter(id: Uuid, options?: { reason?: string }): Promise<void>;
  /** Everything that a filter finds, oldest first, at most `limit` (default and most 1,000) at once, behind the letter `after`. */
  retryDeadLetters(filter: DeadLetterFilter, options?: { reason?: string } & Part): Promise<Retried>;
  /** The same for a discard. */
  discardDeadLetters(filter: DeadLetterFilter, options: { reason: string } & Part): Promise<Discarded>;
  /** Leaves it at that: what failed stays failed, and is off the desk. */
  discardDeadLetter(id: Uuid, reason: string): Promise<void>;
}

const PAGE = 100;
const RETRIED_AT_ONCE = 1_000;

type Letter = Omit<DeadLetter, 'ageMs'>;

interface LettersPage {
  readonly limit: number;
  readonly mark?: Uuid | null;
  readonly oldestFirst?: boolean;
}

/** The caller and the instant. */
interface Act {
  readonly tx: Transaction;
  readonly clock: Clock;
  readonly caller: Caller;
  readonly tenantId: Uuid;
}

/** A filter as the modules take it. */
interface ParsedFilter extends LetterFilter {
  readonly jobId?: Uuid;
}

interface Desk {
  list(sql: Sql, tenantId: Uuid, filter: ParsedFilter, page: LettersPage): Promise<Letter[]>;
  /** At i: why letter i stays where it is, or null where it was retried. */
  retry(act: Act, letters: readonly Letter[], options: { reason?: string }): Promise<(Refused | null)[]>;
  /** Throws a Refusal. */
  discard(act: Act, letter: Letter, reason: string): Promise<unknown>;
}

const paymentsDesk = (bounds: OrderBounds): Desk => ({
  list: async (sql, tenantId, filter, page) =>
    (await listDeadLetters(sql, tenantId, filter, page)).map(({ tenantId: _own, ...letter }) => ({
      ...letter,
      kind: 'payment',
      scheduleId: null,
      slot: null,
      jobId: null,
    })),
  async retry({ tx, clock, caller, tenantId }, letters, options) {
    const orders = letters.map(({ id }) => ({ tenantId, id, ...options }));
    const results = await retryPayments(tx, clock, caller, orders, { rules: OWNER_RULES, bounds });
    return results.map((result) => ('refused' in result ? result.refused : null));
  },
  discard: ({ tx, clock, caller, tenantId }, { id }, reason) =>
    discardPayment(tx, clock, caller, { tenantId, id, reason }),
});

const occurrencesDesk = (bounds: OrderBounds): Desk => ({
  list: async (sql, tenantId, filter, page) =>
    (await listOccurrenceLetters(sql, tenantId, filter, page)).map(({ tenantId: _own, slot, ...letter }) => ({
      ...letter,
      kind: 'occurrence',
      slot: formatLocal(slot),
      jobId: null,
    })),
  retry: ({ tx, clock, caller, tenantId }, letters, options) =>
    retryOccurrences(
      tx,
      clock,
      caller,
      letters.map(({ id, scheduleId }) => ({ tenantId, id, scheduleId: scheduleId ?? '', ...options })),
      bounds,
    ),
  discard: ({ tx, clock, caller, tenantId }, { id, scheduleId }, reason) =>
    discardOccurrence(tx, clock, caller, { tenantId, id, scheduleId: scheduleId ?? '', reason }),
});

const executionsDesk: Desk = {
  list: async (sql, tenantId, filter, page) =>
    (await listExecutionLetters(sql, tenantId, filter, page)).map((letter) => ({
      ...letter,
      kind: 'execution',
      asset: null,
      amount: null,
      scheduleId: null,
      slot: null,
    })),
  retry: ({ tx, clock, caller, tenantId }, letters, options) =>
    retryExecutions(
      tx,
      clock,
      { tenantId, caller },
      letters.map(({ id }) => id),
      options,
    ),
  discard: ({ tx, clock, caller, tenantId }, { id }, reason) =>
    discardExecution(tx, clock, { tenantId, caller }, id, reason),
};

export function deadLetterVerbs(context: VerbContext, bounds: OrderBounds): DeadLetterVerbs {
  const { tenantId, caller, sql } = context;
  // In this order retried together: a schedule's locks come before those of payments.
  const desks: Readonly<Record<LetterKind, Desk>> = {
    occurrence: occurrencesDesk(bounds),
    payment: paymentsDesk(bounds),
    execution: executionsDesk,
  };
  const kinds = Object.keys(desks) as LetterKind[];
  /** Executions have no asset, and only they have a job. */
  const kindsOf = ({ kind, asset, jobId }: DeadLetterFilter): readonly LetterKind[] =>
    (kind === undefined ? kinds : [oneOf(kind, kinds, 'kind')]).filter((one) =>
      one === 'execution' ? asset === undefined : jobId === undefined,
    );
  const nowhere = (): never => refuse('DEAD_LETTER_NOT_FOUND');
  const known = (id: Uuid): Uuid => (isUuid(id) ? id : nowhere());
  const filterOf = async (filter: DeadLetterFilter): Promise<ParsedFilter> => {
    const { code, asset, jobId, failedFrom, failedBefore } = filter;
    if (jobId !== undefined && !isUuid(jobId)) refuse('JOB_NOT_FOUND', { job: jobId });
    return {
      ...(jobId === undefined ? {} : { jobId }),
      ...(code === undefined ? {} : { code }),
      ...(asset === undefined ? {} : { asset: (await findAsset(sql, tenantId, asset))?.name ?? asset }),
      ...(failedFrom === undefined ? {} : { failedFrom: parseInstant(failedFrom, 'failedFrom') }),
      ...(failedBefore === undefined ? {} : { failedBefore: parseInstant(failedBefore, 'failedBefore') }),
    };
  };
  /** A page of each kind, in one order. */
  const list = async (among: readonly LetterKind[], filter: ParsedFilter, page: LettersPage): Promise<Letter[]> => {
    const found = await Promise.all(among.map((kind) => desks[kind].list(sql, tenantId, filter, page)));
    const ascending = found.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return (page.oldestFirst ? ascending : ascending.toReversed()).slice(0, page.limit);
  };
  const find = async (id: Uuid): Promise<Letter> =>
    (await list(kinds, { id: known(id) }, { limit: 1 }))[0] ?? nowhere();
  /** By the tenant's clock, also while the clock is advancing. */
  const aged = async (letters: readonly Letter[]): Promise<DeadLetter[]> => {
    const now = (await context.moment(sql)).now.getTime();
    return letters.map((letter) => ({ ...letter, ageMs: Math.max(0, now - letter.failedAt.getTime()) }));
  };
  const retry = (letters: readonly Letter[], options: { reason?: string }): Promise<Map<Uuid, Refused | null>> =>
    context.run(async (tx, clock) => {
      const outcomes = new Map<Uuid, Refused | null>();
      for (const kind of kinds) {
        const own = letters.filter((letter) => letter.kind === kind);
        const results = own.length === 0 ? [] : await desks[kind].retry({ tx, clock, caller, tenantId }, own, options);
        own.forEach(({ id }, index) => outcomes.set(id, results[index] ?? null));
      }
      return outcomes;
    });

  /** One that is refused leaves the others discarded. */
  const discardEach = (letters: readonly Letter[], reason: string): Promise<Map<Uuid, Refused | null>> =>
    context.run(async (tx, clock) => {
      const outcomes = new Map<Uuid, Refused | null>();
      for (const letter of letters) {
        try {
          await tx.savepoint((inner) =>
            desks[letter.kind].discard({ tx: inner, clock, caller, tenantId }, letter, reason),
          );
          outcomes.set(letter.id, null);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          outcomes.set(letter.id, error.refused);
        }
      }
      return outcomes;
    });
  const oldest = async (
    filter: DeadLetterFilter,
    { limit = RETRIED_AT_ONCE, after }: Part,
  ): Promise<{ letters: Letter[]; next: Uuid | null }> => {
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > RETRIED_AT_ONCE) {
      refuse('FIELD_INVALID/not_whole_number', { param: 'limit', min: 1, max: RETRIED_AT_ONCE });
    }
    const mark = after === undefined ? null : known(after);
    const found = await list(kindsOf(filter), await filterOf(filter), { limit: limit + 1, mark, oldestFirst: true });
    const letters = found.slice(0, limit);
    return { letters, next: found.length > limit ? (letters.at(-1)?.id ?? null) : null };
  };
  const told = (letters: readonly Letter[], outcomes: ReadonlyMap<Uuid, Refused | null>) => {
    const named = letters.map(({ kind, id }) => ({ kind, id }));
    return {
      done: named.filter(({ id }) => outcomes.get(id) === null),
      refused: named.flatMap((letter) => {
        const refused = outcomes.get(letter.id);
        return refused ? [{ ...letter, code: refused.code, detail: refused.detail }] : [];
      }),
    };
  };

  return {
    async deadLetters(filter = {}, { limit = PAGE, before } = {}) {
      const among = kindsOf(filter);
      const mark = before === undefined ? null : known(before);
      return aged(await list(among, await filterOf(filter), { limit, mark }));
    },
    async deadLetter(id) {
      const [found] = await aged([await find(id)]);
      return found ?? nowhere();
    },
    async retryDeadLetter(id, options = {}) {
      const refused = (await retry([await find(id)], options)).get(id);
      if (refused) throw new Refusal(refused);
    },
    async retryDeadLetters(filter, { reason, ...part } = {}) {
      const { letters, next } = await oldest(filter, part);
      const options = reason === undefined ? {} : { reason };
      const { done, refused } = told(letters, letters.length === 0 ? new Map() : await retry(letters, options));
      return { retried: done, refused, next };
    },
    async discardDeadLetters(filter, { reason, ...part }) {
      const { letters, next } = await oldest(filter, part);
      const { done, refused } = told(letters, letters.length === 0 ? new Map() : await discardEach(letters, reason));
      return { discarded: done, refused, next };
    },
    async discardDeadLetter(id, reason) {
      const letter = await find(id);
      await context.run((tx, clock) => desks[letter.kind].discard({ tx, clock, caller, tenantId }, letter, reason));
    },
  };
}
