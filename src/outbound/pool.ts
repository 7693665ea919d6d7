// Kept-alive connections by name. A lane is one connection at a time: an undici `Client` that takes one order after the other and opens its
// connection when an order needs one. The lanes are kept here, and not in undici's `Pool`, so that every order knows its connection:
// its address, its timing, and whether an earlier order had used it.
import { callbackify } from 'node:util';
import type { Client } from 'undici';
import type { Dialed, Dialer, Opened } from './connect.ts';
import { dial } from './connect.ts';
import { OutboundFailure } from './failure.ts';

export interface PoolBounds {
  /** Connections of one pool. Default 20. */
  readonly connections?: number;
  /** Pools of one process. Default 1,000. */
  readonly pools?: number;
  /** Open connections of one process, beyond which idle ones are closed. Default 500. */
  readonly open?: number;
  /** How long a connection may be idle, in milliseconds. Default 30,000. */
  readonly idleMs?: number;
}

export interface Lane {
  readonly client: Client;
  /** The last connection; null before the first. */
  opened: Opened | null;
  /** Orders that the last connection has served. */
  served: number;
  /** Ends an attempt to connect. */
  readonly stop: AbortController;
}

interface Pool {
  readonly key: string;
  readonly to: Dialed;
  readonly idle: Lane[];
  readonly waiting: Set<PromiseWithResolvers<Lane>>;
  busy: number;
}

/** A lane that an order holds. It is given back once; after a failed order it is closed. */
export interface Held {
  readonly lane: Lane;
  give(isGood: boolean): void;
}

export interface Pools {
  /** Waits while all lanes of the pool are busy, until the signal ends. */
  take(name: string, to: Dialed, signal: AbortSignal): Promise<Held>;
  /** Idle and open connections, for tests and metrics. */
  readonly open: number;
  close(): void;
}

const CONNECT_MS = 10_000;
const stopping = (): OutboundFailure => new OutboundFailure('ABORTED', 'the process is stopping');

export function createPools(
  dialer: Dialer,
  { connections = 20, pools: mostPools = 1_000, open: mostOpen = 500, idleMs = 30_000 }: PoolBounds = {},
): Pools {
  /** The least recently used first. */
  const pools = new Map<string, Pool>();
  const lanes = new Set<Lane>();
  let open = 0;
  let isClosed = false;
  let Opener: typeof Client | null = null;

  /** Opens the connection of a lane. */
  const openLane = async (lane: Lane, to: Dialed): Promise<Opened['socket']> => {
    if (open >= mostOpen) closeIdle(open - mostOpen + 1);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new OutboundFailure('TIMED_OUT', noConnection(to))), CONNECT_MS);
    try {
      const opened = await dial(dialer, to, AbortSignal.any([lane.stop.signal, late.signal]));
      Object.assign(lane, { opened, served: 0 });
      open += 1;
      opened.socket.once('close', () => (open -= 1));
      return opened.socket;
    } finally {
      clearTimeout(timer);
    }
  };
  const newLane = (opener: typeof Client, to: Dialed): Lane => {
    const host = to.host.includes(':') ? `[${to.host}]` : to.host;
    const client = new opener(`${to.isSecure ? 'https' : 'http'}://${host}:${to.port}`, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: 16_384,
      // The deadline of the order covers every phase.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: callbackify((_options: unknown) => openLane(lane, to)) as never,
    });
    const lane: Lane = { client, opened: null, served: 0, stop: new AbortController() };
    lanes.add(lane);
    return lane;
  };
  const closeLane = (lane: Lane): void => {
    lanes.delete(lane);
    const failure = new OutboundFailure('ABORTED', 'the connection was closed');
    lane.stop.abort(failure);
    void lane.client.destroy(failure);
  };
  /** Closes so many idle connections, those of the least recently used pools first. */
  const closeIdle = (count: number): void => {
    let left = count;
    for (const { idle } of pools.values()) {
      while (left > 0) {
        const lane = idle.shift();
        if (!lane) break;
        if (lane.opened?.socket.destroyed === false) left -= 1;
        closeLane(lane);
      }
      if (left <= 0) return;
    }
  };
  const poolOf = (name: string, to: Dialed): Pool => {
    const key = `${name} ${to.isSecure ? 'https' : 'http'} ${to.host} ${to.port}`;
    const pool = pools.get(key) ?? { key, to, idle: [], waiting: new Set(), busy: 0 };
    pools.delete(key);
    pools.set(key, pool);
    if (pools.size > mostPools) {
      const spare = [...pools.values()].find(({ busy }) => busy === 0);
      if (spare && spare !== pool) {
        pools.delete(spare.key);
        for (const lane of spare.idle.splice(0)) closeLane(lane);
      }
    }
    return pool;
  };
  const held = (opener: typeof Client, pool: Pool, lane: Lane): Held => {
    let isGiven = false;
    return {
      lane,
      give(isGood) {
        if (isGiven) return;
        isGiven = true;
        const isKept = isGood && !isClosed;
        if (!isKept) closeLane(lane);
        const [next] = pool.waiting;
        if (next && !isClosed) {
          pool.waiting.delete(next);
          next.resolve(isKept ? lane : newLane(opener, pool.to));
          return;
        }
        pool.busy -= 1;
        if (isKept) pool.idle.push(lane);
      },
    };
  };

  return {
    async take(name, to, signal) {
      Opener ??= (await import('undici')).Client;
      if (isClosed) throw stopping();
      signal.throwIfAborted();
      const opener = Opener;
      const pool = poolOf(name, to);
      const idle = pool.idle.pop();
      if (idle || pool.busy < connections) {
        pool.busy += 1;
        return held(opener, pool, idle ?? newLane(opener, to));
      }
      const waiter = Promise.withResolvers<Lane>();
      const leave = (): void => {
        // A lane that was handed over in the same moment is taken, and the order gives it back.
        if (pool.waiting.delete(waiter)) waiter.reject(signal.reason);
      };
      pool.waiting.add(waiter);
      signal.addEventListener('abort', leave);
      return waiter.promise
        .then((lane) => held(opener, pool, lane))
        .finally(() => signal.removeEventListener('abort', leave));
    },
    get open() {
      return open;
    },
    close() {
      isClosed = true;
      for (const lane of lanes) closeLane(lane);
      for (const { waiting } of pools.values()) for (const waiter of waiting) waiter.reject(stopping());
      pools.clear();
    },
  };
}

const noConnection = ({ host }: Dialed): string => `${host} could not be connected to within ${CONNECT_MS} ms`;
