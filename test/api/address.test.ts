import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { addressOf, listensOn, neighbourhoodOf, trustProxy } from '../../src/api/address.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';

describe('the address of a request', () => {
  const of = async (peer: string, said: string | string[] | undefined, trusted: string[]): Promise<string> => {
    const app = fastify({ trustProxy: trustProxy(trusted) });
    app.get('/', (request) => ({ address: addressOf(request) }));
    const headers = said === undefined ? {} : { 'x-forwarded-for': said };
    const answer = await app.inject({ url: '/', remoteAddress: peer, headers: headers as Record<string, string> });
    return answer.json<{ address: string }>().address;
  };
  const PROXY = ['10.0.0.0/8', '2001:db8:1::/48'];

  test('is never taken from the headers of an untrusted client', async () => {
    // Nobody is trusted; or it does not come from a proxy.
    expect(await of('198.51.100.7', '203.0.113.9', [])).toBe('198.51.100.7');
    expect(await of('10.0.0.1', '203.0.113.9', [])).toBe('10.0.0.1');
    expect(await of('198.51.100.7', '203.0.113.9', PROXY)).toBe('198.51.100.7');
    expect(await of('198.51.100.7', '10.0.0.1', PROXY)).toBe('198.51.100.7');
    // What the caller sent stands to the left of what the proxy appended.
    expect(await of('10.0.0.1', '203.0.113.9, 198.51.100.7', PROXY)).toBe('198.51.100.7');
    expect(await of('10.0.0.1', '127.0.0.1, 10.0.0.9, 198.51.100.7', PROXY)).toBe('198.51.100.7');
    expect(await of('10.0.0.1', ['203.0.113.9', '198.51.100.7'], PROXY)).toBe('198.51.100.7');
    expect(await of('10.0.0.1', `${'203.0.113.9, '.repeat(2_000)}198.51.100.7`, PROXY)).toBe('198.51.100.7');
  });

  test('is the last that is no proxy of ours', async () => {
    expect(await of('10.0.0.1', '198.51.100.7, 10.1.2.3, 10.0.0.2', PROXY)).toBe('198.51.100.7');
    expect(await of('2001:db8:1::1', '2001:DB8:2::7', PROXY)).toBe('2001:db8:2::7');
    expect(await of('::ffff:10.0.0.1', '::ffff:198.51.100.7', PROXY)).toBe('198.51.100.7');
    expect(await of('::ffff:a00:1', '::ffff:c633:6407', PROXY)).toBe('198.51.100.7');
    expect(await of('10.0.0.1', '198.51.100.7:4711', PROXY)).toBe('198.51.100.7');
    expect(await of('10.0.0.1', '[2001:db8:2::7]:4711', PROXY)).toBe('2001:db8:2::7');
    // One of our own asks.
    expect(await of('10.0.0.1', '10.0.0.2', PROXY)).toBe('10.0.0.2');
    expect(await of('10.0.0.1', undefined, PROXY)).toBe('10.0.0.1');
    expect(await of('fe80::1%eth0', undefined, PROXY)).toBe('fe80::1');
  });

  test.each([
    '',
    ' ',
    ',',
    'unknown',
    '198.51.100',
    '198.51.100.7 evil',
    '_hidden',
    '-1',
    '[',
    '[]',
    '::1::',
    "'; drop",
  ])('is the proxy’s where the proxy says %j', async (said) => {
    expect(await of('10.0.0.1', said, PROXY)).toBe('10.0.0.1');
    expect(await of('10.0.0.1', `198.51.100.7, ${said}`, PROXY)).toBe('10.0.0.1');
  });

  test('is nothing where there is no connection', () => {
    expect(addressOf({ ip: undefined, headers: {} })).toBeNull();
    expect(addressOf({ ip: undefined, ips: [undefined], headers: {} })).toBeNull();
  });

  test('shares its limit with its network of 64 bits, where it is IPv6', () => {
    expect(neighbourhoodOf('198.51.100.7')).toBe('198.51.100.7');
    const all = ['2001:db8:2:3::1', '2001:db8:2:3:ffff::', '2001:db8:2:3:1:2:3:4'].map(neighbourhoodOf);
    expect(new Set(all)).toEqual(new Set(['2001:db8:2:3::/64']));
    expect(neighbourhoodOf('2001:db8:2:4::1')).not.toBe(all[0]);
    expect(neighbourhoodOf('::1')).toBe('0:0:0:0::/64');
  });

  describe('in the audit log', () => {
    const store = useApi({ api: { trustedProxies: ['127.0.0.0/8'] } });

    test('is the caller’s, behind a proxy that is named', async () => {
      await open(store.tenant, { alice: 100, bob: 0 });
      const body = { from: 'alice', to: 'bob', amount: 1, asset: 'USD' };
      const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-request-id': 'forwarded' };
      expect((await store.send('POST /holds', { body, headers })).status).toBe(201);
      const found = await store.send('GET /audit-events?request_id=forwarded');
      expect(found.list('data')).toMatchObject([{ ip: '198.51.100.7' }]);
    });
  });
});

test('the log names the address that was opened, not the loopback address that reaches it', () => {
  const opened = (address: string, family: string) =>
    listensOn({ address, family, port: 3001 }, 'http://127.0.0.1:3001');
  expect(opened('0.0.0.0', 'IPv4')).toBe('http://0.0.0.0:3001');
  expect(opened('127.0.0.1', 'IPv4')).toBe('http://127.0.0.1:3001');
  expect(opened('::', 'IPv6')).toBe('http://[::]:3001');
  expect(listensOn(null, 'http://127.0.0.1:3001')).toBe('http://127.0.0.1:3001');
});
