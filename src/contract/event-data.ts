// The data of events as the outside sees it, by the schemas of the catalogue (src/events/schemas): names in snake_case, ids as TypeIDs,
// and everything that storing left out. Refs of accounts are not part of a stored event, because they could not be erased, and the texts
// of a payment are part of the event that set them only; one read finds the refs of a whole page, and one the texts.
import type { PaymentTexts, StoredData, TenantVerbs } from '../engine.ts';
import { completeData, definitionOf, paymentsShownIn } from '../engine.ts';
import type { IdKind, Uuid } from '../kernel/index.ts';
import { isUuid, showIds, shownActor, snakeCase, toTypeId } from '../kernel/index.ts';
import { outside } from './wire-format.ts';

type Refs = Pick<ReadonlyMap<Uuid, string>, 'get'>;
/** The verbs that showing events needs. */
export type ShowingVerbs = Pick<TenantVerbs, 'accountRefs' | 'paymentTexts' | 'subject'>;
type Schema = Readonly<Record<string, unknown>>;

const NO_REFS: Refs = new Map();

/**
 * Shows the data of these events, with one read for the refs and one for the texts of all of them. An end user sees the part of it that own-view.ts lets
 * through.
 */
export async function dataShower(
  tenant: ShowingVerbs,
  events: readonly StoredData[],
): Promise<(event: StoredData) => unknown> {
  if (tenant.subject !== null) return (event) => shownAsGiven(event);
  const accounts = accountsIn(events);
  const refs = accounts.length === 0 ? NO_REFS : await tenant.accountRefs(accounts);
  const payments = paymentsShownIn(events);
  const texts = payments.length === 0 ? null : await tenant.paymentTexts(payments);
  return (event) => shownComplete(event, refs, texts?.get(event.resourceId));
}

/** The data of an event with everything that storing left out. */
export function shownComplete(event: StoredData, refs: Refs, texts?: PaymentTexts): unknown {
  return shownAsGiven({ ...event, data: completeData(event, texts) }, refs);
}

/** Data as it is given: an end user sees a part of it, to which nothing may be added. */
function shownAsGiven(event: StoredData, refs: Refs = NO_REFS): unknown {
  return shown(definitionOf(event)?.data as Schema | undefined, event.data, refs);
}

/** The accounts whose refs the data shows. Found by showing it once with a map that notes each lookup. */
function accountsIn(events: readonly StoredData[]): Uuid[] {
  const ids = new Set<Uuid>();
  const noting = { get: (id: Uuid) => void ids.add(id) };
  for (const event of events) shownComplete(event, noting);
  return [...ids];
}

/** Null for anything but a UUID: one event with other data must not break the read of a whole page. */
const idOf = (party: unknown): Uuid | null => {
  const id = isObject(party) ? party['id'] : party;
  return typeof id === 'string' && isUuid(id) ? id : null;
};

/** Data without a schema are shown by the names of their fields. */
function shown(schema: Schema | undefined, value: unknown, refs: Refs): unknown {
  if (schema === undefined) return outside(value);
  if (value === null || value === undefined) return value;
  const { 'x-show': how, 'x-id': kind, anyOf, items, properties } = schema;
  if (typeof how === 'string') return SHOWS[how]?.(value, refs) ?? value;
  if (typeof kind === 'string') return typeId(kind as IdKind, value);
  if (Array.isArray(anyOf)) return shown(branchFor(anyOf as Schema[], value), value, refs);
  if (Array.isArray(value)) return value.map((item) => shown(items as Schema, item, refs));
  if (!isObject(value)) return value;
  const fields = (properties ?? {}) as Readonly<Record<string, Schema>>;
  const result: Record<string, unknown> = {};
  const stored: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const shownName = snakeCase(name);
    stored[shownName] = field;
    result[shownName] = shown(fields[shownName], field, refs);
  }
  for (const [name, { 'x-ref': of }] of Object.entries(fields))
    if (typeof of === 'string' && of in stored) result[name] = refsOf(stored[of], refs);
  return result;
}

/** The ref of an account, or of each of a list. */
function refsOf(id: unknown, refs: Refs): unknown {
  if (Array.isArray(id)) return id.map((each) => refsOf(each, refs));
  return typeof id === 'string' && isUuid(id) ? (refs.get(id) ?? null) : null;
}

/** The branch that has the fields of an object; for any other value the first that is not null. */
function branchFor(branches: readonly Schema[], value: unknown): Schema | undefined {
  const others = branches.filter(({ type }) => type !== 'null');
  const names = isObject(value) ? Object.keys(value).map(snakeCase) : [];
  return (
    others.find(({ properties }) => names.every((name) => isObject(properties) && name in properties)) ?? others[0]
  );
}

const typeId = (kind: IdKind, value: unknown): unknown =>
  typeof value === 'string' && isUuid(value) ? toTypeId(kind, value) : value;

const SHOWS: Readonly<Record<string, (value: unknown, refs: Refs) => unknown>> = {
  verbatim: (value) => value,
  keys: outside,
  names: (value) =>
    Array.isArray(value) ? value.map((name) => (typeof name === 'string' ? snakeCase(name) : name)) : value,
  actor: (value) =>
    Array.isArray(value) ? value.map((name) => (typeof name === 'string' ? shownActor(name) : name)) : value,
  owner: (value) =>
    isObject(value)
      ? { ...value, id: typeId(value['kind'] === 'subscription' ? 'subscription' : 'schedule', value['id']) }
      : value,
  party: (value, refs) => {
    const id = idOf(value);
    if (id === null) return value;
    const { amount } = isObject(value) ? value : {};
    return { id: typeId('account', id), ref: refs.get(id) ?? null, ...(amount === undefined ? {} : { amount }) };
  },
  finding: (value) => showIds(value),
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
