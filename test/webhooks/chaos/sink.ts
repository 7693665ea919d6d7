// A receiver that answers in every way. Each way of answering is an endpoint of its own, `/<way>`, and says what becomes of its deliveries:
// `delivered` answers 2xx in the end, `dead` never does, `gone` answers 410.
import { createServer as createHttp } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '../../../src/client/index.ts';
import { createAuthority } from '../../outbound/certificates.ts';

export type End = 'delivered' | 'dead' | 'gone';

interface Way {
  readonly end: End;
  /** Gets only a few events: each attempt of its deliveries takes seconds. */
  readonly isSlow?: boolean;
  /** `nth`: which request for this event it is, 1 for the first. */
  readonly answer: (response: ServerResponse, nth: number, hangMs: number) => void | Promise<void>;
}

const end = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, headers).end();
const cut = (response: ServerResponse): void => void response.socket?.destroy();
/** Fails the first two requests for each event. */
const recovers = (fail: Way['answer']): Way => ({
  end: 'delivered',
  answer: (response, nth, hangMs) => (nth <= 2 ? fail(response, nth, hangMs) : end(response, 200)),
});

export const WAYS = {
  fine: { end: 'delivered', answer: (response) => end(response, 204) },
  slow: {
    end: 'delivered',
    answer: async (response) => {
      await pause(20 + Math.random() * 300);
      end(response, 200);
    },
  },
  huge: {
    end: 'delivered',
    answer: (response) => {
      response.on('error', () => undefined).writeHead(200, { 'content-type': 'text/plain' });
      // The worker reads a part of it and closes the connection.
      for (let n = 0; n < 40 && response.writable; n += 1) response.write(MEGABYTE);
      response.end();
    },
  },
  error: recovers((response) => end(response, 500)),
  reset: recovers(cut),
  half: recovers((response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half of it');
    setTimeout(cut, 5, response);
  }),
  busy: recovers((response) => end(response, 429, { 'retry-after': '1' })),
  redirect: recovers((response) => end(response, 302, { location: '/fine' })),
  garbage: recovers((response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n')),
  hang: {
    ...recovers(async (response, _nth, hangMs) => {
      await pause(hangMs);
      cut(response);
    }),
    isSlow: true,
  },
  failing: { end: 'dead', answer: (response) => end(response, 503, { 'retry-after': '1' }) },
  moved: { end: 'dead', answer: (response) => end(response, 308, { location: '/fine' }) },
  gone: { end: 'gone', answer: (response) => end(response, 410) },
} as const satisfies Readonly<Record<string, Way>>;

/** Its certificate is of an authority that nothing trusts: no request arrives. */
export const BAD_TLS = 'tls';
export type WayName = keyof typeof WAYS;
const WAY_NAMES = Object.keys(WAYS) as WayName[];
export const ENDPOINTS: readonly (readonly [string, End, boolean])[] = [
  ...WAY_NAMES.map((name): readonly [string, End, boolean] => {
    const way: Way = WAYS[name];
    return [name, way.end, way.isSlow ?? false];
  }),
  [BAD_TLS, 'dead', false],
];
const MEGABYTE = Buffer.alloc(1_048_576, 'a');

export interface ChaosSink {
  urlOf(way: string): string;
  /** Ids of the events that were answered with 2xx. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Requests with a signature that does not fit, or for a way that there is not: each as a text. */
  readonly wrong: readonly string[];
  requests(): number;
  close(): void;
}

/** `secretOf`: the secret of the endpoint of a way. `hangMs`: how long a hanging answer takes before the connection is cut. */
export async function openChaosSink(secretOf: (way: string) => string, hangMs: number): Promise<ChaosSink> {
  const accepted = new Map<string, Set<string>>(WAY_NAMES.map((way) => [way, new Set()]));
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  let requests = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const name = request.url?.slice(1) as WayName;
    const way: Way = WAYS[name];
    const id = String(request.headers['webhook-id']);
    requests += 1;
    await verifyWebhook(Buffer.concat(parts).toString(), request.headers, secretOf(name));
    const key = `${name} ${id}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    // Before it is answered: the worker may be killed after it has read the answer, and before this program hears of it.
    response.once('close', () => {
      if (response.headersSent && response.statusCode < 300 && response.writableEnded) accepted.get(name)?.add(id);
    });
    await way.answer(response, nth, hangMs);
  };
  const server = createHttp((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A worker that is killed in the middle of its request.
      if (!request.complete) return;
      wrong.push(`${request.url}: ${String(error)}`);
      response.destroy();
    });
  });
  const { cert, key } = createAuthority().issue(['localhost']);
  const secure = createHttps({ cert, key }, (_request, response) => {
    wrong.push('a request over a certificate that nothing trusts');
    response.end();
  });
  secure.on('tlsClientError', () => undefined);
  const portOf = async (one: Server): Promise<number> => {
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    return (one.address() as AddressInfo).port;
  };
  const [port, securePort] = [await portOf(server), await portOf(secure)];
  return {
    urlOf: (way) => (way === BAD_TLS ? `https://localhost:${securePort}/tls` : `http://localhost:${port}/${way}`),
    accepted,
    wrong,
    requests: () => requests,
    close() {
      for (const one of [server, secure]) {
        one.closeAllConnections();
        one.close();
      }
    },
  };
}
