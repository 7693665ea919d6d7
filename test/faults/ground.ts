// What every scenario starts from: a tenant with two assets and a few accounts, some of them with money.
import type { Database } from '../../src/db/index.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';
import type { Program } from './victim.ts';

export interface Ground {
  readonly usance: Engine;
  readonly tenant: TenantHandle;
  readonly owner: Database;
}

export interface Act {
  /** The thing that is interrupted. */
  act(engine: Program): Promise<unknown>;
  /** What its caller does who does not know whether it was done. Left out: the same again, under the same key. */
  again?(engine: Program): Promise<unknown>;
  /** Puts right what was made wrong on purpose, before the books are verified. */
  mend?(): Promise<unknown>;
}

export type LoopName = 'processor' | 'scheduler' | 'integrity' | 'clocks' | 'forecast' | 'matcher' | 'rescuer';

export interface Scenario {
  /** The methods of a tenant's handle that this interrupts. */
  readonly verbs?: readonly (keyof TenantHandle)[];
  /** The loop that does it, where it is not a caller: it must go on by itself. */
  readonly loop?: LoopName;
  /** The events that it appends when nothing happens to it: that the scenario is what it says. */
  readonly tells?: Readonly<Record<string, number>>;
  /** Looks up by itself what became of a COMMIT without an answer, and does it again. */
  readonly resumes?: boolean;
  /** Waits for locks, or moves much: all points in the proof only. */
  readonly slow?: boolean;
  prepare(ground: Ground): Promise<Act>;
}

export async function prepareGround(usance: Engine, owner: Database): Promise<Ground> {
  const tenant = await usance.createTenant({ name: 'shop' });
  for (const asset of ['USD/2', 'EUR/2']) await tenant.createAsset(asset);
  for (const ref of ['ann', 'ben', 'cem', 'dia', 'poor']) await tenant.openAccount({ ref });
  await fund(tenant, 'ann', 1_000);
  await fund(tenant, 'ben', 1_000);
  await fund(tenant, 'ann', 1_000, 'EUR');
  return { usance, tenant, owner };
}

export async function fund(tenant: TenantHandle, account: string, amount: number, asset = 'USD'): Promise<void> {
  await tenant.deposit({ account, asset, amount, idempotencyKey: `fund ${account} ${asset} ${amount}` });
}

export async function runLoop({ usance }: Program | Ground, name: LoopName): Promise<void> {
  await usance.loops.find((loop) => loop.name === name)?.runOnce();
}
