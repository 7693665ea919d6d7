import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../../src/api/browser.ts';
import { createApi } from '../../src/api/index.ts';
import { useApi } from './api.ts';

const APP = 'https://app.example.com';
const store = useApi({ api: { origins: [APP, 'http://localhost:3000'] } });

const corsOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers]
      // Every response with content depends on Accept-Encoding too.
      .map(([name, value]) => [name, name === 'vary' ? value.replace(/(?:^|, )Accept-Encoding$/, '') : value] as const)
      .filter(([name, value]) => name.startsWith('access-control-') || (name === 'vary' && value !== '')),
  );

describe('every answer', () => {
  test.each(['/v1/assets', '/v1/nothing', '/nothing', '/health', '/ready', '/openapi.json', '/docs', '/v1/accounts/%'])(
    'at %s is not to be guessed at, framed or run',
    async (path) => {
      const { headers } = await store.fetch(path);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        if (path === '/docs' && name === 'content-security-policy') continue;
        expect(headers.get(name), name).toBe(value);
      }
      expect(headers.get('cache-control') ?? 'no-store').toBe('no-store');
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  test('to what is no HTTP either', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(store.url).port), '127.0.0.1', () => socket.write('no http\r\n\r\n'));
      let text = '';
      socket
        .on('data', (chunk) => (text += String(chunk)))
        .on('close', () => resolve(text))
        .on('error', reject);
    });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`${name}: ${value}\r\n`);
  });

  test('of /docs runs its own style and script and nothing else', async () => {
    const { headers, text } = await store.fetch('/docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(text).not.toMatch(/ style="| on[a-z]+="|<script src|<link /);
  });
});

describe('a page', () => {
  const ask = (
    origin: string | null,
    init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> =>
    fetch(`${store.url}/v1/assets`, {
      ...init,
      headers: { authorization: `Bearer ${store.secret}`, ...(origin === null ? {} : { origin }), ...init.headers },
    });

  test('of FRONTEND_URL may read its answers, refusals too', async () => {
    const fine = await ask(APP);
    expect([fine.status, corsOf(fine.headers)]).toEqual([
      200,
      {
        'access-control-allow-origin': APP,
        'access-control-expose-headers':
          'x-request-id, usance-version, etag, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, allow',
        vary: 'Origin',
      },
    ]);
    const refused = await ask('http://localhost:3000', { headers: { authorization: 'Bearer nobody' } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'http://localhost:3000',
    ]);
  });

  test.each([
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'https://app.example.com:444',
    'http://app.example.com',
    'https://APP.example.com',
    'https://app.example.com/',
    'null',
    '*',
  ])('of %s may not', async (origin) => {
    for (const answer of [await ask(origin), await ask(origin, preflight)]) {
      expect(corsOf(answer.headers)).toEqual({ vary: 'Origin' });
    }
  });

  const preflight = {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'idempotency-key' },
  };

  test('asks first, without a key, and hears what it may send', async () => {
    const answer = await fetch(`${store.url}/v1/holds/x/cancel`, {
      ...preflight,
      headers: { ...preflight.headers, origin: APP },
    });
    expect([answer.status, corsOf(answer.headers)]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers':
          'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, usance-reason, usance-tenant, usance-version, x-request-id',
        'access-control-max-age': '600',
      }),
    ]);
  });

  test('may never send cookies, and no wildcard allows every origin', async () => {
    for (const origin of [APP, 'https://evil.example.com', null]) {
      for (const answer of [await ask(origin), await ask(origin, preflight)]) {
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(answer.headers.get('access-control-allow-origin')).not.toBe('*');
      }
    }
  });

  test('has nothing to read where no origin is named', async () => {
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0 });
    const { url } = await api.listen();
    const answers = await Promise.all([
      fetch(`${url}/v1/assets`, { headers: { origin: APP, authorization: `Bearer ${store.secret}` } }),
      fetch(`${url}/v1/assets`, { ...preflight, headers: { ...preflight.headers, origin: APP } }),
    ]);
    expect(answers.map(({ status, headers }) => [status, corsOf(headers)])).toEqual([
      [200, {}],
      [204, {}],
    ]);
    await api.close();
  });
});
