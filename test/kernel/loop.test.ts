// The loop's time is moved by hand; what it does in between are promises, which are waited for by letting them run.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Loop, LoopDefinition, LoopObserver, LoopRun } from '../../src/kernel/index.ts';
import { createLoop } from '../../src/kernel/index.ts';

const NOTHING: LoopRun = { counts: {} };

describe('a loop', () => {
  let loops: Loop[] = [];
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    loops = [];
    vi.useRealTimers();
  });

  const start = (run: LoopDefinition['runOnce'], observer = {}): Loop => {
    const loop = createLoop({ name: 'test', pollMs: 1_000, runOnce: run }, observer);
    loops.push(loop);
    loop.start();
    return loop;
  };
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  test('runs at once, then every poll interval', async () => {
    const run = vi.fn<LoopDefinition['runOnce']>(async () => NOTHING);
    start(run);
    await pass(0);
    expect(run).toHaveBeenCalledTimes(1);
    await pass(999);
    expect(run).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(run).toHaveBeenCalledTimes(2);
    await pass(3_000);
    expect(run).toHaveBeenCalledTimes(5);
  });

  test('started twice runs once', async () => {
    const run = vi.fn<LoopDefinition['runOnce']>(async () => NOTHING);
    start(run).start();
    await pass(0);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('runs again at once while there is more', async () => {
    const fourth = Promise.withResolvers<void>();
    let runs = 0;
    const run = vi.fn<LoopDefinition['runOnce']>(async () => {
      runs += 1;
      if (runs === 4) fourth.resolve();
      return { counts: {}, more: runs < 4 };
    });
    start(run);
    await fourth.promise;
    await pass(999);
    expect(run).toHaveBeenCalledTimes(4);
  });

  test('sleeps no longer than the run asks for, and no longer than its poll interval', async () => {
    const asked = [10, 5_000, -3];
    const run = vi.fn<LoopDefinition['runOnce']>(async () => ({ counts: {}, nextInMs: asked.shift() ?? 1_000 }));
    start(run);
    await pass(9);
    expect(run).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(run).toHaveBeenCalledTimes(2);
    await pass(999);
    expect(run).toHaveBeenCalledTimes(2);
    await pass(1);
    // The third asked for an instant that is past: it is followed by a fourth without a pause.
    await pass(1);
    expect(run).toHaveBeenCalledTimes(4);
  });

  test('runs at once when woken', async () => {
    const run = vi.fn<LoopDefinition['runOnce']>(async () => NOTHING);
    const loop = start(run);
    await pass(10);
    loop.wake();
    await pass(0);
    expect(run).toHaveBeenCalledTimes(2);
    await pass(999);
    expect(run).toHaveBeenCalledTimes(2);
    await pass(1);
    expect(run).toHaveBeenCalledTimes(3);
  });

  test('woken during a run runs once more, because the run may have looked already', async () => {
    const gate = Promise.withResolvers<void>();
    const run = vi.fn<LoopDefinition['runOnce']>(async () => {
      if (run.mock.calls.length === 1) await gate.promise;
      return NOTHING;
    });
    const loop = start(run);
    await pass(0);
    loop.wake();
    loop.wake();
    gate.resolve();
    await pass(0);
    expect(run).toHaveBeenCalledTimes(2);
  });

  test('woken all the time runs 20 times a second and keeps its poll', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const woken: boolean[] = [];
    const loop = start(async (_signal, _resident, hint) => {
      woken.push(hint === true);
      return NOTHING;
    });
    await pass(10);
    for (let ms = 0; ms < 999; ms += 1) {
      loop.wake();
      await pass(1);
    }
    // The first run was not woken; the last wake-up waits for its turn.
    expect(woken).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
    await pass(50);
    expect(woken).toHaveLength(22);
    await pass(1_000);
    expect(woken.slice(22)).toEqual([false]);
  });

  test('whose runs are slow is woken less often, but rests no longer than 250 ms for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    for (const [tookMs, expected] of [
      [30, 150],
      [900, 1_150],
    ] as const) {
      const startedMs: number[] = [];
      const loop = start(async () => {
        startedMs.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, tookMs));
        return NOTHING;
      });
      await pass(tookMs);
      for (let ms = 0; ms < 3_000; ms += 1) {
        loop.wake();
        await pass(1);
      }
      const [, second = 0, third = 0] = startedMs;
      expect(third - second).toBe(expected);
      const stopping = loop.stop();
      await pass(tookMs);
      await stopping;
    }
  });

  test('woken during a run that finds more runs no more often for it', async () => {
    let runs = 0;
    const run = vi.fn<LoopDefinition['runOnce']>(async () => {
      runs += 1;
      loops[0]?.wake();
      return { counts: {}, more: runs < 3 };
    });
    start(run);
    await expect.poll(() => run.mock.calls.length, { interval: 0 }).toBe(3);
    await pass(0);
    expect(run).toHaveBeenCalledTimes(3);
  });

  test('that is stopped waits for the run in flight, tells it, and runs no more', async () => {
    const gate = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const run = vi.fn<LoopDefinition['runOnce']>(async (given: AbortSignal) => {
      signal = given;
      await gate.promise;
      return NOTHING;
    });
    const loop = start(run);
    await pass(0);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await pass(10_000);
    expect(signal?.aborted).toBe(true);
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    await pass(10_000);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('that sleeps stops at once', async () => {
    const loop = start(async () => NOTHING);
    await pass(10);
    await loop.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('can be started again after it was stopped', async () => {
    const run = vi.fn<LoopDefinition['runOnce']>(async (signal: AbortSignal) => ({
      counts: { aborted: Number(signal.aborted) },
    }));
    const loop = start(run);
    await pass(0);
    await loop.stop();
    loop.start();
    await pass(0);
    expect(run).toHaveBeenCalledTimes(2);
    expect(await run.mock.results[1]?.value).toEqual({ counts: { aborted: 0 } });
  });

  test('that fails is reported and tried again after a pause that doubles up to a minute', async () => {
    let failing = true;
    const failed = vi.fn<NonNullable<LoopObserver['failed']>>();
    const run = vi.fn<LoopDefinition['runOnce']>(async () => {
      if (failing) throw new Error('the server is away');
      return NOTHING;
    });
    start(run, { failed });
    await pass(0);
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const before = run.mock.calls.length;
      await pass(pause - 1);
      expect(run).toHaveBeenCalledTimes(before);
      await pass(1);
      expect(run).toHaveBeenCalledTimes(before + 1);
    }
    expect(failed).toHaveBeenCalledTimes(9);
    expect(failed).toHaveBeenLastCalledWith('test', expect.objectContaining({ message: 'the server is away' }));

    failing = false;
    await pass(60_000);
    failing = true;
    await pass(1_000);
    // One good run forgets the failures before it.
    const before = run.mock.calls.length;
    await pass(1_000);
    expect(run).toHaveBeenCalledTimes(before + 1);
  });

  test('that fails is not woken before its pause is over', async () => {
    const run = vi.fn<LoopDefinition['runOnce']>(() => Promise.reject(new Error('the server is away')));
    const loop = start(run);
    await pass(0);
    for (let ms = 0; ms < 999; ms += 1) {
      loop.wake();
      await pass(1);
    }
    expect(run).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  test('tells its observer what each run counted', async () => {
    const ran = vi.fn<NonNullable<LoopObserver['ran']>>();
    const loop = start(async () => ({ counts: { settled: 3 } }), { ran });
    await pass(0);
    expect(ran).toHaveBeenCalledWith('test', { settled: 3 }, expect.any(Number), true);
    expect(await loop.runOnce()).toEqual({ counts: { settled: 3 } });
    expect(ran).toHaveBeenCalledTimes(2);
  });
});
