// Bounds of calls to chains, and of a batch of them. What a batch found has to be written before its leases are over: a batch that takes longer is taken over by
// another worker, which may take as long, and then no attempt ever ends.
import { CALL_TIMEOUT_MS, LEASE_MS } from './attempt.ts';

/** A call that had not ended in time. It says nothing about what it was to do. */
export class CallTimeout extends Error {
  override readonly name = 'CallTimeout';
}

/** An adapter whose call never ends must not hold the batch: what it would still answer is not used. */
export async function bounded<T>(work: Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallTimeout(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In one batch: the chains that have let a call time out are not asked again, and nothing begins when its time is over (a third of the lease). */
export class BatchBounds {
  readonly #startedMs = performance.now();
  readonly #silent = new Set<string>();
  readonly #limitMs: number;

  constructor(limitMs = LEASE_MS / 3) {
    this.#limitMs = limitMs;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedMs > this.#limitMs;
  }

  isSilent(chain: string): boolean {
    return this.#silent.has(chain);
  }

  /** Notes the chain of a call that timed out. */
  note(error: unknown, chain: string): void {
    if (error instanceof CallTimeout) this.#silent.add(chain);
  }
}

/** One of each tenant in turn, each tenant's in their order: the slow payouts of one do not keep the others waiting. */
export function inTurns<T>(items: readonly T[], tenantOf: (item: T) => string): T[] {
  const queues = [...Map.groupBy(items, tenantOf).values()];
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue.slice(at, at + 1))).flat();
}
