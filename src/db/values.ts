// Values as they travel: as text, or null; a batch as columns, an array each. Why it is rewritten: docs/decisions/0026.
import { refuse } from '../kernel/index.ts';
import { binaryArray } from './binary-arrays.ts';
import type { Element, Value } from './sql.ts';

export function encode(value: Value): string | null {
  if (value === null) return null;
  if (typeof value === 'object') return value instanceof Date ? value.toISOString() : encodeArray(value);
  const text = String(value);
  // The one character that text in PostgreSQL cannot have. Said here, it is a refusal like any other.
  if (typeof value === 'string' && text.includes('\0')) refuse('FIELD_INVALID/has_nul');
  return text;
}

const PLAIN = /^[0-9a-zA-Z][0-9a-zA-Z:./+_-]*$/;
const ALL_PLAIN = /^[0-9a-zA-Z][0-9a-zA-Z:./+_-]*(?:,[0-9a-zA-Z][0-9a-zA-Z:./+_-]*)*$/;

/** A batch is mostly ids and amounts: those go through in one look at the whole, anything else element by element. */
function encodeArray(items: readonly Element[]): string {
  const [first] = items;
  if (typeof first === 'string' && items.every((item) => typeof item === 'string' && !item.includes(','))) {
    const joined = items.join(',');
    if (ALL_PLAIN.test(joined) && !/null/i.test(joined)) return `{${joined}}`;
  }
  if (typeof first === 'bigint' && items.every((item) => typeof item === 'bigint')) return `{${items.join(',')}}`;
  return `{${items.map(encodeElement).join(',')}}`;
}

function encodeElement(item: Element): string {
  const text = encode(item);
  if (text === null) return 'NULL';
  if (PLAIN.test(text) && text.toUpperCase() !== 'NULL') return text;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const ARRAY_PARAMETER = /\$(\d+)::(\w+)\[\]/g;
/** Columns and nothing else: what an insert writes. */
const SOLE_SOURCE =
  /\bfrom unnest\(((?:\s*\$\d+::\w+\[\],?)+)\)(?:\s+(\w+) \(([^)]*)\))?(?=\s*(?:$|returning\b|on conflict\b))/g;
/** Fewer are not worth a look. */
const LEAST = 16;

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/**
 * Half the columns of a batch are one value many times (its tenant, its instant, nothing). Such a value travels once, and the
 * server makes the array. What an insert writes need not become a table first either: its columns are taken apart side by
 * side, where one value many times is that value, and JSON is one document instead of quoted piece by piece.
 */
export function condense(text: string, values: readonly Value[]): Statement {
  const arrays = values.map((value) => (isArray(value) ? { items: value, isShared: isUniform(value) } : null));
  if (!arrays.some((array) => array && array.items.length >= LEAST)) return { text, values };
  const travels = values.map((value, place) => (arrays[place]?.isShared ? (arrays[place].items[0] ?? null) : value));

  const apart = text.replace(SOLE_SOURCE, (source: string, list: string, name = 'v', names = '') => {
    const columns = [...list.matchAll(ARRAY_PARAMETER)].map(([all, number = '', type = '']) => {
      const place = Number(number) - 1;
      return { all, one: `$${number}::${type}`, type, place, items: arrays[place]?.items ?? [] };
    });
    const isShared = ({ place }: { readonly place: number }): boolean => arrays[place]?.isShared ?? false;
    const isEven = columns.every(({ items }) => items.length === columns[0]?.items.length);
    if (!isEven || columns.every(isShared)) return source;
    const taken = columns.map((column) => {
      const { all, one, type, place, items } = column;
      if (isShared(column)) return one;
      if ((type !== 'jsonb' && type !== 'json') || items.includes(null)) return `unnest(${all})`;
      // An element of `json` keeps the exact text that it has in the array.
      travels[place] = `[${items.join(',')}]`;
      return `${type}_array_elements(${one})`;
    });
    return `from (select ${taken.join(', ')}) ${name}${names === '' ? '' : ` (${names})`}`;
  });
  const condensed = apart.replace(ARRAY_PARAMETER, (all, number: string, type: string) => {
    const array = arrays[Number(number) - 1];
    return array?.isShared ? `array_fill($${number}::${type}, array[${array.items.length}])` : all;
  });
  return { text: condensed, values: travels };
}

/**
 * The values of a statement, with long arrays of ids in binary form. For connections of our own pool: a driver that a caller
 * passes may not send a Buffer as binary.
 */
export function encodeInBinary({ text, values }: Statement): (string | Buffer | null)[] {
  if (!values.some(isLong)) return values.map(encode);
  const types = new Map([...text.matchAll(ARRAY_PARAMETER)].map(([, number, type = '']) => [Number(number) - 1, type]));
  return values.map(
    (value, place) => (isLong(value) ? binaryArray(types.get(place) ?? '', value) : null) ?? encode(value),
  );
}

const isLong = (value: Value): value is readonly Element[] => isArray(value) && value.length >= LEAST;
const isArray = (value: Value): value is readonly Element[] => Array.isArray(value);

function isUniform(items: readonly Element[]): boolean {
  const [first] = items;
  if (items.length < LEAST || first === undefined) return false;
  if (!(first instanceof Date)) return items.every((item) => item === first);
  return items.every((item) => item === first || (item instanceof Date && item.getTime() === first.getTime()));
}
