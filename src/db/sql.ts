// The sql port: the only way to the database. Text with $1, $2 … and values in, rows out. Three rules make the same
// statement mean the same over our own pool, a caller's pg client and a caller's postgres.js transaction:
//   - every parameter in a statement carries its cast ($1::uuid[]), because it travels as text;
//   - what comes back is read with the decoders of rows.ts, because drivers disagree on bigint and timestamps;
//   - tables are written `usance.name`; where the schema is called otherwise the port rewrites that prefix.
// Every statement of a transaction passes here, begin and commit too, so that a test can count statements and stop
// the world at any one of them (see StatementHook).
import type { Journal } from '../kernel/index.ts';

export type Element = string | number | bigint | boolean | Date | null;
export type Value = Element | readonly Element[];

export type Row = Record<string, unknown>;

export interface Sql {
  query<R extends Row = Row>(text: string, values?: readonly Value[]): Promise<R[]>;
}

/** What a transaction did, counted by name. */
export type Notes = ReadonlyMap<string, number>;

export interface Transaction extends Sql {
  /** The server's time when one of our own transactions began, in whole milliseconds; null in a caller's. */
  readonly begunAt: Date | null;
  /**
   * Runs steps that do not need each other's answers: their statements are sent in this order without waiting in between,
   * where the driver can do that. The first failure fails them all, and the transaction (or its savepoint) with them.
   */
  together<T extends readonly unknown[]>(steps: { readonly [K in keyof T]: () => Promise<T[K]> }): Promise<T>;
  /** Counts something that this transaction does. Whoever watches hears of it once it has committed, and not otherwise. */
  note(name: string, count: number): void;
  /** Filled in by the modules as they write; null unless this is a dry run. */
  readonly journal: Journal | null;
  /** Runs the work in a savepoint: if it throws, its writes are undone and the transaction around it stays usable. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface TransactionOptions {
  /** Give up waiting for any one lock after this long (55P03). Unset: the server's own setting. */
  readonly lockTimeoutMs?: number;
  /**
   * Let the server end the session if nothing comes for this long. What a stopped process, or one whose machine vanished,
   * had locked is then free for the others; nothing of it was committed. Default: the pool's `idleLimitMs`.
   */
  readonly idleLimitMs?: number;
  /**
   * Plans that stay on indexes: for verbs that look up a known list of keys. Without statistics, or with a cautious
   * random_page_cost, the planner hashes a whole table for a batch of a thousand, and is 5 to 100 times slower.
   */
  readonly probes?: boolean;
  /** One snapshot for the whole transaction, nothing written: for checks that compare tables with each other. */
  readonly snapshot?: boolean;
  /** Keeps a journal and always rolls back: the work does everything, and nothing of it stays. */
  readonly dryRun?: boolean;
}

export interface Connections {
  readonly most: number;
  readonly inUse: number;
  readonly idle: number;
  /** Work that waits for one. */
  readonly waiting: number;
}

export interface Database extends Sql {
  connections(): Connections;
  /**
   * Runs the work in one transaction. A deadlock or serialization failure is tried again, a bounded number of times,
   * so the work must do nothing outside the database. If the answer to COMMIT is lost, CommitUnknown is thrown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Notifies channels, without a payload, in a transaction of its own. No statement hook sees it: it is no part of any work.
   */
  notify(channels: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Sees every statement just before it is sent. Throwing, or ending the process, stops the world at that point. */
export type StatementHook = (text: string) => void | Promise<void>;

/** The connection was lost after COMMIT was sent: what was written may be there. Look it up by its key. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(cause: unknown) {
    super('the connection was lost while committing: the outcome is unknown', { cause });
  }
}

/** SQLSTATE of a driver's error, whichever driver threw it. Every one has a digit; EPIPE, of a dead socket, has none. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*[0-9])[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The name of the violated constraint, where the error is of that kind. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const name =
    'constraint' in error ? error.constraint : 'constraint_name' in error ? error.constraint_name : undefined;
  return typeof name === 'string' ? name : undefined;
}

const OWN_PREFIX = /\busance\./g;

/** Statements are written for the schema `usance`; under another name they are rewritten once and remembered. */
export function schemaRewriter(schema: string): (text: string) => string {
  if (schema === 'usance') return (text) => text;
  const quoted = `${quoteIdentifier(schema)}.`;
  const known = new Map<string, string>();
  return (text) => {
    let rewritten = known.get(text);
    if (rewritten === undefined) {
      rewritten = text.replace(OWN_PREFIX, quoted);
      known.set(text, rewritten);
    }
    return rewritten;
  };
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
