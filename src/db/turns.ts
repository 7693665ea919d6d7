// Turns on a caller's connection. Verbs that a caller sends at once would interleave their savepoints: the refusal of one
// would roll back the writes of another that has already answered, and the caller's own statements with them. So the verbs
// on one connection run one after the other, whichever handle or tenant they came through, and a statement that the caller
// sends meanwhile waits until the verbs before it have ended. All of it runs in the order of the calls.
//
// pg: the client's `query` is replaced by one that waits, as a property of the client itself, while verbs run. A reference
// to `query` that was taken from the client earlier is not seen; the README says so.
// postgres.js: a transaction's `sql` is a function and cannot be replaced. Its connection can: `onexecute`, the option by
// which postgres.js itself learns which connection a transaction got, names it, and its `execute` is replaced instead.
import { SetupError } from '../kernel/index.ts';
import { Line } from './line.ts';
import type { PgLike } from './pool.ts';

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
  unsafe(text: string, values?: never[], options?: object): PromiseLike<Iterable<unknown>>;
  typed(value: unknown, type: number): unknown;
  savepoint?<T>(name: string, work: (sql: PostgresJsLike) => Promise<T>): Promise<unknown>;
}

export type ForeignTransaction = PgLike | PostgresJsLike;

export function isPostgresJs(foreign: ForeignTransaction): foreign is PostgresJsLike {
  return 'unsafe' in foreign && typeof foreign.unsafe === 'function';
}

/**
 * Runs the work when it has its turn on the caller's connection. Work that has its turn must not ask for another one: it
 * would wait for itself.
 */
export async function inTurn<T>(foreign: ForeignTransaction, work: () => Promise<T>): Promise<T> {
  return await (isPostgresJs(foreign) ? inTurnOnPostgresJs(foreign, work) : pgTurns(foreign).line.take(work));
}

// pg

type Query = PgLike['query'];

interface PgTurns {
  readonly line: Line;
  /** The `query` that is behind ours while verbs run. */
  behind: Query | null;
}

const turnsOfClients = new WeakMap<PgLike, PgTurns>();

/** Sends a statement of ours, past those that wait. */
export function sendPastTurns(client: PgLike, text: string, values?: unknown[]): ReturnType<Query> {
  const behind = turnsOfClients.get(client)?.behind;
  const given = values === undefined ? [text] : [text, values];
  return behind ? Reflect.apply(behind, client, given) : client.query(text, values);
}

function pgTurns(client: PgLike): PgTurns {
  const known = turnsOfClients.get(client);
  if (known) return known;
  const own = Object.getOwnPropertyDescriptor(client, 'query');
  if (own ? !own.configurable : !Object.isExtensible(client)) {
    throw new SetupError('the statements of this client cannot be held back while a verb runs: its query is read-only');
  }
  let restore = (): void => undefined;
  const turns: PgTurns = {
    line: new Line(
      () => (restore = holdBack(client, turns)),
      () => restore(),
    ),
    behind: null,
  };
  turnsOfClients.set(client, turns);
  return turns;
}

/** Replaces `query` until the function that is returned is called. */
function holdBack(client: PgLike, turns: PgTurns): () => void {
  const before = Object.getOwnPropertyDescriptor(client, 'query');
  const { query: behind } = client;
  let isOver = false;
  const waiting = (...given: unknown[]): unknown => {
    const send = (): unknown => Reflect.apply(behind, client, given);
    if (isOver) return send();
    const [first] = given;
    // The driver refuses it before it sends anything, and throws to the caller.
    if (first === null || first === undefined) return send();
    const isSubmittable = typeof first === 'object' && first !== null && 'submit' in first;
    if (!isSubmittable && !hasCallback(first) && !given.some((each) => typeof each === 'function')) {
      return turns.line.take(async () => send());
    }
    turns.line.add(() => void send());
    // As the driver does it: a submittable is answered with itself, a callback with nothing.
    return isSubmittable ? first : undefined;
  };
  Object.defineProperty(client, 'query', { value: waiting, configurable: true, writable: true, enumerable: false });
  turns.behind = behind;
  return () => {
    isOver = true;
    turns.behind = null;
    // A tracer may have wrapped ours meanwhile: then it stays, and ours passes on what it gets.
    if (Object.getOwnPropertyDescriptor(client, 'query')?.value !== waiting) return;
    if (before) Object.defineProperty(client, 'query', before);
    else Reflect.deleteProperty(client, 'query');
  };
}

function hasCallback(config: unknown): config is { readonly callback: unknown } {
  return typeof config === 'object' && config !== null && 'callback' in config && typeof config.callback === 'function';
}

// postgres.js

interface Connection {
  execute(query: PostgresJsQuery): unknown;
  /** Called when the connection has nothing to do: sends what waits in the driver. Null when the transaction is over. */
  reserved?: ((() => unknown) & { release?: boolean }) | null | undefined;
}

const lines = new WeakMap<Connection, Line>();
const lineOfTransaction = new WeakMap<PostgresJsLike, Line>();
/** Queries of ours, and those of the caller that have waited. */
const passing = new WeakSet<PostgresJsQuery>();

const PROBES = 10;

async function inTurnOnPostgresJs<T>(sql: PostgresJsLike, work: () => Promise<T>): Promise<T> {
  const known = lineOfTransaction.get(sql);
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
          const line = lineOf(connection);
          lineOfTransaction.set(sql, line);
          turn = line.take(work);
          // It may be refused before the probe is answered.
          turn.catch(() => undefined);
        }
      }
      return true;
    };
    await pass(sql.unsafe('', [], { onexecute }));
    if (turn) return await turn;
    if (isPooled) throw new SetupError('pass the sql that sql.begin or sql.reserve of postgres.js gives, not the pool');
  }
  throw new SetupError(
    'the statements of this transaction cannot be held back while a verb runs: use postgres.js 3.4 or newer, or pg',
  );
}

/** Marks a query of ours: it does not wait for a turn. */
export function pass(query: PromiseLike<Iterable<unknown>>): PromiseLike<Iterable<unknown>> {
  passing.add(query);
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

function lineOf(connection: Connection): Line {
  let line = lines.get(connection);
  if (!line) {
    let restore = (): void => undefined;
    const made = new Line(
      () => (restore = holdConnection(connection, made)),
      () => restore(),
    );
    lines.set(connection, (line = made));
  }
  return line;
}

/** Replaces what sends queries over the connection until the function that is returned is called. */
function holdConnection(connection: Connection, line: Line): () => void {
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
    if (passing.has(query) || isOwnSavepoint(query)) return execute(query);
    held += 1;
    line.add(() => {
      if (query.cancelled) return;
      passing.add(query);
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
