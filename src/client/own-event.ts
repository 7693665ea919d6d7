// The types of events that applications append. Written by hand: they have type parameters, so that a comparison of `event.type` narrows the
// data of an application's events, as it does for those of usance.
import type { Event, EventEnvelope } from './schema.ts';

/**
 * An event that your application appended. Name its type and its data: `OwnEvent<'posts.created', { title: string }>`. The client does not
 * check the data.
 */
export interface OwnEvent<
  Type extends string = string,
  Data extends object = Readonly<Record<string, unknown>>,
> extends Omit<EventEnvelope, 'source'> {
  /** `application`; an event of usance has `usance`. */
  readonly source: 'application';
  /** The type of the event. */
  readonly type: Type;
  /** Your own JSON object, unchanged. Null after it was erased. */
  readonly data: Data | null;
}

/** An event of usance, or one that an application appended. */
export type AnyEvent = Event | OwnEvent<string, object>;
