// Runs of many schedules in the order of their instants. Each schedule is asked for its next run only when that may be among
// those that are wanted: a thousand schedules of every minute cost as much as one. The process answers others meanwhile.
import { setImmediate as letOthersRun } from 'node:timers/promises';

/** How long one stretch of computing may keep the event loop. */
const STRETCH_MS = 5;

interface Head<T> {
  readonly value: T;
  readonly rest: Iterator<T>;
}

/** Takes from sequences, each of which ascends by `at`, the `most` that come first. Those of one instant keep the order of their sequences. */
export async function soonest<T extends { readonly at: number }>(
  sequences: Iterable<Iterator<T>>,
  most: number,
): Promise<T[]> {
  const heap: (Head<T> & { readonly place: number })[] = [];
  const before = (a: number, b: number): boolean => {
    const [x, y] = [heap[a], heap[b]];
    return x !== undefined && y !== undefined && (x.value.at - y.value.at || x.place - y.place) < 0;
  };
  const swap = (a: number, b: number): void => {
    const [x, y] = [heap[a], heap[b]];
    if (x && y) [heap[a], heap[b]] = [y, x];
  };
  const rise = (start: number): void => {
    for (let at = start; at > 0 && before(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = before(right, left) ? right : left;
      if (!before(least, at)) return;
      swap(least, at);
      at = least;
    }
  };
  let begunMs = performance.now();
  const breathe = async (): Promise<void> => {
    if (performance.now() - begunMs < STRETCH_MS) return;
    await letOthersRun();
    begunMs = performance.now();
  };

  let place = 0;
  for (const rest of sequences) {
    const { done, value } = rest.next();
    if (!done) {
      heap.push({ value, rest, place: (place += 1) });
      rise(heap.length - 1);
    }
    await breathe();
  }
  const found: T[] = [];
  while (found.length < most) {
    const [first] = heap;
    if (!first) break;
    found.push(first.value);
    const { done, value } = first.rest.next();
    if (!done) heap[0] = { ...first, value };
    else {
      const last = heap.pop();
      if (last && heap.length > 0) heap[0] = last;
    }
    sink();
    await breathe();
  }
  return found;
}
