// Accounts and their states. Operations that move their money are in account-money.ts.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { TenantVerbs } from '../../engine.ts';
import { route } from '../route.ts';
import { idMark, stretch } from '../cursor.ts';
import { accountId, accountKey } from '../wire-format.ts';
import {
  AccountName,
  CREATED,
  Instant,
  Reason,
  closed,
  idOf,
  listOf,
  oneOf,
  pageQuery,
  readCreated,
  someOf,
  textOrNull,
} from '../schemas.ts';
import {
  Account,
  AccountWithBalances,
  Contact,
  EXAMPLE_ACCOUNT,
  EXAMPLE_BALANCE,
  showAccount,
  showBalance,
} from './account-shape.ts';
import { ALICE, CREATED_AT } from './examples.ts';
import { refusedAs } from '../validate.ts';

const Id = closed({ id: AccountName });
// One nullable type: as a union its errors would be reported twice.
const ContactOrNull = Type.Unsafe<Static<typeof Contact> | null>({
  ...Contact,
  type: ['object', 'null'],
  title: undefined,
});

const GUARDIANS = Type.Array(AccountName, {
  maxItems: 10,
  description:
    'Instead of `guardian`: all guardians of this account, by id or ref. Each guardian can give it an allowance.',
});

const AccountOrder = closed(
  {
    ref: Type.String({
      description: 'Your own name for it, unique within the tenant: 1 to 200 printable characters without spaces.',
      pattern: '^[!-~]{1,200}$',
      examples: ['alice'],
      ...refusedAs('FIELD_INVALID/account_ref'),
    }),
    kind: Type.Optional(oneOf(['user', 'merchant', 'treasury'], { description: 'Default `user`.' })),
    name: Type.Optional(textOrNull({ maxLength: 200 })),
    contact: Type.Optional(ContactOrNull),
    guardian: Type.Optional(
      textOrNull({
        maxLength: 200,
        description: 'Id or ref of the guardian’s account.',
        'x-id': 'account',
      }),
    ),
    guardians: Type.Optional(GUARDIANS),
  },
  { title: 'AccountCreateParams' },
);

const AccountEdit = closed(
  {
    name: Type.Optional(textOrNull({ maxLength: 200 })),
    contact: Type.Optional(ContactOrNull),
    guardian: Type.Optional(
      textOrNull({
        maxLength: 200,
        description: 'Id or ref of the guardian’s account; null removes the guardian.',
        'x-id': 'account',
      }),
    ),
    guardians: Type.Optional(GUARDIANS),
  },
  { title: 'AccountUpdateParams', minProperties: 1 },
);

/** The fields that requests to create and to edit share, for the ledger. */
function personal(fields: Static<typeof AccountEdit>) {
  const { name, contact, guardian, guardians } = fields;
  return {
    ...(name === undefined ? {} : { name }),
    ...(contact === undefined ? {} : { contact }),
    ...(guardian === undefined ? {} : { guardian: guardian && accountKey(guardian) }),
    ...(guardians === undefined ? {} : { guardians: guardians.map((name) => accountKey(name)) }),
  };
}

async function withBalances(tenant: TenantVerbs, name: string): Promise<Static<typeof AccountWithBalances>> {
  const { account, balances } = await tenant.accountWithBalances(name);
  return { ...showAccount(account), balances: balances.map(showBalance) };
}

/** Suspend, reactivate and close are one route three times. */
const statusRoute = (
  verb: 'suspend' | 'reactivate' | 'close',
  summary: string,
  description: string,
  status: 'active' | 'suspended' | 'closed',
) =>
  route({
    method: 'POST',
    path: `/accounts/{id}/${verb}`,
    summary,
    description,
    scope: 'ledger:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: Account,
    example: {
      params: { id: 'alice' },
      body: { reason: 'asked for by the customer' },
      answer: { ...EXAMPLE_ACCOUNT, status, status_reason: 'asked for by the customer' },
    },
    async handle({ tenant, params, body }) {
      return showAccount(await tenant[`${verb}Account`](accountKey(params.id), body.reason));
    },
  });

export const accountRoutes = {
  'accounts.create': route({
    method: 'POST',
    path: '/accounts',
    summary: 'Create an account',
    scope: 'ledger:write',
    status: 201,
    body: AccountOrder,
    answer: Account,
    example: {
      body: { ref: 'alice', name: 'Alice', contact: { email: 'alice@example.com', zone: 'Europe/Berlin' } },
      answer: EXAMPLE_ACCOUNT,
    },
    async handle({ tenant, body }) {
      const { ref, kind } = body;
      return showAccount(await tenant.openAccount({ ref, ...(kind ? { kind } : {}), ...personal(body) }));
    },
  }),

  'accounts.list': route({
    method: 'GET',
    path: '/accounts',
    summary: 'List accounts',
    description:
      'Oldest first. A page reads at most 20,000 accounts for its filters, so it can be short or empty without being the last: continue with `next_cursor`.',
    scope: 'ledger:read',
    own: true,
    query: pageQuery({
      status: Type.Optional(someOf(['active', 'suspended', 'closed'])),
      kind: Type.Optional(someOf(['user', 'merchant', 'treasury', 'system'])),
      ...CREATED,
    }),
    answer: listOf(Account, 'AccountList'),
    example: { query: { limit: '50' }, answer: { data: [EXAMPLE_ACCOUNT], next_cursor: null } },
    handle({ tenant, query }) {
      const { status, kind } = query;
      const filter = {
        ...(status === undefined ? {} : { status }),
        ...(kind === undefined ? {} : { kind }),
        ...readCreated(query),
      };
      return stretch(
        query,
        async (limit, mark) => {
          const after = idMark(mark);
          const range = { limit, ...(after === undefined ? {} : { after }) };
          const { accounts, next } = await tenant.accountsPage(filter, range);
          return { rows: accounts, next };
        },
        showAccount,
      );
    },
  }),

  'accounts.get': route({
    method: 'GET',
    path: '/accounts/{id}',
    summary: 'Get an account and its balances',
    scope: 'ledger:read',
    own: true,
    params: Id,
    answer: AccountWithBalances,
    example: { params: { id: 'alice' }, answer: { ...EXAMPLE_ACCOUNT, balances: [EXAMPLE_BALANCE] } },
    handle: ({ tenant, params }) => withBalances(tenant, accountKey(params.id)),
  }),

  'accounts.update': route({
    method: 'PATCH',
    path: '/accounts/{id}',
    summary: 'Update the name, contact or guardians of an account',
    description: 'Omitted fields stay unchanged; null clears a field.',
    scope: 'ledger:write',
    params: Id,
    body: AccountEdit,
    answer: Account,
    example: {
      params: { id: 'alice' },
      body: { name: 'Alice A.' },
      answer: { ...EXAMPLE_ACCOUNT, name: 'Alice A.' },
    },
    async handle({ tenant, params, body }) {
      return showAccount(await tenant.editAccount(accountKey(params.id), personal(body)));
    },
  }),

  'accounts.suspend': statusRoute(
    'suspend',
    'Suspend an account',
    'The account cannot pay or be paid until it is reactivated. Reserved funds stay reserved.',
    'suspended',
  ),
  'accounts.reactivate': statusRoute(
    'reactivate',
    'Reactivate a suspended account',
    'The account can pay and be paid again.',
    'active',
  ),
  'accounts.erase': route({
    method: 'POST',
    path: '/accounts/{id}/erase',
    summary: 'Erase the personal fields of a closed account',
    description:
      'Erases the name, the contact and the reason of the status, and with `ref` the ref too. Also erases the details, addresses and ' +
      'user agents of its events and of events that its end user caused, stored responses of idempotency keys that show the account or ' +
      'were sent by it, reasons of schedules and subscriptions that it pays, and references and metadata of payments that its end user ' +
      'created. The id, balances, transfers and payments stay. The metadata, references and reasons of other payments and the ' +
      'descriptions of transfers are not erased.',
    scope: 'admin',
    params: Id,
    body: closed({
      reason: Reason,
      ref: Type.Optional(
        Type.Boolean({ description: 'Whether to erase the ref too, because it identifies a person. Default false.' }),
      ),
    }),
    answer: Account,
    example: {
      params: { id: 'alice' },
      body: { reason: 'asked for by the customer', ref: true },
      answer: {
        ...EXAMPLE_ACCOUNT,
        ref: 'erased-0199c1a4-9d07-7a2c-8f0e-1b2c3d4e5f60',
        status: 'closed',
        name: null,
        contact: null,
      },
    },
    async handle({ tenant, params, body }) {
      const { reason, ref = false } = body;
      return showAccount(await tenant.eraseAccount(accountKey(params.id), reason, { ref }));
    },
  }),
  'accounts.revokeTokens': route({
    method: 'POST',
    path: '/accounts/{id}/revoke-tokens',
    summary: 'Revoke the tokens of an end user',
    description:
      'Refuses tokens with this account as `sub` that were issued (`iat`) before now, or up to 30 seconds later (the leeway between ' +
      'clocks). Every process applies it within five seconds. Tokens issued later are valid; suspend the account to refuse those too. ' +
      'Requires every scope that an end user has.',
    scope: 'keys:write',
    params: Id,
    answer: closed({ account: idOf('account'), revoked_at: Instant }, { title: 'RevokedTokens' }),
    example: { params: { id: 'alice' }, answer: { account: ALICE, revoked_at: CREATED_AT } },
    async handle({ tenant, params }) {
      const { accountId: id, revokedAt } = await tenant.revokeTokens(accountKey(params.id));
      return { account: accountId(id), revoked_at: revokedAt.toISOString() };
    },
  }),
  'accounts.close': statusRoute('close', 'Close an account', 'Permanent. Every balance must be zero.', 'closed'),
};
