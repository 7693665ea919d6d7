// A receiver of webhooks on this machine, for both endpoints of the demo world: one path answers, the other one fails.
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Receiver {
  readonly url: string;
  /** Answers each request with an error. */
  readonly brokenUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const ANSWERING = '/storefront';
const BROKEN = '/warehouse';
const RECEIVED = [200, '{"received": true}'] as const;
const DEPLOYING = [500, '{"error": "deploying, try again"}'] as const;
const BROKEN_ANSWER = [503, '{"error": "the stock database does not answer"}'] as const;

/** Whether a URL is one of an earlier receiver: an operator may have given an endpoint another. */
export function isOfReceiver(url: string): boolean {
  const { protocol, hostname, pathname } = new URL(url);
  return protocol === 'http:' && hostname === HOST && [ANSWERING, BROKEN].includes(pathname);
}

/**
 * On the port if it is free, and otherwise on any. To the path that answers, one request in ten gets an error: its second attempt succeeds. To the
 * other one, every request does.
 */
export async function openReceiver(wanted = 0): Promise<Receiver> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    const isBroken = request.url === BROKEN;
    if (!isBroken) requests += 1;
    const [status, body] = isBroken ? BROKEN_ANSWER : requests % 10 === 4 ? DEPLOYING : RECEIVED;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await listen(server, wanted).catch(() => listen(server, 0));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}${ANSWERING}`,
    brokenUrl: `http://${HOST}:${port}${BROKEN}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
