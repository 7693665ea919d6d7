// Events as they happen, in one loop: `for await (const event of client.events.follow({ type: 'payment.*' }))`. The server's stream
// can be interrupted (a restart, a proxy); the client then reconnects after the last event that it returned, or further if the server
// has read further without a match, so that no event is missed or returned twice. It ends when the loop is left or the signal aborts.
import { fromWire, toWire } from './case.ts';
import type { Query } from './query.ts';
import { queryOf } from './query.ts';
import type { AnyEvent } from './own-event.ts';
import type { Event } from './schema.ts';
import type { StreamedBlock } from './event-stream.ts';
import { createEventReader } from './event-stream.ts';
import { UsanceProblem, UsanceUnreachable } from './problem.ts';
import type { ClientOptions } from './send.ts';
import { pause, problemOf, retryAfterMs } from './send.ts';

/** The events to follow. */
export interface FollowQuery {
  /** An exact type, or a pattern: `payment.*`, `*.created`, `*`. Default: all. */
  readonly type?: string;
  /** The kind of resource, such as `payment`. Default: all. */
  readonly resource?: string;
  /** The id of the resource. For a resource of your application give `resource` too. Default: all. */
  readonly resourceId?: string;
  /** The `cursor` or the `seq` of an event: only later events. `latest`: only events that are appended from now on. Default 0, the beginning. */
  readonly after?: number | string;
}

/** Options of `events.follow`. */
export interface FollowOptions {
  /** Ends the loop. Default: none. */
  readonly signal?: AbortSignal;
}

/**
 * Past events in order, then each new one. Ends when the loop is left or the signal aborts. To read events of your application, name their
 * types: `follow<Event | OwnEvent<'posts.created', Post>>()`.
 */
export type FollowEvents = <E extends AnyEvent = Event>(
  query?: FollowQuery,
  options?: FollowOptions,
) => AsyncIterable<E>;

/** Longer than the longest silence of the server. */
const SILENCE_MS = 45_000;
const LONGEST_WAIT_MS = 8_000;

export function createFollow(options: ClientOptions): FollowEvents {
  return async function* follow<E extends AnyEvent>(
    query: FollowQuery = {},
    { signal }: FollowOptions = {},
  ): AsyncGenerator<E> {
    for await (const { data } of followBlocks(options, query, signal ? { signal } : {}))
      if (data !== null) yield fromWire(JSON.parse(data)) as E;
  };
}

/** Callbacks about the connection. */
export interface BlockOptions {
  readonly signal?: AbortSignal;
  /** A connection is open: the server has begun to answer. */
  readonly onOpen?: () => void;
  /** A connection has ended, and the next one is opened after `waitMs`. `error` is null if the server ended it. */
  readonly onBreak?: (error: unknown, waitMs: number) => void;
}

/** The events as the server wrote them, over as many connections as it takes. A block without data says how far the server has read. */
export async function* followBlocks(
  options: ClientOptions,
  { after, ...filter }: FollowQuery,
  { signal, onOpen, onBreak }: BlockOptions = {},
): AsyncGenerator<StreamedBlock> {
  let last = after;
  let failures = 0;
  const stopped = (): boolean => signal?.aborted ?? false;
  while (!stopped()) {
    let askedMs = 0;
    let broken: unknown = null;
    try {
      for await (const block of streamed(options, filter, last, { signal, onOpen })) {
        failures = 0;
        last = block.id ?? last;
        yield block;
      }
    } catch (error) {
      if (stopped()) return;
      // A permanent refusal: a retry would not change it.
      if (error instanceof UsanceProblem && !error.retryable) throw error;
      failures += 1;
      askedMs = error instanceof UsanceProblem || error instanceof UsanceUnreachable ? error.retryAfterMs : 0;
      broken = error;
    }
    if (stopped()) return;
    const backoffMs = Math.min((options.retryDelayMs ?? 250) * 2 ** Math.min(failures, 5), LONGEST_WAIT_MS);
    const waitMs = Math.max(backoffMs, askedMs);
    onBreak?.(broken, waitMs);
    await pause(waitMs, signal).catch(() => undefined);
  }
}

/** One connection, until it ends. */
async function* streamed(
  options: ClientOptions,
  filter: Omit<FollowQuery, 'after'>,
  last: number | string | undefined,
  { signal, onOpen }: { readonly signal: AbortSignal | undefined; readonly onOpen: (() => void) | undefined },
): AsyncGenerator<StreamedBlock> {
  const silence = new AbortController();
  let watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
  // A place of the order is sent as a browser sends it when it reconnects.
  const place: Record<string, string> =
    last === undefined || last === 'latest' ? {} : { 'last-event-id': String(last) };
  const query = queryOf(toWire(last === 'latest' ? { ...filter, after: last } : filter) as Query);
  try {
    const response = await (options.fetch ?? fetch)(
      `${options.url.replace(/(?<!\/)\/+$/, '')}/v1/events/stream${query}`,
      {
        headers: {
          authorization: `Bearer ${options.key}`,
          ...(options.tenant === undefined ? {} : { 'usance-tenant': options.tenant }),
          accept: 'text/event-stream, application/problem+json',
          ...place,
        },
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      },
    );
    if (!response.ok || !response.body) {
      const problem = problemOf(await response.text());
      const afterMs = retryAfterMs(response);
      throw problem
        ? new UsanceProblem(response.status, problem, afterMs)
        : new UsanceUnreachable(`${options.url} answered ${response.status}`, { retryAfterMs: afterMs });
    }
    onOpen?.();
    const blocksIn = createEventReader();
    // Some browsers cannot iterate a stream.
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
      yield* blocksIn(read.value);
    }
  } finally {
    clearTimeout(watchdog);
    // Leaving the loop closes the connection.
    silence.abort();
  }
}
