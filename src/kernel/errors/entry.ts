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

export interface Entry {
  /** The HTTP status it becomes. */
  readonly status: number;
  /** The same for every refusal with this code. */
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** The sentence of one refusal; by reason where a code has several causes. */
  readonly detail: string | Readonly<Record<string, string>>;
  /** When a caller gets this code. */
  readonly cause: string;
  /** The action that resolves it. */
  readonly remedy: string;
}

export type Text = Omit<Entry, 'status' | 'retryable'>;
type Made<T extends Text, Status extends number, Retryable extends boolean> = T & {
  readonly status: Status;
  readonly retryable: Retryable;
};

const entry =
  <Status extends number>(status: Status) =>
  <const T extends Text>(text: T): Made<T, Status, false> => ({ ...text, status, retryable: false });

export const invalid = entry(400);
export const unauthorized = entry(401);
export const forbidden = entry(403);
export const missing = entry(404);
export const conflict = entry(409);
export const unprocessable = entry(422);
export const withStatus = entry;

/** The same request may succeed later without being changed. */
export const retryable = <const T extends Entry>(one: T): Omit<T, 'retryable'> & { readonly retryable: true } => ({
  ...one,
  retryable: true,
});
