// The example of an event type, from the examples of its fields.
import type { EventType, Json } from '../engine.ts';
import { EVENT_CATALOGUE } from '../engine.ts';
import { ID_PREFIX, kindOfResource } from '../kernel/index.ts';
import { CREATED_AT, EVENT } from './resources/examples.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The data of an event of this type. */
export function exampleOfEvent(type: EventType): Readonly<Record<string, Json>> {
  const { data, example } = EVENT_CATALOGUE[type];
  const shown = { ...(exampleOf(data as Schema) as object), ...example };
  return Object.fromEntries(Object.entries(shown).filter(([, field]) => field !== undefined)) as Record<string, Json>;
}

/** Events about a resource that their type does not begin with. */
const RESOURCES: Readonly<Record<string, string>> = {
  allowance: 'schedule',
  'account.balances_imported': 'import',
  audit_event: 'tenant',
  books: 'violation',
  execution_cap: 'tenant',
  limit: 'account',
  outage_guard: 'tenant',
  pause: 'tenant',
  payments: 'tenant',
  sign_in: 'api_key',
};

/** The kind of resource that an event of the type is about. */
export function resourceOfEvent(type: EventType): string {
  const noun = type.slice(0, type.indexOf('.'));
  return RESOURCES[type] ?? RESOURCES[noun] ?? noun;
}

/** A whole event: what a list shows, a stream sends, and a webhook delivers. */
export function exampleOfWholeEvent(type: EventType) {
  const data = exampleOfEvent(type);
  const resource = resourceOfEvent(type);
  const kind = kindOfResource(resource) ?? 'tenant';
  const { id } = data;
  return {
    id: EVENT,
    seq: 17,
    cursor: '17-5f0c2a9e',
    source: 'usance',
    type,
    version: EVENT_CATALOGUE[type].version,
    resource,
    resource_id:
      typeof id === 'string' && id.startsWith(`${ID_PREFIX[kind]}_`)
        ? id
        : `${ID_PREFIX[kind]}_01jd3mzk4qe0rvb1rj4yj6d3zt`,
    data,
    actor: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
    trace_context: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    occurred_at: CREATED_AT,
    recorded_at: CREATED_AT,
  } as const;
}

function exampleOf(schema: Schema): unknown {
  const { examples, anyOf, items, properties } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return exampleOf((anyOf as Schema[])[0] ?? {});
  if (items !== undefined) return [exampleOf(items as Schema)];
  const fields = (properties ?? {}) as Readonly<Record<string, Schema>>;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOf(field)]));
}
