// A receiver of webhooks on loopback that answers each path as a test says, and keeps what it got.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly body: string;
  readonly atMs: number;
  /** The number of its connection: kept-alive requests have the same. */
  readonly connection: number;
}

/** A status, or the whole answer. `hang` never answers, `reset` closes the connection, `half` ends within the body. */
export type Behaviour =
  | number
  | 'hang'
  | 'reset'
  | 'half'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly afterMs?: number;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Receiver {
  url(path: string): string;
  /** Answers of a path, in order; the last one stays. A path without any answers 200. */
  answer(path: string, ...behaviours: readonly Behaviour[]): void;
  got(path: string): readonly Received[];
  /** Resolves once a path has got as many requests. */
  until(path: string, count: number): Promise<readonly Received[]>;
  /** Most requests that a path has had open at the same time. */
  most(path: string): number;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const plans = new Map<string, Behaviour[]>();
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  const numbers = new WeakMap<Socket, number>();
  let connections = 0;

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const now = (open.get(path) ?? 0) + 1;
    open.set(path, now);
    most.set(path, Math.max(most.get(path) ?? 0, now));
    response.on('close', () => open.set(path, (open.get(path) ?? 1) - 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        atMs: Date.now(),
        connection: numbers.get(request.socket) ?? 0,
      });
      const plan = plans.get(path) ?? [];
      answer((plan.length > 1 ? plan.shift() : plan[0]) ?? 200, request, response);
      for (const look of waiting) look();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    numbers.set(socket, (connections += 1));
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const got = (path: string): readonly Received[] => received.filter((one) => one.path === path);

  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    answer: (path, ...behaviours) => void plans.set(path, [...behaviours]),
    got,
    until: (path, count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (got(path).length < count) return;
          waiting.delete(look);
          resolve(got(path));
        };
        waiting.add(look);
        look();
      }),
    most: (path) => most.get(path) ?? 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'reset') return void request.socket.resetAndDestroy();
  if (behaviour === 'half') {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    return void setImmediate(() => request.socket.destroy());
  }
  if (typeof behaviour === 'function') return behaviour(request, response);
  const {
    status = 200,
    headers = {},
    body = '',
    afterMs = 0,
  } = typeof behaviour === 'number' ? { status: behaviour } : behaviour;
  const end = (): void => void response.writeHead(status, headers).end(body);
  if (afterMs === 0) end();
  else setTimeout(end, afterMs);
}

/** Call at the top of a file or describe block. */
export function useReceiver(): Receiver {
  let opened: Receiver | undefined;
  const get = (): Receiver => opened ?? outside();
  beforeAll(async () => {
    opened = await openReceiver();
  });
  afterAll(() => opened?.close());
  return {
    url: (path) => get().url(path),
    answer: (path, ...behaviours) => get().answer(path, ...behaviours),
    got: (path) => get().got(path),
    until: (path, count) => get().until(path, count),
    most: (path) => get().most(path),
    close: () => get().close(),
  };
}

const outside = (): never => {
  throw new Error('the receiver exists inside tests only');
};

/** The event of a delivery, verified by the reference library of Standard Webhooks. Throws if the signature is wrong. */
export const verified = (secret: string, { body, headers }: Received): Record<string, unknown> =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>;
