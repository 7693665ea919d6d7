// Time is moved by hand.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Followers } from '../../src/queue/followers.ts';

describe('followers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  /** Waits again and again, and counts how often it was let go. */
  const waiting = (followers: Followers, pollMs: number) => {
    const follower = followers.add();
    const looks = { count: 0, close: () => follower.close() };
    const look = async (): Promise<void> => {
      for (;;) {
        await follower.wait(pollMs);
        looks.count += 1;
      }
    };
    void look();
    return looks;
  };

  test('wait for a wake-up, and no longer than their poll', async () => {
    const followers = new Followers();
    const one = waiting(followers, 1_000);
    await pass(999);
    expect(one.count).toBe(0);
    await pass(1);
    expect(one.count).toBe(1);
    await pass(10);
    followers.wake();
    await pass(0);
    expect(one.count).toBe(2);
  });

  test('miss no wake-up that comes while they look', async () => {
    const followers = new Followers();
    const follower = followers.add();
    followers.wake();
    await follower.wait(60_000);
    const waiting = vi.fn<() => void>();
    void follower.wait(60_000).then(waiting);
    await pass(59_999);
    expect(waiting).not.toHaveBeenCalled();
    await pass(1);
    expect(waiting).toHaveBeenCalledTimes(1);
  });

  test('are let go by their signal', async () => {
    const leave = new AbortController();
    const follower = new Followers().add();
    const waiting = follower.wait(60_000, leave.signal);
    leave.abort();
    await waiting;
    await follower.wait(60_000, leave.signal);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are woken 20 every 50 ms, each in its turn', async () => {
    const followers = new Followers();
    const many = Array.from({ length: 100 }, () => waiting(followers, 60_000));
    const woken = (): number[] => many.flatMap(({ count }, index) => (count > 0 ? [index] : []));
    const until = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    followers.wake();
    await pass(0);
    expect(woken()).toEqual(until(20));
    followers.wake();
    await pass(50);
    expect(woken()).toEqual(until(40));
    await pass(150);
    expect(woken()).toEqual(until(100));
    // Those that were woken first were woken again by the second wake-up, once.
    await pass(1_000);
    expect(many.reduce((sum, { count }) => sum + count, 0)).toBe(120);
  });

  test('that were closed are not woken', async () => {
    const followers = new Followers();
    const [gone, here] = [waiting(followers, 60_000), waiting(followers, 60_000)];
    gone.close();
    await pass(0);
    const before = gone.count;
    followers.wake();
    await pass(0);
    expect([gone.count, here.count]).toEqual([before, 1]);
  });
});
