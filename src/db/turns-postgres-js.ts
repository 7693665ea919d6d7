// Turns on a transaction of postgres.js: its `sql` is a function and cannot be replaced. Its connection can: `onexecute`, the option by
// which postgres.js itself learns which connection a transaction got, names it, and its `execute` is replaced instead.
import { SetupError } from '../kernel/index.ts';
import { TurnQueue } from './turn-queue.ts';

/** A query of postgres.js, as far as it is looked at here. Nothing is sent until it is awaited. */
export interface PostgresJsQuery extends PromiseLike<Iterable<unknown>> {
  readonly strings?: readonly string[];
  readonly args?: readonly unknown[];
  readonly cancelled?: unknown;
  readonly handler?: (query: PostgresJsQuery) => void;
  readonly reject?: (error: Error) => void;
}

/** The `sql` that postgres.js passes to `sql.begin(async (sql) => …)`, or that `sql.reserve()` returns. */
export interface PostgresJsLike {
  /** Sends a statement. */
  unsafe(text: string, values?: never[], options?: object): PromiseLike<Iterable<unknown>>;
  /** A value with its type. */
  typed(value: unknown, type: number): unknown;
  /** Present inside `begin`. Default: none. */
  savepoint?<T>(name: string, work: (sql: PostgresJsLike) => Promise<T>): Promise<unknown>;
}

interface Connection {
  execute(query: PostgresJsQuery): unknown;
  /** Called when the connection has nothing to do: sends what waits in the driver. Null when the transaction is over. */
  reserved?: ((() => unknown) & { release?: boolean }) | null | undefined;
}

const queues = new WeakMap<Connection, TurnQueue>();
const queueOfTransaction = new WeakMap<PostgresJsLike, TurnQueue>();
/** Queries of ours, and those of the caller that have waited. */
const exempted = new WeakSet<PostgresJsQuery>();

const PROBES = 10;

export async function inTurnOnPostgresJs<T>(sql: PostgresJsLike, work: () => Promise<T>): Promise<T> {
  const known = queueOfTransaction.get(sql);
  if (known) return known.take(work);
  // An empty statement, which is answered also in a transaction that has failed. The option is called in the moment it is
  // handed to the connection, unless the connection is busy writing; the turn is taken in the same moment.
  for (let probe = 1; probe <= PROBES; probe += 1) {
    let turn: Promise<T> | undefined;
    let isPooled = false;
    const onexecute = (connection: unknown): boolean => {
      if (isConnection(connection)) {
        if (!connection.reserved) isPooled = true;
        else {
          const queue = queueOf(connection);
          queueOfTransaction.set(sql, queue);
          turn = queue.take(work);
          // It may be refused before the probe is answered.
          turn.catch(() => undefined);
        }
      }
      return true;
    };
    await exempt(sql.unsafe('', [], { onexecute }));
    if (turn) return await turn;
    if (isPooled) throw new SetupError('pass the sql that sql.begin or sql.reserve of postgres.js gives, not the pool');
  }
  throw new SetupError(
    'the statements of this transaction cannot be held back while a verb runs: use postgres.js 3.4 or newer, or pg',
  );
}

/** Marks a query of ours: it is sent without a turn. */
export function exempt(query: PromiseLike<Iterable<unknown>>): PromiseLike<Iterable<unknown>> {
  exempted.add(query);
  return query;
}

/** Savepoints of verbs are made by the driver, which names them after this. */
export const SAVEPOINT = 'usance_verb';
const OWN_SAVEPOINT = new RegExp(`^"s\\d+_${SAVEPOINT}"$`);

function isOwnSavepoint({ strings, args }: PostgresJsQuery): boolean {
  const [name] = args ?? [];
  if (typeof name !== 'object' || name === null || !('value' in name) || typeof name.value !== 'string') return false;
  return /^(savepoint|rollback to) $/.test(strings?.[0] ?? '') && OWN_SAVEPOINT.test(name.value);
}

function isConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'execute' in value && typeof value.execute === 'function';
}

function queueOf(connection: Connection): TurnQueue {
  let queue = queues.get(connection);
  if (!queue) {
    let restore = (): void => undefined;
    const made = new TurnQueue(
      () => (restore = holdConnection(connection, made)),
      () => restore(),
    );
    queues.set(connection, (queue = made));
  }
  return queue;
}

/** Replaces what sends queries over the connection until the function that is returned is called. */
function holdConnection(connection: Connection, queue: TurnQueue): () => void {
  const { execute, reserved } = connection;
  let held = 0;
  // The driver calls this when a query is answered, to send the next one that waits in the driver, and expects to be asked
  // again when that one is answered. One that is held back is not, so the one behind it is sent.
  const sendNext = Object.assign(() => {
    let before: number;
    do {
      before = held;
      reserved?.();
    } while (held > before);
  }, reserved);
  connection.reserved = sendNext;
  connection.execute = (query) => {
    if (exempted.has(query) || isOwnSavepoint(query)) return execute(query);
    held += 1;
    queue.add(() => {
      if (query.cancelled) return;
      exempted.add(query);
      // Gone with its connection: what was sent now would run outside of any transaction.
      if (connection.reserved === sendNext) query.handler?.(query);
      else query.reject?.(new Error('the transaction ended before this statement had its turn'));
    });
    // As if it had been sent: the driver goes on.
    return true;
  };
  return () => {
    connection.execute = execute;
    if (connection.reserved === sendNext) connection.reserved = reserved;
  };
}
