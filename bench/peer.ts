// Runs the peer over payments that are due, and finds its best settings.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Uuid } from '../src/kernel/index.ts';
import { OVERDUE, addPayments } from './books.ts';
import type { Spread } from './books.ts';
import { perSecond } from './bench.ts';
import type { GraphileReport, GraphileSettings } from './graphile-worker.ts';
import { TASK, load } from './graphile-worker.ts';
import type { BenchDatabase } from './server.ts';

export async function installPeer(database: BenchDatabase): Promise<void> {
  const worker = await load();
  const logger = new worker.Logger(() => () => undefined);
  await worker.runMigrations({ connectionString: database.ownerUrl, logger });
}

/** A job for every payment that is due, in order of time. */
export async function addJobs(database: BenchDatabase): Promise<number> {
  const [row] = await database.owner.query(
    `with added as (
       select graphile_worker.add_jobs(array(
         select row('${TASK}', json_build_object('t', tenant_id, 'p', payment_id), null, due_at, null, null, null, null)
                  ::graphile_worker.job_spec
         from usance.due where due_at <= now() order by due_at)))
     select count(*)::int as jobs from added`,
  );
  await database.owner.query('vacuum analyze graphile_worker._private_jobs');
  return Number(row?.['jobs']);
}

export async function runPeer(
  database: BenchDatabase,
  jobs: number,
  settings: GraphileSettings,
): Promise<GraphileReport> {
  const order = { ...settings, databaseUrl: database.ownerUrl, jobs };
  const report = await new Promise<GraphileReport>((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'graphile-worker.ts'), [JSON.stringify(order)]);
    child.once('message', (message: GraphileReport) => resolve(message));
    child.once('exit', (code) => reject(new Error(`the peer ended with ${code}`)));
  });
  const [left] = await database.owner.query(
    `select (select count(*) from usance.due where due_at <= now())::int as due,
            (select count(*) from graphile_worker._private_jobs)::int as jobs`,
  );
  if (report.failed > 0 || Number(left?.['due']) > 0 || Number(left?.['jobs']) > 0) {
    throw new Error(`the peer left work undone: ${JSON.stringify({ report, left })}`);
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

/** Every candidate once; the best is measured again in every round. */
export async function tunePeer(
  database: BenchDatabase,
  tenantId: Uuid,
  order: { count: number; spread: Spread; say: (line: string) => void },
): Promise<Tuned> {
  const tried: { candidate: GraphileSettings; perSecond: number }[] = [];
  for (const candidate of CANDIDATES) {
    await addPayments(database, tenantId, { count: order.count, spread: order.spread, dueAt: OVERDUE });
    const jobs = await addJobs(database);
    const { ms } = await runPeer(database, jobs, candidate);
    tried.push({ candidate, perSecond: perSecond(jobs, ms) });
    order.say(`graphile-worker, ${described(candidate)}: ${perSecond(jobs, ms)}/s`);
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
