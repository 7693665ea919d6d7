// The code of jobs, as it is given to `createUsance`.
import type { AnyEvent, Event, Execution } from '../client/index.ts';

/** The third argument of a processor. */
export interface JobContext {
  /** Aborts when the attempt takes longer than `timeoutMs` of its job, is cancelled, or loses its worker. */
  readonly signal: AbortSignal;
  /** The id of the tenant whose event it is: `usance.tenant(tenantId)`. A processor serves all tenants, test tenants included. */
  readonly tenantId: string;
}

/**
 * Handles one event for one job. The returned object is stored as the result of the execution; an error that it throws fails the
 * attempt. It can run more than once for an event: use `execution.id` as the idempotency key of its effects. For events of your
 * application, name their types: `JobProcessor<Event | OwnEvent<'posts.created', Post>>`.
 */
export type JobProcessor<E extends AnyEvent = Event> = (
  event: E,
  execution: Execution,
  context: JobContext,
) => Promise<Readonly<Record<string, unknown>> | void>;

/** A processor with its name. The type parameter names the events that it expects, as that of `JobProcessor` does. */
export interface JobProcessorDefinition<E extends AnyEvent = Event> {
  /** The name that jobs use as `processorName`: 1 to 100 visible characters, without spaces around them. */
  readonly name: string;
  /** A text for people. */
  readonly description: string;
  /** The code. */
  readonly processor: JobProcessor<E>;
}
