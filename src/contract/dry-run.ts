// `dry_run`: every operation that writes takes it, in its body or, for DELETE, in its query. It is taken out of the request before the
// operation's own schemas are checked, so handlers never see it and a body with nothing else in it is an empty one.
import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import type { DryRun, Json } from '../engine.ts';
import type { Posting as EnginePosting, Refused } from '../kernel/index.ts';
import { accountPlanOf, filled } from './account-refs.ts';
import { accountId, idOrNull } from './wire-format.ts';
import { ALICE, EXAMPLE_REFS } from './resources/examples.ts';
import { EXAMPLE_HOLD, Hold } from './resources/payment-shape.ts';
import type { Route } from './route.ts';
import { Amount, closed, idOf, nullable, oneOf, textOrNull } from './schemas.ts';
import { checkOf } from './validate.ts';

/** Answers of dry runs have it, so that the media type of every other answer has one schema. */
export const DRY_RUN_MEDIA_TYPE = 'application/vnd.usance.dry-run+json';

const TransferPosting = closed(
  {
    type: Type.Literal('transfer'),
    kind: Type.String({ examples: ['payment'] }),
    from: idOf('account'),
    from_ref: textOrNull({ description: 'The `ref` of the payer.' }),
    to: idOf('account'),
    to_ref: textOrNull({ description: 'The `ref` of the payee.' }),
    asset: Type.String(),
    amount: Amount,
    from_reserved: Type.Boolean({ description: 'Whether it pays from reserved funds, or from available funds.' }),
    payment: nullable(idOf('payment'), { description: 'The payment that it pays.' }),
  },
  { title: 'TransferPosting' },
);

const ReservePosting = closed(
  {
    type: oneOf(['reserve', 'release'], {
      description: '`reserve`: available funds become reserved. `release`: reserved funds become available.',
    }),
    account: idOf('account'),
    account_ref: textOrNull({ description: 'The `ref` of the account.' }),
    asset: Type.String(),
    amount: Amount,
  },
  { title: 'ReservePosting' },
);

export const DryRunAnswer = closed(
  {
    dry_run: Type.Literal(true, { description: 'Always true.' }),
    result: Type.Unsafe<Json>({
      description: 'The response that the operation would have given. Ids of new resources in it do not exist.',
    }),
    postings: Type.Array(Type.Union([TransferPosting, ReservePosting]), {
      description: 'The movements that the ledger would post, in order.',
    }),
    events: Type.Array(Type.String(), {
      description: 'The types of the events that would be emitted, in order.',
      examples: [['payment.created']],
    }),
  },
  { title: 'DryRun' },
);

export const DRY_RUN_EXAMPLE: Static<typeof DryRunAnswer> = {
  dry_run: true,
  result: filled(accountPlanOf(Hold), EXAMPLE_HOLD, { ref: (id) => EXAMPLE_REFS[id] ?? null }) as Json,
  postings: [{ type: 'reserve', account: ALICE, account_ref: 'alice', asset: 'USD/2', amount: '10000' }],
  events: ['payment.created'],
};

export const DryRunField = Type.Boolean({
  description:
    'Execute the request, respond with a `DryRun` and roll back: nothing is changed, and no idempotency key is needed. A refusal is ' +
    'the same as without it. Default false.',
});

type Answer = Static<typeof DryRunAnswer>;

export function showDryRun({ result, postings, events, refs }: DryRun<Json>): Answer {
  const shown = (posting: EnginePosting): Answer['postings'][number] => {
    const { asset } = posting;
    const amount = posting.amount.toString();
    if (posting.type !== 'transfer') {
      const { type, account } = posting;
      return { type, account: accountId(account), account_ref: refs.get(account) ?? null, asset, amount };
    }
    return {
      type: posting.type,
      kind: posting.kind,
      from: accountId(posting.from),
      from_ref: refs.get(posting.from) ?? null,
      to: accountId(posting.to),
      to_ref: refs.get(posting.to) ?? null,
      asset,
      amount,
      from_reserved: posting.fromReserved,
      payment: idOrNull('payment', posting.paymentId),
    };
  };
  return { dry_run: true, result, postings: postings.map(shown), events: [...events] };
}

/** Whether the operation writes: it can be run dry. */
export const writes = ({ method, idempotency }: Pick<Route, 'method' | 'idempotency'>): boolean =>
  method !== 'GET' && idempotency !== 'none';

const PLACES = { query: 'the query', body: 'the body' } as const;

/** The part of the request that has `dry_run`; null if the operation only reads. */
export function dryRunPlace(route: Pick<Route, 'method' | 'idempotency'>): keyof typeof PLACES | null {
  if (!writes(route)) return null;
  return route.method === 'DELETE' ? 'query' : 'body';
}

const CHECKS = {
  query: checkOf(closed({ dry_run: Type.Boolean() }), PLACES.query),
  body: checkOf(closed({ dry_run: Type.Boolean() }), PLACES.body),
};

interface Request {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Taken extends Request {
  readonly dryRun: boolean;
  readonly problems: readonly Refused[];
}

/** The request without `dry_run`, and its value. */
export function takeDryRun(route: Route, { params, query, body }: Request): Taken {
  const rest = { params, query, body };
  const place = dryRunPlace(route);
  const given = place === null ? null : rest[place];
  if (place === null || typeof given !== 'object' || given === null || !('dry_run' in given))
    return { ...rest, dryRun: false, problems: [] };
  const { dry_run: said, ...others } = given;
  // A query carries only text.
  const dryRun = place === 'query' && (said === 'true' || said === 'false') ? said === 'true' : said;
  const problems = CHECKS[place]({ dry_run: dryRun });
  return { ...rest, [place]: others, dryRun: dryRun === true, problems };
}

/** Before anything is checked: whether an idempotency key is needed. */
export function asksForDryRun(route: Route, request: Pick<Request, 'query' | 'body'>): boolean {
  const place = dryRunPlace(route);
  const given = place === null ? null : request[place];
  const said: unknown = typeof given === 'object' && given !== null && 'dry_run' in given ? given.dry_run : undefined;
  return said === true || (place === 'query' && said === 'true');
}

/** The schema of a body or a query with `dry_run` in it, for the OpenAPI document. */
export function withDryRun(schema: TSchema): object {
  const { properties } = schema as { properties?: object };
  return { ...schema, properties: { ...properties, dry_run: DryRunField } };
}

/**
 * The dry run of an end user. Whether a second person must approve shows when the payment is created: answers for any amount, without a
 * payment, would show the tenant's threshold.
 */
export function withoutApproval(run: DryRun<Json>): DryRun<Json> {
  const { result } = run;
  const isPayment = typeof result === 'object' && result !== null && 'approval' in result;
  return {
    ...run,
    result: isPayment ? { ...result, approval: null, approval_until: null } : result,
    events: run.events.filter((type) => type !== 'payment.approval_requested'),
  };
}
