// Sends wake-ups to other processes. The first one goes out at once; those that follow within 50 ms go out together after it, each
// kind once. So a process sends at most 20 statements a second, whatever it commits.
//
// NOTIFY takes a lock of the whole cluster while its transaction commits: inside a transaction of work it would make all commits
// wait for each other, so it has its own, after the commit. See `Database.notify`.
import type { WakeUp } from './wake-up-kinds.ts';

export const NOTIFY_EVERY_MS = 50;
/** How long `close` waits for statements that are being sent. */
const CLOSE_TIMEOUT_MS = 1_000;

export interface Notifier {
  send(kind: WakeUp): void;
  /** Sends what is waiting, and then no more. */
  close(): Promise<void>;
}

export function createNotifier(
  notify: (kinds: readonly WakeUp[]) => Promise<void>,
  { onSent, onFailed }: { onSent: (kind: WakeUp) => void; onFailed: (error: unknown) => void },
): Notifier {
  const waiting = new Set<WakeUp>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let closed = false;

  const flush = async (): Promise<void> => {
    const kinds = [...waiting];
    waiting.clear();
    try {
      await notify(kinds);
      kinds.forEach(onSent);
    } catch (error) {
      // Lost wake-ups cost their receivers one poll interval.
      onFailed(error);
    }
  };
  const next = (): void => {
    timer = null;
    if (waiting.size === 0 || sending !== null) return;
    // One statement at a time: while this one is unanswered, `next` returns above.
    timer = setTimeout(next, NOTIFY_EVERY_MS);
    sending = flush().finally(() => {
      sending = null;
      if (timer === null && !closed) next();
    });
  };
  return {
    send(kind) {
      if (closed) return;
      waiting.add(kind);
      if (timer === null) next();
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      const rest = async (): Promise<void> => {
        await sending;
        if (waiting.size > 0) await flush();
      };
      let late: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (late = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
      await Promise.race([rest(), timeout]).finally(() => clearTimeout(late));
    },
  };
}
