// Our own pool, over pg. Chosen over postgres.js because a checked-out client has an explicit life (release, or destroy
// on error), and because an unnamed statement with values is one round trip and always gets a plan made for its values:
// a remembered generic plan once chose sequential scans for batches and was a hundred times slower.
import pg from 'pg';
import { SetupError } from '../kernel/index.ts';
import type { Database, Notes, Row, StatementHook, Value } from './sql.ts';
import { quoteIdentifier, schemaRewriter } from './sql.ts';
import type { Send } from './transaction.ts';
import { asSql, retryingConflicts, runTransaction } from './transaction.ts';
import type { Statement } from './values.ts';
import { condense, encode, encodeInBinary } from './values.ts';

export interface PoolOptions {
  readonly url: string;
  readonly schema?: string;
  /** Connections at most, default 10. Each batch in flight and each open transaction holds one. */
  readonly maxConnections?: number;
  /** Fail a connection attempt after this long, default 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long one of our transactions may stand still before the server ends it, default 10 s. */
  readonly idleLimitMs?: number;
  /** Shown in pg_stat_activity. */
  readonly name?: string;
  readonly onStatement?: StatementHook;
  /** Hears what each transaction did, once it has committed. */
  readonly onNotes?: ((notes: Notes) => void) | undefined;
  /** Told of connections that break while idle (a server restart); the pool replaces them by itself. */
  readonly onConnectionLost?: (error: Error) => void;
}

export function createPool(options: PoolOptions): Database {
  const most = options.maxConnections ?? 10;
  const { onNotes } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: most,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    application_name: options.name ?? 'usance',
    types: { getTypeParser },
    pipeline: true,
  });
  // Without a listener an idle connection's death (57P01 at a restart) would end the process.
  // Once it is closing none is missed: a server that stops at the same moment tells the last ones so.
  let closing = false;
  pool.on('error', (error) => {
    if (!closing) options.onConnectionLost?.(error);
  });
  const idleLimitMs = options.idleLimitMs ?? 10_000;
  const rewrite = schemaRewriter(options.schema ?? 'usance');

  const sendOver = (client: pg.Pool | pg.PoolClient): Send => {
    return async <R extends Row>(text: string, values: readonly Value[]) =>
      runOnPg<R>(client, rewrite(text), values, encodeInBinary);
  };

  const overPool = sendOver(pool);
  const requireOpen = (): void => {
    if (closing) throw new SetupError('usance was closed: create it again with createUsance() before you call it');
  };
  return {
    // Without BEGIN a statement has the isolation level that the database is set to. One that fails is undone whole, so it
    // can be sent again.
    ...asSql((text, values) =>
      retryingConflicts(async () => {
        requireOpen();
        await options.onStatement?.(text);
        return await overPool(text, values);
      }),
    ),
    transaction: (work, transactionOptions = {}) =>
      retryingConflicts(async () => {
        requireOpen();
        const client = await pool.connect();
        // While checked out, a connection's death is the transaction's to report; the pool does not listen then.
        // One that died between two statements says so once: the driver refuses the next without the reason.
        let lost: Error | undefined;
        const remember = (error: Error): void => void (lost ??= error);
        client.on('error', remember);
        const overClient = inOrder(sendOver(client), options.onStatement);
        const send: Send = async (text, values) => {
          if (lost !== undefined) throw lost;
          return await overClient(text, values);
        };
        let broken: Error | undefined;
        try {
          return await runTransaction(send, work, { idleLimitMs, onNotes, ...transactionOptions });
        } catch (error) {
          if (!isIdle(client)) broken = error instanceof Error ? error : new Error(String(error));
          throw error;
        } finally {
          client.off('error', remember);
          client.release(broken);
        }
      }),
    async notify(channels) {
      if (!closing && channels.length > 0) await pool.query(notifyStatement(channels));
    },
    connections: () => ({
      most,
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => {
      closing = true;
      return pool.end();
    },
  };
}

/**
 * In one message, which is one transaction: an error leaves none open, and a pooler needs no session. The server does not wait for the
 * disk: a transaction that only notifies has nothing to make durable.
 */
function notifyStatement(channels: readonly string[]): string {
  return channels.map((channel) => `notify ${quoteIdentifier(channel)}`).join('; ');
}

/** A statement that the hook holds back is not overtaken by those after it: they are sent ahead, but in order. */
function inOrder(send: Send, hook: StatementHook | undefined): Send {
  if (!hook) return send;
  let held: Promise<unknown> | null = null;
  return async (text, values) => {
    const passed = held ? held.then(() => hook(text)) : hook(text);
    if (!passed) return send(text, values);
    const turn: Promise<unknown> = passed.catch(() => undefined);
    held = turn;
    await passed.finally(() => {
      if (held === turn) held = null;
    });
    return send(text, values);
  };
}

/**
 * After an error: whether the server's last word was that no transaction is open. One that is (its ROLLBACK never got
 * through) would go on in the hands of the next borrower; such a session is destroyed, and the server rolls back.
 */
function isIdle(client: pg.PoolClient): boolean {
  return client.getTransactionStatus() === 'I';
}

const TIMESTAMPTZ = 1184;
const asItCame = (text: string): string => text;

/** Instants stay text until a store reads them (rows.ts); everything else as pg reads it. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === TIMESTAMPTZ && format !== 'binary' ? asItCame : pg.types.getTypeParser(oid, format);
}

/** A client of pg after `begin`. */
export interface PgLike {
  /** Sends a statement. */
  query(text: string, values?: unknown[]): Promise<PgResult | PgResult[]>;
}

/** The result of a statement. */
export interface PgResult {
  /** Its rows. */
  readonly rows: unknown[];
}

const encodeAsText = ({ values }: Statement): (string | null)[] => values.map(encode);

export async function runOnPg<R extends Row>(
  client: PgLike,
  text: string,
  values: readonly Value[],
  encodeAll: (statement: Statement) => (string | Buffer | null)[] = encodeAsText,
): Promise<R[]> {
  const short = condense(text, values);
  const result = await (values.length === 0 ? client.query(text) : client.query(short.text, encodeAll(short)));
  // Several statements in one text (begin and a setting) give a result each; the last one's rows are the answer.
  const last = Array.isArray(result) ? result.at(-1) : result;
  return (last?.rows ?? []) as R[];
}
