// Events in order, then each new event, in one loop. It polls: no connection is held while nothing happens.
import { setTimeout as pause } from 'node:timers/promises';
import type { Event, FollowOptions, FollowQuery } from '../client/index.ts';
import type { EventsResource } from './resources.ts';
import type { RequireLoop } from './wait.ts';

/** Past events in order, then each new one. Throws a `SetupError` if no process runs the loop `sequencer`. */
export type FollowEvents = (params?: FollowQuery, options?: FollowOptions) => AsyncIterable<Event>;

const EVERY_MS = 200;
const PATIENCE_MS = 3_000;

export function createFollow(events: EventsResource, requireLoop: RequireLoop): FollowEvents {
  return async function* follow({ after = 0, ...filter } = {}, { signal } = {}) {
    let last = after;
    let idleSinceMs = performance.now();
    const stopped = (): boolean => signal?.aborted ?? false;
    while (!stopped()) {
      for await (const event of events.list({ ...filter, after: last })) {
        if (stopped()) return;
        last = event.seq;
        idleSinceMs = performance.now();
        yield event;
      }
      if (performance.now() - idleSinceMs > PATIENCE_MS) {
        await requireLoop('sequencer');
        idleSinceMs = performance.now();
      }
      await pause(EVERY_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  };
}
