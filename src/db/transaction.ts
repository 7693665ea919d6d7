// Transactions and savepoints over anything that can run one statement, so that our pool and a caller's own
// transaction share every rule but who begins and commits.
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
}

export function asTransaction(send: Send, nature: Nature, depth = 0): Transaction {
  return {
    ...asSql(send),
    begunAt: nature.begunAt,
    note: (name, count) => addNotes(nature.notes, [[name, count]]),
    async together<T extends readonly unknown[]>(steps: { readonly [K in keyof T]: () => Promise<T[K]> }) {
      const all: readonly (() => Promise<unknown>)[] = steps;
      const answers: unknown[] = [];
      if (nature.sendsAhead) {
        // After one failed the server refuses the rest of them: the first in this order is the one that says why.
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
        const result = await work(asTransaction(send, { ...nature, notes }, depth + 1));
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

/** begin … commit, or rollback and rethrow. Tells CommitUnknown apart from a commit that was refused. */
export async function runTransaction<T>(
  send: Send,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions & { readonly onNotes?: ((notes: Notes) => void) | undefined },
): Promise<T> {
  const begun = only(await send(beginStatement(options), []));
  const notes = new Map<string, number>();
  let hasEnded = false;
  // The connection goes back to the pool: a statement of work that nothing waited for would run on its next borrower's.
  const sendInside: Send = (text, values) =>
    hasEnded ? Promise.reject(new Error('the transaction has ended')) : send(text, values);
  let result: T;
  try {
    result = await work(asTransaction(sendInside, { begunAt: asDate(begun['now']), sendsAhead: true, notes }));
  } catch (error) {
    hasEnded = true;
    // A broken connection cannot roll back, and need not: the server does when the session ends.
    await send('rollback', []).catch(() => undefined);
    throw error;
  }
  hasEnded = true;
  try {
    await send('commit', []);
  } catch (error) {
    if (isAnswer(error)) throw error;
    throw new CommitUnknown(error);
  }
  if (notes.size > 0) options.onNotes?.(notes);
  return result;
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
 * In one message with BEGIN: settings local to the transaction, which cost no round trip and leave no session state, and
 * the time. Rounded down, so that nothing which compares with it can be early.
 */
function beginStatement(options: TransactionOptions): string {
  const statements = [options.snapshot ? 'begin isolation level repeatable read read only' : 'begin'];
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

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';

/** Tries again what lost a race that nobody could see coming. Everything else is thrown at once. */
export async function retryingConflicts<T>(work: () => Promise<T>, tries = 5): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      if (attempt >= tries || (state !== DEADLOCK_DETECTED && state !== SERIALIZATION_FAILURE)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}
