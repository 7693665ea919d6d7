// What two callers can do to one row at the same time: per noun the states that a row can start in, the verbs, and in which of
// those states each verb is tried.
import type { Database } from '../../src/db/index.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';

/** One side of a pair: an engine of its own, and the handles of two people on it. */
export interface Side {
  readonly usance: Engine;
  /** A key of its own: two callers do not share one. */
  key(name: string): { readonly idempotencyKey: string };
  readonly jo: TenantHandle;
  readonly kim: TenantHandle;
}

export interface Stage extends Side {
  readonly owner: Database;
}

/** The ids of the rows that the verbs are about. */
export type Rows = Readonly<Record<string, string>>;

export interface Verb {
  /** The starts that it is tried in: those that accept it, and those whose next change decides. */
  readonly in: readonly string[];
  /** The loop that does it: it comes again by itself, so it is run once more at the end. */
  readonly loop?: 'processor' | 'scheduler';
  act(side: Side, rows: Rows): Promise<unknown>;
}

export interface Noun {
  readonly starts: Readonly<Record<string, (stage: Stage) => Promise<Rows>>>;
  readonly verbs: Readonly<Record<string, Verb>>;
}

export async function runLoop({ usance }: Side, name: string): Promise<void> {
  await usance.loops.find((loop) => loop.name === name)?.runOnce();
}

/** Before every start: money and people. */
export async function prepare({ jo }: Stage): Promise<void> {
  await jo.createAsset('USD/2');
  for (const ref of ['ann', 'ben', 'cem', 'poor']) await jo.openAccount({ ref });
  for (const account of ['ann', 'ben'])
    await jo.deposit({ account, asset: 'USD', amount: 1_000, idempotencyKey: `seed ${account}` });
}

/** What only time can do, done by hand: the triggers that forbid it are off meanwhile. */
export async function shift(owner: Database, statement: string): Promise<void> {
  await owner.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
}

/** A retry that would fall due while the pairs run is put off, so that every run starts from the same state. */
export async function putOffRetry(owner: Database, payment: string): Promise<void> {
  await shift(owner, `update usance.due set due_at = due_at + interval '1 day' where payment_id = '${payment}'`);
}
