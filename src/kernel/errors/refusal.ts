// A refusal is data: a code of the catalogue, the reason where the code has several, and the fields of its sentence. The
// sentence is written where it is shown, so that HTTP names fields as HTTP does and the library as the library does.
import type { Catalogue, Code } from './catalogue.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Entry, Example, Fields, FieldsOf, ReasonedExample } from './entry.ts';
import type { Spelling } from './render.ts';
import { render, spelledParam, travelling } from './render.ts';

type Details<C extends Code> = Catalogue[C]['detail'];

/** The key of a refusal: a code, or `CODE/reason` if the code has several causes. */
export type RefusalKey = {
  [C in Code]: Details<C> extends string ? C : `${C}/${keyof Details<C> & string}`;
}[Code];

type SentenceOf<Key extends RefusalKey> = Key extends Code
  ? Details<Key>
  : Key extends `${infer C extends Code}/${infer Reason}`
    ? Reason extends keyof Details<C>
      ? Details<C>[Reason]
      : never
    : never;

/** The fields that a refusal needs. */
export type RefusalFields<Key extends RefusalKey> = FieldsOf<SentenceOf<Key>>;
type Given<Key extends RefusalKey> =
  { readonly param?: string } extends RefusalFields<Key> ? [fields?: RefusalFields<Key>] : [fields: RefusalFields<Key>];

/** A refusal as a value: of one payment among many, of one field among many. */
export interface Refused {
  readonly code: Code;
  /** The cause, if the code has several. */
  readonly reason?: string;
  /** The values of its sentence. Absent where only the sentence was stored. */
  readonly fields?: Fields;
  /** The sentence, with field names as HTTP writes them. */
  readonly detail: string;
  /** Every problem of the request if it has several; the first of them is this one. */
  readonly problems?: readonly Refused[];
}

export function refused<Key extends RefusalKey>(key: Key, ...given: Given<Key>): Refused {
  const { code, reason } = partsOf(key);
  return made(code, reason, given[0] ?? {});
}

function made(code: Code, reason: string | undefined, fields: Fields): Refused {
  const detail = render(sentenceOf(code, reason), fields, 'snake');
  return reason === undefined ? { code, fields, detail } : { code, reason, fields, detail };
}

/** The same refusal, with its account named as the caller named it, where `nameOf` knows it. */
export function namingAccount<R extends Refused>(given: R, nameOf: (id: string) => string | undefined): R {
  const { account } = given.fields ?? {};
  const name = typeof account === 'string' ? nameOf(account) : undefined;
  return name === undefined
    ? given
    : { ...given, ...made(given.code, given.reason, { ...given.fields, account: name }) };
}

/** The example of a code, as its page in the reference shows it. */
export function exampleOf(code: Code): Refused {
  const { example = {} }: Entry = CATALOGUE[code];
  return hasReason(example) ? made(code, example[0], example[1] ?? {}) : made(code, undefined, example);
}

const hasReason = (example: Example): example is ReasonedExample => Array.isArray(example);

/** A refusal that a table remembers: its sentence was written when it happened. */
export function storedRefusal(code: string, detail: string): Refused {
  return { code: code in CATALOGUE ? (code as Code) : 'UNEXPECTED', detail };
}

/** One problem of a request that has several. */
export interface RefusalError {
  /** The code of the catalogue. */
  readonly code: Code;
  /** The problem in one sentence. */
  readonly detail: string;
  /** The field of the request to correct; absent if it is about no field. */
  readonly param?: string;
}

/** A problem as one of a list, as an edge writes it. */
export function errorOf(given: Refused, spelling: Spelling): RefusalError {
  const param = paramOf(given, spelling);
  return { code: given.code, detail: detailOf(given, spelling), ...(param === undefined ? {} : { param }) };
}

/** A refused call. Nothing was changed. */
export class Refusal extends Error {
  /** `Refusal`, or `BulkRefusal`. */
  override readonly name: string = 'Refusal';
  /** The code of the catalogue: programs decide by it. */
  readonly code: Code;
  /** The cause, if the code has several. */
  readonly reason: string | undefined;
  /** The values in its message, such as the available and the required amount: plain JSON with TypeIDs, as in an answer. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The field of the request to correct, as the library names it. */
  readonly param: string | undefined;
  /** Every problem of the request if it has several; this refusal is the first of them. With field names as the library writes them; empty if the request has one problem. */
  readonly errors: readonly RefusalError[];
  readonly #refused: Refused;
  readonly #problems: readonly Refused[];

  /** @internal */
  constructor(given: Refused, problems: readonly Refused[] = given.problems ?? []) {
    super(detailOf(given, 'camel'));
    this.code = given.code;
    this.reason = given.reason;
    this.fields = fieldsOf(given, 'camel');
    this.param = paramOf(given, 'camel');
    this.#problems = problems;
    this.errors = problems.map((one) => errorOf(one, 'camel'));
    this.#refused = problems.length > 0 ? { ...given, problems } : given;
  }

  /** The meaning of the code, in a few words. */
  get title(): string {
    return CATALOGUE[this.code].title;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return CATALOGUE[this.code].status;
  }

  /** Whether the same call can succeed later without being changed. */
  get retryable(): boolean {
    return CATALOGUE[this.code].retryable;
  }

  /**
   * The same as a value, for another edge to write.
   * @internal
   */
  get refused(): Refused {
    return this.#refused;
  }

  /**
   * The problems as values, for another edge to write.
   * @internal
   */
  get problems(): readonly Refused[] {
    return this.#problems;
  }
}

export function refuse<Key extends RefusalKey>(key: Key, ...given: Given<Key>): never {
  throw new Refusal(refused(key, ...given));
}

/** The sentence as an edge writes it. */
export function detailOf(given: Refused, spelling: Spelling): string {
  return given.fields === undefined
    ? given.detail
    : render(sentenceOf(given.code, given.reason), given.fields, spelling);
}

/** The field of the request to correct. */
export function paramOf({ code, reason, fields }: Refused, spelling: Spelling): string | undefined {
  const param = fields?.['param'];
  if (typeof param !== 'string') return undefined;
  return spelledParam(sentenceOf(code, reason), param, spelling);
}

/** The values of the sentence for a program to read, as they travel in an answer. */
export function fieldsOf({ code, reason, fields }: Refused, spelling: Spelling): Record<string, unknown> {
  return travelling(sentenceOf(code, reason), fields ?? {}, spelling);
}

function partsOf(key: string): { code: Code; reason: string | undefined } {
  const at = key.indexOf('/');
  return at < 0
    ? { code: key as Code, reason: undefined }
    : { code: key.slice(0, at) as Code, reason: key.slice(at + 1) };
}

export function sentenceOf(code: Code, reason: string | undefined): string {
  const { detail, title }: Entry = CATALOGUE[code];
  return typeof detail === 'string' ? detail : (detail[reason ?? ''] ?? title);
}
