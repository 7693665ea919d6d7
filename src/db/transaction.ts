// Transactions and savepoints over anything that can run one statement, so that our pool and a caller's own
// transaction share every rule but who begins and commits.
import type { Journal } from '../kernel/index.ts';
import { createJournal, journaled } from '../kernel/index.ts';
import { asDate, only } from './rows.ts';
import type { Notes, Row, Sql, Transaction, TransactionOptions, Value } from './sql.ts';
import { CommitUnknown, sqlState } from './sql.ts';

/** Sends one statement. Savepoints are named by depth, so nested ones do not meet. */
export type Send = <R extends Row>(text: string, values: readonly Value[]) => Promise<R[]>;

export function asSql(send: Send): Sql {
  return { query: <R extends Row>(text: string, values: readonly Value[] = []) => send<R>(text, values) };
}

/** What holds for all of a transaction. */
export interface Nature {
  readonly begunAt: Date | null;
  /** Statements may be sent before the last one was answered. */
  readonly sendsAhead: boolean;
  /** Where what it does is counted; of a savepoint when it is released. */
  readonly notes: Map<string, number>;
  /** Of a dry run. */
  readonly journal: Journal | null;
}

export function asTransaction(send: Send, nature: Nature, depth = 0): Transaction {
  return {
    ...asSql(send),
    begunAt: nature.begunAt,
    journal: nature.journal,
    note: (name, count) => addNotes(nature.notes, [[name, count]]),
    async together<T extends readonly unknown[]>(steps: { readonly [K in keyof T]: () => Promise<T[K]> }) {
      const all: readonly (() => Promise<unknown>)[] = steps;
      const answers: unknown[] = [];
      if (nature.sendsAhead) {
        // All of them are waited for: what follows must not overtake them. After one failed the server refuses the rest.
        for (const outcome of await Promise.allSettled(all.map((step) => step()))) {
          if (outcome.status === 'rejected') throw outcome.reason;
          answers.push(outcome.value);
        }
      } else {
        for (const step of all) answers.push(await step());
      }
      return answers as unknown as T;
    },
    async savepoint(work) {
      const name = `usance_${depth + 1}`;
      await send(`savepoint ${name}`, []);
      try {
        const notes = new Map<string, number>();
        const inner = asTransaction(send, { ...nature, notes }, depth + 1);
        const result = await journaled(nature.journal, () => work(inner));
        await send(`release savepoint ${name}`, []);
        addNotes(nature.notes, notes);
        return result;
      } catch (error) {
        await send(`rollback to savepoint ${name}`, []);
        await send(`release savepoint ${name}`, []);
        throw error;
      }
    },
  };
}

export function addNotes(to: Map<string, number>, notes: Iterable<readonly [string, number]>): void {
  for (const [name, count] of notes) to.set(name, (to.get(name) ?? 0) + count);
}

/** begin … commit, or rollback and rethrow; a dry run always rolls back. Tells CommitUnknown apart from a commit that was refused. */
export async function runTransaction<T>(
  send: Send,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions & { readonly onNotes?: ((notes: Notes) => void) | undefined },
): Promise<T> {
  const begun = only(await send(beginStatement(options), []));
  const notes = new Map<string, number>();
  let hasEnded = false;
  const sendNaming = namingFirstFailure(send);
  // The connection goes back to the pool: a statement of work that nothing waited for would run on its next borrower's.
  const sendInside: Send = (text, values) =>
    hasEnded ? Promise.reject(new Error('the transaction has ended')) : sendNaming(text, values);
  let result: T;
  try {
    const journal = options.dryRun ? createJournal() : null;
    const nature = { begunAt: asDate(begun['now']), sendsAhead: true, notes, journal };
    result = await work(asTransaction(sendInside, nature));
  } catch (error) {
    hasEnded = true;
    // A broken connection cannot roll back, and need not: the server does when the session ends.
    await send('rollback', []).catch(() => undefined);
    throw error;
  }
  hasEnded = true;
  if (options.dryRun) {
    await send('rollback', []);
    return result;
  }
  try {
    await send('commit', []);
  } catch (error) {
    if (isAnswer(error)) throw error;
    throw new CommitUnknown(error);
  }
  if (notes.size > 0) options.onNotes?.(notes);
  return result;
}

const IN_FAILED_TRANSACTION = '25P02';

/**
 * After a failure the server refuses every other statement, and one of those may be what the work waits for first: a lock
 * timeout would then look like a fault of the work. So a refused statement throws the failure that it was refused for.
 */
function namingFirstFailure(send: Send): Send {
  let first: unknown;
  return async <R extends Row>(text: string, values: readonly Value[]) => {
    try {
      const rows = await send<R>(text, values);
      if (text.startsWith('rollback to ')) first = undefined;
      return rows;
    } catch (error) {
      const state = sqlState(error);
      if (state === IN_FAILED_TRANSACTION && first !== undefined) throw first;
      if (state !== undefined) first ??= error;
      throw error;
    }
  };
}

/**
 * An SQLSTATE is the server's answer: it did not commit. Class 08 and 57P0x mean that the session died instead of
 * answering, a panic that the server did so while writing the commit down.
 */
function isAnswer(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined || state.startsWith('08') || state.startsWith('57P0')) return false;
  return !(error instanceof Error && 'severity' in error && error.severity === 'PANIC');
}

/**
 * The isolation level is stated: every lock is taken before what it protects is read, which a database whose default is stricter
 * would answer with serialization failures. In one message with BEGIN: settings local to the transaction, which cost no round trip and leave no session state, and
 * the time. Rounded down, so that nothing which compares with it can be early.
 */
function beginStatement(options: TransactionOptions): string {
  const level = options.snapshot ? 'repeatable read read only' : 'read committed';
  const statements = [`begin isolation level ${level}`];
  if (options.lockTimeoutMs !== undefined)
    statements.push(`set local lock_timeout = ${Math.round(options.lockTimeoutMs)}`);
  if (options.idleLimitMs !== undefined)
    statements.push(`set local idle_in_transaction_session_timeout = ${Math.round(options.idleLimitMs)}`);
  if (options.probes) {
    statements.push(
      'set local enable_hashjoin = off',
      'set local enable_mergejoin = off',
      'set local enable_seqscan = off',
    );
  }
  statements.push(`select date_trunc('milliseconds', clock_timestamp()) as now`);
  return statements.join('; ');
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';

/** A lock was held elsewhere for too long. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** Two transactions waited for each other, and the server ended this one. */
export function isDeadlock(error: unknown): boolean {
  return sqlState(error) === DEADLOCK_DETECTED;
}

/** Another transaction was in the way. No row in particular is at fault, and the same work may succeed a moment later. */
export function isContention(error: unknown): boolean {
  return isLockTimeout(error) || isConflict(error);
}

/** A deadlock or a serialization failure: the transaction can be tried again at once. */
export function isConflict(error: unknown): boolean {
  return isDeadlock(error) || sqlState(error) === SERIALIZATION_FAILURE;
}

/** Tries again what lost a race that could not be foreseen. Everything else is thrown at once. */
export async function retryingConflicts<T>(work: () => Promise<T>, tries = 5): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= tries || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}
