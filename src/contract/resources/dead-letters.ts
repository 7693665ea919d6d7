// The dead-letter desk: what gave up, and what to do about it.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { DeadLetter as Letter, Retried } from '../../engine.ts';
import { LETTER_KINDS } from '../../engine.ts';
import { toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { after, cursorBehind, newestFirst } from '../cursor.ts';
import { anyKey, durationOf, idOrNull } from '../wire-format.ts';
import {
  Amount,
  AssetName,
  Instant,
  Reason,
  closed,
  durationShown,
  idOf,
  idOfAny,
  instantIn,
  listOf,
  nullable,
  oneOf,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { CREATED_AT, EXECUTE_AT, EXECUTION, JOB, OCCURRENCE, PAYMENT, SCHEDULE } from './examples.ts';

const Id = closed({ id: idOfAny(LETTER_KINDS) });
const params = { id: PAYMENT };

const DeadLetter = closed(
  {
    id: Type.String({
      description: 'The id of the payment, occurrence or execution that failed; its prefix says which.',
      examples: [PAYMENT],
    }),
    kind: oneOf(LETTER_KINDS),
    code: Type.String({ description: 'The error code of the last attempt.' }),
    detail: Type.String(),
    asset: textOrNull({ description: 'The asset of the amount; null for an execution.' }),
    amount: nullable(Amount, { description: 'The amount that was not paid, in minor units; null for an execution.' }),
    failed_at: Instant,
    age: durationShown('Time since it failed.'),
    schedule: nullable(idOf('schedule'), { description: 'The schedule of an occurrence; null for others.' }),
    slot: textOrNull({ description: 'The nominal local time of an occurrence; null for others.' }),
    job: nullable(idOf('job'), { description: 'The job of an execution; null for others.' }),
  },
  { title: 'DeadLetter' },
);

const show = (letter: Letter): Static<typeof DeadLetter> => ({
  id: toTypeId(letter.kind, letter.id),
  kind: letter.kind,
  code: letter.code,
  detail: letter.detail,
  asset: letter.asset,
  amount: letter.amount?.toString() ?? null,
  failed_at: letter.failedAt.toISOString(),
  age: durationOf(letter.ageMs),
  schedule: idOrNull('schedule', letter.scheduleId),
  slot: letter.slot,
  job: idOrNull('job', letter.jobId),
});

const EXAMPLE = {
  id: PAYMENT,
  kind: 'payment',
  code: 'FUNDS_INSUFFICIENT',
  detail: 'account "acct_01k9zt1m6hfpq8w3n5x7y2c4de" has 50.00 USD available; 100.00 USD is required',
  asset: 'USD/2',
  amount: '10000',
  failed_at: EXECUTE_AT,
  age: 'PT3600S',
  schedule: null,
  slot: null,
  job: null,
};

const EXAMPLE_EXECUTION = {
  ...EXAMPLE,
  id: EXECUTION,
  kind: 'execution',
  code: 'PROCESSOR_FAILED',
  detail: 'the mail server did not answer',
  asset: null,
  amount: null,
  job: JOB,
};

const EXAMPLE_SLOT = {
  ...EXAMPLE,
  id: OCCURRENCE,
  kind: 'occurrence',
  code: 'ACCOUNT_NOT_ACTIVE',
  detail: 'the account "bob" is closed',
  schedule: SCHEDULE,
  slot: '2026-10-31T09:00:00',
};

const FILTERS = {
  kind: Type.Optional(
    oneOf(LETTER_KINDS, {
      description: '`payment`, `occurrence` of a schedule, or `execution` of a job. Default: all.',
    }),
  ),
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A code of the error catalogue, or the `code` of an execution. Default: all.',
      examples: ['FUNDS_INSUFFICIENT'],
    }),
  ),
  asset: Type.Optional(AssetName),
  job: Type.Optional({ ...idOf('job'), description: 'Only executions of this job. Default: any.' }),
  failed_from: Type.Optional(instantIn('Failed at this instant or later. Default: any.')),
  failed_before: Type.Optional(instantIn('Failed before this instant. Default: any.')),
};
const Filter = closed(FILTERS);

function readFilter({ kind, code, asset, job, failed_from, failed_before }: Static<typeof Filter>) {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(code === undefined ? {} : { code }),
    ...(asset === undefined ? {} : { asset }),
    ...(job === undefined ? {} : { jobId: anyKey(job, 'job') }),
    ...(failed_from === undefined ? {} : { failedFrom: failed_from }),
    ...(failed_before === undefined ? {} : { failedBefore: failed_before }),
  };
}

const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1_000, description: 'Items of this request. Default 1,000.', examples: [100] }),
);
const Refused = Type.Array(closed({ id: Type.String(), code: Type.String(), detail: Type.String() }));
const Cursor = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      '`next_cursor` of the previous answer: continues behind its items, also behind those that were refused. Default: from the oldest.',
  }),
);
const More = Type.Boolean({ description: 'Whether more dead letters match behind these.' });
const NextCursor = textOrNull({
  description: 'Send the same request again with it as `cursor`; null if no more dead letters match.',
});
const IN_PARTS =
  'Oldest first, at most `limit` per request. Send the request again with `cursor` until `next_cursor` is null: each dead letter is then handled once, ' +
  'whatever the number of items that are refused.';

const showRefused = ({ kind, id, code, detail }: Retried['refused'][number]) => ({
  id: toTypeId(kind, id),
  code,
  detail,
});

const Group = closed(
  {
    kind: oneOf(LETTER_KINDS, { description: 'Kind of the dead letters.' }),
    code: Type.String({ description: 'The error code of the last attempt.' }),
    asset: textOrNull({ description: 'Null for executions.' }),
    job: nullable(idOf('job'), { description: 'Job of the executions; null for others.' }),
    count: Type.Integer({ description: 'Number of dead letters.' }),
    amount: nullable(Amount, { description: 'The money at stake, in minor units; null for executions.' }),
    oldest_at: { ...Instant, description: 'Instant of the first failure.' },
    newest_at: { ...Instant, description: 'Instant of the last failure.' },
    detail: Type.String({ description: 'Detail of the newest.' }),
  },
  { title: 'DeadLetterGroup' },
);

const DONE = closed({ id: Type.String() }, { title: 'DeadLetterDone' });

export const deadLetterRoutes = {
  'deadLetters.list': route({
    method: 'GET',
    path: '/dead-letters',
    summary: 'List dead letters',
    description:
      'Payments that used up their attempts, occurrences: slots of schedules whose payment was refused, and executions of jobs that failed ' +
      'for good. Newest first. A dead letter is removed when it is retried or discarded.',
    scope: 'ops:read',
    query: pageQuery(FILTERS),
    answer: listOf(DeadLetter, 'DeadLetterList'),
    example: { query: { limit: '3' }, answer: { data: [EXAMPLE_EXECUTION, EXAMPLE_SLOT, EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) => newestFirst(query, (range) => tenant.deadLetters(readFilter(query), range), show),
  }),

  'deadLetters.listGroups': route({
    method: 'GET',
    path: '/dead-letters/groups',
    summary: 'List dead letters by cause',
    description:
      'Dead letters grouped by kind, code, asset and job, the largest group first. The newest 100,000 of each kind are grouped. One page.',
    scope: 'ops:read',
    answer: listOf(Group, 'DeadLetterGroupList'),
    example: {
      answer: {
        data: [
          {
            kind: 'payment',
            code: 'FUNDS_INSUFFICIENT',
            asset: 'USD/2',
            job: null,
            count: 3,
            amount: '25900',
            oldest_at: CREATED_AT,
            newest_at: EXECUTE_AT,
            detail: EXAMPLE.detail,
          },
        ],
        next_cursor: null,
      },
    },
    async handle({ tenant }) {
      const { groups } = await tenant.deadLetterGroups();
      return {
        data: groups.map(({ kind, code, asset, jobId, count, amount, oldestAt, newestAt, detail }) => ({
          kind,
          code,
          asset,
          job: idOrNull('job', jobId),
          count,
          amount: amount?.toString() ?? null,
          oldest_at: oldestAt.toISOString(),
          newest_at: newestAt.toISOString(),
          detail,
        })),
        next_cursor: null,
      };
    },
  }),

  'deadLetters.discardMany': route({
    method: 'POST',
    path: '/dead-letters/discard',
    summary: 'Discard dead letters by filter',
    description: `${IN_PARTS} An item that cannot be discarded stays a dead letter and is returned with the reason.`,
    scope: 'ops:write',
    body: closed({ filter: Filter, limit: Limit, cursor: Cursor, reason: Reason }),
    answer: closed(
      {
        discarded: Type.Array(Type.String(), { description: 'Ids of the discarded items.' }),
        refused: Refused,
        more: More,
        next_cursor: NextCursor,
      },
      { title: 'DeadLettersDiscarded' },
    ),
    example: {
      body: { filter: { code: 'FUNDS_INSUFFICIENT' }, reason: 'paid by other means' },
      answer: { discarded: [PAYMENT], refused: [], more: false, next_cursor: null },
    },
    async handle({ tenant, body }) {
      const { filter, cursor, ...options } = body;
      const { discarded, refused, next } = await tenant.discardDeadLetters(readFilter(filter), {
        ...options,
        ...after(cursor),
      });
      return {
        discarded: discarded.map(({ kind, id }) => toTypeId(kind, id)),
        refused: refused.map(showRefused),
        more: next !== null,
        next_cursor: cursorBehind(next),
      };
    },
  }),

  'deadLetters.get': route({
    method: 'GET',
    path: '/dead-letters/{id}',
    summary: 'Get a dead letter',
    scope: 'ops:read',
    params: Id,
    answer: DeadLetter,
    example: { params, answer: EXAMPLE },
    handle: async (call) => show(await call.tenant.deadLetter(anyKey(call.params.id, 'id'))),
  }),

  'deadLetters.retry': route({
    method: 'POST',
    path: '/dead-letters/{id}/retry',
    summary: 'Retry a dead letter',
    description:
      'A payment gets all its attempts again and reserves its funds again; an occurrence gets its payment; an execution gets all its attempts ' +
      'again. Due at once.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Type.Optional(Reason) }),
    answer: DONE,
    example: { params, body: { reason: 'the account was funded' }, answer: { id: PAYMENT } },
    async handle({ tenant, params, body }) {
      await tenant.retryDeadLetter(anyKey(params.id, 'id'), body);
      return { id: params.id };
    },
  }),

  'deadLetters.discard': route({
    method: 'POST',
    path: '/dead-letters/{id}/discard',
    summary: 'Discard a dead letter',
    description: 'The payment, occurrence or execution stays failed, and is removed from the list.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: DONE,
    example: { params, body: { reason: 'paid by other means' }, answer: { id: PAYMENT } },
    async handle({ tenant, params, body }) {
      await tenant.discardDeadLetter(anyKey(params.id, 'id'), body.reason);
      return { id: params.id };
    },
  }),

  'deadLetters.retryMany': route({
    method: 'POST',
    path: '/dead-letters/retry',
    summary: 'Retry dead letters by filter',
    description: `${IN_PARTS} An item that cannot be retried stays a dead letter and is returned with the reason.`,
    scope: 'ops:write',
    body: closed({ filter: Filter, limit: Limit, cursor: Cursor, reason: Type.Optional(Reason) }),
    answer: closed(
      {
        retried: Type.Array(Type.String()),
        refused: Refused,
        more: More,
        next_cursor: NextCursor,
      },
      { title: 'DeadLettersRetried' },
    ),
    example: {
      body: { filter: { code: 'FUNDS_INSUFFICIENT' }, reason: 'the treasury was funded' },
      answer: { retried: [PAYMENT], refused: [], more: false, next_cursor: null },
    },
    async handle({ tenant, body }) {
      const { filter, cursor, ...options } = body;
      const { retried, refused, next } = await tenant.retryDeadLetters(readFilter(filter), {
        ...options,
        ...after(cursor),
      });
      return {
        retried: retried.map(({ kind, id }) => toTypeId(kind, id)),
        refused: refused.map(showRefused),
        more: next !== null,
        next_cursor: cursorBehind(next),
      };
    },
  }),
};
