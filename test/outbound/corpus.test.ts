// No spelling of a refused destination opens a socket: the guard is shown several hundred of them, and a listener on loopback sees none.
import { describe, expect, test } from 'vitest';
import { OutboundFailure, createOutbound } from '../../src/outbound/index.ts';
import { refusedWith } from '../support/refusal.ts';
import { LOOPBACK_IPV6, REFUSED_IPV4, REFUSED_IPV6, REFUSED_NAMES, REFUSED_URLS, spellings } from './corpus.ts';
import { useTripwire } from './tripwire.ts';

const tripwire = useTripwire();

/** Answers as the corpus says; a name that is asked for again gets its next answer, and the last one from then on. */
function fakeDns(answers: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const asked = new Map<string, number>();
  return {
    asked,
    resolve: async (name: string): Promise<readonly string[]> => {
      const times = asked.get(name) ?? 0;
      asked.set(name, times + 1);
      const given = answers[name];
      if (!given) throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
      return given[Math.min(times, given.length - 1)] ?? [];
    },
  };
}

const literals = REFUSED_IPV4.flatMap((address) => Object.values(spellings(address)));
const hosts = [...literals, ...[...LOOPBACK_IPV6, ...REFUSED_IPV6].map((address) => `[${address}]`)];
const urls = [...hosts.map((host) => `https://${host}:PORT/latest/meta-data`), ...REFUSED_URLS];
const names = Object.keys(REFUSED_NAMES).map((name) => `https://${name}:PORT/`);

/** The code of the failure of a request. */
async function failureOf(outbound: ReturnType<typeof createOutbound>, url: string): Promise<string> {
  const order = { url, method: 'POST', headers: {}, body: '{}', timeoutMs: 2_000, maxResponseBytes: 1_000 } as const;
  try {
    return `answered with ${(await outbound.request(order)).status}`;
  } catch (error) {
    if (error instanceof OutboundFailure) return error.code;
    throw error;
  }
}

describe('a destination of a tenant', () => {
  test('is refused in every spelling, and not one socket is opened', async () => {
    expect(urls.length + names.length).toBeGreaterThan(300);
    const { resolve } = fakeDns(REFUSED_NAMES);
    const outbound = createOutbound({ resolve });
    tripwire.reset();
    const through: string[] = [];
    for (const url of [...urls, ...names]) {
      const code = await failureOf(outbound, url.replaceAll('PORT', String(tripwire.port)));
      if (!['BLOCKED_ADDRESS', 'BLOCKED_URL'].includes(code)) through.push(`${url}: ${code}`);
    }
    expect(through).toEqual(['https://empty.example:PORT/: DNS_FAILED']);
    expect({ seen: tripwire.seen, opened: tripwire.opened }).toEqual({ seen: 0, opened: 0 });
    outbound.close();
  });

  test('is refused when it is stored, if its URL says enough', () => {
    const outbound = createOutbound();
    const stored: string[] = [];
    for (const url of urls) {
      const code = refusedWith(() => outbound.checkUrl(url.replaceAll('PORT', String(tripwire.port)), 'url'));
      if (code !== 'URL_REFUSED') stored.push(url);
    }
    expect(stored).toEqual([]);
    expect(outbound.checkUrl('https://Example.com/hooks?a=1', 'url')).toBe('https://example.com/hooks?a=1');
    expect(outbound.checkUrl('https://example.com:8443', 'url')).toBe('https://example.com:8443/');
    expect(outbound.checkUrl('https://xn--bcher-kva.example/%20', 'url')).toBe('https://xn--bcher-kva.example/%20');
  });

  test('is refused under the setting for development too, unless it is loopback as such', async () => {
    const { resolve } = fakeDns(REFUSED_NAMES);
    const outbound = createOutbound({ resolve, loopback: true });
    tripwire.reset();
    const opened: string[] = [];
    const notLoopback = [
      ...REFUSED_IPV4.flatMap((address) =>
        Object.values(spellings(address)).filter((host) => !address.startsWith('127.') || host.startsWith('[')),
      ),
      ...REFUSED_IPV6.map((address) => `[${address}]`),
    ];
    for (const url of notLoopback.flatMap((host) => [`https://${host}:PORT/`, `http://${host}:PORT/`])) {
      const code = await failureOf(outbound, url.replaceAll('PORT', String(tripwire.port)));
      if (!['BLOCKED_ADDRESS', 'BLOCKED_URL'].includes(code)) opened.push(`${url}: ${code}`);
    }
    expect(opened).toEqual([]);
    expect({ seen: tripwire.seen, opened: tripwire.opened }).toEqual({ seen: 0, opened: 0 });
    outbound.close();
  });

  test('that is loopback reaches the listener under the setting for development: the tripwire works', async () => {
    const outbound = createOutbound({ loopback: true });
    tripwire.reset();
    for (const host of ['127.0.0.1', '127.1', '2130706433', 'localhost']) {
      expect(await failureOf(outbound, `http://${host}:${tripwire.port}/`)).toBe('RESET');
    }
    expect(tripwire.seen).toBe(4);
    expect(tripwire.opened).toBeGreaterThanOrEqual(4);
    outbound.close();
  });
});
