// Where verbs run that do not begin a transaction of their own.
import type { ForeignTransaction, StoreOptions, Sql, Transaction } from '../db/index.ts';
import { adoptTransaction } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { VerbContext } from './verbs.ts';

export type ReadClock = (sql: Sql) => Promise<Clock>;

/** In a transaction of the caller's: each verb is a savepoint. */
export function withinForeign(
  context: VerbContext,
  foreign: ForeignTransaction,
  clockOf: ReadClock,
  options: Pick<StoreOptions, 'schema' | 'onNotes' | 'onStatement'>,
): VerbContext {
  const tx: Transaction = adoptTransaction(foreign, {
    schema: options.schema ?? 'usance',
    ...(options.onNotes ? { onNotes: options.onNotes } : {}),
    ...(options.onStatement ? { onStatement: options.onStatement } : {}),
  });
  return {
    ...context,
    sql: tx,
    run: (work) => tx.savepoint(async (inner) => work(inner, await clockOf(inner))),
    runUntimed: (work) => tx.savepoint(work),
    snapshot: (work) => work(tx),
  };
}

/**
 * Inside a transaction of ours whose idempotency key covers the whole request, which is of one instant. A verb is not undone by
 * itself there: where one failed, all of it does, also where the work that called it went on.
 */
export async function underKey<T>(
  context: VerbContext,
  tx: Transaction,
  clockOf: ReadClock,
  work: (keyed: VerbContext) => Promise<T>,
): Promise<T> {
  let clock: Promise<Clock> | undefined;
  const failures: unknown[] = [];
  const remembering = async <R>(verb: Promise<R>): Promise<R> => {
    try {
      return await verb;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const done = await work({
    ...context,
    sql: tx,
    keyed: true,
    run: (verb) => remembering((clock ??= clockOf(tx)).then((now) => verb(tx, now))),
    runUntimed: (verb) => remembering(verb(tx)),
    snapshot: (look) => look(tx),
  });
  if (failures.length > 0) throw failures[0];
  return done;
}
