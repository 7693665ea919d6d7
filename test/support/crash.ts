// kill -9 of a durable server under load, some times over. Workers pay without pause and write down what they were told;
// what they were not told is asked again by its key. Afterwards the books must hold exactly what was acknowledged.
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPostmaster } from '../../src/db/embedded/postmaster.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { troubles } from './books.ts';
import type { Gate } from './gate.ts';
import { gate } from './gate.ts';

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** Calls that ended in an error, so that nobody knew whether they had happened. */
  readonly unknown: number;
  /** Of those: had happened after all. */
  readonly hadHappened: number;
  /** Everything that is wrong. Empty is what we want. */
  readonly wrong: readonly string[];
}

export interface CrashOptions {
  readonly kills: number;
  /** Acknowledgements to wait for before each kill. */
  readonly every: number;
  readonly workers?: number;
  /** Where its data is, default on the disk. */
  readonly root?: string;
}

interface Order {
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  readonly amount: number;
  readonly idempotencyKey: string;
}

const REFS = ['a', 'b', 'c', 'd'] as const;

export async function surviveKills(options: CrashOptions): Promise<CrashReport> {
  const dataDir = await realpath(await mkdtemp(join(options.root ?? tmpdir(), 'usance-crash-')));
  await chmod(dataDir, 0o755);
  let back = gate();
  back.open();
  const usance = await createEngine({
    dataDir,
    poolSize: options.workers ?? 8,
    onNotice: (line) => {
      if (line.startsWith('PostgreSQL is back')) back.open();
    },
  });
  try {
    const tenant = await usance.createTenant({ name: 'shop' });
    await tenant.createAsset('USD/2');
    for (const ref of REFS) {
      await tenant.openAccount({ ref });
      await tenant.deposit({ account: ref, asset: 'USD', amount: 1_000_000, idempotencyKey: `seed ${ref}` });
    }
    const load = startLoad(tenant, options.workers ?? 8, () => back);
    for (let kill = 0; kill < options.kills; kill += 1) {
      await load.acknowledgements(options.every);
      back = gate();
      const found = await readPostmaster(join(dataDir, 'cluster', 'pgdata'));
      process.kill(found?.pid ?? 0, 'SIGKILL');
      await back.passed;
    }
    await load.acknowledgements(options.every);
    return { kills: options.kills, ...(await reckon(usance, tenant, await load.stop())) };
  } finally {
    await usance.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Told {
  readonly acknowledged: Map<string, { order: Order; transfer: string }>;
  readonly unknown: Order[];
}

function startLoad(tenant: TenantHandle, workers: number, back: () => Gate) {
  const told: Told = { acknowledged: new Map(), unknown: [] };
  const state = { stopping: false, awaited: Infinity, reached: (): void => undefined };
  const worker = async (number: number): Promise<void> => {
    for (let n = 0; !state.stopping; n += 1) {
      const order = orderOf(number, n);
      try {
        const { transfer } = await pay(tenant, order);
        told.acknowledged.set(order.idempotencyKey, { order, transfer });
        if (told.acknowledged.size >= state.awaited) state.reached();
      } catch (error) {
        // Nothing here can be refused: whatever was thrown came from the server's death.
        if (error instanceof Refusal) throw error;
        told.unknown.push(order);
        await back().passed;
      }
    }
  };
  const working = Promise.all(Array.from({ length: workers }, (_, number) => worker(number)));
  return {
    /** Until that many more were acknowledged. */
    acknowledgements: (more: number): Promise<unknown> =>
      Promise.race([
        working,
        new Promise<void>((resolve) => {
          state.awaited = told.acknowledged.size + more;
          state.reached = resolve;
        }),
      ]),
    stop: async (): Promise<Told> => {
      state.stopping = true;
      await working;
      return told;
    },
  };
}

function orderOf(worker: number, n: number): Order {
  const from = n % 3 === 0 ? 'world' : (REFS[(worker + n) % REFS.length] ?? 'a');
  const to = REFS[(worker + n + 1 + (n % 2)) % REFS.length] ?? 'b';
  return { from, to, asset: 'USD', amount: 1 + (n % 7), idempotencyKey: `worker ${worker}, ${n}` };
}

function pay(tenant: TenantHandle, order: Order): Promise<{ transfer: string; replayed: boolean }> {
  return order.from === 'world' ? tenant.deposit({ ...order, account: order.to }) : tenant.transfer(order);
}

async function reckon(usance: Engine, tenant: TenantHandle, told: Told): Promise<Omit<CrashReport, 'kills'>> {
  const wrong: string[] = [];
  let hadHappened = 0;
  const final = new Map(told.acknowledged);
  for (const order of told.unknown) {
    const { transfer, replayed } = await pay(tenant, order);
    if (replayed) hadHappened += 1;
    final.set(order.idempotencyKey, { order, transfer });
  }
  const stored = await usance.db.query('select id from usance.transfers');
  const ids = new Set(stored.map((row) => row['id']));
  for (const [key, { transfer }] of told.acknowledged)
    if (!ids.has(transfer)) wrong.push(`${key} was acknowledged and is lost`);
  if (stored.length !== final.size + REFS.length)
    wrong.push(`${stored.length} transfers, ${final.size + REFS.length} asked for`);
  for (const ref of REFS) {
    let expected = 1_000_000n;
    for (const { order } of final.values()) {
      if (order.from === ref) expected -= BigInt(order.amount);
      if (order.to === ref) expected += BigInt(order.amount);
    }
    const [balance] = await tenant.balances(ref);
    if (balance?.available !== expected) wrong.push(`${ref} has ${balance?.available}, told was ${expected}`);
  }
  wrong.push(...(await troubles(usance)));
  return { acknowledged: told.acknowledged.size, unknown: told.unknown.length, hadHappened, wrong };
}
