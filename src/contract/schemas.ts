// The words of the contract that many routes share. Each is JSON Schema, a TypeScript type and a paragraph of the reference.
import { Type } from 'typebox';
import type { Static, TProperties, TSchema } from 'typebox';
import { CATALOGUE, ID_PREFIX, MOST_ERRORS, typeIdForm } from '../kernel/index.ts';
import type { IdKind } from '../kernel/index.ts';
import { parseInstant } from '../engine.ts';
import { refusedAs } from './validate.ts';

/** An object that takes these fields and no others. */
export function closed<P extends TProperties>(properties: P, options: object = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

export const Nothing = closed({});

/** A schema, or null. */
export function nullable<S extends TSchema>(schema: S, options: Record<string, unknown> = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** Text or null, as one type: its errors are reported in one sentence. */
export const textOrNull = (options: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });

/** Marks a field that has its name or its words from an earlier design: docs/reference/compatibility.md. */
export const forCompatibility = (description: string) => ({
  description: `${description} For compatibility.`,
  'x-compatibility': true,
});

/** Each group of optional fields needs one of them. Handlers check it; the types of the client and the library have it from here. */
export const oneGivenOf = (...groups: readonly (readonly string[])[]) => ({ 'x-one-of': groups });

export const oneOf = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

/** A query parameter with one word, or several as `status=settled,failed`. Any of them matches. */
export const someOf = <const T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<readonly T[]>({
    type: 'array',
    items: { type: 'string', enum: values },
    minItems: 1,
    maxItems: values.length,
    description: 'One or several; any of them matches.',
    ...options,
  });

export const Amount = Type.String({
  description: 'Minor units, as a string of digits: "1250" of USD/2 is 12.50.',
  pattern: '^-?[0-9]+$',
  examples: ['1250'],
});

export const AmountIn = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'Whole minor units: a string of digits, or a number up to 2^53 - 1.',
  pattern: '^(0|[1-9][0-9]*)$',
  maxLength: 40,
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: ['1250'],
  ...refusedAs('AMOUNT_INVALID/not_minor_units'),
});

export const Instant = Type.String({ format: 'date-time', examples: ['2026-11-15T09:30:00.000Z'] });

/** An instant in a request. The description says what it means and, if it can be left out, its default. */
export const instantIn = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description} RFC 3339, with a zone.`,
    maxLength: 40,
    examples: ['2026-11-15T09:30:00Z'],
    ...refusedAs('DELAY_INVALID/not_an_instant'),
  });

/** A whole number whose own bounds are the engine's: it says them in its own words. */
export const Whole = (options: object = {}) =>
  Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, ...options });

/** A length of time in a response. */
export const durationShown = (description: string) =>
  Type.String({ description: `${description} ISO 8601.`, pattern: '^P', examples: ['PT48H'] });

export const DelayIn = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'Counted from now: seconds, `48h`, or an ISO 8601 duration such as `PT48H`.',
  minimum: 0,
  maximum: 999_999_999,
  maxLength: 40,
  examples: ['48h'],
  ...refusedAs('DELAY_INVALID/not_a_duration'),
});

/** `x-id` names the kind of id in a text: the tests try every such field with an id of another tenant. */
export const idOf = (kind: IdKind) =>
  Type.String({
    pattern: typeIdForm(kind),
    examples: [`${ID_PREFIX[kind]}_01jd3mzk4qe0rvb1rj4yj6d3zt`],
    'x-id': kind,
    ...refusedAs('ID_INVALID/wrong_form', { examples: [`"${ID_PREFIX[kind]}_01jd…"`] }),
  });

/** The same for what may be of several kinds; the tests try the first. */
export const idOfAny = (kinds: readonly [IdKind, ...IdKind[]]) => {
  const prefixes = kinds.map((kind) => ID_PREFIX[kind]);
  return Type.String({
    pattern: typeIdForm(...kinds),
    examples: prefixes.map((prefix) => `${prefix}_01jd3mzk4qe0rvb1rj4yj6d3zt`),
    'x-id': kinds[0],
    ...refusedAs('ID_INVALID/wrong_form', { examples: prefixes.map((prefix) => `"${prefix}_01jd…"`) }),
  });
};

export const AccountName = Type.String({
  description: 'An account: its id (`acct_…`) or your ref.',
  minLength: 1,
  maxLength: 200,
  examples: ['alice'],
  'x-id': 'account',
});

export const AssetName = Type.String({
  description: 'Code and scale (`USD/2`), or only the code.',
  minLength: 1,
  maxLength: 20,
  examples: ['USD/2'],
});

export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'Your own JSON object, returned unchanged; at most 16,384 characters of JSON.',
  examples: [{ order: 'A-1001' }],
  maxProperties: 4_096,
});

/** Addresses by chain. */
export const Destinations = Type.Unsafe<Record<string, string>>({
  type: 'object',
  description: 'The address of the payee on each chain that may be used, by the name of the chain.',
  examples: [{ sandbox: 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c' }],
  additionalProperties: { type: 'string', minLength: 1, maxLength: 200 },
  propertyNames: { type: 'string', minLength: 1, maxLength: 32 },
  maxProperties: 10,
});

/** A query parameter such as `metadata[order]=A-1001`. */
export const MetadataFilter = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  description:
    'Only items whose `metadata` has each of these fields with the given value, such as `order` with `A-1001`; at most 5. A value that ' +
    'is not text is compared as its JSON.',
  additionalProperties: { type: 'string', maxLength: 500 },
  propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
  minProperties: 1,
  maxProperties: 5,
  ...refusedAs('FIELD_INVALID/metadata_filter'),
});

export const Reason = Type.String({
  description: 'The reason; recorded in the audit log.',
  minLength: 1,
  maxLength: 500,
  examples: ['asked for by the customer'],
});

export const Reference = Type.String({
  description: 'Your own name for the payment, unique within the tenant.',
  pattern: '^[ -~]{1,255}$',
  examples: ['order-1001'],
  ...refusedAs('FIELD_INVALID/not_printable', { min: 1, max: 255 }),
});

/** When the resource was created. */
export const CREATED = {
  created_from: Type.Optional(instantIn('Created at this instant or later. Default: any.')),
  created_before: Type.Optional(instantIn('Created before this instant. Default: any.')),
};

const parseFilter = (text: string, param: string): Date => parseInstant(text, param, { isFilter: true });

/** The same as a filter of the engine. */
export function readCreated(query: { readonly created_from?: string; readonly created_before?: string }): {
  createdFrom?: Date;
  createdBefore?: Date;
} {
  const { created_from, created_before } = query;
  return {
    ...(created_from === undefined ? {} : { createdFrom: parseFilter(created_from, 'created_from') }),
    ...(created_before === undefined ? {} : { createdBefore: parseFilter(created_before, 'created_before') }),
  };
}

/** `?expand=from,to`: the account is shown beside its id. */
export const expandQuery = <const T extends string>(fields: readonly T[]) => ({
  expand: Type.Optional(
    someOf(fields, {
      description: `Fields whose account is shown next to its id: \`${fields[0]}_account\` next to \`${fields[0]}\`. Default: none. Requires \`ledger:read\`.`,
    }),
  ),
});

/** `?limit=` and `?cursor=`, and whatever else a list is asked by. */
export function pageQuery<P extends TProperties>(filters: P) {
  return closed({
    ...filters,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Items per page. Default 50.', examples: [50] }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the previous page.' })),
  });
}

export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export const listOf = <S extends TSchema>(item: S, title: string) =>
  closed(
    {
      data: Type.Array(item, { description: 'The items of the page.' }),
      next_cursor: textOrNull({ description: 'Request the next page with it; null on the last page.' }),
    },
    { title },
  );

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'The page that explains the code.' }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({
      description: 'From the catalogue of codes. A later version can add codes.',
      'x-extensible-enum': Object.keys(CATALOGUE),
    }),
    detail: Type.String({ description: 'One sentence: the problem, the resource and the action to take.' }),
    reason: Type.Optional(
      Type.String({ description: 'The cause; absent if the code has only one. A later version can add reasons.' }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The values in `detail`, such as the available and the required amount; absent if it has none.',
      }),
    ),
    param: Type.Optional(
      Type.String({ description: 'The field of the request to correct; absent if it is about no field.' }),
    ),
    request_id: Type.String(),
    retryable: Type.Boolean({ description: 'Whether the same request can succeed later without being changed.' }),
    errors: Type.Optional(
      Type.Array(
        closed({
          index: Type.Optional(
            Type.Integer({
              description: 'Position of the payment in a bulk request, from 0; absent in other requests.',
            }),
          ),
          code: Type.String(),
          detail: Type.String(),
          param: Type.Optional(Type.String()),
        }),
        {
          description: `Every problem of the request; absent if it has one. One for each field or payment to correct; the first ${MOST_ERRORS}.`,
        },
      ),
    ),
  },
  { title: 'Problem', description: 'RFC 9457.' },
);
export type Problem = Static<typeof Problem>;
