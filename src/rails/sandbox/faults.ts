// Faults of the simulated chain. A fault is a function of (seed, ordinal, name): a run with one caller repeats exactly, and a failure can be
// shown again from its seed.
import { createHash } from 'node:crypto';

/** Wrong answers that an endpoint can give. */
export const WRONG_ANSWERS = [
  'null_receipt',
  'lagging',
  'already_known',
  'nonce_too_low',
  'future_height',
  'false_final',
] as const;
export type WrongAnswer = (typeof WRONG_ANSWERS)[number];

/** Shares from 0 to 1 unless said otherwise. */
export interface Faults {
  /** An accepted transaction is forgotten by the pool. */
  readonly drop: number;
  /** An accepted transaction stays in the pool until it has expired. */
  readonly expire: number;
  readonly delay: number;
  /** The most that a delay takes, in blocks. */
  readonly delayBlocks: number;
  /** A block that includes the transaction is replaced before it is final. */
  readonly reorg: number;
  /** A call fails before it has an effect. */
  readonly error: number;
  /** A call has no answer and no effect. */
  readonly silent: number;
  /** A call has no answer, but its effect. */
  readonly silentAfter: number;
  /** A call to one of `wrongEndpoints` has a wrong answer. */
  readonly wrong: number;
  readonly wrongAnswers: readonly WrongAnswer[];
  /** Endpoints that may answer wrongly. One of the two at most can be: two that lie together cannot be distinguished from the chain. */
  readonly wrongEndpoints: readonly number[];
  /** The congestion that the chain reports. */
  readonly congestion: number;
}

export const NO_FAULTS: Faults = {
  drop: 0,
  expire: 0,
  delay: 0,
  delayBlocks: 10,
  reorg: 0,
  error: 0,
  silent: 0,
  silentAfter: 0,
  wrong: 0,
  wrongAnswers: WRONG_ANSWERS,
  wrongEndpoints: [1],
  congestion: 0,
};

/** A number from 0 (included) to 1 (excluded). */
export function draw(seed: string, ordinal: bigint, name: string): number {
  const digest = createHash('sha256').update(`${seed}\n${ordinal}\n${name}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

export interface ChainRules {
  readonly seed: string;
  readonly finalityBlocks: number;
  readonly faults: Faults;
}

/** What happens to a submitted transaction, in blocks. */
export interface Fate {
  readonly state: 'pooled' | 'dropped';
  readonly nextHeight: bigint | null;
  readonly reorgHeight: bigint | null;
  readonly relandHeight: bigint | null;
}

const DROPPED: Fate = { state: 'dropped', nextHeight: null, reorgHeight: null, relandHeight: null };

/** `height` is the newest block; the transaction lands in a later one, in `lastValidHeight` at the latest, or never. */
export function decideFate(rules: ChainRules, ordinal: bigint, height: bigint, lastValidHeight: bigint): Fate {
  const { seed, faults, finalityBlocks } = rules;
  const chance = (name: string): number => draw(seed, ordinal, name);
  const blocks = (name: string, most: number): bigint => 1n + BigInt(Math.floor(chance(name) * most));
  if (chance('drop') < faults.drop) return DROPPED;
  const expires: Fate = { ...DROPPED, state: 'pooled', nextHeight: lastValidHeight + 1n };
  if (chance('expire') < faults.expire) return expires;
  const delay = chance('delay') < faults.delay ? blocks('delay blocks', faults.delayBlocks) : 0n;
  const landing = height + 1n + delay;
  if (landing > lastValidHeight) return expires;
  const lands: Fate = { ...expires, nextHeight: landing };
  // A block can be replaced only while it is not final.
  if (finalityBlocks < 2 || chance('reorg') >= faults.reorg) return lands;
  const reorgHeight = landing + blocks('reorg depth', finalityBlocks - 1);
  const again = reorgHeight + blocks('reland', 3);
  return { ...lands, reorgHeight, relandHeight: chance('relands') < 0.5 && again <= lastValidHeight ? again : null };
}

export type CallFault = 'error' | 'silent' | 'silent_after' | WrongAnswer | null;

/** What goes wrong with one call to one endpoint. */
export function decideCall(
  seed: string,
  faults: Faults,
  ordinal: bigint,
  endpoint: number,
  possible: readonly WrongAnswer[],
): CallFault {
  if (draw(seed, ordinal, 'error') < faults.error) return 'error';
  if (draw(seed, ordinal, 'silent') < faults.silent) return 'silent';
  if (draw(seed, ordinal, 'silent after') < faults.silentAfter) return 'silent_after';
  const wrong = faults.wrongAnswers.filter((answer) => possible.includes(answer));
  if (!faults.wrongEndpoints.includes(endpoint) || draw(seed, ordinal, 'wrong') >= faults.wrong) return null;
  return wrong[Math.floor(draw(seed, ordinal, 'wrong answer') * wrong.length)] ?? null;
}

const BASE_FEE_UNITS = 5_000n;

/** The fee of a transaction in a block: it moves between one and three times the base fee. */
export function feeAt(seed: string, height: bigint): bigint {
  // A price that is the same for ten blocks: an estimate is usually right, and sometimes not.
  return BASE_FEE_UNITS + (BASE_FEE_UNITS * BigInt(Math.floor(draw(seed, height / 10n, 'fee') * 200))) / 100n;
}
