// What every bench is: a number it defends, and a run that finds it out.

export interface Bench {
  readonly name: string;
  /** The number it defends, in words. */
  readonly defends: string;
  run(context: BenchContext): Promise<BenchResult>;
}

export interface BenchContext {
  /** Smaller sizes: for trying out, not for quoting. */
  readonly quick: boolean;
  /** Progress, for whoever waits. */
  readonly say: (line: string) => void;
}

export interface BenchResult {
  /** The defended number. */
  readonly ratio: number;
  readonly atLeast: number;
  /** Whatever else must hold, each with whether it does. */
  readonly claims?: Readonly<Record<string, boolean>>;
  /** What was measured: one table, a row each. */
  readonly table: readonly Readonly<Record<string, string | number>>[];
  /** For --json. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What `verify` found, over every database of the bench. */
  readonly troubles: readonly string[];
}

export function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1_000);
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
