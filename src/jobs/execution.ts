// An execution: one event handled by one job. The tables of moves, and ids that are made of what they name.
import { createHash } from 'node:crypto';
import type { Uuid } from '../kernel/index.ts';

export const EXECUTION_MOVES = {
  pending: ['running', 'cancelled', 'failed'],
  running: ['completed', 'pending', 'failed', 'cancelled'],
  completed: ['pending'],
  failed: ['pending'],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type ExecutionStatus = keyof typeof EXECUTION_MOVES;
export const EXECUTION_STATUSES = Object.keys(EXECUTION_MOVES) as ExecutionStatus[];

export interface Execution {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly jobId: Uuid;
  readonly eventId: Uuid;
  /** The seq of the event. */
  readonly seq: bigint;
  readonly status: ExecutionStatus;
  /** Attempts so far, the running one included; 0 before the first. */
  readonly attemptNumber: number;
  /** Start of the first attempt; null before it. By the tenant's clock, like the next three. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** When the next attempt is due; null unless it is pending. */
  readonly nextRetryAt: Date | null;
  readonly createdAt: Date;
  /** Since when a worker has it, by the server's clock; null unless it is running. */
  readonly lockedAt: Date | null;
  readonly workerId: Uuid | null;
  /** Why the last attempt failed; null if none has, and of a completed execution. */
  readonly code: FailureCode | null;
  readonly error: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
}

export const INVOCATION_STATUSES = ['running', 'success', 'failed'] as const;
export type InvocationStatus = (typeof INVOCATION_STATUSES)[number];

export interface Invocation {
  readonly id: Uuid;
  readonly executionId: Uuid;
  readonly attemptNumber: number;
  readonly status: InvocationStatus;
  readonly workerId: Uuid | null;
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly code: FailureCode | null;
  readonly error: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** Why an attempt failed. */
export const FAILURE_CODES = {
  PROCESSOR_FAILED: 'The processor threw an error.',
  PROCESSOR_TIMED_OUT: 'The invocation took longer than the time limit of its job.',
  PROCESSOR_EXITED: 'The process of the processor ended during the invocation.',
  PROCESSOR_MISSING: 'No worker announced the processor for too long.',
  WORKER_LOST: 'The worker died, or lost its lease.',
  EVENT_ERASED: 'The event was erased before the processor could read it.',
  EXECUTION_CANCELLED: 'The execution was cancelled.',
  DELIVERY_REFUSED: 'The webhook endpoint answered with a status other than 2xx.',
  DELIVERY_UNANSWERED: 'The webhook endpoint could not be reached, or did not answer completely and in time.',
  ENDPOINT_GONE: 'The webhook endpoint answered 410: it wants no more deliveries.',
  ENDPOINT_DELETED: 'The webhook endpoint was deleted.',
  CHANNEL_DELETED: 'The notification channel was deleted.',
  NOTIFICATION_DEFERRED: 'The channel has sent its messages of this minute: a summary is sent when it is over.',
  EMAIL_FAILED: 'The mail server could not be used, or did not accept an e-mail yet.',
  NOTIFICATION_FAILED: 'The notification channel could not be reached, or refused the message.',
} as const;
export type FailureCode = keyof typeof FAILURE_CODES;

/**
 * The id of the execution of an event by a job: the instant of the event, so that both are in partitions of the same month, and 74 bits of a hash
 * of job and event. A second execution would have the same id.
 */
export function executionIdOf(jobId: Uuid, eventId: Uuid): Uuid {
  return hashedId(eventId, `${jobId} ${eventId}`);
}

/** The id of an attempt: of the execution's instant, and a hash of the execution and the number. */
export function invocationIdOf(executionId: Uuid, attempt: number): Uuid {
  return hashedId(executionId, `${executionId} ${attempt}`);
}

/** A UUIDv7 with the instant of another one. */
function hashedId(of: Uuid, text: string): Uuid {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(3), 16) & 3) | 8).toString(16);
  return `${of.slice(0, 13)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
