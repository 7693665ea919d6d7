// The peer: graphile-worker, in a process of its own, running one statement per job that does for one payment exactly
// what usance does: the due row deleted, the payment updated, both balances locked in id order and updated, transfer, event
// and inbox row inserted, on the same tables with the same indexes and triggers. It is a prepared
// statement, jobs are added in bulk, and completing them is batched where that is quicker.
//
// It is loaded by name because it is installed in bench/node_modules only, which the project's own compile does not see.
import { newId } from '../src/kernel/index.ts';

export interface GraphileSettings {
  readonly concurrentJobs: number;
  /** Jobs fetched at once. */
  readonly localQueue: number;
  /** Completions of this many milliseconds are written together; -1: each alone. */
  readonly completeJobBatchDelay: number;
}

export interface GraphileOrder extends GraphileSettings {
  readonly databaseUrl: string;
  readonly jobs: number;
}

export interface GraphileReport {
  readonly ms: number;
  readonly nodeCpuMs: number;
  readonly failed: number;
}

interface Client {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}
interface JobHelpers {
  withPgClient<T>(work: (client: Client) => Promise<T>): Promise<T>;
}
interface GraphileWorker {
  readonly Logger: new (factory: () => () => void) => unknown;
  runMigrations(options: object): Promise<void>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
}

export const TASK = 'settle';

const SETTLE_ONE = `
  with d as (
    delete from usance.due where tenant_id = $1::uuid and payment_id = $2::uuid returning tenant_id, payment_id, due_at
  ), p as (
    update usance.payments p
    set status = 'settled', captured = p.amount, attempts = p.attempts + 1, last_code = null, last_detail = null,
        updated_at = now(), ended_at = now()
    from d where p.tenant_id = d.tenant_id and p.id = d.payment_id
    returning p.tenant_id, p.id, p.payer_id, p.payee_id, p.asset, p.amount, p.attempts, d.due_at
  ), locked as (
    select b.tenant_id, b.account_id, b.asset, b.account_id = p.payer_id as pays, p.amount
    from p join usance.balances b
      on b.tenant_id = p.tenant_id and b.account_id in (p.payer_id, p.payee_id) and b.asset = p.asset
    order by b.account_id for no key update of b
  ), b as (
    update usance.balances b
    set available = b.available + case when l.pays then 0 else l.amount end,
        reserved = b.reserved - case when l.pays then l.amount else 0 end, version = b.version + 1
    from locked l where b.tenant_id = l.tenant_id and b.account_id = l.account_id and b.asset = l.asset
  ), t as (
    insert into usance.transfers (tenant_id, id, debit_account_id, credit_account_id, asset, amount, kind, payment_id,
                                  posted_at)
    select tenant_id, $3::uuid, payer_id, payee_id, asset, amount, 'settlement', id, now() from p
  ), e as (
    insert into usance.events (tenant_id, id, type, resource, resource_id, data, actor, occurred_at)
    select tenant_id, $4::uuid, 'payment.settled', 'payment', id,
           jsonb_build_object('old', jsonb_build_object('status', 'scheduled'), 'new', jsonb_build_object('status', 'settled'),
                              'attempt', attempts, 'latenessMs', floor(extract(epoch from now() - due_at) * 1000)),
           'system', now() from p
  )
  insert into usance.event_inbox (tenant_id, event_id) select tenant_id, $4::uuid from p`;

if (import.meta.main) {
  const report = await settleJobs(JSON.parse(process.argv[2] ?? '{}') as GraphileOrder);
  process.send?.(report);
  process.disconnect?.();
}

async function settleJobs(order: GraphileOrder): Promise<GraphileReport> {
  const worker = await load();
  const connectionString = order.databaseUrl;
  let done = 0;
  let failed = 0;
  let finished = (): void => undefined;
  const all = new Promise<void>((resolve) => (finished = resolve));
  const count = (): void => {
    done += 1;
    if (done === order.jobs) finished();
  };
  const before = process.cpuUsage();
  const runner = await worker.run({
    logger: new worker.Logger(() => () => undefined),
    noHandleSignals: true,
    preset: {
      worker: {
        connectionString,
        maxPoolSize: order.concurrentJobs + 2,
        concurrentJobs: order.concurrentJobs,
        completeJobBatchDelay: order.completeJobBatchDelay,
        ...(order.localQueue > 1 ? { localQueue: { size: order.localQueue } } : {}),
      },
    },
    taskList: {
      [TASK]: async ({ t, p }: { t: string; p: string }, helpers: JobHelpers): Promise<void> => {
        try {
          await helpers.withPgClient((client) =>
            client.query({ name: TASK, text: SETTLE_ONE, values: [t, p, newId(), newId()] }),
          );
        } catch (error) {
          failed += 1;
          throw error;
        } finally {
          count();
        }
      },
    },
  });
  // From when it is ready to when the last statement is done: what it does before and after is not counted against it.
  const startedMs = performance.now();
  await all;
  const ms = performance.now() - startedMs;
  await runner.stop();
  const { user, system } = process.cpuUsage(before);
  return { ms, nodeCpuMs: (user + system) / 1_000, failed };
}

export async function load(): Promise<GraphileWorker> {
  const name = 'graphile-worker';
  return (await import(name)) as GraphileWorker;
}
