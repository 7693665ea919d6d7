// How many deliveries of one endpoint a worker sends at the same time.
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import { Circuit } from '../../src/webhooks/circuit.ts';

function open({ concurrency = 100, share = 20 } = {}) {
  let nowMs = 0;
  const circuit = new Circuit({ concurrency, share }, () => nowMs);
  const run = (id: string, outcome: 'success' | 'failure' | 'none'): void => {
    circuit.began(id);
    circuit.ended(id, outcome);
  };
  const fail = (id: string, times = 5): void => {
    for (let n = 0; n < times; n += 1) run(id, 'failure');
  };
  return { circuit, run, fail, pass: (ms: number) => void (nowMs += ms) };
}

describe('the slots of an endpoint', () => {
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

  test('stay as they are after an attempt that says nothing', () => {
    const { circuit, run, fail } = open();
    const id = newId();
    fail(id, 1);
    const before = circuit.limitOf(id);
    run(id, 'none');
    expect(circuit.limitOf(id)).toBe(before);
  });
});

describe('failing endpoints', () => {
  test('have half of the worker together, one slot each', () => {
    const { circuit, fail, pass } = open({ concurrency: 10 });
    const ids = Array.from({ length: 8 }, () => newId());
    for (const id of ids) fail(id);
    const granted = ids.filter((id) => {
      const limit = circuit.limitOf(id);
      expect(limit).toBeLessThanOrEqual(1);
      if (limit === 1) circuit.began(id);
      return limit === 1;
    });
    expect(granted).toHaveLength(5);
    expect(circuit.limitOf(newId())).toBe(4);
    pass(101);
    circuit.ended(granted[0] ?? '', 'failure');
    const other = ids.find((id) => !granted.includes(id)) ?? '';
    expect(circuit.limitOf(other)).toBe(1);
  });

  test('keep a slot that was granted for the moment until their delivery begins', () => {
    const { circuit, fail, pass } = open({ concurrency: 2 });
    const [one, other] = [newId(), newId()];
    for (const id of [one, other]) fail(id);
    expect(circuit.limitOf(one)).toBe(1);
    expect(circuit.limitOf(other)).toBe(0);
    pass(101);
    expect(circuit.limitOf(other)).toBe(1);
  });
});

test('an endpoint whose secret cannot be decrypted rests for half a minute', () => {
  const { circuit, pass } = open();
  const id = newId();
  circuit.setAside(id);
  expect(circuit.limitOf(id)).toBe(0);
  pass(30_000);
  expect(circuit.limitOf(id)).toBe(4);
});

test('what is remembered is bounded, and never loses a delivery in flight', () => {
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
