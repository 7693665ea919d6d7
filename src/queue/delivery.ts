// Whether notifications arrive. A connection through a pooler in transaction mode accepts LISTEN and hears nothing, and so does one
// to another database. A probe that is sent over the pool shows it: it takes the way of every wake-up.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ListenConnection } from './listen-connection.ts';
import { openListening } from './listen-connection.ts';
import { channelOf } from './wake-up.ts';

const PROBE_MS = 5_000;
/** One for the process: a pooler keeps the registration on a session that it does not show again, and there must not be more and more. */
const PROBE = `probe_${randomBytes(6).toString('hex')}`;

export interface Probed {
  readonly connection: ListenConnection;
  /** Null: the probe could not be sent. */
  readonly arrives: boolean | null;
}

export interface ProbeOptions {
  readonly url: string;
  readonly schema: string;
  /** Sends notifications as the processes do. */
  readonly notify: (channels: readonly string[]) => Promise<void>;
  readonly onNotification?: (channel: string) => void;
  /** How long a probe may take, default 5 s. */
  readonly probeMs?: number;
  readonly signal?: AbortSignal;
}

export async function openProbed({
  url,
  schema,
  notify,
  onNotification = () => undefined,
  probeMs = PROBE_MS,
  signal,
}: ProbeOptions): Promise<Probed> {
  const probe = channelOf(schema, PROBE);
  const arrived = Promise.withResolvers<true>();
  const connection = await openListening({
    url,
    name: listenerName(schema),
    onNotification: (channel) => (channel === probe ? arrived.resolve(true) : onNotification(channel)),
    signal,
  });
  const wait = <T>(value: T): Promise<T> => pause(probeMs, value, { ref: false });
  try {
    await connection.listen([probe]);
    const missed = notify([probe]).then(
      () => wait(false),
      () => null,
    );
    const lost = connection.ended.then((error) => {
      throw error;
    });
    // A pool without a free connection says nothing about this one.
    const arrives = await Promise.race([arrived.promise, missed, lost, wait(null).then(() => wait(null))]);
    // Also where notifications do not arrive: the pooler may run it on the session that has the registration.
    await connection.unlisten(probe);
    return { connection, arrives };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** As `pg_stat_activity` shows it. */
export const listenerName = (schema: string): string => `usance listener ${schema}`.slice(0, 63);
