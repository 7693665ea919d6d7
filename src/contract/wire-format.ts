// Ids, instants and actors in the JSON of the API: TypeIDs instead of UUIDs, snake_case instead of camelCase.
import { isOwnResource, ownResourceId } from '../engine.ts';
import type { IdKind, Uuid } from '../kernel/index.ts';
import {
  ID_PREFIX,
  actorKindOf,
  fromTypeId,
  idOrName,
  isUuid,
  refuse,
  showIds,
  snakeCase,
  toTypeId,
  typeIdForm,
} from '../kernel/index.ts';

/** The UUID of an account's TypeID; any other text is a ref. */
export const accountKey = (name: string): string => idOrName('account', name);

export const accountId = (id: Uuid): string => toTypeId('account', id);
export const paymentId = (id: Uuid): string => toTypeId('payment', id);
export const paymentKey = (id: string): Uuid => fromTypeId('payment', id);
export const idOrNull = (kind: IdKind, id: Uuid | null): string | null => (id === null ? null : toTypeId(kind, id));
export const instantOrNull = (instant: Date | null): string | null => instant?.toISOString() ?? null;

/** The UUID of an id of any kind; a UUID is accepted as it is. `needsResource`: it could be an id of an application, if `resource` were given. */
export function anyKey(id: string, param: string, needsResource = false): Uuid {
  if (isUuid(id)) return id;
  const kind = (Object.keys(ID_PREFIX) as IdKind[]).find((one) => id.startsWith(`${ID_PREFIX[one]}_`));
  if (kind) return fromTypeId(kind, id, param);
  const examples = ['"pay_01jd…"'];
  if (!needsResource) refuse('ID_INVALID/wrong_form', { param, examples });
  return refuse('ID_INVALID/needs_resource', { param, examples, resource: 'resource' });
}

const DERIVED = /^own_7z[0-9a-hjkmnp-tv-z]{24}$/;

/** The UUID of an event's resource: of an application's resource it is derived from its text, which needs the kind of resource. */
export function resourceKey(tenantId: Uuid, resource: string | undefined, id: string): Uuid {
  // An erased event shows this instead of its text.
  if (DERIVED.test(id)) return fromTypeId('ownResource', id, 'resource_id');
  if (resource !== undefined && isOwnResource(resource)) return ownResourceId(tenantId, resource, id);
  return anyKey(id, 'resource_id', resource === undefined);
}

/** Milliseconds as ISO 8601: `PT60S`. */
export function durationOf(ms: number): string {
  return `PT${ms / 1_000}S`;
}

const ACTOR = new RegExp(typeIdForm('apiKey', 'account', 'schedule'));

/** The reverse of `shownActor`. */
export function actorKey(actor: string): string {
  const [, prefix = ''] = ACTOR.exec(actor) ?? [];
  const [word, kind] = actorKindOf(prefix) ?? [];
  return word && kind ? `${word}:${fromTypeId(kind, actor)}` : actor;
}

/** Data without a schema: names in snake_case, ids as TypeIDs. Data of events have one (event-data.ts). */
export const outside = (value: unknown): unknown => showIds(value, snakeCase);
