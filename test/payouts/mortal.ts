// A worker of payouts that is killed between any two steps or sleeps past its lease. Steps are its statements and its calls to the chain. This
// file also runs in worker processes.
import type { Database, Transaction } from '../../src/db/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { Claimer } from '../../src/payments/index.ts';
import type { Rails } from '../../src/payouts/index.ts';
import { executeBatch, firstChain, watchBatch } from '../../src/payouts/index.ts';
import type { Faults, Rail, Sandbox } from '../../src/rails/index.ts';
import { FEE_ASSET } from '../../src/rails/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';

/** RPC wrong 10 %, drops 30 %, timeouts after broadcast, reorganizations. */
export const CHAOS: Partial<Faults> = {
  drop: 0.3,
  expire: 0.03,
  delay: 0.2,
  delayBlocks: 20,
  reorg: 0.15,
  error: 0.04,
  silent: 0.03,
  silentAfter: 0.08,
  wrong: 0.1,
};

class Killed extends Error {}

/** A generator of numbers from 0 to 1 (mulberry32): a run repeats from its seed, as far as its workers' order does. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Life {
  /** Steps until it is killed: statements and calls to the chain. */
  stepsLeft: number;
  isDead: boolean;
  /** How it ends. Default: the step throws, and so does every later one. */
  readonly die: () => void;
}

const throwKilled = (): never => {
  throw new Killed('killed');
};

export const newLife = (stepsLeft = Infinity, die: () => void = throwKilled): Life => ({
  stepsLeft,
  isDead: false,
  die,
});

/** Before each step: dies at its time, and does nothing at all from then on. */
export function step(life: Life): void {
  life.stepsLeft -= 1;
  if (life.stepsLeft < 0) life.isDead = true;
  if (life.isDead) life.die();
}

/** The rails of one worker: each call is a step before and after it, and may sleep. */
export function mortalRails(
  sandbox: Sandbox,
  life: Life,
  {
    tenantId,
    sleep = () => Promise.resolve(),
  }: { readonly tenantId?: string; readonly sleep?: () => Promise<void> } = {},
): Rails {
  const mortal =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      step(life);
      await sleep();
      step(life);
      const answer = await call(...given);
      step(life);
      return answer;
    };
  const of = (chain: string, owner: string): Rail | null => {
    if (chain !== sandbox.rail.chain || (tenantId !== undefined && owner !== tenantId)) return null;
    const rail = sandbox.railOf(owner);
    return {
      ...rail,
      estimateFee: mortal(rail.estimateFee),
      prepare: mortal(rail.prepare),
      broadcast: mortal(rail.broadcast),
      checkConfirmation: mortal(rail.checkConfirmation),
    };
  };
  return { chains: [sandbox.rail.chain], of };
}

/** Everything that a worker does in one round, with the time handed in. */
export async function workOnce(
  db: Database,
  rails: Rails,
  sandbox: Sandbox,
  readClock: (tx: Transaction) => Promise<Clock>,
  batchSize = 25,
): Promise<number> {
  const claimer = new Claimer({ payouts: true });
  const options = {
    rails,
    chooseRoute: firstChain(rails),
    ownerRules: OWNER_RULES,
    confirmEveryMs: 15_000,
    batchSize,
    concurrency: 4,
    simulateFailures: 0,
    readClock,
    fund: async (rail: Rail, clock: Clock): Promise<void> => {
      await sandbox.endow(clock, rail.wallet, 'USDC', 10n ** 15n);
      await sandbox.endow(clock, rail.wallet, FEE_ASSET.code, 10n ** 15n);
    },
  };
  const claim = (tx: Transaction, clock: Clock) => claimer.claim(tx, clock, batchSize, { thorough: true });
  // More than begin in the same time: what is not watched for a minute expires, and no worker of a real pace leaves it alone for so long.
  const watched = await watchBatch(db, { ...options, batchSize: 4 * batchSize });
  const executed = await executeBatch(db, claim, options);
  return watched.claimed + executed.claimed;
}
