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

/** Inside a transaction of ours whose idempotency key covers the whole request, which is of one instant. */
export function underKey(context: VerbContext, tx: Transaction, clockOf: ReadClock): VerbContext {
  let clock: Promise<Clock> | undefined;
  return {
    ...context,
    sql: tx,
    keyed: true,
    run: async (work) => work(tx, await (clock ??= clockOf(tx))),
    runUntimed: (work) => work(tx),
    snapshot: (work) => work(tx),
  };
}
