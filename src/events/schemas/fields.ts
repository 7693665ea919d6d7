// The building blocks of the schemas of events. A schema describes the data of an event as it is shown outside: names in snake_case,
// ids as TypeIDs, amounts as strings of digits. The database has UUIDs and camelCase names; `x-id` and `x-show` say how a stored value
// becomes the shown one (src/contract/event-data.ts).
import { Type } from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import type { IdKind } from '../../kernel/index.ts';
import { ID_PREFIX, typeIdForm } from '../../kernel/index.ts';

/** How a stored value becomes the shown one, where its schema does not say it all. */
export type Show =
  /** A payer or payee: stored by id, shown with the ref of its account. */
  | 'party'
  /** `{ kind, id }`: the kind says what the id is. */
  | 'owner'
  /** `key:0199…` is shown as `key_01jd…`. */
  | 'actor'
  /** Names of fields. */
  | 'names'
  /** An object that another page describes: its keys are names of fields. */
  | 'keys'
  /** A finding of an integrity check: the name of a field says what an id is. */
  | 'finding'
  /** The caller's own JSON. */
  | 'verbatim';

type Options = Readonly<Record<string, unknown>>;

/** An object with these fields and no others. */
export const object = <P extends TProperties>(properties: P, options: Options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** The fields of another schema, and these. */
export const extended = <P extends TProperties>(
  base: { readonly properties: TProperties; readonly title: string },
  properties: P,
) => Type.Object({ ...base.properties, ...properties }, { additionalProperties: false, 'x-extends': base });

/** A field that is sometimes absent: `absent` says when. */
export function maybe<S extends TSchema>(schema: S, absent: string) {
  const { description = '' } = schema as { readonly description?: string };
  return Object.assign(Type.Optional(schema), { description: `${description} Absent ${absent}.`.trim() });
}

/** The values after a change, of the fields that the caller gave. */
export const given = (fields: TProperties): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, maybe(schema, 'if it was not given')]));

export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const list = <S extends TSchema>(items: S, description: string) => Type.Array(items, { description });

const EXAMPLE_IDS: Partial<Record<IdKind, string>> = {
  account: 'acct_01k9zt1m6hfpq8w3n5x7y2c4de',
  payment: 'pay_01k9zt5c7nmd3g5h8j1k4p6q9r',
  plan: 'plan_01k9zt6d8qne4h6j9k2m5r7s0t',
  schedule: 'sch_01k9ztf2s4v6x8z0b2d4f6h8j0',
  event: 'evt_01k9zt3q9fh2j4m6p8r0t2w4y6',
  apiKey: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
};

export const id = (
  kind: IdKind,
  description: string,
  example = EXAMPLE_IDS[kind] ?? `${ID_PREFIX[kind]}_01k9zt3q8sxa4e6r1t9v2w5y7z`,
) =>
  Type.String({
    description,
    pattern: typeIdForm(kind),
    examples: [example],
    'x-id': kind,
  });

/** The ref of the account that the field `of` names. Refs are not stored: they are read when an event is shown. */
export const ref = (of: string, example = 'bob') =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `Ref of the account \`${of}\`.`,
    examples: [example],
    'x-ref': of,
  });

const exampleRef = (accountId: string): string => (accountId === EXAMPLE_IDS.account ? 'alice' : 'bob');

/** A field with the id of an account, and one with its ref beside it. */
export function account<const N extends string>(name: N, description: string, example = EXAMPLE_IDS.account ?? '') {
  const beside = `${name.replace(/_id$/, '')}_ref`;
  return { [name]: id('account', description, example), [beside]: ref(name, exampleRef(example)) };
}

export const BOB = 'acct_01k9zt1p2rvb7d9f0g3h5j8k1m';

export const text = (description: string, example: string, options: Options = {}) =>
  Type.String({ description, examples: [example], ...options });

export const integer = (description: string, example: number, options: Options = {}) =>
  Type.Integer({ description, examples: [example], ...options });

export const word = <const T extends string>(words: readonly T[], description: string, example: T) =>
  Type.Unsafe<T>({ type: 'string', enum: words, description, examples: [example] });

export const amount = (description: string, example = '10000') =>
  Type.String({ description: `${description} Minor units.`, pattern: '^-?[0-9]+$', examples: [example] });

export const instant = (description: string, example = '2026-11-15T09:30:00.000Z') =>
  Type.String({
    description: `${description} RFC 3339, UTC.`,
    pattern: String.raw`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`,
    examples: [example],
  });

/** A date and time without a zone, as schedules write slots. */
export const local = (description: string) =>
  Type.String({ description: `${description} Local time of the schedule.`, examples: ['2026-11-15T09:30:00'] });

/** A caller's own JSON object. */
export const anyObject = (description: string, example: object, show: Show = 'verbatim') =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description, examples: [example], 'x-show': show });

export const names = (description: string, example: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [example], 'x-show': 'names' });

export const asset = text('Code and scale: `USD/2` counts cents.', 'USD/2');
export const reason = text('The reason given by the caller.', 'asked for by the customer');
export const reasonIfGiven = maybe(reason, 'if none was given');
export const reasonOrNull = nullable(reason, 'The reason given by the caller; null if none was given.');
export const code = text('A code of the error catalogue.', 'FUNDS_INSUFFICIENT');
export const detail = text(
  'One sentence: the problem, the resource and the action to take.',
  'account "acct_01k9zt1m6hfpq8w3n5x7y2c4de" has 50.00 USD available; 100.00 USD is required',
);

/** The values before and after a change. */
export const change = <O extends TProperties, N extends TProperties>(before: O, after: N) => ({
  old: object(before, { description: 'The values before the change.' }),
  new: object(after, { description: 'The values after the change.' }),
});

/** The values of a new resource. */
export const created = <P extends TProperties>(properties: P) => ({
  new: object(properties, { description: 'The values of the new resource.' }),
});

/** A retry policy as it is stored. */
export const retry = nullable(
  object(
    {
      max_attempts: integer('Attempts in all.', 5),
      initial_delay_ms: integer('The wait after the first failed attempt, in milliseconds.', 60_000),
      multiplier: Type.Number({ description: 'Each wait is this many times the previous wait.', examples: [2] }),
      max_delay_ms: integer('The longest wait, in milliseconds.', 480_000),
      jitter: Type.Number({ description: 'Random part of each wait, 0 to 1.', examples: [0] }),
    },
    { title: 'EventRetryPolicy', description: 'How a failed payment is retried.' },
  ),
  'The retry policy; null: the default.',
);

export const priority = word(['high', 'normal', 'low'], 'Due payments of a higher priority run first.', 'normal');
