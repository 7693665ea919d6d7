// Opens the listening connection and checks that notifications arrive over it. A connection through a pooler in transaction mode, or to
// another database, accepts LISTEN and receives nothing. A probe is sent over the pool, as every wake-up is, and has to arrive.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ListenConnection } from './listen-connection.ts';
import { openListening } from './listen-connection.ts';
import { channelOf } from './wake-up-kinds.ts';

const PROBE_MS = 5_000;
/** One channel per process: a pooler can keep the registration on a session that is never seen again, and these must not pile up. */
const PROBE_CHANNEL = `probe_${randomBytes(6).toString('hex')}`;

export interface Probed {
  readonly connection: ListenConnection;
  /** Null: the probe could not be sent. */
  readonly arrives: boolean | null;
}

export interface ProbeOptions {
  readonly url: string;
  readonly schema: string;
  /** Sends notifications over the pool. */
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
  const probe = channelOf(schema, PROBE_CHANNEL);
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
    // `null` after twice the time: if the pool has no free connection, the probe may not be sent yet, and proves nothing.
    const arrives = await Promise.race([arrived.promise, missed, lost, wait(null).then(() => wait(null))]);
    // Even if notifications do not arrive: the pooler may run it on the session that has the registration.
    await connection.unlisten(probe);
    return { connection, arrives };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The `application_name` of the connection, as in `pg_stat_activity`. */
export const listenerName = (schema: string): string => `usance listener ${schema}`.slice(0, 63);
