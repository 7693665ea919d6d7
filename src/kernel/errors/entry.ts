// The catalogue entry of a code, and the types of the fields that its sentence needs. A sentence has placeholders:
//
//   {name}                text or a number, as it is
//   {param}               the field of the request to correct: execute_at over HTTP, executeAt in the library
//   {param:given}         the same, over HTTP as the caller wrote it; {param:quoted} in quotes too
//   {name:field}          another field of a request
//   {name:fields}         several fields of a request: a, b or c
//   {name:amount}         { amount, asset }, shown as 50.00 USD
//   {name:instant}        a Date, shown as ISO 8601
//   {name:list}           several words: a, b or c
//   {name:items}          a number and its noun: 1 item, 2 items; {name:characters} too
//   {name:payment}        a UUID, shown as a TypeID of that kind: pay_01jd…
//
// The compiler reads the placeholders: `refuse` without a field, or with one of another type, does not compile.
import type { IdKind, Uuid } from '../type-id.ts';

/** An amount with its asset, as a sentence shows it. */
export interface Money {
  readonly amount: bigint;
  /** `USD/2`. */
  readonly asset: string;
}

interface Kinds extends Record<IdKind, Uuid> {
  readonly field: string;
  readonly fields: readonly string[];
  readonly amount: Money;
  readonly instant: Date;
  readonly list: readonly (string | number)[];
  readonly items: number;
  readonly characters: number;
}

export type FieldValue = string | number | bigint | Date | Money | readonly (string | number)[];
export type Fields = Readonly<Record<string, FieldValue | undefined>>;

type Placeholders<Sentence> = Sentence extends `${string}{${infer Inner}}${infer Rest}`
  ? Inner | Placeholders<Rest>
  : never;
type NameOf<Inner> = Inner extends `${infer Name}:${string}` ? Name : Inner;
type ValueOf<Inner> = Inner extends `${string}:${infer Kind}`
  ? Kind extends keyof Kinds
    ? Kinds[Kind]
    : never
  : string | number | bigint;

/** The fields of a sentence. `param` may always be given: it names the field of the request to correct. */
export type FieldsOf<Sentence> = {
  readonly [Inner in Placeholders<Sentence> as NameOf<Inner> & string]: NameOf<Inner> extends 'param'
    ? string
    : ValueOf<Inner>;
} & { readonly param?: string };

/** The sentence of one refusal; by reason where a code has several causes. */
type Detail = string | Readonly<Record<string, string>>;
/** The fields of the sentence in an example; `[reason, fields]` where a code has several causes. */
export type Example = Fields | ReasonedExample;
export type ReasonedExample = readonly [reason: string, fields?: Fields];

type NeedsNone<Sentence> = { readonly param?: string } extends FieldsOf<Sentence> ? true : false;
/** The example that a detail needs: the compiler compares it with the sentence. */
type ExampleOf<D extends Detail> = D extends string
  ? NeedsNone<D> extends true
    ? { readonly example?: FieldsOf<D> }
    : { readonly example: FieldsOf<D> }
  : {
      readonly example: {
        [Reason in keyof D & string]: NeedsNone<D[Reason]> extends true
          ? readonly [reason: Reason, fields?: FieldsOf<D[Reason]>]
          : readonly [reason: Reason, fields: FieldsOf<D[Reason]>];
      }[keyof D & string];
    };

interface Text<D extends Detail = Detail> {
  /** The same for every refusal with this code. */
  readonly title: string;
  /** The sentence of one refusal; by reason where a code has several causes. */
  readonly detail: D;
  /** When a caller gets this code. */
  readonly cause: string;
  /** The action that resolves it. */
  readonly remedy: string;
}

export interface Entry<
  D extends Detail = Detail,
  Status extends number = number,
  Retryable extends boolean = boolean,
> extends Text<D> {
  /** The HTTP status it becomes. */
  readonly status: Status;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: Retryable;
  /** For its page in the reference. Absent where the sentence has no fields. */
  readonly example?: Example;
}

const entry =
  <Status extends number>(status: Status) =>
  <const D extends Detail>(text: Text<D> & ExampleOf<D>): Entry<D, Status, false> => ({
    ...text,
    status,
    retryable: false,
  });

export const invalid = entry(400);
export const unauthorized = entry(401);
export const forbidden = entry(403);
export const missing = entry(404);
export const conflict = entry(409);
export const unprocessable = entry(422);
export const withStatus = entry;

/** The same request may succeed later without being changed. */
export const retryable = <D extends Detail, Status extends number>(
  one: Entry<D, Status, false>,
): Entry<D, Status, true> => ({ ...one, retryable: true });
