// What each response means for a delivery.
import { describe, expect, test } from 'vitest';
import { judgeStatus, parseRetryAfter } from '../../src/webhooks/judge.ts';

const NOW = new Date('2026-11-13T09:30:00.500Z');
const judge = (status: number, retryAfter: string | null = null) => judgeStatus(status, retryAfter, NOW);

test.each([200, 201, 202, 204, 226, 299])('%d completes a delivery', (status) => {
  expect(judge(status, '60')).toEqual({ ok: true });
});

test.each([300, 301, 302, 303, 304, 307, 308, 399])('%d fails, because redirects are not followed', (status) => {
  expect(judge(status)).toEqual({
    ok: false,
    code: 'DELIVERY_REFUSED',
    error: `the endpoint answered ${status}; redirects are not followed`,
    hints: { retryAfterMs: undefined },
  });
});

test.each([100, 199, 400, 401, 403, 404, 408, 409, 411, 422, 500, 502, 504, 599, 999])(
  '%d fails and is retried',
  (status) => {
    expect(judge(status)).toEqual({
      ok: false,
      code: 'DELIVERY_REFUSED',
      error: `the endpoint answered ${status}`,
      hints: { retryAfterMs: undefined },
    });
  },
);

test('410 fails for good, whatever Retry-After says', () => {
  expect(judge(410, '5')).toMatchObject({ ok: false, code: 'ENDPOINT_GONE', hints: { permanent: true } });
});

test.each([429, 503])('%d with Retry-After is retried no earlier', (status) => {
  expect(judge(status, '120')).toMatchObject({ hints: { retryAfterMs: 120_000 } });
  expect(judge(status, 'Fri, 13 Nov 2026 09:31:00 GMT')).toMatchObject({ hints: { retryAfterMs: 59_500 } });
  expect(judge(status)).toMatchObject({ hints: { retryAfterMs: undefined } });
});

test.each([500, 502, 404, 301])('Retry-After of %d is ignored', (status) => {
  expect(judge(status, '120')).toMatchObject({ hints: { retryAfterMs: undefined } });
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    [' 7 ', 7_000],
    ['999999999', 999_999_999_000],
    ['Fri, 13 Nov 2026 09:30:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Sat, 14 Nov 2026 09:30:00 GMT', 86_399_500],
  ])('%j is %d ms', (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });

  test.each([
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '9999999999',
    'soon',
    '2026-11-13',
    'Fri, 99 Nov 2026 09:31:00 GMT',
    '120, 5',
    '13 Nov 2026',
  ])('%j is ignored', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeUndefined();
  });
});
