// Chaos on the simulated chain: workers that are killed between any two steps or sleep past their lease, endpoints that lie, drop and fall
// silent, blocks that are replaced. Time is handed in, so a run takes seconds and repeats from its seed. Afterwards the chain itself is read.
// Here a worker that is killed throws at its step and never goes on; chaos-processes.ts has processes and SIGKILL.
import type { Database } from '../../src/db/index.ts';
import type { Engine, TenantHandle } from '../../src/engine.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { liveAt } from '../../src/kernel/index.ts';
import type { Rails } from '../../src/payouts/index.ts';
import type { Sandbox } from '../../src/rails/index.ts';
import { troubles } from '../support/books.ts';
import type { Life } from './mortal.ts';
import { CHAOS, mortalRails, newLife, randomOf, step, workOnce } from './mortal.ts';
import { PAYEE, USDC } from './world.ts';

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

export interface Reckoning {
  readonly statuses: Readonly<Record<string, number>>;
  /** Payments with more than one transaction that moved money. */
  readonly twice: number;
  /** Payments whose money moved although they are not settled, or did not although they are. */
  readonly wrongEnd: number;
  /** Money of payments that have not ended, in review too, minus what is reserved of their payer. */
  readonly unheld: bigint;
  /** Chain minus ledger, of amounts and of fees. */
  readonly differences: readonly [amounts: bigint, fees: bigint];
}

export interface ChaosReport extends Reckoning {
  readonly killed: number;
  readonly overslept: number;
  readonly troubles: readonly string[];
}

const AMOUNT = 1_000_000n;
const ENDS: ReadonlySet<string> = new Set(['settled', 'failed', 'cancelled', 'expired']);

/** Payouts of one payer, due at once. */
export async function orderPayouts(tenant: TenantHandle, count: number): Promise<void> {
  await tenant.createAsset(USDC);
  await tenant.openAccount({ ref: 'payer' });
  await tenant.deposit({ account: 'payer', asset: USDC, amount: AMOUNT * BigInt(count), idempotencyKey: 'chaos' });
  for (let made = 0; made < count; made += 1_000) {
    const orders = Array.from({ length: Math.min(1_000, count - made) }, () => ({
      from: 'payer',
      asset: USDC,
      amount: AMOUNT,
      rail: 'sandbox',
      destination: PAYEE,
    }));
    await tenant.createPayments(orders, { idempotencyKey: `chaos ${made}`, atomic: true });
  }
}

interface Worker {
  readonly life: Life;
  readonly db: Database;
  readonly rails: Rails;
  /** Resolves when it falls asleep; never for one that does not. */
  readonly fallsAsleep: Promise<void>;
  isAsleep: boolean;
}

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { usance, tenant, sandbox, pool, payouts, seed, workers = 3, rounds = 40, kills = 0.4 } = options;
  const random = randomOf(seed);
  await orderPayouts(tenant, payouts);
  // In the future of every due row: the virtual clock begins now.
  let now = Date.now() + 1_000;
  const clock = (): Clock => liveAt(new Date(now));
  const readClock = (): Promise<Clock> => Promise.resolve(clock());
  let [killed, overslept, isChaos] = [0, 0, true];
  const sleepers: (() => void)[] = [];
  const gone: Promise<unknown>[] = [];
  const crew: (Worker | undefined)[] = [];

  const hire = (): Worker => {
    const life = newLife();
    const asleep = Promise.withResolvers<void>();
    const sleep = async (): Promise<void> => {
      if (!isChaos || random() > 0.003) return;
      overslept += 1;
      worker.isAsleep = true;
      asleep.resolve();
      await new Promise<void>((resolve) => sleepers.push(resolve));
    };
    const rails = mortalRails(sandbox, life, { sleep });
    const worker: Worker = { life, db: pool(() => step(life)), rails, fallsAsleep: asleep.promise, isAsleep: false };
    return worker;
  };
  /** One that is dead or asleep is replaced; the one that sleeps goes on when it wakes up. */
  const inRound = async (place: number): Promise<void> => {
    const worker = crew[place] ?? hire();
    crew[place] = worker;
    const { life, db, rails } = worker;
    life.stepsLeft = isChaos && random() < kills ? Math.floor(random() * 45) : Infinity;
    const working = workOnce(db, rails, sandbox, readClock).catch((error: unknown) => {
      if (!life.isDead) throw error;
    });
    await Promise.race([working, worker.fallsAsleep]);
    if (life.isDead) killed += 1;
    if (life.isDead || worker.isAsleep) {
      crew[place] = undefined;
      gone.push(working.finally(() => db.close()));
    }
  };
  const round = (): Promise<unknown> => Promise.all(Array.from({ length: workers }, (_, place) => inRound(place)));

  await sandbox.setFaults(clock(), CHAOS);
  for (let n = 0; n < rounds; n += 1) {
    await round();
    now += 1_000 + Math.floor(random() * 5_000);
    // Past every lease: those who slept go on with what they held.
    if (n % 15 === 14) {
      now += 61_000;
      await round();
      for (const wake of sleepers.splice(0)) wake();
    }
  }
  isChaos = false;
  for (const wake of sleepers.splice(0)) wake();
  await Promise.all(gone.splice(0));
  await sandbox.setFaults(clock(), {});
  // The faults have stopped: until nothing is left to do, for half an hour at most.
  for (let n = 0; n < 180 && (await openWork(usance.db)) > 0; n += 1) {
    await round();
    now += 10_000;
  }
  for (const worker of crew) await worker?.db.close();
  await Promise.all(gone);
  return { killed, overslept, ...(await reckon(usance, tenant, sandbox, clock())), troubles: await troubles(usance) };
}

/** Payouts that wait for a worker, and attempts whose chain has not decided. */
export async function openWork(db: Database): Promise<number> {
  const [row] = await db.query(
    `select (select count(*) from usance.payout_attempts where ended_at is null)
          + (select count(*) from usance.due where rail <> 'ledger') as n`,
  );
  return Number(row?.['n']);
}

/** Reads the chain, and compares it with the payments and with the books. */
export async function reckon(usance: Engine, tenant: TenantHandle, sandbox: Sandbox, clock: Clock): Promise<Reckoning> {
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
  const open = Object.entries(statuses).reduce((sum, [status, n]) => sum + (ENDS.has(status) ? 0 : n), 0);
  const [payer] = await usance.db.query(
    `select b.reserved::text as reserved from usance.balances b join usance.accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
     where a.tenant_id = $1::uuid and a.ref = 'payer' and b.asset = $2::text`,
    [tenant.id, USDC],
  );
  return {
    statuses,
    unheld: AMOUNT * BigInt(open) - BigInt(String(payer?.['reserved'])),
    twice: [...paid.values()].filter((times) => times > 1).length,
    wrongEnd,
    differences: [amounts - BigInt(String(ledger?.['amounts'])), fees - BigInt(String(ledger?.['fees']))],
  };
}
