// Randomness that can be had again: the same seed gives the same choices, on every machine.

export interface Random {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  chance(of: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Of a seed and the number of a request in it: each request can be made alone. */
export function randomOf(seed: number, index: number): Random {
  let state = (seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (of) => next() < of,
    pick(from) {
      const chosen = from[int(from.length)];
      if (chosen === undefined) throw new Error('expected something to pick from');
      return chosen;
    },
  };
}
