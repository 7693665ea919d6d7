// Chaos on the simulated chain: workers that are killed between any two steps or sleep past their lease, endpoints that lie, drop and fall
// silent, blocks that are replaced. Time is handed in, so a run takes seconds and repeats from its seed. Afterwards the chain itself is read.
import type { Database, Transaction } from '../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { liveAt } from '../../src/kernel/index.ts';
import { Claimer } from '../../src/payments/index.ts';
import type { Rails } from '../../src/payouts/index.ts';
import { executeBatch, firstChain, watchBatch } from '../../src/payouts/index.ts';
import type { Faults, Rail, Sandbox } from '../../src/rails/index.ts';
import { FEE_ASSET } from '../../src/rails/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { troubles } from '../support/books.ts';
import { PAYEE, USDC } from './world.ts';

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

export interface ChaosOptions {
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly sandbox: Sandbox;
  /** A connection pool of its own for each worker; every statement goes through the hook. */
  readonly pool: (onStatement: () => void) => Database;
  readonly payouts: number;
  readonly seed: number;
  readonly workers?: number;
  /** Rounds with faults, of a few seconds of virtual time each. */
  readonly rounds?: number;
  /** Share of worker rounds that are killed at a random step. */
  readonly kills?: number;
}

export interface ChaosReport {
  readonly killed: number;
  readonly overslept: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Payments with more than one transaction that moved money. */
  readonly twice: number;
  /** Payments whose money moved although they are not settled, or did not although they are. */
  readonly wrongEnd: number;
  /** Chain minus ledger, of amounts and of fees. */
  readonly differences: readonly [amounts: bigint, fees: bigint];
  readonly troubles: readonly string[];
}

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
  steps: number;
  isDead: boolean;
}

export const newLife = (stepsLeft = Infinity): Life => ({ stepsLeft, steps: 0, isDead: false });

/** Before each step: dies at its time, and does nothing at all from then on. */
export function step(life: Life): void {
  life.steps += 1;
  life.stepsLeft -= 1;
  if (life.stepsLeft < 0) life.isDead = true;
  if (life.isDead) throw new Killed('killed');
}

/** The rails of one worker: each call is a step before and after it, and may sleep. */
export function mortalRails(
  sandbox: Sandbox,
  life: Life,
  { tenantId, sleep = () => Promise.resolve() }: { readonly tenantId?: string; readonly sleep?: () => Promise<void> } = {},
): Rails {
  const mortal = <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
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
  const watched = await watchBatch(db, options);
  const executed = await executeBatch(db, claim, options);
  return watched.claimed + executed.claimed;
}

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { usance, tenant, sandbox, pool, payouts, seed, workers = 3, rounds = 40, kills = 0.4 } = options;
  const random = randomOf(seed);
  const amount = 1_000_000n;
  await tenant.createAsset(USDC);
  await tenant.openAccount({ ref: 'payer' });
  await tenant.deposit({ account: 'payer', asset: USDC, amount: amount * BigInt(payouts), idempotencyKey: 'chaos' });
  for (let made = 0; made < payouts; made += 1_000) {
    const orders = Array.from({ length: Math.min(1_000, payouts - made) }, () => ({
      from: 'payer',
      asset: USDC,
      amount,
      rail: 'sandbox',
      destination: PAYEE,
    }));
    await tenant.createPayments(orders, { idempotencyKey: `chaos ${made}`, atomic: true });
  }
  // In the future of every due row: the virtual clock begins now.
  let now = Date.now() + 1_000;
  const clock = (): Clock => liveAt(new Date(now));
  const readClock = (): Promise<Clock> => Promise.resolve(clock());
  let [killed, overslept] = [0, 0];
  const sleepers: (() => void)[] = [];
  const asleep: Promise<unknown>[] = [];

  const round = async (isChaos: boolean): Promise<number> => {
    const lives = Array.from({ length: workers }, () => newLife(isChaos && random() < kills ? Math.floor(random() * 45) : Infinity));
    const work = await Promise.all(
      lives.map(async (life) => {
        const db = pool(() => step(life));
        let fellAsleep: () => void = () => undefined;
        const isAsleep = new Promise<number>((resolve) => (fellAsleep = () => resolve(1)));
        const sleep = async (): Promise<void> => {
          if (!isChaos || random() > 0.003) return;
          overslept += 1;
          fellAsleep();
          await new Promise<void>((resolve) => sleepers.push(resolve));
        };
        const working = workOnce(db, mortalRails(sandbox, life, { sleep }), sandbox, readClock)
          .catch((error: unknown) => {
            if (!life.isDead) throw error;
            return 1;
          })
          .finally(() => db.close());
        asleep.push(working);
        const done = await Promise.race([working, isAsleep]);
        if (life.isDead) killed += 1;
        return done;
      }),
    );
    return work.reduce((sum, one) => sum + one, 0);
  };

  await sandbox.setFaults(clock(), CHAOS);
  for (let n = 0; n < rounds; n += 1) {
    await round(true);
    now += 1_000 + Math.floor(random() * 5_000);
    // Past every lease: those who slept go on with what they held.
    if (n % 15 === 14) {
      now += 61_000;
      await round(true);
      for (const wake of sleepers.splice(0)) wake();
    }
  }
  for (const wake of sleepers.splice(0)) wake();
  await Promise.all(asleep);
  await sandbox.setFaults(clock(), {});
  // The faults have stopped: until nothing of it moves any more, for half an hour at most.
  for (let quiet = 0, n = 0; n < 400 && quiet < 5; n += 1) {
    quiet = (await round(false)) === 0 && (await liveAttempts(usance.db)) === 0 ? quiet + 1 : 0;
    now += 5_000;
  }
  return { killed, overslept, ...(await reckon(usance, tenant, sandbox, clock())), troubles: await troubles(usance) };
}

async function liveAttempts(db: Database): Promise<number> {
  const [row] = await db.query(
    `select (select count(*) from usance.payout_attempts where ended_at is null)
          + (select count(*) from usance.due where rail <> 'ledger') as n`,
  );
  return Number(row?.['n']);
}

/** Reads the chain, and compares it with the payments and with the books. */
async function reckon(
  usance: Engine,
  tenant: TenantHandle,
  sandbox: Sandbox,
  clock: Clock,
): Promise<Pick<ChaosReport, 'statuses' | 'twice' | 'wrongEnd' | 'differences'>> {
  const landed = (await sandbox.landed(clock)).filter(({ sender }) => sender === sandbox.railOf(tenant.id).wallet);
  const paid = new Map<string, number>();
  let [amounts, fees] = [0n, 0n];
  for (const one of landed) {
    fees += one.fee ?? 0n;
    if (one.state !== 'included') continue;
    amounts += one.units;
    const [payment = ''] = one.memo.split('.');
    paid.set(payment, (paid.get(payment) ?? 0) + 1);
  }
  const payments = await usance.db.query(
    `select id, status from usance.payments where tenant_id = $1::uuid and rail <> 'ledger'`,
    [tenant.id],
  );
  const statuses: Record<string, number> = {};
  let wrongEnd = 0;
  for (const { id, status } of payments) {
    statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
    if ((status === 'settled') !== paid.has(String(id))) wrongEnd += 1;
  }
  const [ledger] = await usance.db.query(
    `select coalesce(sum(amount) filter (where kind = 'chain_outflow'), 0)::text as amounts,
            coalesce(sum(amount) filter (where kind = 'chain_fee'), 0)::text as fees
     from usance.transfers where tenant_id = $1::uuid`,
    [tenant.id],
  );
  return {
    statuses,
    twice: [...paid.values()].filter((times) => times > 1).length,
    wrongEnd,
    differences: [amounts - BigInt(String(ledger?.['amounts'])), fees - BigInt(String(ledger?.['fees']))],
  };
}
