// Signals instead of sleeps. A gate is passed when it is opened; a barrier when enough have come to it.
export interface Gate {
  open(): void;
  readonly passed: Promise<void>;
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: () => resolve(), passed: promise };
}

/** Everybody who calls it waits until `count` have; after that nobody waits. */
export function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come === count) resolve();
    return promise;
  };
}
