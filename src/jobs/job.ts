// A job: an event pattern, a processor and limits.
import type { Caller, RetryPolicy, Uuid } from '../kernel/index.ts';
import { isStorable } from '../kernel/index.ts';

/** The retry policy of a job without one: 3 attempts, 1 and 2 seconds apart. */
export const DEFAULT_JOB_RETRY: RetryPolicy = {
  maxAttempts: 3,
  initialDelayMs: 1_000,
  multiplier: 2,
  maxDelayMs: 60_000,
  jitter: 0,
};

export const DEFAULT_TIMEOUT_MS = 60_000;
/** Jobs of a tenant at most: the matcher compares each event of the tenant with all of them. */
export const MOST_JOBS = 1_000;

/** Characters of the name of a job, and of a processor. */
export const LONGEST_JOB_NAME = 100;
export const LONGEST_DESCRIPTION = 1_000;

/** Whether a text can name a job or a processor: visible characters, without spaces around them. */
export const isName = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() === text &&
  text.length >= 1 &&
  text.length <= LONGEST_JOB_NAME &&
  isStorable(text) &&
  !/\p{Cc}/u.test(text);

/** A caller, and the tenant in which it acts. */
export interface TenantCaller {
  readonly tenantId: Uuid;
  readonly caller: Caller;
}

export interface JobKey {
  readonly tenantId: Uuid;
  readonly jobId: Uuid;
}

export interface Job {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  readonly description: string;
  /** An exact type, `payment.*`, `*.settled` or `*`; or several of them, separated by commas. */
  readonly eventPattern: string;
  readonly processorName: string;
  /** The processor is built in: the resource with the same UUID creates, changes and deletes the job. */
  readonly managed: boolean;
  /** Executions about one resource run one after the other, in the order of their events. Only managed jobs can be ordered. */
  readonly ordered: boolean;
  readonly enabled: boolean;
  /** The whole policy; null: DEFAULT_JOB_RETRY. */
  readonly retry: RetryPolicy | null;
  /** How long one invocation may take. */
  readonly timeoutMs: number;
  /** Running executions over all workers at most; null: no limit. */
  readonly maxConcurrency: number | null;
  /** Executions that start in one second at most, over all workers; null: no limit. */
  readonly maxPerSecond: number | null;
  /** Only events behind this seq of the tenant. */
  readonly afterSeq: bigint;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface JobParams {
  readonly name: string;
  /** Default: empty. */
  readonly description?: string;
  readonly eventPattern: string;
  /** A name that a worker has announced. */
  readonly processorName: string;
  /** Default true. */
  readonly enabled?: boolean;
  /** A part of a policy; the rest is that of DEFAULT_JOB_RETRY. `backoffMultiplier` is accepted for `multiplier`. */
  readonly retryConfig?: unknown;
  /** Default one minute. */
  readonly timeoutMs?: number;
  readonly maxConcurrency?: number | null;
  readonly maxPerSecond?: number | null;
  /** The seq of an event: only later ones. Default: the end of the order. */
  readonly after?: bigint;
}

export type JobChanges = Partial<Omit<JobParams, 'after'>>;

export interface Processor {
  readonly name: string;
  readonly description: string;
  readonly announcedAt: Date;
  /** When a worker that can run it was last alive. */
  readonly lastSeenAt: Date;
}
