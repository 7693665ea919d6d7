// Keeps one connection that listens, for the channels that something in this process waits for. It comes and goes:
//
//   the first channel is asked for     it connects, and asks with a probe whether notifications arrive
//   a channel is added                 it is listened to from now on
//   the connection is lost, or silent  it connects again, after a pause that doubles up to half a minute
//   notifications do not arrive        a notice says so, once; it tries again every ten minutes
//
// Notifications that were sent meanwhile are gone. So whenever it begins to listen to a channel, it says so, and the receiver looks once.
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../kernel/index.ts';
import { openProbed } from './delivery.ts';
import type { ListenConnection } from './listen-connection.ts';

export interface ListenerOptions {
  readonly url: () => string;
  readonly schema: string;
  readonly notify: (channels: readonly string[]) => Promise<void>;
  readonly onNotification: (channel: string) => void;
  /** From now on nothing that is sent to these channels is missed. */
  readonly onListening: (channels: readonly string[]) => void;
  readonly onNotice?: ((line: string) => void) | undefined;
  readonly pace?: Partial<Pace>;
}

interface Pace {
  /** How often it is asked whether the connection still answers, and how soon it must. */
  readonly heartbeatMs: number;
  readonly answerMs: number;
  readonly probeMs: number;
  readonly firstPauseMs: number;
}

export interface Listener {
  listen(channel: string): void;
  /** Whether it listens now. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

const PACE: Pace = { heartbeatMs: 15_000, answerMs: 5_000, probeMs: 5_000, firstPauseMs: 100 };
const LONGEST_PAUSE_MS = 30_000;
const UNUSABLE_PAUSE_MS = 10 * 60_000;

const UNUSABLE =
  'notifications do not arrive over USANCE_LISTEN_URL: it is another database, or a connection pooler in transaction mode. ' +
  'Set it to the address of the server itself, or to none. Loops poll until then.';

export function createListener(options: ListenerOptions): Listener {
  const pace = { ...PACE, ...options.pace };
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
    const { probeMs, answerMs, heartbeatMs } = pace;
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
      // A channel that is added from now on is listened to by whoever adds it.
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

  const go = async (): Promise<void> => {
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
          : Math.min(pace.firstPauseMs * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
      await pause(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };

  return {
    listen(channel) {
      if (channels.has(channel) || stopping.signal.aborted) return;
      channels.add(channel);
      const connection = current;
      // One that fails is lost, and the next connection listens to all.
      if (connection) void listenTo(connection, [channel]).catch(() => connection.close());
      running ??= go();
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
