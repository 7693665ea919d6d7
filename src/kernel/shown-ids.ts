// Ids and actors inside a value that is shown to a person or another program: TypeIDs instead of UUIDs. Only fields that are known to
// hold ids or actors change; a reason, a reference or metadata is shown as its caller wrote it, whatever it looks like.
import type { IdKind, Uuid } from './type-id.ts';
import { ID_PREFIX, isUuid, kindOfResource, toTypeId } from './type-id.ts';

const ID_FIELDS: Readonly<Record<string, IdKind>> = {
  tenant: 'tenant',
  tenantId: 'tenant',
  account: 'account',
  accountId: 'account',
  debit: 'account',
  credit: 'account',
  from: 'account',
  guardian: 'account',
  guardianId: 'account',
  guardianIds: 'account',
  guardians: 'account',
  junior: 'account',
  juniorId: 'account',
  payee: 'account',
  payeeId: 'account',
  payer: 'account',
  payerId: 'account',
  to: 'account',
  payment: 'payment',
  paymentId: 'payment',
  payments: 'payment',
  dead_letter: 'payment',
  allowance: 'schedule',
  schedule: 'schedule',
  scheduleId: 'schedule',
  occurrence: 'occurrence',
  occurrenceId: 'occurrence',
  subscription: 'subscription',
  subscriptionId: 'subscription',
  planId: 'plan',
  reservation: 'reservation',
  transfer: 'transfer',
  transferId: 'transfer',
  outflowTransfer: 'transfer',
  feeTransfer: 'transfer',
  event: 'event',
  eventId: 'event',
  events: 'event',
  beganEventId: 'event',
  endedEventId: 'event',
  'missing event': 'event',
  job: 'job',
  jobId: 'job',
  execution: 'execution',
  executionId: 'execution',
  webhookEndpoint: 'webhookEndpoint',
  worker: 'worker',
  workerId: 'worker',
  // The id of a block is that of its first event.
  block: 'event',
  freeze: 'freeze',
  clock: 'testClock',
  clockId: 'testClock',
  due: 'testClock',
  follows: 'testClock',
  issuer: 'tokenIssuer',
  channel: 'notificationChannel',
  key: 'apiKey',
  replaces: 'apiKey',
  destination: 'payoutDestination',
};

const ACTOR_FIELDS: ReadonlySet<string> = new Set([
  'actor',
  'by',
  'createdBy',
  'created_by',
  'decidedBy',
  'liftedBy',
  'pausedBy',
  'termsBy',
]);
/** Written by callers, field names included. */
const UNTOUCHED: ReadonlySet<string> = new Set(['metadata']);

const ACTORS: Readonly<Record<string, IdKind>> = { key: 'apiKey', user: 'account', schedule: 'schedule' };

/** An actor as users see it: `key:0199…` is `key_01jd…`, `user:0199…` the account `acct_01jd…`, `schedule:0199…` is `sch_01jd…`. */
export function shownActor(actor: string): string {
  const [, word = '', id = ''] = /^(key|user|schedule):(.*)$/.exec(actor) ?? [];
  const kind = ACTORS[word];
  return kind && isUuid(id) ? toTypeId(kind, id) : actor;
}

/** The kind of actor that an id names: `key_01jd…` is `['key', 'apiKey']`; null for other kinds. */
export function actorKindOf(prefix: string): readonly [string, IdKind] | null {
  return Object.entries(ACTORS).find(([, kind]) => ID_PREFIX[kind] === prefix) ?? null;
}

/** Assets have no id: the events about an asset have the id of its tenant. */
const RESOURCES_OF_THE_TENANT: ReadonlySet<string> = new Set(['asset']);

/** The id of an event's resource. */
export function shownResourceId(resource: string, id: Uuid): string {
  const kind = RESOURCES_OF_THE_TENANT.has(resource) ? 'tenant' : kindOfResource(resource);
  return kind === null ? id : toTypeId(kind, id);
}

/** A copy with TypeIDs and shown actors, at any depth; `rename` is applied to every field name. */
export function showIds(value: unknown, rename: (name: string) => string = (name) => name): unknown {
  if (Array.isArray(value)) return value.map((item) => showIds(item, rename));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [rename(name), shownField(name, field, rename)]),
  );
}

function shownField(name: string, field: unknown, rename: (name: string) => string): unknown {
  if (UNTOUCHED.has(name)) return field;
  const kind = Object.hasOwn(ID_FIELDS, name) ? ID_FIELDS[name] : undefined;
  if (kind !== undefined) return mapped(field, (text) => (isUuid(text) ? toTypeId(kind, text) : text), rename);
  return ACTOR_FIELDS.has(name) ? mapped(field, shownActor, rename) : showIds(field, rename);
}

/** One text, or a list of texts; anything else is walked. */
function mapped(field: unknown, show: (text: string) => string, rename: (name: string) => string): unknown {
  if (typeof field === 'string') return show(field);
  if (!Array.isArray(field)) return showIds(field, rename);
  return field.map((item: unknown) => (typeof item === 'string' ? show(item) : showIds(item, rename)));
}

/** Not a Date, a Map or another object with its own form in JSON. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
