// Judges a database that answers, each finding from a few facts. store.ts reads the facts.
import type { Freeze } from '../ledger/index.ts';
import type { Chain } from '../rails/index.ts';
import type { Workforce } from '../jobs/index.ts';
import type { Finding } from './finding.ts';
import { fail, ok, warn } from './finding.ts';
import type { LongTransactions, Partitions, RoleRights, ServerSettings } from './store.ts';
import type { EndpointReadings } from '../webhooks/index.ts';

export function judgeDurability(settings: ServerSettings): Finding {
  const off = [
    ...(settings.fsync ? [] : ['fsync']),
    ...(settings.synchronousCommit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (off.length > 0) {
    const says = `${off.join(' and ')} ${off.length > 1 ? 'are' : 'is'} off: a crash can lose payments that were acknowledged`;
    return fail('durability', says, `set ${off.map((name) => `${name} = on`).join(', ')} on the server`);
  }
  if (!settings.fullPageWrites) {
    const todo = 'set full_page_writes = on, unless the file system writes whole pages or none';
    return warn('durability', 'full_page_writes is off: a crash can leave a torn page', todo);
  }
  return ok('durability', `fsync, full_page_writes and synchronous_commit are on`);
}

export function judgeRights(rights: RoleRights): Finding {
  const { name } = rights;
  const todo = 'connect as a login that is only a member of usance_runtime, and keep the owner for "usance migrate"';
  if (rights.superuser) return warn('history', `${name} is a superuser and could rewrite history`, todo);
  if (rights.owner) return warn('history', `${name} owns the schema and could rewrite history`, todo);
  if (rights.mayRewrite) return warn('history', `${name} has the right to change history`, todo);
  return ok('history', `${name} cannot rewrite history`);
}

const CLOCK_TOLERANCE_MS = 1_000;

/** The server answered at some moment between asking and hearing: what lies outside of that is difference. */
export function judgeClock(askedMs: number, serverMs: number, heardMs: number): Finding {
  const differenceMs = serverMs < askedMs ? askedMs - serverMs : Math.max(0, serverMs - heardMs);
  const seconds = (differenceMs / 1000).toFixed(1);
  if (differenceMs <= CLOCK_TOLERANCE_MS) return ok('clock', 'this machine and the database agree');
  const says = `this machine is ${seconds} s ${serverMs < askedMs ? 'ahead of' : 'behind'} the database`;
  return warn('clock', says, 'synchronise both with NTP: ids contain the time of this machine');
}

/** `listens`: a process has one connection more, which listens for wake-ups. */
export function judgeConnections(settings: ServerSettings, poolSize: number, listens = false): Finding {
  const usable = settings.maxConnections - settings.reservedConnections;
  const needed = poolSize + (listens ? 1 : 0);
  const whose = `a pool of ${poolSize}${listens ? ' and a listener' : ''}`;
  const says = `${whose}; the server allows ${usable}, ${settings.usedConnections} are in use`;
  const todo = 'lower USANCE_POOL_SIZE, raise max_connections, or use a connection pooler';
  if (needed > usable) return fail('connections', says, todo);
  return needed + settings.usedConnections > usable ? warn('connections', says, todo) : ok('connections', says);
}

export interface WakeUpFacts {
  /** `off`: USANCE_LISTEN_URL is none. `unreachable`: it could not be connected to, and why. */
  readonly listening: 'off' | 'arrives' | 'does not arrive' | 'not sent' | { readonly unreachable: string };
  /** Processes that listen now. */
  readonly listeners: number;
}

export function judgeWakeUps({ listening, listeners }: WakeUpFacts): Finding {
  const name = 'wake-ups';
  const now = `${listeners} ${listeners === 1 ? 'process listens' : 'processes listen'} now`;
  const meanwhile = 'loops and event streams only poll';
  const todo = 'set USANCE_LISTEN_URL to the address of the server itself, or to none';
  if (listening === 'off') return ok(name, `off (USANCE_LISTEN_URL is none): loops and event streams poll; ${now}`);
  if (listening === 'arrives') return ok(name, `notifications arrive; ${now}`);
  if (listening === 'not sent') return warn(name, `no notification could be sent: ${meanwhile}`, todo);
  if (listening === 'does not arrive')
    return warn(name, `notifications do not arrive, as behind a pooler in transaction mode: ${meanwhile}`, todo);
  return warn(name, `${listening.unreachable}: ${meanwhile}`, todo);
}

export const LONG_MINUTES = 5;

export function judgeTransactions(open: LongTransactions): Finding {
  const unseen = open.hidden === 0 ? '' : ` (${open.hidden} of other users not visible without pg_read_all_stats)`;
  if (open.count === 0) return ok('transactions', `none is open for more than ${LONG_MINUTES} minutes${unseen}`);
  const says = `${open.count} open for more than ${LONG_MINUTES} minutes, the oldest for ${open.oldestMinutes}: ${open.oldest}`;
  return warn(
    'transactions',
    says + unseen,
    'end it: PostgreSQL cannot remove old row versions meanwhile, and claims get slow',
  );
}

const LATE_SECONDS = 60;

export function judgeBacklog({ due, oldest }: { due: number; oldest: Date | null }, now: Date): Finding {
  const seconds = oldest === null ? 0 : Math.floor((now.getTime() - oldest.getTime()) / 1_000);
  if (seconds < LATE_SECONDS) return ok('due', due === 0 ? 'nothing waits' : `${due} due, none for more than a minute`);
  const says = `${due} due, the oldest for ${seconds} s: payments are late`;
  return warn('due', says, 'start "usance processor", or more of them; "usance payments" lists paused payments');
}

export function judgeScheduleBacklog({ due, oldest }: { due: number; oldest: Date | null }, now: Date): Finding {
  const seconds = oldest === null ? 0 : Math.floor((now.getTime() - oldest.getTime()) / 1_000);
  if (seconds < LATE_SECONDS)
    return ok('schedules', due === 0 ? 'none is due' : `${due} due, none for more than a minute`);
  const says = `${due} due, the oldest for ${seconds} s: their payments are late`;
  return warn(
    'schedules',
    says,
    'start "usance scheduler" or "usance worker"; "usance outages" lists runs that wait for a decision',
  );
}

/** Executions wait for their processors, and processors for a worker. */
export function judgeJobs({ jobs, workers, unserved }: Workforce, now: Date): Finding {
  const late = unserved.filter(({ dueSince }) => now.getTime() - dueSince.getTime() >= 1_000 * LATE_SECONDS);
  const [first] = late;
  if (first) {
    const names = late.map(({ name }) => name).join(', ');
    const seconds = Math.floor((now.getTime() - first.dueSince.getTime()) / 1_000);
    const says = `executions wait for ${names} since ${seconds} s, which no running worker has`;
    const todo =
      first.name === 'webhook-delivery'
        ? 'start "usance worker" with USANCE_ENCRYPTION_KEY: without the key a worker sends no deliveries'
        : 'start a worker with it: "usance worker --processors", or createUsance({ processors }) and start()';
    return warn('jobs', workers === 0 ? `no worker runs, and ${says}` : says, todo);
  }
  if (jobs === 0) return ok('jobs', 'no tenant has a job');
  if (workers > 0)
    return ok(
      'jobs',
      `${workers === 1 ? '1 worker' : `${workers} workers`}, and each due execution has one that can run it`,
    );
  const todo = 'start "usance worker --processors", or a program with createUsance({ processors }) and start()';
  return warn('jobs', 'there are jobs, and no worker runs', todo);
}

/** Endpoints that get nothing, or will soon. */
export function judgeWebhooks({ failing, disabled }: EndpointReadings): Finding {
  const parts = [
    ...(failing.length > 0 ? [`${failing.length} failing`] : []),
    ...(disabled > 0 ? [`${disabled} disabled after a 410 or failures over five days`] : []),
  ];
  if (parts.length === 0) return ok('webhooks', 'no endpoint fails');
  const todo =
    '"usance webhooks list" shows them, and "usance webhooks deliveries" why; after a repair "usance webhooks recover"';
  return warn('webhooks', `endpoints: ${parts.join(', ')}`, todo);
}

/** Loops without which money still moves, but nothing is ordered, sealed, checked or cleaned up. */
const KEPT_BY_WORKER = ['sequencer', 'seal-check', 'integrity', 'partitions', 'retention'] as const;
/** Crons that run once a day are fine, and may be late. */
const SEEN_WITHIN_HOURS = 25;

/** Null: there is no tenant yet, and nothing to be done. */
export function judgeLoops(lastRuns: ReadonlyMap<string, Date> | null, now: Date): Finding {
  if (lastRuns === null) return ok('loops', 'none required: there is no tenant');
  const since = now.getTime() - SEEN_WITHIN_HOURS * 3_600_000;
  const missing = KEPT_BY_WORKER.filter((name) => (lastRuns.get(name)?.getTime() ?? -Infinity) < since);
  if (missing.length === 0) return ok('loops', `${KEPT_BY_WORKER.join(', ')} ran within ${SEEN_WITHIN_HOURS} hours`);
  const says = `no process ran ${missing.join(', ')} within ${SEEN_WITHIN_HOURS} hours`;
  return warn('loops', says, 'keep "usance worker" running, or run "usance worker --once" from a cron');
}

export function judgeFreezes(freezes: readonly Freeze[], nameOf: (tenantId: string) => string): Finding {
  if (freezes.length === 0) return ok('freezes', 'no asset is frozen');
  const which = freezes.map((freeze) => `${freeze.asset} of ${nameOf(freeze.tenantId)}`).join(', ');
  return fail('freezes', `frozen: ${which}`, 'see "usance freezes" and "usance verify": the books did not add up');
}

export function judgePartitions(partitions: readonly Partitions[]): Finding {
  const lacking = partitions.filter((found) => !found.hasNextMonth).map((found) => found.table);
  if (lacking.length > 0) {
    return warn(
      'partitions',
      `none for next month: ${lacking.join(', ')}`,
      'run "usance migrate": it creates the next three months',
    );
  }
  const strayed = partitions.filter((found) => found.defaultHasRows).map((found) => `${found.table}_default`);
  if (strayed.length > 0) {
    const todo = 'nothing is lost; detach the rows and insert them again before you archive history by month';
    return warn('partitions', `rows of months without a partition are in ${strayed.join(', ')}`, todo);
  }
  return ok('partitions', 'next month has its partition, and no rows are in the default partition');
}

export function judgeChains(chains: readonly Chain[]): Finding {
  if (chains.length === 0) return ok('chains', 'none is in use: payments move on the ledger only');
  const stale = chains.filter(({ isStale }) => isStale).map(({ name }) => name);
  if (stale.length > 0) {
    return warn(
      'chains',
      `health not measured recently: ${stale.join(', ')}`,
      'start "usance worker" on a machine with these chains: payouts do not take a chain of unknown health',
    );
  }
  const ill = chains.filter(({ status }) => status !== 'healthy').map(({ name, status }) => `${name} is ${status}`);
  if (ill.length > 0) return warn('chains', ill.join(', '), 'see "usance chains" for the measurements');
  return ok('chains', `healthy: ${chains.map(({ name }) => name).join(', ')}`);
}
