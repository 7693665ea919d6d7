// Orders to the outside: each is judged, has one deadline, and ends with a response or an OutboundFailure.
import type { Socket } from 'node:net';
import { refuse } from '../kernel/index.ts';
import { dial } from './connect.ts';
import type { Exchanged } from './exchange.ts';
import { exchange } from './exchange.ts';
import { OutboundFailure } from './failure.ts';
import type { GuardOptions } from './guard.ts';
import { createGuard } from './guard.ts';
import { openForOperator } from './operator.ts';
import type { PoolBounds } from './pool.ts';
import { createPools } from './pool.ts';
import { readProxy } from './proxy.ts';
import { KINDS } from './ranges.ts';
import type { Destination, UrlReason } from './url.ts';
import { LONGEST_URL } from './url.ts';

/** Settings of connections to the outside. */
export interface OutboundSettings {
  /** Admits `http:` URLs and loopback addresses, for development. Refused if NODE_ENV is production. Default false. */
  readonly loopback?: boolean;
  /** Networks of private receivers, such as `10.1.0.0/16`. Default: none. */
  readonly allow?: readonly string[];
  /** An HTTP proxy that opens all guarded connections, such as `http://proxy:3128`. Default: none. */
  readonly proxy?: string | null;
}

export interface OutboundOptions extends OutboundSettings, GuardOptions {
  readonly bounds?: PoolBounds;
  /** For tests: the certificate of an authority to trust instead of those of Node. */
  readonly ca?: string;
}

export interface OutboundOrder {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Headers that the connection sets itself, and malformed ones (`isOwnHeader`, `isHeaderValue`), are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** For all phases together. */
  readonly timeoutMs: number;
  /** The rest of a longer response is not read. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
  /** The name of the pool whose connections are used; orders of one name share at most 20. Default: one pool for all. */
  readonly pool?: string;
}

export interface OutboundResponse extends Omit<Exchanged, 'firstByteMs'> {
  readonly timing: {
    /** 0 on a connection that was open already. */
    readonly dnsMs: number;
    /** With TLS and the proxy; 0 on a connection that was open already. */
    readonly connectMs: number;
    readonly firstByteMs: number;
    readonly totalMs: number;
  };
  /** The address that was connected to. */
  readonly address: string;
}

export interface Outbound {
  /** Sends a request to a destination of a tenant. Throws an OutboundFailure if there is no complete response. */
  request(order: OutboundOrder): Promise<OutboundResponse>;
  /** The URL in its normal form. Refuses one that no request could be sent to, without asking DNS. */
  checkUrl(url: string, param: string): string;
  /**
   * A connection for a protocol that is not HTTP. `setBy` says whose destination it is: the operator's is connected to
   * directly, wherever it is.
   */
  socket(
    host: string,
    port: number,
    options: { readonly timeoutMs: number; readonly setBy: 'operator' | 'tenant' },
  ): Promise<Socket>;
  /** Open connections, idle ones included. */
  readonly open: number;
  close(): void;
}

const WORDS: Readonly<Record<Exclude<UrlReason, 'address'>, string>> = {
  not_a_url: 'the URL is malformed',
  scheme: 'the URL is not https',
  credentials: 'the URL has a user or a password',
  port: 'the URL has a port that is not for HTTP',
  host: 'the URL has a host that cannot exist',
  local_name: 'the URL names this machine',
};

export function createOutbound(options: OutboundOptions = {}): Outbound {
  const guard = createGuard(options);
  const dialer = { guard, proxy: readProxy(options.proxy ?? null, options.ca), ca: options.ca };
  const pools = createPools(dialer, options.bounds);

  const send = async (order: OutboundOrder, { url, ...to }: Destination, signal: AbortSignal) => {
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const { lane, give } = await pools.take(order.pool ?? '', to, signal);
      const before = lane.opened;
      try {
        const path = `${url.pathname}${url.search}`;
        const { method, headers, body = null, maxResponseBytes } = order;
        const answer = await exchange(
          lane.client,
          { path, method, headers, body, maxResponseBytes, socket: () => lane.opened?.socket ?? null },
          signal,
        );
        const { firstByteMs, ...response } = answer;
        const { address = '', dnsMs = 0, connectMs = 0 } = lane.opened ?? {};
        const opening = lane.opened === before ? { dnsMs: 0, connectMs: 0 } : { dnsMs, connectMs };
        lane.served += 1;
        give(!answer.truncated);
        return { ...response, timing: { ...opening, firstByteMs, totalMs: performance.now() - started }, address };
      } catch (error) {
        give(false);
        // The peer may close an idle connection in the moment in which it is used: that says nothing about the request.
        const isLost = error instanceof OutboundFailure && error.code === 'RESET' && error.status === null;
        if (!isLost || attempt > 1 || lane.served === 0) throw error;
      }
    }
  };

  return {
    async request(order) {
      const judged = guard.judgeUrl(order.url);
      if (!judged.ok) {
        const { reason, kind } = judged;
        const why = reason === 'address' ? `the URL has ${KINDS[kind ?? 'reserved']}` : WORDS[reason];
        throw new OutboundFailure(
          reason === 'address' || reason === 'local_name' ? 'BLOCKED_ADDRESS' : 'BLOCKED_URL',
          why,
        );
      }
      const { destination } = judged;
      return within(
        order.timeoutMs,
        `${destination.host} did not answer within ${order.timeoutMs} ms`,
        order.signal,
        (signal) => send(order, destination, signal),
      );
    },
    checkUrl(url, param) {
      const judged = guard.judgeUrl(url);
      if (judged.ok) return judged.destination.url.href;
      const { reason, kind } = judged;
      if (reason === 'address') return refuse('URL_REFUSED/address', { param, kind: KINDS[kind ?? 'reserved'] });
      if (reason === 'not_a_url') return refuse('URL_REFUSED/not_a_url', { param, max: LONGEST_URL });
      if (reason === 'scheme' && options.loopback === true)
        return refuse('URL_REFUSED/scheme_of_development', { param });
      return refuse(`URL_REFUSED/${reason}`, { param });
    },
    socket: (host, port, { timeoutMs, setBy }) =>
      within(timeoutMs, `${host} could not be connected to within ${timeoutMs} ms`, undefined, async (signal) =>
        setBy === 'operator'
          ? openForOperator(host, port, signal)
          : (await dial(dialer, { host, port, isSecure: false }, signal)).socket,
      ),
    get open() {
      return pools.open;
    },
    close: () => pools.close(),
  };
}

/** Work under one deadline and the caller's signal. */
async function within<T>(
  timeoutMs: number,
  late: string,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new OutboundFailure('TIMED_OUT', late)), timeoutMs);
  const onAbort = (): void => stop.abort(new OutboundFailure('ABORTED', 'the request was aborted'));
  outer?.addEventListener('abort', onAbort);
  if (outer?.aborted) onAbort();
  try {
    return await work(stop.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
