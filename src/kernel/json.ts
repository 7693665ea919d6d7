import { refuse } from './errors/index.ts';

// PostgreSQL cannot keep two things that JSON text can say: U+0000, and one half of a surrogate pair. JSON.stringify escapes both, in values
// and in names of fields, and writes a whole pair as it is. After an even number of backslashes a `u` starts no escape.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:(0000)|d[89a-f][0-9a-f]{2})/;

/** JSON for storing: amounts become decimal strings, as they are over HTTP. Text that PostgreSQL cannot keep is refused. */
export function toJson(value: unknown): string {
  // Asking the replacer for every field takes several times as long as writing them.
  const text = hasBigint(value) ? JSON.stringify(value, withoutBigint) : JSON.stringify(value);
  const unstorable = text?.includes('\\u') ? UNSTORABLE.exec(text) : null;
  if (unstorable) {
    if (unstorable[1]) refuse('FIELD_INVALID/has_nul');
    refuse('FIELD_INVALID/not_storable', { param: 'data' });
  }
  return text;
}

const withoutBigint = (_name: string, item: unknown): unknown => (typeof item === 'bigint' ? item.toString() : item);

function hasBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBigint);
  // No list of the values is made: most data are an event's, of which a batch has a thousand.
  for (const name in value) if (hasBigint((value as Record<string, unknown>)[name])) return true;
  return false;
}
