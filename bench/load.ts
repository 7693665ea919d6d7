// A lean HTTP client, the same for both sides: requests are bytes made before the clock starts, an answer is read as far as
// its status and length, and each connection sends its next request when it has the answer to the last. On two cores a
// client that parsed and allocated like a browser would take its time from the server it measures.
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface LoadOrder {
  readonly url: string;
  readonly secret: string;
  /** Connections, each with one request in flight. */
  readonly atOnce: number;
  readonly requests: readonly LoadRequest[];
  /** What every answer must be, or the run is worth nothing. */
  readonly status: number;
  /** How long an answer may take before the run is given up, default 60 s. */
  readonly timeoutMs?: number;
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
}

export interface LoadReport {
  readonly ms: number;
  /** Of each request, in ms. */
  readonly waits: readonly number[];
}

export async function sendAll(order: LoadOrder): Promise<LoadReport> {
  const { hostname, port } = new URL(order.url);
  const bytes = order.requests.map((request) => bytesOf(request, `${hostname}:${port}`, order.secret));
  const { timeoutMs = 60_000 } = order;
  const sockets = await Promise.all(
    Array.from({ length: order.atOnce }, () => connected(hostname, Number(port), timeoutMs)),
  );
  const waits: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  try {
    await Promise.all(
      sockets.map(async (socket) => {
        const ask = asker(socket, order.status);
        for (let mine = bytes[next++]; mine !== undefined; mine = bytes[next++]) {
          const sentMs = performance.now();
          await ask(mine);
          waits.push(performance.now() - sentMs);
        }
      }),
    );
    return { ms: performance.now() - startedMs, waits };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function bytesOf({ method, path, body, key }: LoadRequest, host: string, secret: string): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${secret}`,
    ...(key === undefined ? [] : [`Idempotency-Key: ${key}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

/** A server that does not answer ends the connection, and with it the run: nobody waits for a bench that hangs. */
function connected(host: string, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, timeout: timeoutMs }, () => resolve(socket));
    socket.once('timeout', () => socket.destroy(new Error(`nothing was heard for ${timeoutMs} ms`)));
    socket.once('error', reject);
  });
}

/** Sends one request and waits for the whole of its answer. */
function asker(socket: Socket, status: number): (request: Buffer) => Promise<void> {
  let got = '';
  let answered: { resolve: () => void; reject: (error: Error) => void } | null = null;
  const fail = (why: string): void => answered?.reject(new Error(why));
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    got += chunk;
    const head = got.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(got)?.[1] ?? NaN);
    if (Number.isNaN(length)) return fail(`an answer without a length: ${got.slice(0, 200)}`);
    if (got.length < head + 4 + length) return;
    const said = Number(got.slice(9, 12));
    const text = got;
    got = '';
    if (said === status) answered?.resolve();
    else fail(`expected ${status}: ${text.slice(0, 600)}`);
  });
  socket.on('close', () => fail('the server closed the connection'));
  socket.on('error', (error) => fail(error.message));
  return (request) =>
    new Promise((resolve, reject) => {
      answered = { resolve, reject };
      socket.write(request);
    });
}
