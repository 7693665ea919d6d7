// A covering array of strength two: few cells that together hold every pair of values which any reachable cell holds. Greedy:
// take a pair that is not covered yet, look at some of the cells that hold it, and keep the one that covers most. The same seed
// gives the same cells.
import type { Cell } from './axes.ts';
import { AXES, valueOf } from './axes.ts';

/** How many cells are looked at for a pair. */
const LOOKED_AT = 40;

export function pairwise(cells: readonly Cell[], seed: number): Cell[] {
  const pairs = new PairIds();
  const pairsOf = cells.map((cell) => pairs.of(cell));
  const holders: number[][] = Array.from({ length: pairs.count }, () => []);
  pairsOf.forEach((ids, index) => ids.forEach((id) => holders[id]?.push(index)));
  const next = generator(seed);
  const open = new Set(holders.keys());
  const chosen: number[] = [];
  for (const [pair, among] of holders.entries()) {
    if (!open.has(pair)) continue;
    let best = -1;
    let most = 0;
    for (let look = 0; look < Math.min(LOOKED_AT, among.length); look += 1) {
      const index = among[Math.floor(next() * among.length)] ?? 0;
      const covers = (pairsOf[index] ?? []).reduce((sum, each) => sum + (open.has(each) ? 1 : 0), 0);
      if (covers > most) [best, most] = [index, covers];
    }
    for (const each of pairsOf[best] ?? []) open.delete(each);
    chosen.push(best);
  }
  return chosen.flatMap((index) => cells[index] ?? []);
}

/** Every two axes with their values, as numbers: there are hundreds of thousands of cells. */
export class PairIds {
  readonly #values = AXES.map(() => new Map<string, number>());
  readonly #ids = new Map<number, number>();

  get count(): number {
    return this.#ids.size;
  }

  of(cell: Cell): number[] {
    const values = AXES.map((axis, index) =>
      numberOf(this.#values[index] ?? new Map<string, number>(), valueOf(cell, axis)),
    );
    return values.flatMap((one, first) =>
      values.slice(first + 1).map((other, between) => {
        const axes = first * AXES.length + first + 1 + between;
        return numberOf(this.#ids, (axes * MOST_VALUES + one) * MOST_VALUES + other);
      }),
    );
  }
}

/** Of one axis. */
const MOST_VALUES = 1_000;

function numberOf<K>(numbers: Map<K, number>, value: K): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
