// Events in order, then each new event, in one loop. It looks after a wake-up, and at its poll interval: no connection of the pool is held
// while nothing happens.
import type { AnyEvent, FollowEvents, FollowOptions, FollowQuery } from '../client/index.ts';
import type { Engine } from '../engine.ts';
import type { EventsResource } from './resources.ts';
import type { RequireLoop } from './wait.ts';

const EVERY_MS = 200;
const PATIENCE_MS = 3_000;

/** `lastCursor` is that of the tenant's last event, whether the filter takes it or not. */
export function createFollow(
  events: Pick<EventsResource, 'list'>,
  requireLoop: RequireLoop,
  lastCursor: () => Promise<string>,
  { wakeUps }: Pick<Engine, 'wakeUps'>,
): FollowEvents {
  return async function* follow<E extends AnyEvent>(
    { after = 0, ...filter }: FollowQuery = {},
    { signal }: FollowOptions = {},
  ): AsyncGenerator<E> {
    let last: number | string = after === 'latest' ? await lastCursor() : after;
    let idleSinceMs = performance.now();
    const stopped = (): boolean => signal?.aborted ?? false;
    const news = wakeUps.follow('events_ordered');
    try {
      while (!stopped()) {
        // Events get their seq in order: once this one is visible, so are all before it, and what the filter left out is not read again.
        const reached = await lastCursor();
        for await (const event of events.list<E>({ ...filter, after: last })) {
          if (stopped()) return;
          last = event.cursor;
          idleSinceMs = performance.now();
          yield event;
        }
        if (seqOf(reached) > seqOf(last)) last = reached;
        if (performance.now() - idleSinceMs > PATIENCE_MS) {
          await requireLoop('sequencer');
          idleSinceMs = performance.now();
        }
        await news.wait(EVERY_MS, signal);
      }
    } finally {
      news.close();
    }
  };
}

const seqOf = (cursor: number | string): number => Number.parseInt(String(cursor), 10);
