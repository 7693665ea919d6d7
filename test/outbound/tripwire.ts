// Listens on every loopback address of one port, and notes each client socket that this process opens: a guard that holds leaves both empty.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface Tripwire {
  readonly port: number;
  /** Connections that arrived. */
  readonly seen: number;
  /** Sockets that this process opened, wherever they went. */
  readonly opened: number;
  reset(): void;
}

export function useTripwire(): Tripwire {
  let [port, seen, opened] = [0, 0, 0];
  const listen = (host: string, on: number): Promise<ReturnType<typeof createServer> | null> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        seen += 1;
        socket.on('error', () => undefined).destroy();
      });
      server.once('error', () => resolve(null)).listen({ host, port: on }, () => resolve(server));
    });
  const servers: (ReturnType<typeof createServer> | null)[] = [];
  const note = (): void => void (opened += 1);

  beforeAll(async () => {
    const first = await listen('127.0.0.1', 0);
    const address = first?.address();
    port = typeof address === 'object' && address ? address.port : 0;
    servers.push(first);
    // The other addresses of this machine, if it has them.
    servers.push(await listen('127.0.0.2', port), await listen('::1', port));
    subscribe('net.client.socket', note);
  });
  afterAll(() => {
    unsubscribe('net.client.socket', note);
    for (const server of servers) server?.close();
  });
  return {
    get port() {
      return port;
    },
    get seen() {
      return seen;
    },
    get opened() {
      return opened;
    },
    reset() {
      [seen, opened] = [0, 0];
    },
  };
}
