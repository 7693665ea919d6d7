// An own event: one that an application appends (`posts.created`), in the same order, chain and feed as the events of usance.
//
// The column resource_id is a UUID, and a resource of an application has any text as its id. The UUID is derived from the tenant, the
// resource and that text. It is a UUIDv8 that begins with ff: no id of usance is one, so an own event is in no timeline of ours, and the form
// of resource_id says by itself that an event is an application's, also to a release that does not know its type. The text is stored with the data.
import { createHash } from 'node:crypto';
import type { Uuid } from '../kernel/index.ts';
import {
  MAX_CALLER_JSON_LEVELS,
  Refusal,
  callerJsonText,
  eachTogether,
  isStorable,
  keptJson,
  refuse,
  together,
  within,
} from '../kernel/index.ts';
import { LONGEST_TYPE, isEventType } from './pattern.ts';
import { collidingType, reservedNoun } from './reserved-names.ts';
import type { Data } from './schemas/index.ts';
import { isErasedData } from './schemas/index.ts';

/** A type that `parseOwnEvents` has admitted. */
export type OwnEventType = string & { readonly own: unique symbol };

/** An event to append, as an application gives it. */
export interface OwnEventParams {
  readonly type: string;
  /** The kind of resource: `post`. */
  readonly resource: string;
  /** The application's id of the resource: any text. */
  readonly resourceId: string;
  /** Default: empty. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The version of the schema of the data; default 1. */
  readonly version?: number;
}

/** Checked, with the data as they will be read again. */
export interface OwnEvent extends Required<Omit<OwnEventParams, 'type'>> {
  readonly type: OwnEventType;
}

/** Events in one call. They are one block. */
export const MOST_OWN_EVENTS = 1_000;
/** Bytes of the JSON of one event's data. */
export const MAX_OWN_DATA = 65_536;
/** The same for all events of one call. */
export const MAX_OWN_DATA_TOGETHER = 4 * 1_048_576;
export const LONGEST_RESOURCE = 50;
export const LONGEST_RESOURCE_ID = 255;
export const LAST_VERSION = 32_767;
export const RESOURCE_FORM = '^[a-z][a-z0-9_]*$';

const RESOURCE = new RegExp(RESOURCE_FORM);

/** Every problem of every event is refused at once, named by its place: `events[3].type`. Null: a single event, whose fields have no place. */
export function parseOwnEvents(events: readonly OwnEventParams[], place: string | null): OwnEvent[] {
  const param = place ?? 'events';
  if (events.length < 1) refuse('FIELD_INVALID/too_few_items', { param, min: 1 });
  if (events.length > MOST_OWN_EVENTS) refuse('FIELD_INVALID/too_many_items', { param, max: MOST_OWN_EVENTS });
  let bytes = 0;
  const parsed = eachTogether(events, (event, index) =>
    placed(place === null ? null : `${place}[${index}]`, () => {
      const { size, ...own } = parseOwnEvent(event);
      bytes += size;
      return own;
    }),
  );
  if (bytes > MAX_OWN_DATA_TOGETHER) refuse('EVENT_TOO_LARGE/together', { bytes, max: MAX_OWN_DATA_TOGETHER });
  return parsed;
}

function placed<T>(place: string | null, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (place === null || !(error instanceof Refusal)) throw error;
    const problems = error.problems.map((problem) => within(place, problem));
    throw new Refusal(within(place, error.refused), problems);
  }
}

function parseOwnEvent({ type, resource, resourceId, data = {}, version = 1 }: OwnEventParams) {
  const read = together({
    type: () => parseType(type),
    resource: () => parseResource(resource),
    resourceId: () => parseResourceId(resourceId),
    data: () => parseData(data),
    version: () => parseVersion(version),
  });
  return { ...read, data: read.data.value, size: read.data.bytes };
}

function parseType(type: unknown): OwnEventType {
  if (typeof type !== 'string' || !isEventType(type))
    return refuse('EVENT_TYPE_INVALID', { param: 'type', max: LONGEST_TYPE });
  const noun = reservedNoun(type);
  if (noun !== null) refuse('EVENT_TYPE_RESERVED/type', { param: 'type', noun });
  const ours = collidingType(type);
  if (ours !== null) refuse('EVENT_TYPE_RESERVED/action', { param: 'type', type: ours });
  return type as OwnEventType;
}

function parseResource(resource: unknown): string {
  if (typeof resource !== 'string' || resource.length > LONGEST_RESOURCE || !RESOURCE.test(resource))
    return refuse('FIELD_INVALID/not_a_resource', { param: 'resource', max: LONGEST_RESOURCE });
  if (!isOwnResource(resource)) refuse('EVENT_TYPE_RESERVED/resource', { param: 'resource', noun: resource });
  return resource;
}

function parseResourceId(id: unknown): string {
  if (typeof id !== 'string' || id.length < 1 || id.length > LONGEST_RESOURCE_ID)
    return refuse('FIELD_INVALID/wrong_length', { param: 'resourceId', min: 1, max: LONGEST_RESOURCE_ID });
  return isStorable(id) ? id : refuse('FIELD_INVALID/not_storable', { param: 'resourceId' });
}

function parseVersion(version: unknown): number {
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= LAST_VERSION)
    return version;
  return refuse('FIELD_INVALID/not_whole_number', { param: 'version', min: 1, max: LAST_VERSION });
}

function parseData(data: unknown): { value: Readonly<Record<string, unknown>>; bytes: number } {
  const text = callerJsonText(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_OWN_DATA) refuse('EVENT_TOO_LARGE/data', { param: 'data', bytes, max: MAX_OWN_DATA });
  const value = keptJson(data, text);
  if (value) return { value, bytes };
  return refuse('FIELD_INVALID/not_json', { param: 'data', characters: MAX_OWN_DATA, levels: MAX_CALLER_JSON_LEVELS });
}

/** Whether a resource can be an application's. */
export const isOwnResource = (resource: string): boolean => reservedNoun(resource) === null;

/** The id in the column resource_id, for an application's resource. */
export function ownResourceId(tenantId: Uuid, resource: string, id: string): Uuid {
  const hex = createHash('sha256').update(['usance own resource 1', tenantId, resource, id].join('\0')).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `ff${hex.slice(2, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const isOwnResourceId = (id: Uuid): boolean => id.startsWith('ff') && id.charAt(14) === '8';

/** The data of an own event as they are stored. */
export const storedOwnData = ({ resourceId, data }: Pick<OwnEvent, 'resourceId' | 'data'>): Data => ({
  resourceId,
  data,
});

/** An own event as its application gave it. */
export interface OwnEventShown {
  /** Null once the event is erased: the text is erased with the data. */
  readonly resourceId: string | null;
  /** Null once the event is erased. */
  readonly data: Data | null;
}

/** Null for an event of usance. */
export function ownEventOf(event: { readonly resourceId: Uuid; readonly data: Data }): OwnEventShown | null {
  const { resourceId, data: stored } = event;
  if (!isOwnResourceId(resourceId)) return null;
  if (isErasedData(stored)) return { resourceId: null, data: null };
  const { resourceId: text, data } = stored;
  // The runtime role can append anything: what has another form is shown as it is.
  const hasForm = typeof text === 'string' && typeof data === 'object' && data !== null;
  return hasForm ? { resourceId: text, data: data as Data } : { resourceId: null, data: stored };
}
