// Requests over real sockets and real TLS: what is sent, and every way in which a receiver can answer badly.
import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { OutboundOptions, OutboundOrder } from '../../src/outbound/index.ts';
import { OutboundFailure, createOutbound } from '../../src/outbound/index.ts';
import { createAuthority } from './certificates.ts';
import { NAME, authority, bodyOf, here, openSink, useSinks } from './sink.ts';
import { useTripwire } from './tripwire.ts';

useSinks();
const tripwire = useTripwire();
const made: { close(): void }[] = [];
afterAll(() => {
  for (const each of made) each.close();
});

const outboundOf = (options: OutboundOptions = {}) => {
  const outbound = createOutbound({ loopback: true, resolve: here, ca: authority.ca, ...options });
  made.push(outbound);
  return outbound;
};
const order = (url: string, other: Partial<OutboundOrder> = {}): OutboundOrder => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  timeoutMs: 5_000,
  maxResponseBytes: 1_000,
  ...other,
});

/** The failure of a request, as `CODE: text`. */
async function failureOf(work: Promise<unknown>): Promise<OutboundFailure> {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof OutboundFailure) return outcome;
  throw outcome ?? new Error('not a failure');
}
const codeOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).code;

describe('a request', () => {
  test('arrives with its body and headers, under the name of its URL', async () => {
    const seen: {
      headers?: IncomingHttpHeaders;
      method?: string;
      url?: string;
      body?: string;
      sni?: string | false | null;
    } = {};
    const sink = await openSink(async (request, response) => {
      const { headers, method = '', url = '', socket } = request;
      Object.assign(seen, { headers, method, url, body: await bodyOf(request), sni: (socket as TLSSocket).servername });
      response.writeHead(201, { 'x-answer': 'yes' }).end('thank you');
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      Host: 'other.example',
      Connection: 'close',
    };
    const answer = await outboundOf().request(order(`${sink.url}/hooks?a=1#part`, { headers }));
    expect(answer).toMatchObject({
      status: 201,
      truncated: false,
      address: '127.0.0.1',
      headers: { 'x-answer': 'yes' },
    });
    expect(answer.body.toString()).toBe('thank you');
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/hooks?a=1',
      body: '{"a":1}',
      sni: NAME,
      headers: { host: `${NAME}:${sink.port}`, 'webhook-id': 'evt_1', 'content-length': '7', connection: 'keep-alive' },
    });
    const { timing } = answer;
    expect(timing.totalMs).toBeGreaterThanOrEqual(timing.firstByteMs);
    expect(timing.connectMs).toBeGreaterThan(0);
  });

  test('uses the connection of the request before it, resolves nothing again, and another pool has its own', async () => {
    const sink = await openSink((_request, response) => response.end('ok'));
    const resolve = vi.fn(here);
    const outbound = outboundOf({ resolve });
    await outbound.request(order(sink.url, { pool: 'one' }));
    const again = await outbound.request(order(sink.url, { pool: 'one' }));
    expect(again.timing).toMatchObject({ dnsMs: 0, connectMs: 0 });
    expect([sink.connections(), resolve.mock.calls.length]).toEqual([1, 1]);
    await outbound.request(order(sink.url, { pool: 'two' }));
    expect([sink.connections(), resolve.mock.calls.length]).toEqual([2, 2]);
  });

  test.each([301, 302, 303, 307, 308])('that is redirected with %i is not sent there', async (status) => {
    tripwire.reset();
    for (const location of [
      `http://127.0.0.1:${tripwire.port}/`,
      `//127.0.0.1:${tripwire.port}/`,
      `http://localhost:${tripwire.port}/`,
      `http://169.254.169.254/latest/meta-data`,
      'file:///etc/passwd',
    ]) {
      const sink = await openSink((_request, response) =>
        response.writeHead(status, { location, refresh: `0; url=${location}` }).end(),
      );
      expect(await outboundOf().request(order(sink.url))).toMatchObject({ status, headers: { location } });
    }
    expect(tripwire.seen).toBe(0);
  });

  test('sent when its kept-alive connection has just been closed is sent again on a new one', async () => {
    let count = 0;
    const sink = await openSink((request, response) => {
      count += 1;
      if (count === 2) request.socket.destroy();
      else response.end('ok');
    });
    const outbound = outboundOf();
    await outbound.request(order(sink.url));
    expect(await outbound.request(order(sink.url))).toMatchObject({ status: 200 });
    expect([count, sink.connections()]).toEqual([3, 2]);
  });

  test('whose first connection is closed is not sent again', async () => {
    let count = 0;
    const sink = await openSink((request) => {
      count += 1;
      request.socket.destroy();
    });
    expect(await codeOf(outboundOf().request(order(sink.url)))).toBe('RESET');
    expect(count).toBe(1);
  });

  test('reads a long response up to its bound', async () => {
    let written = 0;
    const sink = await openSink((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && written < 1e9) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', more);
        }
      };
      response.writeHead(200);
      more();
    });
    const outbound = outboundOf();
    const answer = await outbound.request(order(sink.url, { maxResponseBytes: 4_096 }));
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.body).toHaveLength(4_096);
    expect(written).toBeLessThan(50_000_000);
    await expect.poll(() => outbound.open).toBe(0);
  });
});

describe('a request fails', () => {
  const hung: Socket[] = [];
  afterAll(() => {
    for (const socket of hung) socket.destroy();
  });
  const listen = async (onSocket: (socket: Socket) => void): Promise<number> => {
    const server = createServer((socket) => {
      hung.push(socket.on('error', () => undefined));
      onSocket(socket);
    });
    afterAll(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const raw = (text: string) => (socket: Socket) => void socket.once('data', () => socket.end(text));

  test.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['sends a header and no more', (_request, response) => response.writeHead(200).flushHeaders()],
    [
      'sends its body a byte at a time, for ever',
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('with TIMED_OUT if the receiver %s', async (_title, answer) => {
    const sink = await openSink(answer);
    const outbound = outboundOf();
    const failure = await failureOf(outbound.request(order(sink.url, { timeoutMs: 300, maxResponseBytes: 1e9 })));
    expect([failure.code, failure.message]).toEqual(['TIMED_OUT', `${NAME} did not answer within 300 ms`]);
    await expect.poll(() => outbound.open).toBe(0);
  });

  test('with TIMED_OUT if nothing speaks TLS after a connection was accepted, or DNS never answers', async () => {
    const port = await listen(() => undefined);
    expect(await codeOf(outboundOf().request(order(`https://${NAME}:${port}`, { timeoutMs: 200 })))).toBe('TIMED_OUT');
    const resolve = () => new Promise<never>(() => undefined);
    expect(await codeOf(outboundOf({ resolve }).request(order(`https://${NAME}`, { timeoutMs: 200 })))).toBe(
      'TIMED_OUT',
    );
  });

  test.each([
    ['another name', () => authority.issue(['other.example']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['a date in the past', () => authority.issue([NAME], { from: -10, to: -5 }), 'CERT_HAS_EXPIRED'],
    ['a date in the future', () => authority.issue([NAME], { from: 5, to: 10 }), 'CERT_NOT_YET_VALID'],
    ['another authority', () => createAuthority('Test authority').issue([NAME]), 'CERT_SIGNATURE_FAILURE'],
    ['an unknown authority', () => createAuthority('Unknown').issue([NAME]), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('with TLS_FAILED if the certificate has %s, whatever the environment says', async (_title, issue, why) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    let isAsked = false;
    const sink = await openSink(() => (isAsked = true), { certificate: issue() });
    const failure = await failureOf(outboundOf().request(order(sink.url)));
    expect([failure.code, failure.message]).toEqual(['TLS_FAILED', `the TLS handshake with ${NAME} failed (${why})`]);
    expect(isAsked).toBe(false);
  });

  test('with TLS_FAILED if the receiver speaks plain HTTP', async () => {
    const sink = await openSink((_request, response) => response.end(), { certificate: null });
    expect(await codeOf(outboundOf().request(order(`https://${NAME}:${sink.port}`)))).toBe('TLS_FAILED');
  });

  test('with CONNECT_FAILED if the port is closed, and DNS_FAILED if the name does not exist', async () => {
    const sink = await openSink(() => undefined);
    await sink.close();
    const failure = await failureOf(outboundOf().request(order(sink.url)));
    expect([failure.code, failure.message]).toEqual([
      'CONNECT_FAILED',
      `${NAME} could not be connected to (ECONNREFUSED)`,
    ]);
    const resolve = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const unknown = await failureOf(outboundOf({ resolve }).request(order(`https://${NAME}`)));
    expect([unknown.code, unknown.message]).toEqual([
      'DNS_FAILED',
      `the name ${NAME} could not be resolved (ENOTFOUND)`,
    ]);
  });

  test.each([
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', 'RESET', 200],
    ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf', 'RESET', 200],
    ['half a header', 'HTTP/1.1 200 OK\r\nContent-', 'RESET', null],
    ['nothing', '', 'RESET', null],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'BAD_RESPONSE', null],
    ['a header without end', `HTTP/1.1 200 OK\r\n${'x: yyyyyyyy\r\n'.repeat(3_000)}`, 'BAD_RESPONSE', null],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'BAD_RESPONSE', null],
  ])('if the receiver sends %s and closes', async (_title, text, code, status) => {
    const port = await listen(raw(text));
    const failure = await failureOf(outboundOf().request(order(`http://${NAME}:${port}`)));
    expect({ code: failure.code, status: failure.status }).toEqual({ code, status });
  });

  test('with ABORTED if its signal ends, before or during the request', async () => {
    const asked = Promise.withResolvers<void>();
    const sink = await openSink(() => asked.resolve());
    const outbound = outboundOf();
    const stop = new AbortController();
    const failure = codeOf(outbound.request(order(sink.url, { signal: stop.signal })));
    await asked.promise;
    stop.abort();
    expect(await failure).toBe('ABORTED');
    expect(await codeOf(outbound.request(order(sink.url, { signal: stop.signal })))).toBe('ABORTED');
  });

  test('with ABORTED when the module is closed, and afterwards', async () => {
    const asked = Promise.withResolvers<void>();
    const sink = await openSink(() => asked.resolve());
    const outbound = outboundOf({ bounds: { connections: 1 } });
    const failures = [codeOf(outbound.request(order(sink.url))), codeOf(outbound.request(order(sink.url)))];
    await asked.promise;
    outbound.close();
    expect(await Promise.all(failures)).toEqual(['ABORTED', 'ABORTED']);
    expect(await codeOf(outbound.request(order(sink.url)))).toBe('ABORTED');
  });

  test('with a text that has no path, query, header or body', async () => {
    const sink = await openSink((request) => request.socket.destroy());
    const url = `${sink.url}/path-secret?token=query-secret`;
    const headers = { authorization: 'header-secret' };
    const failures = await Promise.all([
      failureOf(outboundOf().request(order(url, { headers, body: 'body-secret' }))),
      failureOf(outboundOf({ ca: createAuthority().ca }).request(order(url, { headers }))),
      failureOf(outboundOf({ loopback: false }).request(order(url, { headers }))),
      failureOf(outboundOf().request(order(`https://user:pass-secret@${NAME}/`))),
    ]);
    for (const { message, stack } of failures) expect(`${message} ${stack}`).not.toContain('secret');
  });
});

describe('a pool', () => {
  test('has a bound of connections; more requests wait for one, and another pool does not', async () => {
    const waiting: (() => void)[] = [];
    const sink = await openSink((_request, response) => waiting.push(() => response.end()));
    const outbound = outboundOf({ bounds: { connections: 2 } });
    const slow = Array.from({ length: 5 }, () => outbound.request(order(sink.url, { pool: 'slow' })));
    await expect.poll(() => waiting.length).toBe(2);
    const quick = outbound.request(order(sink.url, { pool: 'quick' }));
    await expect.poll(() => waiting.length).toBe(3);
    expect(sink.connections()).toBe(3);
    const answers = Promise.all([...slow, quick]);
    const release = setInterval(() => waiting.splice(0).forEach((end) => end()), 5);
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    clearInterval(release);
    expect(sink.connections()).toBe(3);
  });

  test('frees the place of a request that failed', async () => {
    const sink = await openSink((request, response) =>
      request.url === '/bad' ? request.socket.destroy() : response.end(),
    );
    const outbound = outboundOf({ bounds: { connections: 1 } });
    const outcomes = await Promise.allSettled([
      outbound.request(order(`${sink.url}/bad`)),
      outbound.request(order(`${sink.url}/good`)),
      outbound.request(order(`${sink.url}/bad`)),
      outbound.request(order(`${sink.url}/good`)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });

  test('times out while it waits, and the next takes its turn', async () => {
    const waiting: (() => void)[] = [];
    const sink = await openSink((_request, response) => waiting.push(() => response.end()));
    const outbound = outboundOf({ bounds: { connections: 1 } });
    const first = outbound.request(order(sink.url));
    await expect.poll(() => waiting.length).toBe(1);
    const late = codeOf(outbound.request(order(sink.url, { timeoutMs: 100 })));
    const next = outbound.request(order(sink.url));
    expect(await late).toBe('TIMED_OUT');
    waiting.shift()?.();
    await first;
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
    expect(await next).toMatchObject({ status: 200 });
  });

  test('that was idle for the longest time is closed for a new one, by number and by open connections', async () => {
    const sink = await openSink((_request, response) => response.end());
    for (const bounds of [{ pools: 3 }, { open: 3 }]) {
      const outbound = outboundOf({ bounds });
      for (const pool of ['a', 'b', 'c', 'd', 'e']) await outbound.request(order(sink.url, { pool }));
      await expect.poll(() => outbound.open).toBe(3);
      expect((await outbound.request(order(sink.url, { pool: 'e' }))).timing.connectMs).toBe(0);
      expect((await outbound.request(order(sink.url, { pool: 'a' }))).timing.connectMs).toBeGreaterThan(0);
    }
  });

  test('closes a connection that was idle for its time', async () => {
    const sink = await openSink((_request, response) => response.end());
    const outbound = outboundOf({ bounds: { idleMs: 50 } });
    await outbound.request(order(sink.url));
    await expect.poll(() => outbound.open).toBe(0);
    expect(await outbound.request(order(sink.url))).toMatchObject({ status: 200 });
  });
});

describe('a receiver that sends without end', () => {
  /** Answers with a beginning, and then with a piece again and again. Says how many bytes it could send. */
  async function flooding(beginning: string, piece: string): Promise<{ url: string; sent: () => number }> {
    let sent = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      const more = (): void => {
        while (!socket.destroyed) {
          sent += piece.length;
          if (!socket.write(piece)) break;
        }
        if (!socket.destroyed) socket.once('drain', more);
      };
      socket.once('data', () => {
        socket.write(beginning);
        more();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    made.push({ close: () => void server.close() });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sent: () => sent };
  }

  const HEAD = 'HTTP/1.1 200 OK\r\n';
  test.each([
    ['extensions of a chunk', `${HEAD}transfer-encoding: chunked\r\n\r\n1;`, 'x=1;'.repeat(1_000)],
    ['empty chunks with extensions', `${HEAD}transfer-encoding: chunked\r\n\r\n`, `1;${'x'.repeat(4_000)}\r\na\r\n`],
    ['informational responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'],
  ])('%s is cut off after its body and 64 KiB', async (_name, beginning, piece) => {
    const { url, sent } = await flooding(beginning, piece);
    expect(await codeOf(outboundOf().request(order(url, { timeoutMs: 20_000 })))).toMatch(/^(BAD_RESPONSE|RESET)$/);
    // What the kernel's buffers of both sides hold comes on top.
    expect(sent()).toBeLessThan(20_000_000);
  });
});
