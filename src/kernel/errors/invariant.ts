/** The program is wrong. The message says what was expected to hold. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function invariant(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new BrokenInvariant(`expected ${expectation}`);
}

/** A problem of the machine or its set-up that a person has to solve: one clear line, no stack. */
export class SetupError extends Error {
  /** `SetupError`. */
  override readonly name = 'SetupError';
}
