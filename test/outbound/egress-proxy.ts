// An egress proxy for tests: it leads every tunnel to one port of this machine, whatever address it is asked for.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterAll } from 'vitest';
import { authority } from './sink.ts';

const ends: (() => void)[] = [];

/** Call at the top of a file. */
export function useProxies(): void {
  afterAll(() => {
    for (const end of ends.splice(0)) end();
  });
}

export interface Proxy {
  readonly url: string;
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
}

/** Opens a proxy, which is closed with the test file. */
export async function openProxy(
  port: number,
  { isSecure = false, answer = 'HTTP/1.1 200 OK\r\n\r\n', refuses = [] as readonly string[] } = {},
): Promise<Proxy> {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = isSecure ? createHttps(authority.issue(['localhost', '127.0.0.1'])) : createServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url ?? '');
    headers.push(request.headers);
    socket.on('error', () => undefined);
    if (refuses.some((address) => request.url?.startsWith(address))) return void socket.end('HTTP/1.1 503 No\r\n\r\n');
    if (!answer.includes(' 200 ')) return void socket.end(answer);
    const inner = connect(port, '127.0.0.1', () => {
      socket.write(answer);
      inner.pipe(socket).pipe(inner);
    });
    inner.on('error', () => socket.destroy());
    ends.push(() => inner.destroy());
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return {
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
  };
}
