// A delivery is an execution of an endpoint's job, under the same id. Each attempt that reached the network has a row in `delivery_attempts`.
import type { ExecutionStatus, FailureCode, InvocationStatus } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { OutboundCode } from '../outbound/index.ts';

export interface Delivery {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly endpointId: Uuid;
  readonly eventId: Uuid;
  /** The seq of the event. */
  readonly seq: bigint;
  readonly status: ExecutionStatus;
  /** Attempts so far, the running one included. */
  readonly attemptNumber: number;
  /** False: an event of a test tenant, which was recorded and not sent. Null: no attempt has ended. */
  readonly sent: boolean | null;
  /** The status of the last response; null if there was none. */
  readonly responseStatus: number | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** When the next attempt is due; null unless it is pending. */
  readonly nextRetryAt: Date | null;
  readonly createdAt: Date;
  /** Why the last attempt failed. */
  readonly code: FailureCode | null;
  readonly error: string | null;
}

export interface DeliveryRequest {
  /** Without its query: queries often have a token. */
  readonly url: string;
  /** Names in lower case. Signatures and values of custom headers are left out: those are null. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly bytes: number;
  /** SHA-256 of the body, hexadecimal; null after it was deleted. */
  readonly digest: string | null;
}

export interface DeliveryResponse {
  readonly status: number;
  /** Null after they were deleted, by erasure or by age. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 4 KiB as text; null after it was deleted. */
  readonly body: string | null;
  readonly truncated: boolean;
}

export interface DeliveryTiming {
  /** 0 on a connection that was open already. */
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
}

export interface DeliveryAttempt {
  readonly id: Uuid;
  readonly number: number;
  readonly status: InvocationStatus;
  /** By the tenant's clock. */
  readonly startedAt: Date;
  readonly completedAt: Date | null;
  readonly code: FailureCode | null;
  readonly error: string | null;
  /** Null: it was not sent, or its worker died before it could be recorded. */
  readonly request: DeliveryRequest | null;
  readonly response: DeliveryResponse | null;
  readonly timing: DeliveryTiming | null;
  /** Why there is no complete response. */
  readonly failure: OutboundCode | null;
}

export interface DeliveryWithAttempts extends Delivery {
  /** By number. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryFilter {
  readonly endpointId?: Uuid;
  readonly status?: ExecutionStatus;
  readonly eventId?: Uuid;
  /** Deliveries of the newest hundred events of this resource; fewer for a tenant with more than 200 webhook endpoints, deleted ones included. */
  readonly resourceId?: Uuid;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** The id to continue from; null at the end. A page can be short, or empty, without being the last. */
  readonly next: Uuid | null;
}
