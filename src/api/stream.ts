// GET /v1/events/stream: events as they happen, as Server-Sent Events. It follows `seq` and nothing else: an event's id on the wire is
// its cursor, and a client that was cut off continues from `Last-Event-ID`, without loss and without seeing anything twice. Bounded all around: so many streams a process, so many events read ahead, and a reader that takes
// nothing for a while is let go, because it can come back.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine, EventCursor, EventPage, TenantHandle } from '../engine.ts';
import { formatCursor } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import { refuse, refuseAny } from '../kernel/index.ts';
import type { Admission } from './admit.ts';
import { requireAllowed } from './auth.ts';
import type { EventQuery } from '../contract/index.ts';
import {
  EVENT_STREAM,
  EventFilter,
  checkOf,
  eventText,
  readEventFilter,
  showEvents,
  streamStart,
  textsOf,
} from '../contract/index.ts';

export interface StreamOptions {
  /** How often it is looked for news if no wake-up comes, default 500 ms. */
  readonly pollMs?: number;
  /** A comment after so much silence, default 15 s: proxies close what is silent. */
  readonly heartbeatMs?: number;
  /** How long a reader may take nothing, default 30 s. */
  readonly patienceMs?: number;
  /** Streams at once in this process, default 200. */
  readonly most?: number;
  /** Of them, streams of one tenant; default 50. */
  readonly mostPerTenant?: number;
  /** Of those, streams of one API key, with the keys of its rotation lineage and their sessions; default 25. */
  readonly mostPerKey?: number;
}

const READ_AHEAD = 100;
const STREAM_TYPE = 'text/event-stream; charset=utf-8';

export function addEventStream(
  app: FastifyInstance,
  prefix: string,
  { admitStream, isStillAllowed }: Pick<Admission, 'admitStream' | 'isStillAllowed'>,
  { wakeUps }: Pick<Engine, 'wakeUps'>,
  options: StreamOptions = {},
): { close(): void } {
  const { pollMs = 500, heartbeatMs = 15_000, patienceMs = 30_000 } = options;
  const { most = 200, mostPerTenant = 50, mostPerKey = 25 } = options;
  const path = prefix + EVENT_STREAM.path;
  const [queryOf, check] = [textsOf(EventFilter), checkOf(EventFilter, 'the query')];
  /** With tenant and caller: a tenant must not take all, nor a key all of its tenant. */
  const open = new Map<AbortController, { readonly tenantId: Uuid; readonly scope: string }>();

  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const principal = await admitStream(request, reply);
    requireAllowed(principal, EVENT_STREAM);
    request.principal = principal;
  };
  // The handler of GET would never finish.
  app.head(path, { config: { template: path }, onRequest }, async (request, reply) => {
    refuseAny(check(queryOf(request.query)));
    return reply.header('content-type', STREAM_TYPE).send();
  });
  app.route({
    method: EVENT_STREAM.method,
    url: path,
    config: { template: path },
    exposeHeadRoute: false,
    onRequest,
    handler: async (request, reply) => {
      const { principal, headers } = request;
      if (!principal) return refuse('AUTH_REQUIRED', { param: 'Authorization' });
      const query = queryOf(request.query);
      refuseAny(check(query));
      const asked = query as EventQuery;
      const filter = readEventFilter(principal.handle.id, asked);
      const { after, isNews } = await streamStart(principal.handle, headers['last-event-id'], asked.after);
      const { scope } = principal;
      const ofTenant = [...open.values()].filter(({ tenantId }) => tenantId === principal.handle.id);
      const ofKey = ofTenant.filter((stream) => stream.scope === scope);
      if (ofKey.length >= mostPerKey) refuse('RATE_LIMITED/streams_of_key', { open: ofKey.length });
      if (ofTenant.length >= mostPerTenant) refuse('RATE_LIMITED/streams', { open: ofTenant.length });
      if (open.size >= most) refuse('SERVICE_UNAVAILABLE/streams');

      const ended = new AbortController();
      open.set(ended, { tenantId: principal.handle.id, scope });
      reply.hijack();
      const { raw } = reply;
      raw.once('close', () => ended.abort());
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': STREAM_TYPE,
        'x-accel-buffering': 'no',
      });
      // A client that is cut off before the first event has no other place to go on from.
      raw.write(isNews ? `: follow\nid: ${formatCursor(after)}\n\n` : ': follow\n\n');
      const believed = (): Promise<boolean> => isStillAllowed(request);
      const news = wakeUps.follow('events_ordered');
      const pace = { pollMs, heartbeatMs, patienceMs, believed, news };
      try {
        await follow(principal.handle, filter, after, raw, ended.signal, pace);
        raw.end();
      } catch {
        // The database is away, or the reader is: it asks again from where it was. What it did not take is not waited for.
        raw.destroy();
      } finally {
        news.close();
        open.delete(ended);
      }
    },
  });
  return {
    close() {
      for (const ended of open.keys()) ended.abort();
    },
  };
}

interface Pace {
  readonly pollMs: number;
  readonly heartbeatMs: number;
  readonly patienceMs: number;
  /** Whether the key is still one. It costs no query: what is known of a key is known for a few seconds. */
  believed(): Promise<boolean>;
  readonly news: ReturnType<Engine['wakeUps']['follow']>;
}

async function follow(
  tenant: TenantHandle,
  filter: ReturnType<typeof readEventFilter>,
  from: EventCursor,
  raw: ServerResponse,
  signal: AbortSignal,
  pace: Pace,
): Promise<void> {
  let after = from;
  let saidAtMs = performance.now();
  while (!signal.aborted && (await pace.believed())) {
    // Events are numbered in order: once this number is seen, so is everything before it, and what a filter left out is done with.
    const seen = await tenant.lastEventCursor();
    const { events, next } = isAt(seen, after) ? NO_NEWS : await pageAfter(tenant, filter, after);
    if (events.length > 0) {
      const shown = await showEvents(tenant, events);
      await send(raw, shown.map(eventText).join(''), signal, pace.patienceMs);
      saidAtMs = performance.now();
    }
    after = next ?? later(seen, events.at(-1) ?? after);
    const nowMs = performance.now();
    if (nowMs - saidAtMs >= pace.heartbeatMs) {
      // An id without data is no event: it only moves the place from which the client goes on, past what the filter left out.
      await send(raw, `: still here\nid: ${formatCursor(after)}\n\n`, signal, pace.patienceMs);
      saidAtMs = nowMs;
    }
    if (next !== null) continue;
    await pace.news.wait(pace.pollMs, signal);
  }
}

const NO_NEWS: EventPage = { events: [], next: null };

const isAt = (one: EventCursor, other: EventCursor): boolean =>
  one.seq === other.seq && one.hashPrefix === other.hashPrefix;

/**
 * The place is compared again after the page was read: a server that took over without the last commits gives the same numbers to other
 * events. The stream breaks, and the client is refused with what it knows when it comes back.
 */
async function pageAfter(
  tenant: TenantHandle,
  filter: ReturnType<typeof readEventFilter>,
  after: EventCursor,
): Promise<EventPage> {
  const page = await tenant.eventsPage(filter, { after: after.seq, limit: READ_AHEAD });
  await tenant.requireEventCursor(after);
  return page;
}

const later = (one: EventCursor, other: EventCursor): EventCursor => (one.seq > other.seq ? one : other);

/** Waits for a reader that is slower than we are, for a while. */
async function send(raw: ServerResponse, text: string, signal: AbortSignal, patienceMs: number): Promise<void> {
  if (raw.write(text)) return;
  await once(raw, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) });
}
