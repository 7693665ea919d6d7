// How the free slots of a worker are divided: evenly among the tenants that have due executions, then among the jobs of a tenant, within the
// room that a tenant and a job have in the worker. Some slots can be kept for tenants that run little. If there are fewer slots than tenants or jobs, the next claim begins behind the last one served.
import type { Uuid } from '../kernel/index.ts';
import type { Waiting } from './claim.ts';

export interface Quota {
  readonly job: Waiting;
  readonly limit: number;
}

/** Slots that a worker keeps for tenants that run little: tenants whose executions all take long cannot have every slot between them. */
export interface KeptFree {
  /** Slots for every tenant. */
  readonly general: number;
  /** How many of the kept slots this tenant may have. */
  readonly ofKept: (tenantId: Uuid) => number;
}

/** Jobs in one claim at most. */
const JOBS_A_CLAIM = 256;

export class Shares {
  #lastTenant: Uuid = '';
  readonly #lastJob = new Map<Uuid, Uuid>();

  /** Forgets the turns of tenants that have nothing waiting. */
  keepOnly(tenants: ReadonlySet<Uuid>): void {
    for (const tenantId of this.#lastJob.keys()) if (!tenants.has(tenantId)) this.#lastJob.delete(tenantId);
  }

  share(
    due: readonly Waiting[],
    slots: number,
    roomOf: (tenantId: Uuid) => number,
    roomOfJob: (job: Waiting) => number = () => Infinity,
    kept: KeptFree = { general: slots, ofKept: () => 0 },
  ): Quota[] {
    const byTenant = Map.groupBy(due, ({ tenantId }) => tenantId);
    const general = Math.max(0, Math.min(slots, kept.general));
    const open = [...byTenant.keys()].filter(
      (tenantId) => roomOf(tenantId) > 0 && (general > 0 || kept.ofKept(tenantId) > 0),
    );
    const tenants = inTurn(open, this.#lastTenant).slice(0, Math.min(slots, JOBS_A_CLAIM));
    this.#lastTenant = tenants.at(-1) ?? this.#lastTenant;
    const perTenant = evenly(tenants.map(roomOf), general);
    let left = slots - perTenant.reduce((sum, share) => sum + share, 0);
    for (const [turn, tenantId] of tenants.entries()) {
      const share = perTenant[turn] ?? 0;
      const more = Math.min(left, Math.max(0, Math.min(kept.ofKept(tenantId), roomOf(tenantId)) - share));
      perTenant[turn] = share + more;
      left -= more;
    }
    const quotas: Quota[] = [];
    for (const [turn, tenantId] of tenants.entries()) {
      const room = perTenant[turn] ?? 0;
      const jobs = new Map((byTenant.get(tenantId) ?? []).map((job) => [job.jobId, job]));
      const served = inTurn([...jobs.keys()], this.#lastJob.get(tenantId) ?? '').slice(
        0,
        Math.min(room, Math.max(1, Math.floor(JOBS_A_CLAIM / tenants.length))),
      );
      const last = served.at(-1);
      if (last !== undefined) this.#lastJob.set(tenantId, last);
      const limits = evenly(
        served.map((jobId) => {
          const job = jobs.get(jobId);
          return job ? Math.min(job.maxPerSecond ?? room, job.maxConcurrency ?? room, roomOfJob(job)) : 0;
        }),
        room,
      );
      for (const [index, jobId] of served.entries()) {
        const job = jobs.get(jobId);
        const limit = limits[index] ?? 0;
        if (job && limit > 0) quotas.push({ job, limit });
      }
    }
    return quotas;
  }
}

/** In order, beginning behind the last one served. */
function inTurn(ids: readonly Uuid[], last: Uuid): Uuid[] {
  const sorted = ids.toSorted();
  const at = sorted.findIndex((id) => id > last);
  return at <= 0 ? sorted : [...sorted.slice(at), ...sorted.slice(0, at)];
}

/** Divides so many among takers that have room for some: evenly, and what one cannot take goes to the others. */
function evenly(rooms: readonly number[], total: number): number[] {
  const shares = rooms.map(() => 0);
  const order = rooms.map((_, index) => index).toSorted((a, b) => (rooms[a] ?? 0) - (rooms[b] ?? 0));
  let left = total;
  for (const [served, index] of order.entries()) {
    const share = Math.min(rooms[index] ?? 0, Math.ceil(left / (order.length - served)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
