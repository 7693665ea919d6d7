// A route is data: what it takes, what it answers, an example, and the handler beside it. Validation, types, the OpenAPI
// document, the reference page and the server are all made from this, so none of them can drift from the others.
import type { Static, TSchema } from 'typebox';
import type { CreatingVerbs, Json, KeyedRequest, Once, Scope, TenantVerbs } from '../engine.ts';
import type { AccountPlan, WithRefs } from './account-refs.ts';
import { accountPlanOf, filled, withAccountRefs } from './account-refs.ts';
import { EXAMPLE_REFS } from './resources/examples.ts';
import { Nothing } from './schemas.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `required` where money is made or moved; `accepted` on every other change. */
export type Idempotency = 'none' | 'accepted' | 'required';

/** A validated request. */
export interface Call<P extends TSchema = TSchema, Q extends TSchema = TSchema, B extends TSchema = TSchema> {
  /** Acts as the caller of the request; inside a change under a key, in that change's transaction. */
  readonly tenant: TenantVerbs;
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  /** It will be rolled back. */
  readonly dryRun?: boolean;
}

export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly answer: Json;
}

export interface Route<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends TSchema = TSchema,
> {
  readonly method: Method;
  /** Below /v1, with `{id}` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope that a key needs. */
  readonly scope: Scope;
  /** End users may call it for their own account; `ownVerbs` (src/access/own.ts) enforces that. */
  readonly own?: true;
  readonly idempotency: Idempotency;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly status: number;
  readonly answer: A;
  readonly example: Example;
  /** In bytes, where it is not the usual limit. */
  readonly bodyLimit?: number;
  handle?(call: Call<P, Q, B>): Promise<Static<A> | WithRefs<Static<A>>>;
  /** Instead of `handle`, for creates that are committed in groups: it handles the idempotency key itself. */
  handleKeyed?(call: Call<P, Q, B> & { readonly tenant: CreatingVerbs }, request: KeyedRequest): Promise<Once<Json>>;
  /** The media type of an answer that is text and not JSON. */
  readonly mediaType?: string;
  /** The same answer as CSV, if the request accepts it. */
  csv?(answer: Static<A>): string;
  /** The account fields of the answer, whose refs are added after the handler. Null: none. */
  readonly accounts: AccountPlan | null;
  /** The body can have a secret: its fingerprint is stored as a keyed digest. */
  readonly bodyHasSecret?: boolean;
  /** The part of the answer that may be stored under the idempotency key, if not all of it. */
  remembers?(answer: Static<A>): Static<A>;
}

type Loose<P extends TSchema, Q extends TSchema, B extends TSchema, A extends TSchema> = Omit<
  Route<P, Q, B, A>,
  'params' | 'query' | 'body' | 'idempotency' | 'status' | 'accounts'
> & {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly idempotency?: Idempotency;
  readonly status?: number;
};

/** Fills in the defaults: no parameters, query or body, status 200, and an optional idempotency key on writes. */
export function route<
  A extends TSchema,
  P extends TSchema = typeof Nothing,
  Q extends TSchema = typeof Nothing,
  B extends TSchema = typeof Nothing,
>(spec: Loose<P, Q, B, A>): Route<P, Q, B, A> {
  const accounts = accountPlanOf(spec.answer);
  const example = filled(accounts, spec.example.answer, { ref: (id) => EXAMPLE_REFS[id] ?? null }) as Json;
  const blank = { params: Nothing, query: Nothing, body: Nothing } as unknown as { params: P; query: Q; body: B };
  return {
    ...blank,
    idempotency: spec.method === 'GET' ? 'none' : 'accepted',
    status: 200,
    ...spec,
    accounts,
    answer: withAccountRefs(spec.answer),
    example: { ...spec.example, answer: example },
  };
}
