// One worker of payouts under chaos, as a process: before one of its steps it kills itself with SIGKILL. The time is that of the table that
// chaos-processes.ts makes, so that every worker has the same.
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/db/index.ts';
import { asBoolean, asDate, createPool, only } from '../../src/db/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import { describeError, liveAt } from '../../src/kernel/index.ts';
import type { SandboxOptions } from '../../src/rails/index.ts';
import { openSandbox } from '../../src/rails/index.ts';
import { mortalRails, newLife, randomOf, step, workOnce } from './mortal.ts';

export interface WorkerOrder {
  readonly url: string;
  readonly sandbox: Omit<SandboxOptions, 'url' | 'production'>;
  readonly seed: number;
  /** Steps until it is killed, as long as there is chaos. */
  readonly steps: number;
  readonly batchSize: number;
}

export type WorkerNews =
  | { readonly is: 'worked' }
  | { readonly is: 'overslept' }
  /** Work that threw, which a loop of usance does again later. */
  | { readonly is: 'threw'; readonly error: string };

const SLEEP_MS = 61_000;

const { url, sandbox: settings, seed, steps, batchSize } = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder;
const tell = (news: WorkerNews): void => void process.send?.(news);
const random = randomOf(seed);
const life = newLife(steps, () => process.kill(process.pid, 'SIGKILL'));
const db = createPool({ url, onStatement: () => step(life), maxConnections: 3 });
const watch = createPool({ url, maxConnections: 1 });
const sandbox = openSandbox({ url, production: false, ...settings });

interface Time {
  readonly now: Date;
  /** The faults have stopped. */
  readonly isCalm: boolean;
}

async function read(sql: Sql): Promise<Time> {
  const row = only(await sql.query('select now, is_calm from chaos.clock'));
  const isCalm = asBoolean(row['is_calm']);
  if (isCalm) life.stepsLeft = Infinity;
  return { now: asDate(row['now']), isCalm };
}

/** Now and then past its lease, between two steps. */
async function sleep(): Promise<void> {
  if (random() > 0.001) return;
  const began = await read(watch);
  if (began.isCalm) return;
  tell({ is: 'overslept' });
  for (let at = began; !at.isCalm && at.now.getTime() < began.now.getTime() + SLEEP_MS; at = await read(watch))
    await pause(50);
}

const readClock = async (tx: Sql): Promise<Clock> => liveAt((await read(tx)).now);
const rails = mortalRails(sandbox, life, { sleep });
// Its parent is gone.
process.once('disconnect', () => process.exit());
for (;;) {
  try {
    const done = await workOnce(db, rails, sandbox, readClock, batchSize);
    if (done === 0) await pause(20);
  } catch (error) {
    tell({ is: 'threw', error: describeError(error) });
    await pause(100);
  }
  tell({ is: 'worked' });
}
