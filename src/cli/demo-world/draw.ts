// Numbers that look random and are the same in every fill: a repeated step has the same body as the first one, as its idempotency key requires.

export interface Draw {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  /** One of some. */
  of<T>(some: readonly [T, ...T[]]): T;
}

/** mulberry32: 32 bits of state are enough to choose names and amounts. */
export function createDraw(seed: number): Draw {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    of: (some) => some[Math.floor(next() * some.length)] ?? some[0],
  };
}
