// Ids, instants and actors in the JSON of the API: TypeIDs instead of UUIDs, snake_case instead of camelCase.
import type { IdKind, Uuid } from '../kernel/index.ts';
import { ID_PREFIX, fromTypeId, isUuid, kindOfResource, refuse, snakeCase, toTypeId } from '../kernel/index.ts';

/** The UUID of an account's TypeID; any other text is a ref. */
export function accountKey(name: string): string {
  if (!/^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(name)) return name;
  return fromTypeId('account', name);
}

export const accountId = (id: Uuid): string => toTypeId('account', id);
export const paymentId = (id: Uuid): string => toTypeId('payment', id);
export const paymentKey = (id: string): Uuid => fromTypeId('payment', id);
export const idOrNull = (kind: IdKind, id: Uuid | null): string | null => (id === null ? null : toTypeId(kind, id));
export const instantOrNull = (instant: Date | null): string | null => instant?.toISOString() ?? null;

/** The UUID of an id of any kind. */
export function anyKey(id: string, param: string): Uuid {
  const kind = (Object.keys(ID_PREFIX) as IdKind[]).find((one) => id.startsWith(`${ID_PREFIX[one]}_`));
  return kind ? fromTypeId(kind, id, param) : refuse('ID_INVALID/wrong_form', { param, examples: ['"pay_01jd…"'] });
}

/** The id of an event's resource: a TypeID if the resource has a prefix, otherwise the id itself. */
export function resourceIdOf(resource: string, id: Uuid): string {
  const kind = kindOfResource(resource);
  return kind === null ? id : toTypeId(kind, id);
}

/** Milliseconds as ISO 8601: `PT60S`. */
export function durationOf(ms: number): string {
  return `PT${ms / 1_000}S`;
}

const ACTORS: Readonly<Record<string, IdKind>> = { key: 'apiKey', user: 'account', schedule: 'schedule' };

/** An actor in the API: `key:0199…` is `key_01jd…`, `user:0199…` the account `acct_01jd…`, `schedule:0199…` is `sch_01jd…`. */
export function actorOf(actor: string): string {
  const [, word = '', id = ''] = /^(key|user|schedule):(.*)$/.exec(actor) ?? [];
  const kind = ACTORS[word];
  return kind && isUuid(id) ? toTypeId(kind, id) : actor;
}

/** The reverse of `actorOf`. */
export function actorKey(actor: string): string {
  const [, prefix] = /^(key|acct|sch)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(actor) ?? [];
  const [word, kind] = Object.entries(ACTORS).find(([, each]) => ID_PREFIX[each] === prefix) ?? [];
  return word && kind ? `${word}:${fromTypeId(kind, actor)}` : actor;
}

const ID_FIELDS: Readonly<Record<string, IdKind>> = {
  guardianId: 'account',
  guardianIds: 'account',
  accountId: 'account',
  payeeId: 'account',
  juniorId: 'account',
  payerId: 'account',
  scheduleId: 'schedule',
  subscriptionId: 'subscription',
  occurrenceId: 'occurrence',
  transferId: 'transfer',
  replaces: 'apiKey',
  paymentId: 'payment',
  planId: 'plan',
  from: 'account',
  to: 'account',
  events: 'event',
};

/** Fields that name actors. Only these: a reason or metadata may look like an actor, and is shown as the caller wrote it. */
const ACTOR_FIELDS: ReadonlySet<string> = new Set(['termsBy']);

const actorsOutside = (field: unknown): unknown =>
  Array.isArray(field) ? field.map((item) => (typeof item === 'string' ? actorOf(item) : item)) : field;

/** An id or a list of ids; any other value is unchanged. */
function idsOutside(kind: IdKind, field: unknown): unknown {
  if (Array.isArray(field)) return field.map((item) => idsOutside(kind, item));
  return typeof field === 'string' && isUuid(field) ? toTypeId(kind, field) : outside(field);
}

/** The data of an event: names in snake_case, ids as TypeIDs. */
export function outside(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(outside);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => {
      return [snakeCase(name), fieldOutside(name, field)];
    }),
  );
}

function fieldOutside(name: string, field: unknown): unknown {
  if (ACTOR_FIELDS.has(name)) return actorsOutside(field);
  const kind = ID_FIELDS[name];
  return kind ? idsOutside(kind, field) : outside(field);
}
