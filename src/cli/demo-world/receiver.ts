// A receiver of webhooks on this machine, for the endpoint of the demo world that answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  /** Answers each request with an error. */
  readonly brokenUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BROKEN = '/warehouse';
const RECEIVED = [200, '{"received": true}'] as const;
const DEPLOYING = [500, '{"error": "deploying, try again"}'] as const;
const BROKEN_ANSWER = [503, '{"error": "the stock database does not answer"}'] as const;

/** One request in ten to the other path is answered with an error: its second attempt succeeds. */
export async function openReceiver(): Promise<Receiver> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    const isBroken = request.url === BROKEN;
    if (!isBroken) requests += 1;
    const [status, body] = isBroken ? BROKEN_ANSWER : requests % 10 === 4 ? DEPLOYING : RECEIVED;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}/webhooks`,
    brokenUrl: `http://${HOST}:${port}${BROKEN}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
