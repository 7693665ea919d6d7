// The shape of every bench: the numbers it defends, and a run that measures them.

export interface Bench {
  readonly name: string;
  /** The number it defends, in words. */
  readonly defends: string;
  /** It also measures graphile-worker. */
  readonly hasPeers?: boolean;
  run(context: BenchContext): Promise<BenchResult>;
}

/** `quick`: for trying out, not for quoting. `smoke`: only shows that the bench still runs. */
export type Size = 'full' | 'quick' | 'smoke';

export interface BenchContext {
  readonly size: Size;
  /** False: only usance is measured, for a comparison of two commits. */
  readonly peers: boolean;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}

export interface BenchResult {
  /** The defended number; null if its peer was left out. */
  readonly ratio: number | null;
  readonly atLeast: number;
  /** More numbers: those with a bound are defended, the others are for information. */
  readonly claims?: readonly Claim[];
  /** Everything measured: one table. */
  readonly table: readonly Readonly<Record<string, string | number>>[];
  /** The other program that was measured, with its version and settings. */
  readonly peer?: string;
  /** For --json. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The findings of `verify`, over every database of the bench. */
  readonly troubles: readonly string[];
}

export interface Claim {
  readonly what: string;
  readonly is: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function claimHolds({ is, atLeast, atMost }: Claim): boolean {
  // Written so that NaN does not hold.
  return (atLeast === undefined || is >= atLeast) && (atMost === undefined || is <= atMost);
}

/** `at least 2.6`, `at most 1.2`, or nothing for a number without a bound. */
export function boundOf({ atLeast, atMost }: Claim): string {
  if (atLeast !== undefined) return `at least ${atLeast}`;
  return atMost === undefined ? '' : `at most ${atMost}`;
}

/** The defended number and the other claims, in one list. */
export function claimsOf(defends: string, { ratio, atLeast, claims = [] }: BenchResult): readonly Claim[] {
  return ratio === null ? claims : [{ what: defends, is: ratio, atLeast }, ...claims];
}

export function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1_000);
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
