// A refusal's sentence, for one edge: HTTP writes field names in snake_case, the library in camelCase. Ids become TypeIDs and
// amounts decimals here, so no module formats them.
import { camelCase, snakeCase } from '../case.ts';
import { formatDecimal } from '../decimal.ts';
import type { IdKind } from '../type-id.ts';
import { ID_PREFIX, isUuid, toTypeId } from '../type-id.ts';
import type { FieldValue, Fields, Money } from './entry.ts';

/** How an edge spells the name of a field. */
export type Spelling = 'camel' | 'snake';

export function render(sentence: string, fields: Fields, spelling: Spelling): string {
  return sentence.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (whole, name: string, kind: string | undefined) => {
    const value = fields[name];
    return value === undefined ? whole : shown(value, name === 'param' ? (kind ?? 'field') : kind, spelling);
  });
}

/** Nouns that a sentence counts. */
export const COUNTED: ReadonlySet<string> = new Set(['items', 'characters']);

function shown(value: FieldValue, kind: string | undefined, spelling: Spelling): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') {
    return isMoney(value) ? moneyText(value) : listed(wordsOf(value, kind, spelling).map(String));
  }
  const text = String(value);
  if (kind !== undefined && COUNTED.has(kind)) return `${text} ${text === '1' ? kind.slice(0, -1) : kind}`;
  if (kind === 'field') return spelled(text, spelling);
  if (kind === 'given') return asGiven(text, spelling);
  if (kind === 'quoted') return JSON.stringify(asGiven(text, spelling));
  return kind !== undefined && kind in ID_PREFIX && isUuid(text) ? toTypeId(kind as IdKind, text) : text;
}

type Words = readonly (string | number)[];

const wordsOf = (words: Words, kind: string | undefined, spelling: Spelling): Words =>
  kind === 'fields' ? words.map((word) => spelled(String(word), spelling)) : words;

const isMoney = (value: Money | readonly unknown[]): value is Money => 'asset' in value;

/** 5000 of USD/2 is "50.00 USD". */
function moneyText({ amount, asset }: Money): string {
  const [code = asset, scale = '0'] = asset.split('/');
  return `${formatDecimal(amount, Number(scale))} ${code}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

// A path of field names, `legs[0].to`. A header (Idempotency-Key) is none, nor is what a caller named in a map.
const PATH = /^[a-z][\w.[\]]*$/;
const MAPS = /^(.*?\bmetadata)(\..*)?$/s;

export function spelled(name: string, spelling: Spelling): string {
  if (!PATH.test(name)) return name;
  const [, own = name, inside = ''] = MAPS.exec(name) ?? [];
  return (spelling === 'snake' ? snakeCase(own) : camelCase(own)) + inside;
}

/** A name of the caller's. Over HTTP it is as the caller wrote it; the library's callers write camelCase. */
const asGiven = (name: string, spelling: Spelling): string => (spelling === 'snake' ? name : spelled(name, spelling));

/** The field of the request to correct, as an edge writes it. */
export function spelledParam(sentence: string, param: string, spelling: Spelling): string {
  return /\{param:(?:given|quoted)\}/.test(sentence) ? asGiven(param, spelling) : spelled(param, spelling);
}

/** The fields as they travel in an answer: names in the edge's spelling, ids as TypeIDs, amounts as strings with their asset. */
export function travelling(sentence: string, fields: Fields, spelling: Spelling): Record<string, unknown> {
  const kinds = new Map(
    [...sentence.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(([, name = '', kind]) => [name, kind] as const),
  );
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
      value === undefined || name === 'param'
        ? []
        : [[spelled(name, spelling), carried(value, kinds.get(name), spelling)]],
    ),
  );
}

function carried(value: FieldValue, kind: string | undefined, spelling: Spelling): unknown {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value instanceof Date) return shown(value, kind, spelling);
  return isMoney(value) ? { amount: value.amount.toString(), asset: value.asset } : wordsOf(value, kind, spelling);
}
