// How many executions of one job of a built-in processor a worker runs at the same time.
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import type { Judged } from '../../src/jobs/circuit.ts';
import { Circuit } from '../../src/jobs/circuit.ts';

function open({ concurrency = 100, share = 20 } = {}) {
  let nowMs = 0;
  const circuit = new Circuit({ concurrency, share }, () => nowMs);
  const run = (id: string, judged: 'success' | 'failure' | 'aborted' | 'not_sent'): void => {
    circuit.began(id);
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
    circuit.reserve(id);
    expect([...circuit.choose([id])]).toEqual([]);
  });

  test('follow what the attempt recorded last', async () => {
    const { circuit } = open();
    const id = newId();
    const attached: unknown[] = [];
    const context = { attach: (detail: unknown) => void attached.push(detail) };
    const attempt = (...all: readonly Judged[]) =>
      circuit.run(id, context, async (attach) => {
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
    const chosen = [...circuit.choose([...ids, healthy])];
    expect(chosen).toHaveLength(6);
    expect(chosen).toContain(healthy);
    const granted = chosen.filter((id) => id !== healthy);
    for (const id of granted) {
      expect(circuit.limitOf(id)).toBe(1);
      circuit.reserve(id);
      circuit.began(id);
    }
    pass(101);
    expect([...circuit.choose(ids)]).toEqual([]);
    circuit.ended(granted[0] ?? '', 'failure');
    expect(circuit.choose(ids).size).toBe(1);
  });

  test('are asked about without being granted anything', () => {
    const { circuit, fail } = open({ concurrency: 2 });
    const [one, other] = [newId(), newId()];
    for (const id of [one, other]) fail(id);
    for (let n = 0; n < 3; n += 1) {
      expect([circuit.limitOf(one), circuit.limitOf(other)]).toEqual([1, 1]);
      expect([...circuit.choose([one, other])]).toEqual([one]);
    }
  });

  test('keep a slot that was reserved for the moment until their execution begins', () => {
    const { circuit, fail, pass } = open({ concurrency: 2 });
    const [one, other] = [newId(), newId()];
    for (const id of [one, other]) fail(id);
    circuit.reserve(one);
    expect([...circuit.choose([one, other])]).toEqual([]);
    pass(101);
    expect([...circuit.choose([one, other])]).toEqual([other]);
  });

  test('take turns if there are more of them than slots', () => {
    const { circuit, fail, pass } = open({ concurrency: 100 });
    const ids = Array.from({ length: 120 }, () => newId());
    for (const id of ids) fail(id);
    const served = new Map<string, number>(ids.map((id) => [id, 0]));
    for (let n = 0; n < 12; n += 1) {
      const chosen = circuit.choose(ids);
      expect(chosen.size).toBe(50);
      for (const id of chosen) {
        circuit.reserve(id);
        circuit.began(id);
        circuit.ended(id, 'failure');
        served.set(id, (served.get(id) ?? 0) + 1);
      }
      pass(200);
    }
    expect([...served.values()]).toEqual(ids.map(() => 5));
  });
});

test('what is remembered is bounded, and never loses an execution in flight', () => {
  const { circuit, fail } = open();
  const busy = newId();
  circuit.began(busy);
  const first = newId();
  fail(first, 1);
  for (let n = 0; n < 10_000; n += 1) fail(newId(), 1);
  expect(circuit.limitOf(first)).toBe(4);
  circuit.ended(busy, 'failure');
  expect(circuit.limitOf(busy)).toBe(2);
});
