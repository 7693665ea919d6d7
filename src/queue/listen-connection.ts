// One connection that listens. It is not from the pool: a pooler in transaction mode would hand its registrations to other clients.
// It never opens a transaction, because notifications are kept for a listener that is in one.
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { quoteIdentifier } from '../db/index.ts';

const CONNECT_MS = 10_000;

export interface ListenConnection {
  listen(channels: readonly string[]): Promise<void>;
  unlisten(channel: string): Promise<void>;
  /** Whether the server answers in time. */
  answers(withinMs: number): Promise<boolean>;
  /** Resolves when the connection is lost, and when it is closed. */
  readonly ended: Promise<Error>;
  close(): void;
}

export interface ListenOptions {
  readonly url: string;
  /** The `application_name`, as in `pg_stat_activity`. */
  readonly name: string;
  readonly onNotification: (channel: string) => void;
  /** Closes the connection, even while it is being opened. */
  readonly signal?: AbortSignal | undefined;
}

export async function openListening({ url, name, onNotification, signal }: ListenOptions): Promise<ListenConnection> {
  signal?.throwIfAborted();
  // Our own socket: it can be destroyed if the server no longer answers, and, unreferenced, it does not keep the program running.
  const socket = new Socket().unref();
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    stream: () => socket,
  });
  const ended = Promise.withResolvers<Error>();
  client.on('error', ended.resolve);
  client.on('end', () => ended.resolve(new Error('Connection terminated')));
  client.on('notification', ({ channel }) => onNotification(channel));
  const drop = (): void => void socket.destroy();
  signal?.addEventListener('abort', drop, { once: true });
  void ended.promise.then(() => signal?.removeEventListener('abort', drop));
  try {
    await client.connect();
  } catch (error) {
    drop();
    throw error;
  }
  let last: Promise<unknown> = Promise.resolve();
  /** One statement at a time. */
  const send = (text: string): Promise<unknown> => (last = last.catch(() => undefined).then(() => client.query(text)));
  return {
    listen: async (channels) =>
      void (await send(channels.map((channel) => `listen ${quoteIdentifier(channel)}`).join('; '))),
    unlisten: async (channel) => void (await send(`unlisten ${quoteIdentifier(channel)}`)),
    async answers(withinMs) {
      const answer = send('select 1').then(
        () => true,
        () => false,
      );
      return Promise.race([answer, pause(withinMs, false, { ref: false })]);
    },
    ended: ended.promise,
    close() {
      ended.resolve(new Error('Connection terminated'));
      // Ends the session if the server answers, and drops the socket after 100 ms if it does not.
      void client.end().catch(() => undefined);
      setTimeout(drop, 100).unref();
    },
  };
}
