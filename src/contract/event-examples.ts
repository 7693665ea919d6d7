// The example of an event type, from the examples of its fields.
import type { EventType, Json } from '../engine.ts';
import { EVENT_CATALOGUE } from '../engine.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The data of an event of this type. */
export function exampleOfEvent(type: EventType): Readonly<Record<string, Json>> {
  const { data, example } = EVENT_CATALOGUE[type];
  const shown = { ...(exampleOf(data as Schema) as object), ...example };
  return Object.fromEntries(Object.entries(shown).filter(([, field]) => field !== undefined)) as Record<string, Json>;
}

function exampleOf(schema: Schema): unknown {
  const { examples, anyOf, items, properties } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return exampleOf((anyOf as Schema[])[0] ?? {});
  if (items !== undefined) return [exampleOf(items as Schema)];
  const fields = (properties ?? {}) as Readonly<Record<string, Schema>>;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOf(field)]));
}
