// Keeps one connection that listens, for the channels that something in this process waits for. Its life:
//
//   the first channel is requested     it connects, and a probe checks that notifications arrive
//   a channel is added                 it sends LISTEN on the open connection
//   the connection is lost, or silent  it reconnects, after a pause that doubles up to 30 seconds
//   notifications do not arrive        it sends one notice, and tries again every ten minutes
//
// Notifications sent while it was not listening are lost. So each LISTEN calls `onListening`, and the receiver reads its tables once.
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../kernel/index.ts';
import { openProbed } from './probe.ts';
import type { ListenConnection } from './listen-connection.ts';

export interface ListenerOptions {
  readonly url: () => string;
  readonly schema: string;
  readonly notify: (channels: readonly string[]) => Promise<void>;
  readonly onNotification: (channel: string) => void;
  /** Called after LISTEN: notifications sent to these channels from now on arrive. */
  readonly onListening: (channels: readonly string[]) => void;
  readonly onNotice?: ((line: string) => void) | undefined;
  readonly timing?: Partial<Timing>;
}

interface Timing {
  /** Interval of the check that the connection still answers, and its timeout. */
  readonly heartbeatMs: number;
  readonly answerMs: number;
  readonly probeMs: number;
  readonly firstPauseMs: number;
}

export interface Listener {
  listen(channel: string): void;
  /** Whether it is connected and has sent LISTEN. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

const TIMING: Timing = { heartbeatMs: 15_000, answerMs: 5_000, probeMs: 5_000, firstPauseMs: 100 };
const LONGEST_PAUSE_MS = 30_000;
const UNUSABLE_PAUSE_MS = 10 * 60_000;

const UNUSABLE =
  'notifications do not arrive over USANCE_LISTEN_URL: it is another database, or a connection pooler in transaction mode. ' +
  'Set it to the address of the server itself, or to none. Loops poll until then.';

export function createListener(options: ListenerOptions): Listener {
  const timing = { ...TIMING, ...options.timing };
  const channels = new Set<string>();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let current: ListenConnection | null = null;
  let isListening = false;

  const listenTo = async (connection: ListenConnection, some: readonly string[]): Promise<void> => {
    await connection.listen(some);
    options.onListening(some);
  };

  /** Listens until the connection is lost; returns why. */
  const session = async (onUsable: () => void): Promise<Error | 'unusable'> => {
    const { schema, notify, onNotification } = options;
    const { probeMs, answerMs, heartbeatMs } = timing;
    const { signal } = stopping;
    const probing = { url: options.url(), schema, notify, onNotification, probeMs, signal };
    const { connection, arrives } = await openProbed(probing);
    if (arrives === false) {
      connection.close();
      return 'unusable';
    }
    const heartbeat = setInterval(() => {
      void connection.answers(answerMs).then((answers) => {
        if (!answers) connection.close();
      });
    }, heartbeatMs).unref();
    try {
      // From here on `listen` sends LISTEN for a new channel itself.
      current = connection;
      await listenTo(connection, [...channels]);
      isListening = true;
      onUsable();
      return await connection.ended;
    } finally {
      current = null;
      isListening = false;
      clearInterval(heartbeat);
      connection.close();
    }
  };

  const keepListening = async (): Promise<void> => {
    let failures = 0;
    let saidUnusable = false;
    while (!stopping.signal.aborted) {
      const lost = await session(() => {
        failures = 0;
        saidUnusable = false;
      }).catch((error: unknown) => error);
      if (stopping.signal.aborted) return;
      failures += 1;
      if (lost === 'unusable') {
        if (!saidUnusable) options.onNotice?.(UNUSABLE);
        saidUnusable = true;
      } else if (failures === 1)
        options.onNotice?.(`the connection that listens for wake-ups was lost, loops poll: ${describeError(lost)}`);
      const pauseMs =
        lost === 'unusable'
          ? UNUSABLE_PAUSE_MS
          : Math.min(timing.firstPauseMs * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
      await pause(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };

  return {
    listen(channel) {
      if (channels.has(channel) || stopping.signal.aborted) return;
      channels.add(channel);
      const connection = current;
      // If LISTEN fails, the connection is closed, and the next one listens to every channel.
      if (connection) void listenTo(connection, [channel]).catch(() => connection.close());
      running ??= keepListening();
    },
    get isListening() {
      return isListening;
    },
    async close() {
      stopping.abort();
      current?.close();
      await running;
    },
  };
}
