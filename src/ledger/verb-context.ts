// Where verbs run: in a transaction of their own, in one of the caller's, or in one of a whole request.
import type { Database, ForeignTransaction, StoreOptions, Sql, Transaction } from '../db/index.ts';
import { LOCK_WAIT_MS, TurnQueue, adoptTransaction, inTurn, refusingBusy } from '../db/index.ts';
import type { Clock } from '../kernel/index.ts';
import { createJournal, mapped } from '../kernel/index.ts';
import type { VerbContext } from './verbs.ts';

/** Where verbs can also be run dry. */
export interface DryContext extends VerbContext {
  /** In a transaction, or a savepoint, with a journal; always rolled back. */
  rolledBack<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export type ReadClock = (sql: Sql) => Promise<Clock>;

type Transactions = Pick<DryContext, 'sql' | 'database' | 'run' | 'runUntimed' | 'rolledBack' | 'snapshot'>;

const PATIENT = { probes: true, lockTimeoutMs: LOCK_WAIT_MS };

/** Where each verb runs in a transaction of its own. */
export const ownTransactions = (db: Database, clockOf: ReadClock): Transactions => ({
  sql: db,
  database: db,
  run: (work) => refusingBusy(db.transaction(async (tx) => work(tx, await clockOf(tx)), PATIENT)),
  runUntimed: (work) => refusingBusy(db.transaction(work, PATIENT)),
  rolledBack: (work) => refusingBusy(db.transaction(work, { ...PATIENT, dryRun: true })),
  snapshot: (work) => db.transaction(work, { snapshot: true }),
});

/** Where the verbs of a tenant run that a dry run has just created: in its transaction, which is rolled back in any case. */
export const insideDryRun = (tx: Transaction, clockOf: ReadClock): Transactions => ({
  sql: tx,
  database: null,
  run: async (work) => work(tx, await clockOf(tx)),
  runUntimed: (work) => work(tx),
  rolledBack: (work) => work(tx),
  snapshot: (work) => work(tx),
});

type Verb = (...given: never[]) => Promise<unknown>;
/** Verbs of a handle; string fields (id, name) pass through. */
export type Verbs<V> = { readonly [K in keyof V]: Verb | string | null };

/** In a transaction of the caller's: each verb is a savepoint, and has its turn (db/turns.ts). */
export function withinForeign<V extends Verbs<V>>(
  context: VerbContext,
  foreign: ForeignTransaction,
  clockOf: ReadClock,
  options: Pick<StoreOptions, 'schema' | 'onNotes' | 'onStatement'>,
  verbs: (context: DryContext) => V,
): V {
  const adopting = {
    schema: options.schema ?? 'usance',
    ...(options.onStatement ? { onStatement: options.onStatement } : {}),
  };
  const tx: Transaction = adoptTransaction(foreign, {
    ...adopting,
    ...(options.onNotes ? { onNotes: options.onNotes } : {}),
  });
  const within: DryContext = {
    ...context,
    sql: tx,
    database: null,
    // The caller's calls decide the order of locks, so a deadlock cannot be ruled out; the savepoint undoes this call alone.
    run: (work) =>
      refusingBusy(
        tx.savepoint(async (inner) => work(inner, await clockOf(inner))),
        'callers',
      ),
    runUntimed: (work) => refusingBusy(tx.savepoint(work), 'callers'),
    rolledBack: (work) =>
      refusingBusy(undone(adoptTransaction(foreign, { ...adopting, journal: createJournal() }), work), 'callers'),
    snapshot: (work) => work(tx),
  };
  return eachInTurn(verbs(within), (verb) => inTurn(foreign, verb));
}

const UNDONE = new Error('a dry run is rolled back');

/** In a savepoint that is always rolled back. */
async function undone<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const outcomes: T[] = [];
  try {
    await tx.savepoint(async (inner) => {
      outcomes.push(await work(inner));
      throw UNDONE;
    });
  } catch (error) {
    if (error !== UNDONE) throw error;
  }
  const [outcome] = outcomes;
  return outcome as T;
}

/**
 * The same verbs, each of them called when it has its turn. Only calls from outside take one: a verb that is made of others
 * calls them inside its own.
 */
function eachInTurn<V extends Verbs<V>>(verbs: V, take: <T>(verb: () => Promise<T>) => Promise<T>): V {
  return mapped(verbs, (verb) =>
    typeof verb === 'function' ? (...given: never[]) => take(() => (verb as Verb)(...given)) : verb,
  );
}

/**
 * Inside a transaction of ours whose idempotency key covers the whole request, which is of one instant. A single verb is not
 * undone there: if one fails, all of them do, also if the work that called it catches the error. Verbs take turns: in one
 * transaction no lock keeps two of them apart. Those that the work did not wait for still run before the transaction ends.
 */
export async function underKey<T, V extends Verbs<V>>(
  context: VerbContext,
  tx: Transaction,
  clockOf: ReadClock,
  verbs: (keyed: VerbContext) => V,
  work: (verbs: V) => Promise<T>,
): Promise<T> {
  const queue = new TurnQueue();
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
  const keyed = verbs({
    ...context,
    sql: tx,
    database: null,
    keyed: true,
    run: (verb) => remembering((clock ??= clockOf(tx)).then((now) => verb(tx, now))),
    runUntimed: (verb) => remembering(verb(tx)),
    snapshot: (look) => look(tx),
  });
  let done: T;
  try {
    done = await work(eachInTurn(keyed, (verb) => queue.take(verb)));
  } finally {
    await queue.drained();
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
