// Allowances: what a guardian pays a child, in the words of the document that asked for them.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Allowance as EngineAllowance, AllowanceCredit as EngineCredit, TenantVerbs } from '../../engine.ts';
import { ALLOWANCE_FREQUENCIES, ALLOWANCE_STATUSES, CREDIT_STATUSES } from '../../engine.ts';
import { refuse, toDecimal, toTypeId } from '../../kernel/index.ts';
import { route } from '../contract.ts';
import { newestFirst, page, slotMark } from '../cursor.ts';
import { accountId, accountKey, idOrNull, instantOrNull } from '../names.ts';
import {
  AccountName,
  Amount,
  AssetName,
  Instant,
  closed,
  idOf,
  listOf,
  nullable,
  oneOf,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { AMOUNT, Decimal, changedAmount, hasDecimals, orderAsset, requiredAmount } from './amount-input.ts';
import { Retry, readRetry } from './orders.ts';
import { RetryShown, showRetry } from './payment-shape.ts';
import { ALICE, BOB, CREATED_AT, OCCURRENCE, PAYMENT } from './examples.ts';

const tag = 'allowances';

const Guardian = Type.String({
  ...AccountName,
  description: 'Who pays: `me` with a token; with an API key the id or the ref of the account.',
  'x-id': 'guardian',
});
const Junior = Type.String({
  ...AccountName,
  description: 'Who is paid: the id or the ref of an account that has the guardian as its `guardian`.',
  examples: ['bob'],
  'x-id': 'junior',
});
const params = closed({ guardian: Guardian, junior: Junior });
const named = { guardian: 'alice', junior: 'bob' };

const FREQUENCY = oneOf(ALLOWANCE_FREQUENCIES, {
  description: 'At midnight: every day; or on the weekday, or the day of the month, that it began on.',
});
const STATUS = oneOf(ALLOWANCE_STATUSES, {
  description: '`ON` goes on with the next date and pays nothing back. `OFF` stops, also what is being tried again.',
});
const ZONE = Type.String({
  description: 'IANA name: whose midnight. Left out: `time_zone` of the guardian’s contact, or UTC.',
  minLength: 1,
  maxLength: 100,
  examples: ['Europe/Berlin'],
});

const RETRY = Type.Unsafe<Static<typeof Retry>>({
  ...Retry,
  description:
    'A preset, or fields of a policy over the preset `allowance`, for API keys alone. Left out or null: the values of the deployment.',
});

const Allowance = closed(
  {
    id: idOf('schedule'),
    guardian_id: idOf('account'),
    junior_id: idOf('account'),
    amount: Amount,
    amount_decimal: Decimal,
    asset: Type.String({ examples: ['USD/2'] }),
    frequency: nullable(oneOf(ALLOWANCE_FREQUENCIES), {
      description: 'Null where the schedule was given a rule that is none of these.',
    }),
    status: oneOf(ALLOWANCE_STATUSES),
    zone: Type.String({ examples: ['Europe/Berlin'] }),
    retry: nullable(RetryShown, {
      description:
        'Null: `ALLOWANCE_MAX_RETRIES` and `ALLOWANCE_RETRY_DELAY_MS` of the deployment, as they are when a credit is made.',
    }),
    next_run_at: nullable(Instant, {
      description: 'The next date, also while the credit before is tried again. Null while it is `OFF`.',
    }),
    last_run_at: nullable(Instant, {
      description: 'The date of the last credit that was paid, however late. Null until one is.',
    }),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Allowance' },
);

function show(allowance: EngineAllowance): Static<typeof Allowance> {
  return {
    id: toTypeId('schedule', allowance.id),
    guardian_id: accountId(allowance.guardianId),
    junior_id: accountId(allowance.juniorId),
    amount: allowance.amount.toString(),
    amount_decimal: toDecimal(allowance.amount, allowance.asset),
    asset: allowance.asset,
    frequency: allowance.frequency,
    status: allowance.status,
    zone: allowance.zone,
    retry: showRetry(allowance.retry),
    next_run_at: instantOrNull(allowance.nextRunAt),
    last_run_at: instantOrNull(allowance.lastRunAt),
    created_at: allowance.createdAt.toISOString(),
    updated_at: allowance.updatedAt.toISOString(),
  };
}

const Credit = closed(
  {
    id: idOf('occurrence'),
    run_at: { ...Instant, description: 'The date it is for, however late it was paid.' } as typeof Instant,
    slots: Type.Integer({ description: 'How many dates it stands for: several where they were skipped together.' }),
    amount: Amount,
    amount_decimal: Decimal,
    asset: Type.String({ examples: ['USD/2'] }),
    status: oneOf(CREDIT_STATUSES, {
      description: '`PENDING` while it is tried; `FAILED` after its last attempt; `SKIPPED` says why in `reason`.',
    }),
    attempts: Type.Integer(),
    credited_at: nullable(Instant),
    payment: nullable(idOf('payment')),
    reason: textOrNull({ description: 'Why it was skipped: `missed`, `overlap`, `outage` and so on.' }),
    last_error: nullable(closed({ code: Type.String(), detail: Type.String() }), {
      description: 'Of the last attempt that failed. Not shown to the child.',
    }),
  },
  { title: 'AllowanceCredit' },
);

const showCredit = (credit: EngineCredit): Static<typeof Credit> => ({
  id: toTypeId('occurrence', credit.id),
  run_at: credit.runAt.toISOString(),
  slots: credit.slots,
  amount: credit.amount.toString(),
  amount_decimal: toDecimal(credit.amount, credit.asset),
  asset: credit.asset,
  status: credit.status,
  attempts: credit.attempts,
  credited_at: instantOrNull(credit.creditedAt),
  payment: idOrNull('payment', credit.paymentId),
  reason: credit.reason,
  last_error: credit.lastCode === null ? null : { code: credit.lastCode, detail: credit.lastDetail ?? '' },
});

/** `me` is whoever the token is of. A key is nobody's account, and must say whose it means. */
function guardianOf(tenant: TenantVerbs, name: string): string {
  if (name !== 'me') return accountKey(name);
  return (
    tenant.subject ??
    refuse('FIELD_INVALID', 'guardian: "me" is for tokens; an API key names the account, by id or ref', {
      param: 'guardian',
    })
  );
}

const EXAMPLE = {
  id: 'sch_01k9ztc2d4f6h8k0n2q4s6v8x0',
  guardian_id: ALICE,
  junior_id: BOB,
  amount: '500',
  amount_decimal: '5.00',
  asset: 'USD/2',
  frequency: 'WEEKLY',
  status: 'ON',
  zone: 'Europe/Berlin',
  retry: null,
  next_run_at: '2026-11-13T23:00:00.000Z',
  last_run_at: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

const EXAMPLE_CREDIT = {
  id: OCCURRENCE,
  run_at: '2026-11-13T23:00:00.000Z',
  slots: 1,
  amount: '500',
  amount_decimal: '5.00',
  asset: 'USD/2',
  status: 'CREDITED',
  attempts: 1,
  credited_at: '2026-11-13T23:00:01.000Z',
  payment: PAYMENT,
  reason: null,
  last_error: null,
};

export const allowanceRoutes = {
  createAllowance: route({
    method: 'POST',
    path: '/guardians/{guardian}/allowances/{junior}',
    tag,
    summary: 'Give a child an allowance',
    description:
      'The first credit is at the next midnight of the family’s zone, if the guardian has the money then; it is tried five ' +
      'times, ten minutes apart, unless the deployment or `retry` says otherwise. One for a guardian and a child: `/schedules` has no such limit, and more rules.',
    scope: 'payments:write',
    own: true,
    status: 201,
    params,
    body: closed({
      ...AMOUNT,
      frequency: FREQUENCY,
      status: STATUS,
      asset: Type.Optional(AssetName),
      zone: Type.Optional(ZONE),
      retry: Type.Optional(RETRY),
    }),
    answer: Allowance,
    example: {
      params: named,
      body: { amount: '500', frequency: 'WEEKLY', status: 'ON', asset: 'USD/2', zone: 'Europe/Berlin' },
      answer: EXAMPLE,
    },
    async handle({ tenant, params: { guardian, junior }, body }) {
      const { asset: named, amount: _amount, amount_decimal: _decimal, retry, ...terms } = body;
      const asset = await orderAsset(tenant, named, hasDecimals(body));
      return show(
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

  listAllowances: route({
    method: 'GET',
    path: '/guardians/{guardian}/allowances',
    tag,
    summary: 'List a guardian’s allowances',
    description: 'Newest first.',
    scope: 'payments:read',
    own: true,
    params: closed({ guardian: Guardian }),
    query: pageQuery({}),
    answer: listOf(Allowance, 'AllowanceList'),
    example: { params: { guardian: 'alice' }, answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, params: { guardian }, query }) =>
      newestFirst(query, (range) => tenant.allowances(guardianOf(tenant, guardian), range), show),
  }),

  getAllowance: route({
    method: 'GET',
    path: '/guardians/{guardian}/allowances/{junior}',
    tag,
    summary: 'An allowance',
    scope: 'payments:read',
    own: true,
    params,
    answer: Allowance,
    example: { params: named, answer: EXAMPLE },
    handle: async ({ tenant, params: { guardian, junior } }) =>
      show(await tenant.allowance(guardianOf(tenant, guardian), accountKey(junior))),
  }),

  listAllowanceCredits: route({
    method: 'GET',
    path: '/guardians/{guardian}/allowances/{junior}/credits',
    tag,
    summary: 'The credits of an allowance',
    description:
      'What became of each date, newest first. After the allowance is deleted, those that it had. Open to the guardian and to the child.',
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

  editAllowance: route({
    method: 'PATCH',
    path: '/guardians/{guardian}/allowances/{junior}',
    tag,
    summary: 'Change an allowance, or turn it on or off',
    description: 'From the next date on. The day that it counts from stays.',
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
      return show(
        await tenant.editAllowance(...pair, {
          ...rest,
          ...amount,
          ...(retry === undefined ? {} : { retry: retry && readRetry(retry) }),
        }),
      );
    },
  }),

  deleteAllowance: route({
    method: 'DELETE',
    path: '/guardians/{guardian}/allowances/{junior}',
    tag,
    summary: 'Delete an allowance',
    description: 'Also stops a credit that is being tried again. What was paid stays paid; there may be another then.',
    scope: 'payments:write',
    own: true,
    params,
    answer: Allowance,
    example: { params: named, answer: { ...EXAMPLE, status: 'OFF', next_run_at: null } },
    handle: async ({ tenant, params: { guardian, junior } }) =>
      show(await tenant.deleteAllowance(guardianOf(tenant, guardian), accountKey(junior))),
  }),
};
