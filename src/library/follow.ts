// Events in order, then each new event, in one loop. It polls: no connection is held while nothing happens.
import { setTimeout as pause } from 'node:timers/promises';
import type { Event, FollowOptions, FollowQuery } from '../client/index.ts';
import type { EventsResource } from './resources.ts';
import type { RequireLoop } from './wait.ts';

/** Past events in order, then each new one. Throws a `SetupError` if no process runs the loop `sequencer`. */
export type FollowEvents = (params?: FollowQuery, options?: FollowOptions) => AsyncIterable<Event>;

const EVERY_MS = 200;
const PATIENCE_MS = 3_000;

/** `lastSeq` is that of the tenant's last event, whether the filter takes it or not. */
export function createFollow(
  events: Pick<EventsResource, 'list'>,
  requireLoop: RequireLoop,
  lastSeq: () => Promise<number>,
): FollowEvents {
  return async function* follow({ after = 0, ...filter } = {}, { signal } = {}) {
    let last: number | string = after;
    let idleSinceMs = performance.now();
    const stopped = (): boolean => signal?.aborted ?? false;
    while (!stopped()) {
      // Events get their seq in order: once this one is visible, so are all before it, and what the filter left out is not read again.
      const reached = await lastSeq();
      for await (const event of events.list({ ...filter, after: last })) {
        if (stopped()) return;
        last = event.cursor;
        idleSinceMs = performance.now();
        yield event;
      }
      last = Math.max(last, reached);
      if (performance.now() - idleSinceMs > PATIENCE_MS) {
        await requireLoop('sequencer');
        idleSinceMs = performance.now();
      }
      await pause(EVERY_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  };
}
