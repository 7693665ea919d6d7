// Deposits, withdrawals, transfers, reservations and balances of an account.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Reservation as LedgerReservation, TenantVerbs, Transfer as LedgerTransfer } from '../../engine.ts';
import { parseInstant } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { newestFirst } from '../cursor.ts';
import { accountId, accountKey, idOrNull, instantOrNull, paymentId } from '../wire-format.ts';
import {
  AccountName,
  Amount,
  AssetName,
  Instant,
  closed,
  idOf,
  instantIn,
  listOf,
  nullable,
  oneGivenOf,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { Balance, EXAMPLE_BALANCE, showBalance } from './account-shape.ts';
import { AMOUNT, orderAsset, requiredAmount } from './amount-input.ts';
import { ALICE, BOB, CREATED_AT, HOLD, TRANSFER, WORLD } from './examples.ts';

const Id = closed({ id: AccountName });
export const Transfer = closed(
  {
    id: idOf('transfer'),
    from: idOf('account'),
    to: idOf('account'),
    asset: Type.String(),
    amount: Amount,
    kind: Type.String({ examples: ['deposit'] }),
    payment: nullable(idOf('payment')),
    reservation: nullable(idOf('reservation')),
    description: textOrNull(),
    posted_at: Instant,
  },
  { title: 'Transfer' },
);

export function showTransfer(transfer: LedgerTransfer): Static<typeof Transfer> {
  return {
    id: toTypeId('transfer', transfer.id),
    from: accountId(transfer.debitAccountId),
    to: accountId(transfer.creditAccountId),
    asset: transfer.asset,
    amount: transfer.amount.toString(),
    kind: transfer.kind,
    payment: idOrNull('payment', transfer.paymentId),
    reservation: idOrNull('reservation', transfer.reservationId),
    description: transfer.description,
    posted_at: transfer.postedAt.toISOString(),
  };
}

const Reservation = closed(
  {
    id: Type.String({ description: 'The hold (`pay_…`) that reserves the funds, or a reservation (`rsv_…`).' }),
    asset: Type.String(),
    amount: Amount,
    captured: Amount,
    released: Amount,
    created_at: Instant,
    resolved_at: nullable(Instant),
  },
  { title: 'Reservation' },
);

const EXAMPLE_TRANSFER = {
  id: TRANSFER,
  from: WORLD,
  to: ALICE,
  asset: 'USD/2',
  amount: '25000',
  kind: 'deposit',
  payment: null,
  reservation: null,
  description: 'card top-up',
  posted_at: CREATED_AT,
};

const MoneyOrder = closed(
  {
    ...AMOUNT,
    asset: Type.Optional(AssetName),
    description: Type.Optional(Type.String({ maxLength: 500, examples: ['card top-up'] })),
  },
  { title: 'MoneyParams', ...oneGivenOf(['amount', 'amount_decimal']) },
);

const moneyRoute = (verb: 'deposit' | 'withdraw', summary: string, description: string) =>
  route({
    method: 'POST',
    path: `/accounts/{id}/${verb}`,
    summary,
    description,
    scope: 'ledger:money',
    idempotency: 'required',
    status: 201,
    params: Id,
    body: MoneyOrder,
    answer: Transfer,
    example: {
      params: { id: 'alice' },
      body: { amount: '25000', asset: 'USD/2', description: 'card top-up' },
      answer:
        verb === 'deposit'
          ? EXAMPLE_TRANSFER
          : { ...EXAMPLE_TRANSFER, kind: 'withdrawal', from: ALICE, to: EXAMPLE_TRANSFER.from },
    },
    async handle({ tenant, params, body }) {
      const { description } = body;
      const asset = await orderAsset(tenant, body);
      const amount = requiredAmount(body, asset);
      // The key is the request's: the verb runs under it already.
      const order = { account: accountKey(params.id), asset, amount, idempotencyKey: 'request' };
      const { transfer } = await tenant[verb]({ ...order, ...(description === undefined ? {} : { description }) });
      return showTransfer(await tenant.posted(transfer));
    },
  });

export const accountMoneyRoutes = {
  'accounts.deposit': moneyRoute(
    'deposit',
    'Deposit money',
    'Moves money from `world`, which is outside the ledger, to the account.',
  ),
  'accounts.withdraw': moneyRoute(
    'withdraw',
    'Withdraw money',
    'Moves money from the account to `world`, which is outside the ledger. Pauses and limits apply as to a payment. An amount above ' +
      'the approval threshold is refused (`APPROVAL_REQUIRED`): create a payment to `world` instead, which can be approved.',
  ),

  'accounts.listTransfers': route({
    method: 'GET',
    path: '/accounts/{id}/transfers',
    summary: 'List the transfers of an account',
    description: 'Newest first.',
    scope: 'ledger:read',
    own: true,
    params: Id,
    query: pageQuery({}),
    answer: listOf(Transfer, 'TransferList'),
    example: { params: { id: 'alice' }, answer: { data: [EXAMPLE_TRANSFER], next_cursor: null } },
    async handle({ tenant, params, query }) {
      const { id } = await tenant.account(accountKey(params.id));
      return newestFirst(query, (range) => tenant.transfers(id, range), showTransfer);
    },
  }),

  'accounts.listReservations': route({
    method: 'GET',
    path: '/accounts/{id}/reservations',
    summary: 'List the reservations of an account',
    description: 'Holds that the account pays, and separate reservations, newest first.',
    scope: 'ledger:read',
    own: true,
    params: Id,
    query: pageQuery({}),
    answer: listOf(Reservation, 'ReservationList'),
    example: {
      params: { id: 'alice' },
      answer: {
        data: [
          {
            id: HOLD,
            asset: 'USD/2',
            amount: '10000',
            captured: '0',
            released: '0',
            created_at: CREATED_AT,
            resolved_at: null,
          },
        ],
        next_cursor: null,
      },
    },
    async handle({ tenant, params, query }) {
      const { id } = await tenant.account(accountKey(params.id));
      return newestFirst(query, (range) => reservationsAndHolds(tenant, id, range), showReservation);
    },
  }),

  'accounts.getBalances': route({
    method: 'GET',
    path: '/accounts/{id}/balances',
    summary: 'Get balances, now or at an instant',
    description:
      'For an earlier instant only the total is returned, computed from the transfers posted up to then. `final` is true if no further ' +
      'transfer can be posted up to that instant.',
    scope: 'ledger:read',
    own: true,
    params: Id,
    query: closed({ at: Type.Optional(instantIn('The instant of the balances. Default: now.')) }),
    answer: closed(
      { account: idOf('account'), at: nullable(Instant), final: Type.Boolean(), data: Type.Array(Balance) },
      { title: 'Balances' },
    ),
    example: { params: { id: 'bob' }, answer: { account: BOB, at: null, final: false, data: [EXAMPLE_BALANCE] } },
    async handle({ tenant, params, query }) {
      const { id } = await tenant.account(accountKey(params.id));
      const account = accountId(id);
      if (query.at === undefined)
        return { account, at: null, final: false, data: (await tenant.balances(id)).map(showBalance) };
      const at = parseInstant(query.at, 'at');
      const { totals, final } = await tenant.balancesAt(id, at);
      const data = totals.map(({ asset, total }) => ({ asset, available: null, reserved: null, total: `${total}` }));
      return { account, at: at.toISOString(), final, data };
    },
  }),
};

/** A hold is its own reservation; both kinds are in order of id, so a page of each holds a page of both. */
async function reservationsAndHolds(
  tenant: TenantVerbs,
  account: string,
  range: { readonly limit: number; readonly before?: string },
): Promise<Held[]> {
  const [plain, holds] = await Promise.all([
    tenant.reservations(account, range),
    tenant.payments({ from: account, funding: 'reserve' }, range),
  ]);
  const held: Held[] = [
    ...plain.map((reservation) => ({ ...reservation, name: toTypeId('reservation', reservation.id) })),
    ...holds.map((hold) => ({ ...hold, name: paymentId(hold.id), resolvedAt: hold.endedAt })),
  ];
  return held.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, range.limit);
}

interface Held extends Pick<
  LedgerReservation,
  'id' | 'asset' | 'amount' | 'captured' | 'released' | 'createdAt' | 'resolvedAt'
> {
  readonly name: string;
}

const showReservation = (held: Held): Static<typeof Reservation> => ({
  id: held.name,
  asset: held.asset,
  amount: held.amount.toString(),
  captured: held.captured.toString(),
  released: held.released.toString(),
  created_at: held.createdAt.toISOString(),
  resolved_at: instantOrNull(held.resolvedAt),
});
