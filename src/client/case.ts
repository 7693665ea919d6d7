// The wire is snake_case JSON, TypeScript is camelCase: keys are converted on the way out and on the way in. Values that belong
// to the caller (metadata, key sets, data of own events) keep their keys. A bigint becomes a string of digits and a Date RFC 3339.

/** Fields whose contents keep their keys. */
export const OPAQUE = new Set([
  'metadata',
  'fields',
  'details',
  'counts',
  'jwks',
  'by_type',
  'destinations',
  'result',
  'headers',
]);
/** The same in parameters: `data` of an event to append. */
const OPAQUE_PARAMS = new Set([...OPAQUE, 'data']);
/** The same in an event that an application appended: events of usance have `data` with names of ours. */
const OPAQUE_IN_OWN_EVENT = OPAQUE_PARAMS;

/** Parameters as JSON of the HTTP API: field names in snake_case, `bigint` and `Date` as strings. */
export function toWire(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return mapped(value, toSnake, toWire, OPAQUE_PARAMS);
}

/** An answer of the HTTP API with field names in camelCase. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (typeof value !== 'object' || value === null) return value;
  return mapped(value, toCamel, fromWire, isOwnEvent(value) ? OPAQUE_IN_OWN_EVENT : OPAQUE);
}

const isOwnEvent = (value: object): boolean => 'source' in value && value.source === 'application' && 'cursor' in value;

function mapped(
  value: object,
  rename: (name: string) => string,
  convert: (field: unknown) => unknown,
  opaque: ReadonlySet<string>,
): object {
  // The result of a dry run is the answer of an operation; that of an execution is an object of the caller.
  const isDryRun = 'dry_run' in value && value.dry_run === true;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    if (field === undefined) continue;
    const isPlain = typeof field !== 'object' || field === null;
    const kept = isPlain || (opaque.has(toSnake(name)) && !Array.isArray(field) && !(isDryRun && name === 'result'));
    // A bigint is plain, and has another form.
    const converted = kept && typeof field !== 'bigint' ? field : convert(field);
    const renamed = rename(name);
    if (renamed === '__proto__') Object.defineProperty(fields, renamed, { ...OWN, value: converted });
    else fields[renamed] = converted;
  }
  return fields;
}

const OWN = { configurable: true, enumerable: true, writable: true };

/** Names are few, and each is converted again and again. Those of callers may be many, so only so many are kept. */
function remembering(convert: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const converted = convert(name);
    if (known.size < MOST_NAMES) known.set(name, converted);
    return converted;
  };
}

const MOST_NAMES = 2_000;

export const toSnake = remembering((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
/** A field name in camelCase: `execute_at` is `executeAt`. */
export const toCamel = remembering((name) =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

/** The path of a field, `steps[0].starts_at`. Keys of metadata, and of the data of an event, belong to the caller. */
export function pathToCamel(path: string): string {
  const [, outside = path, inside = ''] = /^(.*?\b(?:metadata|data))(\..*)$/s.exec(path) ?? [];
  return toCamel(outside) + inside;
}
