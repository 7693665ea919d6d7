// The egress proxy: it gets addresses that were judged here, and no names.
import { once } from 'node:events';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { OutboundOptions } from '../../src/outbound/index.ts';
import { OutboundFailure, createOutbound } from '../../src/outbound/index.ts';
import { openProxy, useProxies } from './egress-proxy.ts';
import { NAME, authority, openSink, useSinks } from './sink.ts';
import { useTripwire } from './tripwire.ts';

useSinks();
useProxies();
const tripwire = useTripwire();
const PUBLIC = '93.184.216.34';
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

const outboundOf = (options: OutboundOptions) => {
  const outbound = createOutbound({ ca: authority.ca, ...options });
  ends.push(() => outbound.close());
  return outbound;
};
const order = (url: string) =>
  ({ url, method: 'POST', headers: {}, body: '{}', timeoutMs: 5_000, maxResponseBytes: 1_000 }) as const;
const failureOf = async (work: Promise<unknown>): Promise<OutboundFailure> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof OutboundFailure) return error;
  throw new Error('not a failure');
};

describe('a request through the egress proxy', () => {
  test.each([false, true])(
    'reaches the receiver by its address, with TLS from end to end (TLS to the proxy: %s)',
    async (isSecure) => {
      const sink = await openSink((_request, response) => response.end('ok'));
      const proxy = await openProxy(sink.port, { isSecure });
      const outbound = outboundOf({ proxy: proxy.url, resolve: async () => [PUBLIC] });
      const answer = await outbound.request(order(`https://${NAME}/`));
      expect(answer).toMatchObject({ status: 200, address: PUBLIC });
      await outbound.request(order(`https://${NAME}/`));
      expect(proxy.asked).toEqual([`${PUBLIC}:443`]);
      expect(JSON.stringify(proxy.headers)).not.toContain(NAME);
    },
  );

  test('is resolved once: a name that leads elsewhere a moment later (DNS rebinding) does not reach it', async () => {
    const sink = await openSink((_request, response) => response.end('ok'));
    const proxy = await openProxy(sink.port);
    const resolve = vi.fn(async () => ['127.0.0.1', '10.0.0.1']).mockImplementationOnce(async () => [PUBLIC]);
    const outbound = outboundOf({ proxy: proxy.url, resolve });
    tripwire.reset();
    expect(await outbound.request(order(`https://${NAME}/`))).toMatchObject({ status: 200 });
    // The same connection, so the name is not asked for again; a new one is judged again.
    expect(await outbound.request(order(`https://${NAME}/`))).toMatchObject({ status: 200 });
    expect(resolve).toHaveBeenCalledTimes(1);
    const another = { ...order(`https://${NAME}/`), pool: 'another' };
    expect(await failureOf(outbound.request(another))).toMatchObject({ code: 'BLOCKED_ADDRESS' });
    expect(proxy.asked).toEqual([`${PUBLIC}:443`]);
    expect(tripwire.seen).toBe(0);
  });

  test('is judged first: the proxy is asked for no refused address', async () => {
    const proxy = await openProxy(1);
    const outbound = outboundOf({ proxy: proxy.url, resolve: async () => ['10.0.0.1'] });
    expect(await failureOf(outbound.request(order(`https://${NAME}/`)))).toMatchObject({ code: 'BLOCKED_ADDRESS' });
    expect(await failureOf(outbound.request(order('https://10.0.0.1/')))).toMatchObject({ code: 'BLOCKED_ADDRESS' });
    expect(proxy.asked).toEqual([]);
  });

  test('goes to this machine directly, where the setting for development admits it', async () => {
    const sink = await openSink((_request, response) => response.end('ok'));
    const proxy = await openProxy(1);
    const outbound = outboundOf({ proxy: proxy.url, loopback: true, resolve: async () => ['127.0.0.1'] });
    expect(await outbound.request(order(sink.url))).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });

  test('sends the login of the proxy to the proxy only, and tries the next address', async () => {
    const seen: unknown[] = [];
    const sink = await openSink((request, response) => {
      seen.push(request.headers['proxy-authorization']);
      response.end('ok');
    });
    const proxy = await openProxy(sink.port, { refuses: [PUBLIC] });
    const url = proxy.url.replace('//', '//jo:p%40ss@');
    const outbound = outboundOf({ proxy: url, resolve: async () => [PUBLIC, '2606:4700::1111'] });
    expect(await outbound.request(order(`https://${NAME}/`))).toMatchObject({
      status: 200,
      address: '2606:4700::1111',
    });
    expect(proxy.asked).toEqual([`${PUBLIC}:443`, '[2606:4700::1111]:443']);
    expect(proxy.headers.map((each) => each['proxy-authorization'])).toEqual(Array(2).fill(`Basic ${btoa('jo:p@ss')}`));
    expect(seen).toEqual([undefined]);
  });

  test('fails with the status of the proxy, without its address and login', async () => {
    const proxy = await openProxy(1, { answer: 'HTTP/1.1 407 Who\r\n\r\n' });
    const resolve = async () => [PUBLIC];
    const url = proxy.url.replace('//', '//jo:secret@');
    const refused = await failureOf(outboundOf({ proxy: url, resolve }).request(order(`https://${NAME}/`)));
    expect([refused.code, refused.message]).toEqual([
      'CONNECT_FAILED',
      'the egress proxy refused the connection (407)',
    ]);
    const gone = await failureOf(
      outboundOf({ proxy: 'http://jo:secret@127.0.0.1:9', resolve }).request(order(`https://${NAME}/`)),
    );
    expect([gone.code, gone.message]).toEqual([
      'CONNECT_FAILED',
      'the egress proxy could not be reached (ECONNREFUSED)',
    ]);
  });

  test.each(['proxy:3128', 'ftp://proxy', 'socks5://proxy', 'http://proxy/path', ''])(
    'is not configured by "%s"',
    (proxy) => {
      expect(() => createOutbound({ proxy })).toThrow(/USANCE_EGRESS_PROXY/);
    },
  );
});

test.each(['10.0.0.0/7', '0.0.0.0/0', '::/0', '2000::/3', '10.0.0.0/33', '10.0.0', 'intranet', ''])(
  'a network to admit is not "%s"',
  (network) => {
    expect(() => createOutbound({ allow: [network] })).toThrow(/USANCE_OUTBOUND_ALLOW/);
  },
);

describe('a socket', () => {
  test('for a tenant is judged, and one for the operator is not', async () => {
    const outbound = outboundOf({ resolve: async () => ['127.0.0.1'] });
    tripwire.reset();
    const options = { timeoutMs: 1_000, setBy: 'tenant' } as const;
    for (const host of ['smtp.example', '127.0.0.1', '::1', 'localhost']) {
      expect((await failureOf(outbound.socket(host, tripwire.port, options))).code, host).toBe('BLOCKED_ADDRESS');
    }
    expect(tripwire.opened).toBe(0);
    const socket = await outbound.socket('127.0.0.1', tripwire.port, { timeoutMs: 1_000, setBy: 'operator' });
    socket.on('error', () => undefined).destroy();
    await expect.poll(() => tripwire.seen).toBe(1);
  });

  test('keeps what a server says first, also if it arrives with the answer of the proxy', async () => {
    const greeting = '220 smtp.example ESMTP\r\n';
    const sink = await openSink(() => undefined, { certificate: null });
    const proxy = await openProxy(sink.port, { answer: `HTTP/1.1 200 OK\r\n\r\n${greeting}` });
    const outbound = outboundOf({ proxy: proxy.url, resolve: async () => [PUBLIC] });
    const socket = await outbound.socket('smtp.example', 587, { timeoutMs: 1_000, setBy: 'tenant' });
    const [said] = (await once(socket, 'data')) as [Buffer];
    expect(said.toString()).toBe(greeting);
    expect(proxy.asked).toEqual([`${PUBLIC}:587`]);
    socket.destroy();
  });
});
