// Names, asked of a real server of DNS over UDP.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { createOutbound } from '../../src/outbound/index.ts';
import { resolveByDns } from '../../src/outbound/resolve.ts';

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;
const SERVER_ERROR = 2;

/** By name and type: addresses as bytes, or a code of failure. */
const ZONE: Readonly<Record<string, Readonly<Record<number, readonly Buffer[] | number>>>> = {
  'both.example': {
    [A]: [Buffer.from([93, 184, 216, 34])],
    [AAAA]: [Buffer.from('26064700000000000000000000001111', 'hex')],
  },
  'four.example': { [A]: [Buffer.from([93, 184, 216, 34]), Buffer.from([93, 184, 216, 35])], [AAAA]: [] },
  'six.example': { [A]: SERVER_ERROR, [AAAA]: [Buffer.from('26064700000000000000000000001111', 'hex')] },
  'inside.example': { [A]: [Buffer.from([10, 0, 0, 1])], [AAAA]: [] },
  'empty.example': { [A]: [], [AAAA]: [] },
};

/** Reads one question and answers it from the zone. */
function answer(query: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const found = ZONE[labels.join('.').toLowerCase()]?.[query.readUInt16BE(at + 1)] ?? NAME_ERROR;
  const [code, addresses] = typeof found === 'number' ? [found, []] : [0, found];
  const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  const records = addresses.map((address) =>
    Buffer.concat([
      Buffer.from([0xc0, 12, 0, address.length === 4 ? A : AAAA, 0, 1, 0, 0, 0, 60, 0, address.length]),
      address,
    ]),
  );
  return Buffer.concat([header, question, ...records]);
}

const server = createSocket('udp4');
server.on('message', (query, { port, address }) => server.send(answer(query), port, address));
server.bind(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());
const resolve = resolveByDns([`127.0.0.1:${server.address().port}`]);

describe('a name', () => {
  test('leads to its addresses of both families, those of IPv4 first', async () => {
    expect(await resolve('both.example')).toEqual(['93.184.216.34', '2606:4700::1111']);
    expect(await resolve('four.example')).toEqual(['93.184.216.34', '93.184.216.35']);
  });

  test('leads to the addresses of one family if the other cannot be resolved', async () => {
    expect(await resolve('six.example')).toEqual(['2606:4700::1111']);
  });

  test.each([
    ['empty.example', 'ENODATA'],
    ['nothing.example', 'ENOTFOUND'],
  ])('without an address fails: %s with %s', async (name, code) => {
    await expect(resolve(name)).rejects.toMatchObject({ code });
  });

  test('of a private address is refused', async () => {
    const outbound = createOutbound({ resolve });
    const order = { method: 'GET', headers: {}, timeoutMs: 5_000, maxResponseBytes: 1 } as const;
    const failures = ['https://inside.example/', 'https://nothing.example/'].map((url) =>
      outbound.request({ ...order, url }),
    );
    await expect(failures[0]).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    await expect(failures[1]).rejects.toMatchObject({ code: 'DNS_FAILED' });
    outbound.close();
  });
});
