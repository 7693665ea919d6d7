// How many executions of one job of a built-in processor a worker runs at the same time.
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import type { Judged } from '../../src/jobs/circuit.ts';
import type { Waiting } from '../../src/jobs/claim.ts';
import { Circuit } from '../../src/jobs/circuit.ts';
import { Shares } from '../../src/jobs/shares.ts';

/** Of a tenant of its own, unless a test says otherwise. */
const jobOf = (jobId: string) => ({ tenantId: jobId, jobId });

function open({ concurrency = 100, share = 20 } = {}) {
  let nowMs = 0;
  const circuit = new Circuit({ concurrency, share }, () => nowMs);
  const run = (id: string, judged: 'success' | 'failure' | 'aborted' | 'not_sent'): void => {
    circuit.began(jobOf(id));
    circuit.ended(id, judged);
  };
  const fail = (id: string, times = 5): void => {
    for (let n = 0; n < times; n += 1) run(id, 'failure');
  };
  return { circuit, run, fail, pass: (ms: number) => void (nowMs += ms) };
}

describe('the slots of a job', () => {
  test('begin at four, grow by one with each success, and end at its share', () => {
    const { circuit, run } = open();
    const id = newId();
    const seen = Array.from({ length: 20 }, () => {
      const limit = circuit.limitOf(id);
      run(id, 'success');
      return limit;
    });
    expect(seen.slice(0, 4)).toEqual([4, 5, 6, 7]);
    expect(seen.at(-1)).toBe(20);
    expect(circuit.limitOf(id)).toBe(20);
  });

  test('are never more than the share, also of a small worker', () => {
    const { circuit, run } = open({ concurrency: 2, share: 1 });
    const id = newId();
    expect(circuit.limitOf(id)).toBe(1);
    for (let n = 0; n < 10; n += 1) run(id, 'success');
    expect(circuit.limitOf(id)).toBe(1);
  });

  test('are halved by each failure, and one after five in a row', () => {
    const { circuit, run, fail } = open();
    const id = newId();
    for (let n = 0; n < 20; n += 1) run(id, 'success');
    const seen = Array.from({ length: 5 }, () => {
      fail(id, 1);
      return circuit.limitOf(id);
    });
    expect(seen).toEqual([10, 5, 2, 1, 1]);
    run(id, 'success');
    expect(circuit.limitOf(id)).toBe(2);
  });

  test.each(['aborted', 'not_sent'] as const)('stay as they are after an attempt that was %s', (judged) => {
    const { circuit, run, fail } = open();
    const id = newId();
    fail(id, 4);
    run(id, judged);
    expect(circuit.limitOf(id)).toBe(1);
    // The fifth failure in a row, and not the first after a success.
    fail(id, 1);
    circuit.reserve(jobOf(id));
    expect([...circuit.choose([jobOf(id)])]).toEqual([]);
  });

  test('follow what the attempt recorded last', async () => {
    const { circuit } = open();
    const id = newId();
    const attached: unknown[] = [];
    const context = { attach: (detail: unknown) => void attached.push(detail) };
    const attempt = (...all: readonly Judged[]) =>
      circuit.run(jobOf(id), context, async (attach) => {
        for (const judged of all) attach({ judged });
        if (all.at(-1) !== 'success') throw new Error('it failed');
      });
    await attempt('aborted', 'success');
    expect(circuit.limitOf(id)).toBe(5);
    await expect(attempt('aborted')).rejects.toThrow('it failed');
    expect(circuit.limitOf(id)).toBe(5);
    await expect(attempt('aborted', 'failure')).rejects.toThrow('it failed');
    expect(circuit.limitOf(id)).toBe(2);
    await expect(attempt()).rejects.toThrow('it failed');
    expect(circuit.limitOf(id)).toBe(2);
    expect(attached).toHaveLength(5);
  });
});

describe('failing jobs', () => {
  test('have half of the worker together, one slot each, and the others are not counted', () => {
    const { circuit, fail, pass } = open({ concurrency: 10 });
    const ids = Array.from({ length: 8 }, () => newId());
    for (const id of ids) fail(id);
    const healthy = newId();
    const chosen = [...circuit.choose([...ids, healthy].map(jobOf))];
    expect(chosen).toHaveLength(6);
    expect(chosen).toContain(healthy);
    const granted = chosen.filter((id) => id !== healthy);
    for (const id of granted) {
      expect(circuit.limitOf(id)).toBe(1);
      circuit.reserve(jobOf(id));
      circuit.began(jobOf(id));
    }
    pass(101);
    expect([...circuit.choose(ids.map(jobOf))]).toEqual([]);
    circuit.ended(granted[0] ?? '', 'failure');
    expect(circuit.choose(ids.map(jobOf)).size).toBe(1);
  });

  test('are asked about without being granted anything', () => {
    const { circuit, fail } = open({ concurrency: 2 });
    const [one, other] = [newId(), newId()];
    for (const id of [one, other]) fail(id);
    for (let n = 0; n < 3; n += 1) {
      expect([circuit.limitOf(one), circuit.limitOf(other)]).toEqual([1, 1]);
      expect([...circuit.choose([one, other].map(jobOf))]).toEqual([one]);
    }
  });

  test('keep a slot that was reserved for the moment until their execution begins', () => {
    const { circuit, fail, pass } = open({ concurrency: 2 });
    const [one, other] = [newId(), newId()];
    for (const id of [one, other]) fail(id);
    circuit.reserve(jobOf(one));
    expect([...circuit.choose([one, other].map(jobOf))]).toEqual([]);
    pass(101);
    expect([...circuit.choose([one, other].map(jobOf))]).toEqual([other]);
  });

  test('take turns if there are more of them than slots', () => {
    const { circuit, fail, pass } = open({ concurrency: 100 });
    const ids = Array.from({ length: 120 }, () => newId());
    for (const id of ids) fail(id);
    const served = new Map<string, number>(ids.map((id) => [id, 0]));
    for (let n = 0; n < 12; n += 1) {
      const chosen = circuit.choose(ids.map(jobOf));
      expect(chosen.size).toBe(50);
      for (const id of chosen) {
        circuit.reserve(jobOf(id));
        circuit.began(jobOf(id));
        circuit.ended(id, 'failure');
        served.set(id, (served.get(id) ?? 0) + 1);
      }
      pass(200);
    }
    expect([...served.values()]).toEqual(ids.map(() => 5));
  });
});

describe('failing jobs of several tenants', () => {
  test('of one tenant have half of the slots, and one of another tenant gets the next', () => {
    const { circuit, fail, pass } = open({ concurrency: 40 });
    const hostile = Array.from({ length: 300 }, () => ({ tenantId: 'a', jobId: newId() }));
    const victim = { tenantId: 'b', jobId: newId() };
    for (const { jobId } of [...hostile, victim]) fail(jobId);
    // It was served just now, and every other one longer ago or never.
    circuit.reserve(victim);
    circuit.began(victim);
    circuit.ended(victim.jobId, 'failure');
    const chosen = circuit.choose([...hostile, victim]);
    expect(chosen.size).toBe(11);
    expect(chosen).toContain(victim.jobId);
    for (const job of hostile.filter(({ jobId }) => chosen.has(jobId))) {
      circuit.reserve(job);
      circuit.began(job);
    }
    pass(200);
    expect([...circuit.choose([...hostile, victim])]).toEqual([victim.jobId]);
  });

  test('give the next slot to the tenant that uses the fewest', () => {
    const { circuit, fail } = open({ concurrency: 8 });
    const jobs = ['a', 'b', 'c', 'd'].flatMap((tenantId) =>
      Array.from({ length: 5 }, () => ({ tenantId, jobId: newId() })),
    );
    for (const { jobId } of jobs) fail(jobId);
    const chosen = circuit.choose(jobs);
    expect(jobs.filter(({ jobId }) => chosen.has(jobId)).map(({ tenantId }) => tenantId)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('that hang delay one that recovers by one attempt, however many there are of them', () => {
    const { circuit } = open();
    const shares = new Shares();
    const hostile = ['a', 'c', 'd'].flatMap((tenantId) =>
      Array.from({ length: 200 }, (_, n) => ({ tenantId, jobId: `${tenantId}${String(n).padStart(3, '0')}` })),
    );
    const victim = { tenantId: 'b', jobId: 'b' };
    const jobs = [...hostile, victim];
    for (let n = 0; n < 5 * jobs.length; n += 1) {
      const job = jobs[n % jobs.length] ?? victim;
      circuit.began(job);
      circuit.ended(job.jobId, 'failure');
    }
    let running: { readonly job: (typeof jobs)[number]; readonly endsAt: number }[] = [];
    const begun = new Map<string, number[]>();
    for (let now = 0; now <= 600_000; now += 100) {
      for (const { job } of running.filter(({ endsAt }) => endsAt <= now)) circuit.ended(job.jobId, 'failure');
      running = running.filter(({ endsAt }) => endsAt > now);
      const free = 100 - running.length;
      const chosen = circuit.choose(jobs);
      const open = jobs
        .filter(({ jobId }) => chosen.has(jobId))
        .map((job) => ({ ...job, maxPerSecond: null, maxConcurrency: null }));
      for (const { job } of shares.share(
        open as unknown as readonly Waiting[],
        free,
        () => Infinity,
        () => 1,
      )) {
        const one = { tenantId: job.tenantId, jobId: job.jobId };
        circuit.reserve(one);
        circuit.began(one);
        running.push({ job: one, endsAt: now + (one === victim || one.jobId === 'b' ? 100 : 10_000) });
        begun.set(one.jobId, [...(begun.get(one.jobId) ?? []), now]);
      }
      expect(running.length).toBeLessThanOrEqual(50);
    }
    const turns = begun.get('b') ?? [];
    const waits = turns.slice(1).map((at, index) => at - (turns[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_100);
    // The hanging ones take turns too.
    expect(hostile.filter(({ jobId }) => !begun.has(jobId))).toEqual([]);
  });
});

test('what is remembered is bounded, and never loses an execution in flight', () => {
  const { circuit, fail } = open();
  const busy = newId();
  circuit.began(jobOf(busy));
  const first = newId();
  fail(first, 1);
  for (let n = 0; n < 10_000; n += 1) fail(newId(), 1);
  expect(circuit.limitOf(first)).toBe(4);
  circuit.ended(busy, 'failure');
  expect(circuit.limitOf(busy)).toBe(2);
});

test('a success after more than two seconds counts like a failure', async () => {
  const { circuit, pass } = open();
  const id = newId();
  const succeed = (ms: number): Promise<void> =>
    circuit.run(jobOf(id), { attach: () => undefined }, async (attach) => {
      pass(ms);
      attach({ judged: 'success' });
    });
  for (let n = 0; n < 20; n += 1) await succeed(100);
  expect(circuit.limitOf(id)).toBe(20);
  for (let n = 0; n < 5; n += 1) await succeed(9_500);
  expect(circuit.limitOf(id)).toBe(1);
  await succeed(100);
  expect(circuit.limitOf(id)).toBeGreaterThan(0);
});
