// Allowances: what a guardian pays a child, in the words of the document that asked for them.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { TenantVerbs } from '../../engine.ts';
import { ALLOWANCE_FREQUENCIES, ALLOWANCE_STATUSES } from '../../engine.ts';
import { refuse } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { idMark, newestFirst, page, slotMark } from '../cursor.ts';
import { accountKey } from '../wire-format.ts';
import { AccountName, AssetName, closed, listOf, nullable, oneGivenOf, oneOf, pageQuery } from '../schemas.ts';
import { Account, EXAMPLE_ACCOUNT, showAccount } from './account-shape.ts';
import {
  Allowance,
  Credit,
  EXAMPLE_ALLOWANCE as EXAMPLE,
  EXAMPLE_CREDIT,
  showAllowance,
  showCredit,
} from './allowance-shape.ts';
import { AMOUNT, changedAmount, orderAsset, requiredAmount } from './amount-input.ts';
import { ALICE, BOB } from './examples.ts';
import { Retry, readRetry } from './orders.ts';

const Guardian = Type.String({
  ...AccountName,
  description: 'The account that pays: `me` with a token, or its id or ref with an API key.',
  'x-id': 'guardian',
});
const Junior = Type.String({
  ...AccountName,
  description: 'The account that is paid: the id or ref of an account that has the guardian among its `guardians`.',
  examples: ['bob'],
  'x-id': 'junior',
});
const Child = Type.String({
  ...AccountName,
  description: 'The account that is paid: `me` with a token, or its id or ref with an API key.',
  examples: ['bob'],
});
const params = closed({ guardian: Guardian, junior: Junior });
const named = { guardian: 'alice', junior: 'bob' };

const FREQUENCY = oneOf(ALLOWANCE_FREQUENCIES, {
  description: 'At midnight: every day, or on the weekday or day of the month on which the allowance began.',
});
const STATUS = oneOf(ALLOWANCE_STATUSES, {
  description:
    '`ON` continues with the next date; dates missed while it was `OFF` are not paid. `OFF` also stops retries.',
});
const ZONE = Type.String({
  description: 'IANA time zone of the midnight. Default: `zone` of the guardian’s contact, or UTC.',
  minLength: 1,
  maxLength: 100,
  examples: ['Europe/Berlin'],
});

const RETRY = Type.Unsafe<Static<typeof Retry>>({
  ...Retry,
  description:
    'A preset, or fields of a policy that override the preset `allowance`. Only for API keys. Default, and for null: the values of the deployment.',
});

/** `me` is the account of the token. An API key has none, and names the account. */
function personOf(tenant: TenantVerbs, name: string, param: 'guardian' | 'junior'): string {
  if (name !== 'me') return accountKey(name);
  return tenant.subject ?? refuse('FIELD_INVALID/me_needs_token', { param });
}

const guardianOf = (tenant: TenantVerbs, name: string): string => personOf(tenant, name, 'guardian');

export const allowanceRoutes = {
  'allowances.create': route({
    method: 'POST',
    path: '/guardians/{guardian}/allowances/{junior}',
    summary: 'Create an allowance',
    description:
      'The first credit is at the next midnight of the family’s time zone, if the guardian has the money then. A credit is attempted ' +
      'five times, ten minutes apart, unless the deployment or `retry` sets other values. A guardian and a child have at most one ' +
      'allowance; `/schedules` has no such limit, and more rules.',
    scope: 'payments:write',
    own: true,
    status: 201,
    params,
    body: closed(
      {
        ...AMOUNT,
        frequency: FREQUENCY,
        status: STATUS,
        asset: Type.Optional(AssetName),
        zone: Type.Optional(ZONE),
        retry: Type.Optional(RETRY),
      },
      oneGivenOf(['amount', 'amount_decimal']),
    ),
    answer: Allowance,
    example: {
      params: named,
      body: { amount: '500', frequency: 'WEEKLY', status: 'ON', asset: 'USD/2', zone: 'Europe/Berlin' },
      answer: EXAMPLE,
    },
    async handle({ tenant, params: { guardian, junior }, body }) {
      const { asset: _asset, amount: _amount, amount_decimal: _decimal, retry, ...terms } = body;
      const asset = await orderAsset(tenant, body);
      return showAllowance(
        await tenant.createAllowance({
          ...terms,
          asset,
          amount: requiredAmount(body, asset),
          ...(retry === undefined ? {} : { retry: readRetry(retry) }),
          guardian: guardianOf(tenant, guardian),
          junior: accountKey(junior),
        }),
      );
    },
  }),

  'allowances.list': route({
    method: 'GET',
    path: '/guardians/{guardian}/allowances',
    summary: 'List a guardian’s allowances',
    description: 'Newest first.',
    scope: 'payments:read',
    own: true,
    params: closed({ guardian: Guardian }),
    query: pageQuery({}),
    answer: listOf(Allowance, 'AllowanceList'),
    example: { params: { guardian: 'alice' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, params: { guardian }, query }) =>
      newestFirst(query, (range) => tenant.allowances(guardianOf(tenant, guardian), range), showAllowance),
  }),

  'allowances.listJuniors': route({
    method: 'GET',
    path: '/guardians/{guardian}/juniors',
    summary: 'List a guardian’s children',
    description:
      'The accounts that have the guardian among their `guardians`, oldest first. A token cannot see contacts.',
    scope: 'ledger:read',
    own: true,
    params: closed({ guardian: Guardian }),
    query: pageQuery({}),
    answer: listOf(Account, 'JuniorList'),
    example: {
      params: { guardian: 'alice' },
      answer: {
        data: [{ ...EXAMPLE_ACCOUNT, id: BOB, ref: 'bob', guardian: ALICE, guardians: [ALICE] }],
        next_cursor: null,
      },
    },
    handle: ({ tenant, params: { guardian }, query }) =>
      page(
        query,
        (limit, mark) => {
          const after = idMark(mark);
          return tenant.juniors(guardianOf(tenant, guardian), { limit, ...(after === undefined ? {} : { after }) });
        },
        ({ id }) => id,
        showAccount,
      ),
  }),

  'allowances.listForJunior': route({
    method: 'GET',
    path: '/juniors/{junior}/allowances',
    summary: 'List the allowances of a child',
    description: 'The allowances from each of its guardians, newest first. With a token `me` is the child.',
    scope: 'payments:read',
    own: true,
    params: closed({ junior: Child }),
    query: pageQuery({}),
    answer: listOf(Allowance, 'AllowanceOfJuniorList'),
    example: { params: { junior: 'bob' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, params: { junior }, query }) =>
      newestFirst(query, (range) => tenant.allowancesOf(personOf(tenant, junior, 'junior'), range), showAllowance),
  }),

  'allowances.get': route({
    method: 'GET',
    path: '/guardians/{guardian}/allowances/{junior}',
    summary: 'Get an allowance',
    scope: 'payments:read',
    own: true,
    params,
    answer: Allowance,
    example: { params: named, answer: EXAMPLE },
    handle: async ({ tenant, params: { guardian, junior } }) =>
      showAllowance(await tenant.allowance(guardianOf(tenant, guardian), accountKey(junior))),
  }),

  'allowances.listCredits': route({
    method: 'GET',
    path: '/guardians/{guardian}/allowances/{junior}/credits',
    summary: 'List the credits of an allowance',
    description:
      'The outcome of each date, newest first. A deleted allowance keeps its list of credits. The guardian and the child can read it.',
    scope: 'payments:read',
    own: true,
    params,
    query: pageQuery({}),
    answer: listOf(Credit, 'AllowanceCreditList'),
    example: { params: named, query: { limit: '20' }, answer: { data: [EXAMPLE_CREDIT], next_cursor: null } },
    handle: ({ tenant, params: { guardian, junior }, query }) =>
      page(
        query,
        (limit, mark) => {
          const range = { limit, ...(mark === undefined ? {} : { before: slotMark(mark) }) };
          return tenant.allowanceCredits(guardianOf(tenant, guardian), accountKey(junior), range);
        },
        (credit) => String(credit.slot),
        showCredit,
      ),
  }),

  'allowances.update': route({
    method: 'PATCH',
    path: '/guardians/{guardian}/allowances/{junior}',
    summary: 'Update an allowance, or turn it on or off',
    description: 'Applies from the next date on. The day that the frequency counts from stays the same.',
    scope: 'payments:write',
    own: true,
    params,
    body: closed(
      {
        ...AMOUNT,
        frequency: Type.Optional(FREQUENCY),
        status: Type.Optional(STATUS),
        zone: Type.Optional(ZONE),
        retry: Type.Optional(nullable(RETRY)),
      },
      { minProperties: 1 },
    ),
    answer: Allowance,
    example: {
      params: named,
      body: { status: 'OFF' },
      answer: { ...EXAMPLE, status: 'OFF', next_run_at: null },
    },
    async handle({ tenant, params: { guardian, junior }, body }) {
      const { amount: _amount, amount_decimal: _decimal, retry, ...rest } = body;
      const pair = [guardianOf(tenant, guardian), accountKey(junior)] as const;
      const amount = await changedAmount(body, () => tenant.allowance(...pair));
      return showAllowance(
        await tenant.editAllowance(...pair, {
          ...rest,
          ...amount,
          ...(retry === undefined ? {} : { retry: retry && readRetry(retry) }),
        }),
      );
    },
  }),

  'allowances.delete': route({
    method: 'DELETE',
    path: '/guardians/{guardian}/allowances/{junior}',
    summary: 'Delete an allowance',
    description: 'Also stops retries of a credit. Paid credits stay paid. You can create another allowance afterwards.',
    scope: 'payments:write',
    own: true,
    params,
    answer: Allowance,
    example: { params: named, answer: { ...EXAMPLE, status: 'OFF', next_run_at: null } },
    handle: async ({ tenant, params: { guardian, junior } }) =>
      showAllowance(await tenant.deleteAllowance(guardianOf(tenant, guardian), accountKey(junior))),
  }),
};
