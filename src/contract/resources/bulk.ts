// Many payments in one request.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { PAYMENT_KINDS } from '../../engine.ts';
import { CATALOGUE, Refusal, within } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { accountKey, paymentId } from '../wire-format.ts';
import { wireDetailOf, wireErrorOf } from '../refusals.ts';
import { AccountName, Reason, closed, idOf, nullable, oneOf } from '../schemas.ts';
import { assetsFor, fullName, hasDecimals } from './amount-input.ts';
import { assetOr } from './asset-or.ts';
import { PAYMENT } from './examples.ts';
import { PaymentOrder, readPaymentOrder } from './orders.ts';
import { FILTERS, readFilter } from './payment-filter.ts';
import { EXAMPLE_PAYMENT, Payment, showPayment } from './payment-shape.ts';
import { refusedAs } from '../validate.ts';

const MAX_BULK = 10_000;
/** Payments that one request makes due at most. */
const MOST_RUN_NOW = 1_000;
const BULK_BODY_LIMIT = 4 * 1_048_576;

const BulkResult = closed(
  {
    id: nullable(idOf('payment'), { description: 'Null if the payment was refused.' }),
    error: nullable(
      closed({
        code: Type.String(),
        detail: Type.String(),
        param: Type.Optional(Type.String()),
        retryable: Type.Boolean(),
      }),
    ),
  },
  { title: 'BulkResult' },
);

const BulkAnswer = closed(
  {
    created: Type.Integer(),
    refused: Type.Integer(),
    data: Type.Array(BulkResult, { description: 'In the order of the request.' }),
  },
  { title: 'BulkAnswer' },
);

/** A payment of the list: the fields of a single one, without `dry_run`. */
const PaymentCreateManyItem = { ...PaymentOrder, title: 'PaymentCreateManyItem' } as typeof PaymentOrder;

export const bulkRoutes = {
  'payments.createMany': route({
    method: 'POST',
    path: '/payments/bulk',
    summary: 'Create up to 10,000 payments',
    description:
      'Each payment has its own result. With `atomic` all payments are created or none: the first refusal is the response, and `errors` ' +
      'has the others. A payment that does not match its schema refuses the whole request.',
    scope: 'payments:write',
    idempotency: 'required',
    bodyLimit: BULK_BODY_LIMIT,
    body: closed(
      {
        atomic: Type.Optional(Type.Boolean({ description: 'All or none. Default false.' })),
        payments: Type.Array(PaymentCreateManyItem, {
          minItems: 1,
          maxItems: MAX_BULK,
          ...refusedAs('BULK_TOO_LARGE', { max: MAX_BULK }),
        }),
      },
      { title: 'PaymentCreateManyParams' },
    ),
    answer: BulkAnswer,
    example: {
      body: {
        atomic: false,
        payments: [
          { from: 'alice', to: 'bob', amount: '100', asset: 'USD/2', delay: '24h', reference: 'payroll-1' },
          { from: 'alice', to: 'bob', amount: '99999999', asset: 'USD/2', delay: '24h', reference: 'payroll-2' },
        ],
      },
      answer: {
        created: 1,
        refused: 1,
        data: [
          { id: PAYMENT, error: null },
          {
            id: null,
            error: { code: 'FUNDS_INSUFFICIENT', detail: 'the account holds 14900 available', retryable: true },
          },
        ],
      },
    },
    async handle({ tenant, body }) {
      const usual = body.payments.some((order) => order.asset === undefined) ? await assetOr(tenant, undefined) : '';
      const scaled = body.payments.filter(hasDecimals).map((order) => order.asset ?? usual);
      const assets = await assetsFor(tenant, scaled);
      const read = (order: Static<typeof PaymentOrder>) => {
        const asset = order.asset ?? usual;
        return readPaymentOrder(order, hasDecimals(order) ? fullName(assets, asset) : asset);
      };
      const results = await tenant.createPayments(
        body.payments.map((order, index) => placed(index, () => read(order))),
        { idempotencyKey: 'request', atomic: body.atomic ?? false },
      );
      const data = results.map((result): Static<typeof BulkResult> => {
        if ('payment' in result) return { id: paymentId(result.payment.id), error: null };
        return {
          id: null,
          error: { ...wireErrorOf(result.refused), retryable: CATALOGUE[result.refused.code].retryable },
        };
      });
      const refused = data.filter((result) => result.id === null).length;
      return { created: data.length - refused, refused, data };
    },
  }),

  'payments.runManyNow': route({
    method: 'POST',
    path: '/payments/run-now',
    summary: 'Run scheduled payments now, by filter',
    description:
      'Makes the payments that match the filter and are due later due now, at most 1,000, earliest due first; `remaining` says how ' +
      'many more there are. Send it with `dry_run` first, then confirm the number `found` with `expect` (if another number matches, ' +
      'the request is refused and nothing changes), or give a `limit`. The filter needs at least one field. The reason is recorded ' +
      'with the event of every payment. A payment that the caller cannot make due is in `refused` with its code. Payments that need a ' +
      'second person come last.',
    scope: 'ops:write',
    body: closed({
      filter: closed({
        ...FILTERS,
        retries: Type.Optional(Type.Boolean({ description: 'Only payments that have failed at least once.' })),
        charges: Type.Optional(Type.Boolean({ description: 'Only charges of subscriptions.' })),
        from: Type.Optional({ ...AccountName, description: 'Only the payer: id or ref.' } as typeof AccountName),
        kind: Type.Optional(
          oneOf(PAYMENT_KINDS, {
            description:
              '`hold` and `payment`: created by a caller, with funds reserved or not. `charge`: created by a subscription. `schedule`: created by another schedule.',
          }),
        ),
        code: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'Only payments whose last attempt failed with this code, such as `FUNDS_INSUFFICIENT`.',
          }),
        ),
      }),
      expect: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'How many payments match the filter in all.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_RUN_NOW, description: 'How many payments to run at most.' }),
      ),
      reason: Type.Optional(Reason),
    }),
    answer: closed(
      {
        count: Type.Integer(),
        found: Type.Integer({ description: 'How many payments match the filter in all.' }),
        remaining: Type.Integer(),
        data: Type.Array(Payment),
        refused: Type.Array(
          closed({ id: idOf('payment'), code: Type.String(), detail: Type.String() }, { title: 'RunNowRefused' }),
        ),
      },
      { title: 'RunNowAnswer' },
    ),
    example: {
      body: { filter: { account: 'alice' }, limit: 10 },
      answer: { count: 1, found: 1, remaining: 0, data: [EXAMPLE_PAYMENT], refused: [] },
    },
    async handle({ tenant, body, dryRun = false }) {
      const { expect, reason } = body;
      // A dry run returns the number to confirm.
      const limit = body.limit ?? (dryRun && expect === undefined ? MOST_RUN_NOW : undefined);
      const { retries, charges, from, kind, code, ...rest } = body.filter;
      const filter = {
        ...readFilter(rest),
        ...(retries ? { retries } : {}),
        ...(charges ? { charges } : {}),
        ...(from === undefined ? {} : { from: accountKey(from) }),
        ...(kind === undefined ? {} : { kind }),
        ...(code === undefined ? {} : { code }),
      };
      const { payments, refused, found, remaining } = await tenant.runPaymentsNow(filter, {
        ...(expect === undefined ? {} : { expect }),
        ...(limit === undefined ? {} : { limit }),
        ...(reason === undefined ? {} : { reason }),
      });
      return {
        count: payments.length,
        found,
        remaining,
        data: payments.map(showPayment),
        refused: refused.map((one) => ({ id: paymentId(one.id), code: one.code, detail: wireDetailOf(one) })),
      };
    },
  }),
};

/** An item that cannot be parsed is refused with its position in the list. */
function placed<T>(index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(within(`payments[${index}]`, error.refused));
  }
}
