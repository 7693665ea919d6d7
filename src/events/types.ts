// Every type of event that exists, with its sentence. The compiler rejects an event that is not in the catalogue
// (schemas/index.ts), and docs/reference/names.md and events.md are written from it.
import type { EventType } from './schemas/index.ts';
import { EVENT_CATALOGUE } from './schemas/index.ts';

export type { EventType } from './schemas/index.ts';

export const EVENT_TYPES: Readonly<Record<EventType, string>> = Object.fromEntries(
  Object.entries(EVENT_CATALOGUE).map(([type, { says }]) => [type, says]),
) as Record<EventType, string>;

/** The verbs of a noun: `EventVerb<'plan'>` is `'created' | 'updated'`. */
export type EventVerb<Noun extends string, Type = EventType> = Type extends `${Noun}.${infer Verb}` ? Verb : never;
