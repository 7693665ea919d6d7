import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Throttle } from '../../src/kernel/index.ts';

const LEAST_MS = 50;

describe('throttled work', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  const taking = (ms: number) => (): Promise<void> => Promise.resolve(void vi.advanceTimersByTime(ms));

  test('is due before its first run', () => {
    expect(new Throttle().isDue(LEAST_MS)).toBe(true);
  });

  test('pauses for the least time if it is quick, and for twenty times its duration if it is not', async () => {
    const throttle = new Throttle();
    await throttle.run(taking(1));
    expect(throttle.dueInMs(LEAST_MS)).toBe(LEAST_MS);
    await throttle.run(taking(10));
    expect(throttle.dueInMs(LEAST_MS)).toBe(200);
    vi.advanceTimersByTime(200);
    expect(throttle.isDue(LEAST_MS)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(throttle.isDue(LEAST_MS)).toBe(true);
  });

  test('is not due while it runs', async () => {
    const throttle = new Throttle();
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = throttle.run(() => promise);
    expect(throttle.isDue(LEAST_MS)).toBe(false);
    resolve();
    await run;
  });

  test('is due at once after it threw', async () => {
    const throttle = new Throttle();
    await expect(throttle.run(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(throttle.isDue(LEAST_MS)).toBe(true);
  });
});
