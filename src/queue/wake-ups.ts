// The wake-ups of one process: who raises them, who is woken, and how they reach other processes.
//
//   a transaction commits ──▶ a loop of this process runs ──▶ the sequencer ordered events ──▶ followers of this process look
//             │ if this process has no such loop, or for all              │ always
//             ▼                                                           ▼
//          NOTIFY, at most every 50 ms ═══════▶ LISTEN ──▶ loops and followers of other processes
//
// Every arrow may be lost, and every receiver polls: a lost wake-up costs one poll interval.
import type { Database, Notes } from '../db/index.ts';
import type { Loop, LoopObserver } from '../kernel/index.ts';
import type { Follower } from './followers.ts';
import { Followers } from './followers.ts';
import type { Listener, ListenerOptions } from './listener.ts';
import { createListener } from './listener.ts';
import type { Notifier } from './notifier.ts';
import { createNotifier } from './notifier.ts';
import type { WakeUp } from './wake-up-kinds.ts';
import { FOR_ALL, LOOPS_OF, RAISED_BY, WAKE_UPS, channelOf, readWakeUpNote } from './wake-up-kinds.ts';

export interface WakeUpOptions {
  readonly schema?: string | undefined;
  /** The address to listen at; default the address of the database. `none`: nowhere, loops and followers poll. */
  readonly listenUrl?: string | null | undefined;
  readonly onNotice?: ((line: string) => void) | undefined;
  /** Counts wake-ups that were sent to other processes, could not be sent, and were received. */
  readonly meter?: WakeUpMeter;
  /** For tests. */
  readonly timing?: ListenerOptions['timing'];
}

export interface WakeUpMeter {
  sent(kind: WakeUp): void;
  failed(): void;
  received(kind: WakeUp): void;
}

export interface WakeUps {
  /** An `onNotes` for the database: calls `observe` with the notes of each committed transaction, then raises their wake-ups. */
  onCommit(observe: (notes: Notes) => void): (notes: Notes) => void;
  /** Observes the runs of loops: a run of the sequencer that ordered events wakes their followers. */
  readonly loops: Pick<LoopObserver, 'ran'>;
  /** Starts a loop. From now on wake-ups of its kind run it. */
  start(loop: Loop): void;
  /** A follower that waits for wake-ups of a kind. The caller closes it. */
  follow(kind: WakeUp): Follower;
  /** Whether wake-ups of other processes arrive at the moment. */
  readonly isListening: boolean;
  /** Connects to other processes. Until then, wake-ups stay within this process. */
  connect(store: { readonly db: Pick<Database, 'notify'>; readonly url: string }): void;
  close(): Promise<void>;
}

const NO_METER: WakeUpMeter = { sent: () => undefined, failed: () => undefined, received: () => undefined };

export function createWakeUps(options: WakeUpOptions = {}): WakeUps {
  const { schema = 'usance', listenUrl = null, meter = NO_METER } = options;
  const channels = new Map(WAKE_UPS.map((kind) => [channelOf(schema, kind), kind]));
  const loops = new Map<WakeUp, Set<Loop>>();
  const followers = new Map<WakeUp, Followers>();
  let notifier: Notifier | null = null;
  let listener: Listener | null = null;

  const wake = (kind: WakeUp): void => {
    for (const loop of loops.get(kind) ?? []) loop.wake();
    followers.get(kind)?.wake();
  };
  const raise = (kind: WakeUp): void => {
    wake(kind);
    if (FOR_ALL.has(kind) || !loops.has(kind)) notifier?.send(kind);
  };
  const listen = (kind: WakeUp): void => listener?.listen(channelOf(schema, kind));
  const kindsHere = (): Set<WakeUp> => new Set([...loops.keys(), ...followers.keys()]);

  return {
    onCommit: (observe) => (notes) => {
      observe(notes);
      const kinds = new Set<WakeUp>();
      for (const name of notes.keys()) kinds.add(readWakeUpNote(name) ?? 'events_appended');
      kinds.forEach(raise);
    },
    loops: {
      ran(name, counts) {
        const kind = RAISED_BY[name];
        if (kind && Object.values(counts).some((count) => count > 0)) raise(kind);
      },
    },
    start(loop) {
      loop.start();
      const kind = WAKE_UPS.find((one) => LOOPS_OF[one].includes(loop.name));
      if (!kind) return;
      loops.set(kind, (loops.get(kind) ?? new Set()).add(loop));
      listen(kind);
    },
    follow(kind) {
      const known = followers.get(kind) ?? new Followers();
      followers.set(kind, known);
      listen(kind);
      return known.add();
    },
    get isListening() {
      return listener?.isListening ?? false;
    },
    connect(store) {
      const notify = (names: readonly string[]): Promise<void> => store.db.notify(names);
      notifier = createNotifier((kinds) => notify(kinds.map((kind) => channelOf(schema, kind))), {
        onSent: meter.sent,
        onFailed: meter.failed,
      });
      if (listenUrl === 'none') return;
      listener = createListener({
        url: () => listenUrl ?? store.url,
        schema,
        notify,
        onNotification(channel) {
          const kind = channels.get(channel);
          if (!kind) return;
          meter.received(kind);
          wake(kind);
        },
        onListening(some) {
          for (const channel of some) {
            const kind = channels.get(channel);
            if (kind) wake(kind);
          }
        },
        onNotice: options.onNotice,
        ...(options.timing ? { timing: options.timing } : {}),
      });
      kindsHere().forEach(listen);
    },
    async close() {
      await Promise.all([listener?.close(), notifier?.close()]);
    },
  };
}
