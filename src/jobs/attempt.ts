// An attempt of an execution, and its fence: (worker, attempt). Every statement about a running attempt has FENCE in its `where`, so that it
// changes nothing once the execution was taken back, given back or claimed by another worker.
import type { Uuid } from '../kernel/index.ts';

export interface Attempt {
  readonly tenantId: Uuid;
  readonly executionId: Uuid;
  /** Null: the execution waits, and `attempt` is its last one. */
  readonly workerId: Uuid | null;
  readonly attempt: number;
}

/**
 * Compares rows of the queue (`q`) with attempts (`k`), whose first four columns are those of `fenceColumns`:
 * `unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) k (tenant_id, id, worker_id, attempt)`.
 *
 * The worker is compared by `is not distinct from`: null equals null, and no index is used. By `=` the planner would, before statistics exist,
 * look for each attempt among all those of its worker instead of by primary key.
 */
export const FENCE =
  'q.tenant_id = k.tenant_id and q.id = k.id and q.worker_id is not distinct from k.worker_id and q.attempt = k.attempt';

/** The parameters $1 to $4 of a statement with FENCE. */
export const fenceColumns = (attempts: readonly Attempt[]) =>
  [
    attempts.map(({ tenantId }) => tenantId),
    attempts.map(({ executionId }) => executionId),
    attempts.map(({ workerId }) => workerId),
    attempts.map(({ attempt }) => attempt),
  ] as const;

/** The attempts by (tenant, execution): the order in which rows of the queue are locked. */
export function inLockOrder<A extends Attempt>(attempts: readonly A[]): A[] {
  return attempts.toSorted(
    (one, other) => compare(one.tenantId, other.tenantId) || compare(one.executionId, other.executionId),
  );
}

const compare = (one: Uuid, other: Uuid): number => (one < other ? -1 : one > other ? 1 : 0);
