import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RetryPolicy } from '../../src/kernel/index.ts';
import { RETRY_PRESETS, WEBHOOK_RETRY_PRESETS, delayAfterAttempt, parseRetryPolicy } from '../../src/kernel/index.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The table of the designs: tries in all, and the waits between them. */
const TABLE = {
  subscription: { attempts: 6, waits: [1, 2, 4, 8, 16].map((n) => n * MINUTE) },
  allowance: { attempts: 5, waits: [10, 10, 10, 10].map((n) => n * MINUTE) },
  hold: { attempts: 5, waits: [1, 2, 4, 8].map((n) => n * MINUTE) },
  payout: { attempts: 3, waits: [5, 10].map((n) => n * SECOND) },
} as const;

/** The rows of the table for parts other than payments: no payment can name them. */
const PLANNED = {
  'event-job': {
    attempts: 3,
    waits: [1, 2].map((n) => n * SECOND),
    policy: { maxAttempts: 3, initialDelayMs: SECOND, multiplier: 2, maxDelayMs: MINUTE, jitter: 0 },
  },
  'webhook-quick': {
    attempts: 5,
    waits: [5, 5, 5, 5].map((n) => n * SECOND),
    policy: WEBHOOK_RETRY_PRESETS['webhook-quick'],
  },
  webhook: {
    attempts: 10,
    waits: [5 * SECOND, ...[5, 30, 120, 300, 600, 840, 1_200, 1_440].map((n) => n * MINUTE)],
    policy: WEBHOOK_RETRY_PRESETS.webhook,
  },
} as const;

const ROWS = [
  ...Object.entries(TABLE).map(([name, row]) => [name, { ...row, policy: RETRY_PRESETS[name as keyof typeof TABLE] }]),
  ...Object.entries(PLANNED),
] as [string, { attempts: number; waits: readonly number[]; policy: RetryPolicy }][];

describe('the retry formula', () => {
  test('has a preset for every part that exists, and no other', () => {
    expect(Object.keys(RETRY_PRESETS).toSorted()).toEqual(Object.keys(TABLE).toSorted());
    for (const name of Object.keys(PLANNED))
      expect(() => parseRetryPolicy(name, RETRY_PRESETS.hold), name).toThrow(/must be a preset/);
  });

  test.each(ROWS)('%s waits as the designs say, then gives up', (_name, { attempts, waits, policy }) => {
    const delays = Array.from({ length: attempts }, (_, index) => delayAfterAttempt(policy, index + 1));
    expect(delays).toEqual([...waits, null]);
    expect(delayAfterAttempt(policy, attempts + 1)).toBeNull();
  });

  test('takes jitter off waits that are given one by one, and keeps them above a second', () => {
    const { webhook } = WEBHOOK_RETRY_PRESETS;
    expect(delayAfterAttempt(webhook, 1, 0.5)).toBe(4_750);
    expect(delayAfterAttempt({ ...webhook, delaysMs: [10] }, 1, 0.5)).toBe(1_000);
  });

  test('ends after the last wait that is given, also if more attempts are named', () => {
    const { webhook } = WEBHOOK_RETRY_PRESETS;
    expect(delayAfterAttempt({ ...webhook, delaysMs: [5_000] }, 2)).toBeNull();
  });

  test('does not let a caller give the waits one by one', () => {
    expect(() => parseRetryPolicy({ delaysMs: [1_000] }, RETRY_PRESETS.hold)).toThrow(/delaysMs/);
  });

  test('never waits longer than its cap, nor less than jitter allows', () => {
    const policies = fc.record({
      maxAttempts: fc.integer({ min: 1, max: 100 }),
      initialDelayMs: fc.integer({ min: 1_000, max: 30 * 24 * 60 * MINUTE }),
      multiplier: fc.double({ min: 1, max: 100, noNaN: true }),
      maxDelayMs: fc.integer({ min: 1_000, max: 30 * 24 * 60 * MINUTE }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 120 }), random, (policy, attempt, random) => {
        const delay = delayAfterAttempt(policy, attempt, random);
        expect(delay === null).toBe(attempt >= policy.maxAttempts);
        expect(Number.isSafeInteger(delay ?? 0)).toBe(true);
        expect(delay ?? 1_000).toBeGreaterThanOrEqual(1_000);
        expect(delay ?? 0).toBeLessThanOrEqual(policy.maxDelayMs);
        expect(delayAfterAttempt(policy, attempt, 0) ?? 0).toBeGreaterThanOrEqual(delay ?? 0);
      }),
    );
  });

  test('takes off at most the share that jitter says', () => {
    const policy = { maxAttempts: 2, initialDelayMs: 4_000, multiplier: 1, maxDelayMs: 4_000, jitter: 0.25 };
    expect(delayAfterAttempt(policy, 1, 0)).toBe(4_000);
    expect(delayAfterAttempt(policy, 1, 0.5)).toBe(3_500);
    expect(delayAfterAttempt(policy, 1, 0.999_999)).toBe(3_000);
  });
});

describe('a retry policy', () => {
  const base = RETRY_PRESETS.hold;

  test('is the default, a preset by name, or the default with fields replaced', () => {
    expect(parseRetryPolicy(undefined, base)).toBe(base);
    expect(parseRetryPolicy(null, base)).toBe(base);
    expect(parseRetryPolicy('allowance', base)).toBe(RETRY_PRESETS.allowance);
    expect(parseRetryPolicy({ maxAttempts: 2 }, base)).toEqual({ ...base, maxAttempts: 2 });
    expect(parseRetryPolicy({ maxAttempts: 1, initialDelayMs: 0 }, base)).toMatchObject({ initialDelayMs: 0 });
  });

  test('with a first wait above the cap of its base waits that long, not the cap', () => {
    for (const base of Object.values(RETRY_PRESETS)) {
      const policy = parseRetryPolicy({ maxAttempts: 3, initialDelayMs: 120 * MINUTE }, base);
      expect(policy).toMatchObject({ initialDelayMs: 120 * MINUTE, maxDelayMs: 120 * MINUTE });
      expect([1, 2, 3].map((attempt) => delayAfterAttempt(policy, attempt))).toEqual([
        120 * MINUTE,
        120 * MINUTE,
        null,
      ]);
    }
    // A cap that is given is never raised, and the waits that it allows still grow.
    const grows = parseRetryPolicy({ maxAttempts: 4, initialDelayMs: 120 * MINUTE, maxDelayMs: 300 * MINUTE }, base);
    expect([1, 2, 3].map((attempt) => delayAfterAttempt(grows, attempt))).toEqual(
      [120, 240, 300].map((n) => n * MINUTE),
    );
  });

  test('with a cap below the first wait of its base begins with the cap', () => {
    const policy = parseRetryPolicy({ maxDelayMs: 5 * SECOND }, base);
    expect(policy).toMatchObject({ initialDelayMs: 5 * SECOND, maxDelayMs: 5 * SECOND });
  });

  test('whose cap is below its own first wait is refused, and the message names both', () => {
    const given = { initialDelayMs: 120 * MINUTE, maxDelayMs: 60 * MINUTE };
    expect(() => parseRetryPolicy(given, base)).toThrow(
      expect.objectContaining({
        code: 'RETRY_INVALID',
        param: 'retry',
        message: expect.stringContaining(
          'maximum delay of 3600 seconds, which is below its initial delay of 7200 seconds',
        ),
      }),
    );
    expect(parseRetryPolicy({ ...given, maxAttempts: 1 }, base)).toMatchObject({ maxAttempts: 1 });
  });

  test.each([
    'sometimes',
    'toString',
    7,
    true,
    { attempts: 2 },
    { maxAttempts: 0 },
    { maxAttempts: 101 },
    { maxAttempts: 1.5 },
    { maxAttempts: '3' },
    { initialDelayMs: -1 },
    { initialDelayMs: 0 },
    { initialDelayMs: 999 },
    { maxDelayMs: 0 },
    { initialDelayMs: 31 * 24 * 60 * MINUTE },
    { maxDelayMs: Infinity },
    { multiplier: 0.5 },
    { multiplier: NaN },
    { multiplier: 101 },
    { jitter: -0.1 },
    { jitter: 1.1 },
    { jitter: null },
  ])('of %o is refused', (input) => {
    expect(() => parseRetryPolicy(input, base, 'retry')).toThrow(
      expect.objectContaining({ code: 'RETRY_INVALID', param: 'retry' }),
    );
  });
});
