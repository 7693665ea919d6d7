// Guards of payouts: listed addresses, caps, and the policy about new addresses.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { PayoutCap, PayoutDestination, PayoutPolicy } from '../../engine.ts';
import { fromTypeId, shownActor, toTypeId } from '../../kernel/index.ts';
import { before, page, wholeList } from '../cursor.ts';
import { route } from '../route.ts';
import {
  Amount,
  AmountIn,
  AssetName,
  DelayIn,
  Instant,
  Reason,
  closed,
  durationShown,
  idOf,
  listOf,
  nullable,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { durationOf, instantOrNull } from '../wire-format.ts';
import { CREATED_AT } from './examples.ts';

const ID = 'pdst_01k9zt4c2tw8y0a2b4d6f8h0j2';
const ADDRESS = 'sbx1017e36c840e14cb75d0846ecf145e2f16909e3c';
const Id = closed({ id: idOf('payoutDestination') });
const key = (id: string): string => fromTypeId('payoutDestination', id);
const Chain = Type.String({ minLength: 1, maxLength: 32, description: 'Name of the chain.', examples: ['sandbox'] });

const Destination = closed(
  {
    id: idOf('payoutDestination'),
    chain: Type.String({ description: 'Name of the chain.', examples: ['sandbox'] }),
    address: Type.String({ description: 'As the chain writes it.', examples: [ADDRESS] }),
    label: textOrNull({ description: 'For people.' }),
    usable_at: nullable(Instant, { description: 'When payouts may go there; null while it awaits approval.' }),
    added_by: Type.String({ description: 'The caller that added it.' }),
    added_at: { ...Instant, description: 'When it was added. RFC 3339, UTC.' } as typeof Instant,
    approved_by: textOrNull({ description: 'The second person; null if none approved it.' }),
  },
  { title: 'PayoutDestination' },
);

const show = (destination: PayoutDestination): Static<typeof Destination> => ({
  id: toTypeId('payoutDestination', destination.id),
  chain: destination.chain,
  address: destination.address,
  label: destination.label,
  usable_at: instantOrNull(destination.usableAt),
  added_by: shownActor(destination.addedBy),
  added_at: destination.addedAt.toISOString(),
  approved_by: destination.approvedBy === null ? null : shownActor(destination.approvedBy),
});

const EXAMPLE = {
  id: ID,
  chain: 'sandbox',
  address: ADDRESS,
  label: 'Ana',
  usable_at: CREATED_AT,
  added_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  added_at: CREATED_AT,
  approved_by: null,
};

const Policy = closed(
  {
    listed_only: Type.Boolean({ description: 'Whether payouts go to listed addresses only.' }),
    wait: durationShown('How long after it was added, or approved, a new address may be paid.'),
    second_person: Type.Boolean({ description: 'Whether a second person approves each new address.' }),
  },
  { title: 'PayoutPolicy' },
);

const showPolicy = ({ listedOnly, waitMs, secondPerson }: PayoutPolicy): Static<typeof Policy> => ({
  listed_only: listedOnly,
  wait: durationOf(waitMs),
  second_person: secondPerson,
});
const EXAMPLE_POLICY = { listed_only: false, wait: 'PT86400S', second_person: true };

const Cap = closed(
  {
    asset: AssetName,
    chain: textOrNull({ description: 'Null: all chains together.' }),
    max_amount: nullable(Amount, { description: 'The largest amount of one payout.' }),
    daily_amount: nullable(Amount, { description: 'The largest sum that is signed in any 24 hours.' }),
  },
  { title: 'PayoutCap' },
);

const showCap = ({ asset, chain, maxAmount, dailyAmount }: PayoutCap): Static<typeof Cap> => ({
  asset,
  chain: chain === '' ? null : chain,
  max_amount: maxAmount?.toString() ?? null,
  daily_amount: dailyAmount?.toString() ?? null,
});
const CAPS = listOf(Cap, 'PayoutCapList');
const EXAMPLE_CAP = { asset: 'USDC/6', chain: 'sandbox', max_amount: '500000000', daily_amount: '2000000000' };

// One nullable type: as a union its errors would be reported twice.
const amountOrNull = (description: string) =>
  Type.Optional(Type.Unsafe<string | number | null>({ ...AmountIn, type: ['string', 'integer', 'null'], description }));

export const payoutGuardRoutes = {
  'payoutPolicy.get': route({
    method: 'GET',
    path: '/payout-policy',
    summary: 'Get the policy about addresses of payouts',
    scope: 'ops:read',
    answer: Policy,
    example: { answer: EXAMPLE_POLICY },
    handle: async ({ tenant }) => showPolicy(await tenant.payoutPolicy()),
  }),

  'payoutPolicy.set': route({
    method: 'POST',
    path: '/payout-policy',
    summary: 'Set the policy about addresses of payouts',
    description:
      'At least one field is given; an omitted one stays unchanged. With `listed_only`, a payout to another address is refused, and one that was created before fails when it is due; nothing is signed ' +
      'for it. A longer `wait` and `second_person` hold for addresses that are added afterwards.',
    scope: 'admin',
    body: closed(
      {
        listed_only: Type.Optional(Type.Boolean({ description: 'Whether payouts go to listed addresses only.' })),
        wait: Type.Optional({
          ...DelayIn,
          description:
            'How long after it was added, or approved, a new address may be paid; at most 31 days. Seconds, `48h`, or an ISO 8601 duration such as `PT48H`.',
        } as typeof DelayIn),
        second_person: Type.Optional(
          Type.Boolean({ description: 'Whether a second person approves each new address.' }),
        ),
      },
      { title: 'PayoutPolicyParams' },
    ),
    answer: Policy,
    example: { body: { wait: 'P1D', second_person: true }, answer: EXAMPLE_POLICY },
    async handle({ tenant, body }) {
      const { listed_only, wait, second_person } = body;
      return showPolicy(
        await tenant.setPayoutPolicy({
          ...(listed_only === undefined ? {} : { listedOnly: listed_only }),
          ...(wait === undefined ? {} : { wait }),
          ...(second_person === undefined ? {} : { secondPerson: second_person }),
        }),
      );
    },
  }),

  'payoutDestinations.create': route({
    method: 'POST',
    path: '/payout-destinations',
    summary: 'Add an address for payouts',
    description:
      'Adds it to the listed addresses. Payouts may go there after the wait of the policy and, if the policy asks for it, the approval of a second person.',
    scope: 'ops:write',
    status: 201,
    body: closed(
      {
        chain: Chain,
        address: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The address on the chain.',
          examples: [ADDRESS],
        }),
        label: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'For people. Default: none.', examples: ['Ana'] }),
        ),
      },
      { title: 'PayoutDestinationCreateParams' },
    ),
    answer: Destination,
    example: { body: { chain: 'sandbox', address: ADDRESS, label: 'Ana' }, answer: EXAMPLE },
    handle: async ({ tenant, body }) => show(await tenant.addPayoutDestination(body)),
  }),

  'payoutDestinations.list': route({
    method: 'GET',
    path: '/payout-destinations',
    summary: 'List the addresses for payouts',
    description: 'Newest first.',
    scope: 'ops:read',
    query: pageQuery({}),
    answer: listOf(Destination, 'PayoutDestinationList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) =>
      page(
        query,
        (limit, mark) => tenant.payoutDestinations({ limit, ...before(mark) }),
        ({ id }) => id,
        show,
      ),
  }),

  'payoutDestinations.get': route({
    method: 'GET',
    path: '/payout-destinations/{id}',
    summary: 'Get an address for payouts',
    scope: 'ops:read',
    params: Id,
    answer: Destination,
    example: { params: { id: ID }, answer: EXAMPLE },
    handle: async ({ tenant, params }) => show(await tenant.payoutDestination(key(params.id))),
  }),

  'payoutDestinations.approve': route({
    method: 'POST',
    path: '/payout-destinations/{id}/approve',
    summary: 'Approve an address for payouts',
    description: 'By another person than the one that added it. The wait of the policy begins now.',
    scope: 'ops:write',
    params: Id,
    answer: Destination,
    example: { params: { id: ID }, answer: { ...EXAMPLE, approved_by: 'key_01k9zt7e9rpf5j7k0m3n6s8t1v' } },
    handle: async ({ tenant, params }) => show(await tenant.approvePayoutDestination(key(params.id))),
  }),

  'payoutDestinations.remove': route({
    method: 'POST',
    path: '/payout-destinations/{id}/remove',
    summary: 'Remove an address for payouts',
    description: 'Nothing more is signed for payouts to it. Transactions that were signed before are not affected.',
    scope: 'ops:write',
    params: Id,
    body: closed({ reason: Reason }),
    answer: Destination,
    example: { params: { id: ID }, body: { reason: 'Ana has a new wallet' }, answer: EXAMPLE },
    async handle({ tenant, params, body }) {
      const destination = await tenant.payoutDestination(key(params.id));
      await tenant.removePayoutDestination(destination.id, body.reason);
      return show(destination);
    },
  }),

  'payoutCaps.set': route({
    method: 'POST',
    path: '/payout-caps',
    summary: 'Set caps of payouts',
    description:
      'For one asset, on one chain or on all chains together. At least one of `max_amount` and `daily_amount` is given: null removes that cap, and an omitted one stays unchanged. A payout above `max_amount` is refused, and fails if it was ' +
      'created before. A payout that would exceed `daily_amount` waits until less was signed in the last 24 hours; signatures from before the cap was set count.',
    scope: 'admin',
    body: closed(
      {
        asset: AssetName,
        chain: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 32,
            description: 'Name of the chain. Default: all chains together.',
            examples: ['sandbox'],
          }),
        ),
        max_amount: amountOrNull('The largest amount of one payout, in minor units, more than 0. Null: no cap.'),
        daily_amount: amountOrNull(
          'The largest sum that is signed in any 24 hours, in minor units, more than 0. Null: no cap.',
        ),
      },
      { title: 'PayoutCapParams' },
    ),
    answer: CAPS,
    example: {
      body: { asset: 'USDC/6', chain: 'sandbox', max_amount: '500000000', daily_amount: '2000000000' },
      answer: { data: [EXAMPLE_CAP], next_cursor: null },
    },
    async handle({ tenant, body }) {
      const { asset, chain, max_amount, daily_amount } = body;
      const caps = tenant.setPayoutCap({
        asset,
        ...(chain === undefined ? {} : { chain }),
        ...(max_amount === undefined ? {} : { maxAmount: max_amount }),
        ...(daily_amount === undefined ? {} : { dailyAmount: daily_amount }),
      });
      return wholeList(caps, showCap);
    },
  }),

  'payoutCaps.list': route({
    method: 'GET',
    path: '/payout-caps',
    summary: 'List caps of payouts',
    description: 'By asset and chain; at most 1,000.',
    scope: 'ops:read',
    answer: CAPS,
    example: { answer: { data: [EXAMPLE_CAP], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.payoutCaps(), showCap),
  }),
};
