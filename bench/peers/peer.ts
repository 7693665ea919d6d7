// Runs graphile-worker over payments that are due, and finds its best settings. A peer is graphile-worker with a ledger: usance's
// tables, or plain ones.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spread } from '../books.ts';
import { perSecond } from '../bench.ts';
import type { BenchDatabase } from '../server.ts';
import type { GraphileOrder, GraphileReport, GraphileSettings, JobStatement } from './graphile-worker.ts';
import { TASK, load } from './graphile-worker.ts';

export interface Peer {
  readonly name: string;
  statement(database: BenchDatabase): Promise<JobStatement>;
  /** Accounts that hold money. */
  openBooks(database: BenchDatabase): Promise<void>;
  /** Payments that are due. */
  addPayments(database: BenchDatabase, order: { readonly count: number; readonly spread: Spread }): Promise<void>;
  /** A query of the payments that are due and not settled: `payload` of a job, and `due_at`. */
  readonly dueQuery: string;
  /** Where the books do not add up. */
  troubles(database: BenchDatabase): Promise<readonly string[]>;
}

export async function installPeer(peer: Peer, database: BenchDatabase): Promise<void> {
  const worker = await load();
  const logger = new worker.Logger(() => () => undefined);
  await worker.runMigrations({ connectionString: database.ownerUrl, logger });
  await peer.openBooks(database);
}

/** The version that is installed. */
export function peerVersion(): string {
  const manifest = join(import.meta.dirname, '..', 'package.json');
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> };
  return `graphile-worker ${dependencies['graphile-worker']}`;
}

export interface PeerOrder {
  readonly count: number;
  readonly spread: Spread;
}

/** Adds payments, and a job for each of them in the order of time. Returns how many. */
export async function addJobs(peer: Peer, database: BenchDatabase, order: PeerOrder): Promise<number> {
  await peer.addPayments(database, order);
  const [row] = await database.owner.query(
    `with added as (
       select graphile_worker.add_jobs(array(
         select row('${TASK}', payload, null, due_at, null, null, null, null)::graphile_worker.job_spec
         from (${peer.dueQuery}) due order by due_at)))
     select count(*)::int as jobs from added`,
  );
  await database.owner.query('vacuum analyze graphile_worker._private_jobs');
  return Number(row?.['jobs']);
}

export async function runPeer(
  peer: Peer,
  database: BenchDatabase,
  jobs: number,
  settings: GraphileSettings,
): Promise<GraphileReport> {
  const statement = await peer.statement(database);
  const order: GraphileOrder = { ...settings, databaseUrl: database.ownerUrl, jobs, statement };
  const report = await new Promise<GraphileReport>((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'graphile-worker.ts'), [JSON.stringify(order)]);
    child.once('message', (message: GraphileReport) => resolve(message));
    child.once('exit', (code) => reject(new Error(`the peer ended with ${code}`)));
  });
  const [left] = await database.owner.query(
    `select (select count(*) from (${peer.dueQuery}) due)::int as due,
            (select count(*) from graphile_worker._private_jobs)::int as jobs`,
  );
  if (report.failures.length > 0 || Number(left?.['due']) > 0 || Number(left?.['jobs']) > 0) {
    const failures = [...new Set(report.failures)].slice(0, 3);
    throw new Error(`${peer.name} left work undone: ${JSON.stringify({ ...report, failures, left })}`);
  }
  return report;
}

const CANDIDATES: readonly GraphileSettings[] = [8, 16, 32].flatMap((concurrentJobs) => [
  { concurrentJobs, localQueue: -1, completeJobBatchDelay: -1 },
  { concurrentJobs, localQueue: 500, completeJobBatchDelay: 0 },
  { concurrentJobs, localQueue: 500, completeJobBatchDelay: 250 },
]);

export interface Tuned {
  readonly settings: GraphileSettings;
  readonly tried: readonly { readonly settings: string; readonly perSecond: number }[];
}

export interface TuneOrder {
  readonly count: number;
  /** Candidates to try, from the first; default all. */
  readonly candidates?: number;
  readonly say: (line: string) => void;
}

/** Runs every candidate once; every round then measures the best one. */
export async function tunePeer(peer: Peer, database: BenchDatabase, order: TuneOrder): Promise<Tuned> {
  const tried: { candidate: GraphileSettings; perSecond: number }[] = [];
  for (const candidate of CANDIDATES.slice(0, order.candidates)) {
    const jobs = await addJobs(peer, database, { count: order.count, spread: 'uniform' });
    const { ms } = await runPeer(peer, database, jobs, candidate);
    tried.push({ candidate, perSecond: perSecond(jobs, ms) });
    order.say(`${peer.name}, ${described(candidate)}: ${perSecond(jobs, ms)}/s`);
  }
  const [best] = tried.toSorted((a, b) => b.perSecond - a.perSecond);
  if (!best) throw new Error('there were no candidates');
  return {
    settings: best.candidate,
    tried: tried.map(({ candidate, perSecond }) => ({ settings: described(candidate), perSecond })),
  };
}

export function described(settings: GraphileSettings): string {
  const queue = settings.localQueue > 1 ? `local queue ${settings.localQueue}` : 'no local queue';
  const completing =
    settings.completeJobBatchDelay < 0
      ? 'completing one by one'
      : `completing in batches of ${settings.completeJobBatchDelay} ms`;
  return `${settings.concurrentJobs} jobs at once, ${queue}, ${completing}`;
}
