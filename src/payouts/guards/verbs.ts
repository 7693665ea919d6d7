// The guards of payouts as an operator sets them. Every change is an event with what was and what is.
import type { Transaction } from '../../db/index.ts';
import type { EventType } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { Refusal, isUuid, newId, parsePositiveAmount, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { findAsset } from '../../ledger/index.ts';
import { chainNotAvailable, parseDelayMs } from '../../payments/index.ts';
import { payeeOn } from '../validate-for-chain.ts';
import type { Rails } from '../ports.ts';
import { ALL_CHAINS } from './guard-book.ts';
import type { PayoutCap, PayoutDestination, PayoutPolicy } from './store.ts';
import {
  approveDestination,
  countDestinations,
  ensurePolicy,
  findDestination,
  findPolicy,
  insertDestination,
  listCaps,
  listDestinations,
  lockCap,
  removeDestination,
  updatePolicy,
  writeCap,
} from './store.ts';

type Amount = bigint | string | number;

/** What is left out stays. */
export interface PolicyOrder {
  /** Whether payouts go to listed addresses only. */
  readonly listedOnly?: boolean;
  /** How long after it was added, or approved, a new address may be paid: seconds, `48h` or `PT48H`; at most 31 days. */
  readonly wait?: string | number;
  /** Whether a second person approves each new address. */
  readonly secondPerson?: boolean;
}

export interface DestinationOrder {
  readonly chain: string;
  readonly address: string;
  /** For people, at most 100 characters. */
  readonly label?: string;
}

/** At least one of `maxAmount` and `dailyAmount` is required. Null removes a cap; an omitted one stays. */
export interface CapOrder {
  readonly asset: string;
  /** Left out: all chains together. */
  readonly chain?: string;
  /** Of one payout. */
  readonly maxAmount?: Amount | null;
  /** Of all payouts in any 24 hours. */
  readonly dailyAmount?: Amount | null;
}

export interface GuardVerbs {
  payoutPolicy(): Promise<PayoutPolicy>;
  setPayoutPolicy(order: PolicyOrder): Promise<PayoutPolicy>;
  addPayoutDestination(order: DestinationOrder): Promise<PayoutDestination>;
  payoutDestination(id: Uuid): Promise<PayoutDestination>;
  /** Newest first. */
  payoutDestinations(page?: { limit?: number; before?: Uuid }): Promise<PayoutDestination[]>;
  /** By another person than the one that added it. */
  approvePayoutDestination(id: Uuid): Promise<PayoutDestination>;
  /** Payouts that were not signed yet do not go there any more. */
  removePayoutDestination(id: Uuid, reason: string): Promise<void>;
  setPayoutCap(order: CapOrder): Promise<PayoutCap[]>;
  payoutCaps(): Promise<PayoutCap[]>;
}

const PAGE = 100;
const MOST_WAIT_MS = 31 * 86_400_000;
const MOST_DESTINATIONS = 100_000;
const MOST_CAPS = 1_000;
const LONGEST_LABEL = 100;

export function guardVerbs(context: VerbContext, rails: Rails): GuardVerbs {
  const { tenantId, caller, sql } = context;
  const emit = emitterOf(caller, tenantId);
  const notFound = (destination: Uuid): never => refuse('PAYOUT_DESTINATION_NOT_FOUND', { destination });
  const lockListed = async (tx: Transaction, id: Uuid): Promise<PayoutDestination> =>
    (isUuid(id) ? await findDestination(tx, { tenantId, id }, true) : null) ?? notFound(id);

  return {
    payoutPolicy: () => findPolicy(sql, tenantId),
    setPayoutPolicy: (order) =>
      context.run(async (tx, clock) => {
        const choices = ['listedOnly', 'wait', 'secondPerson'] as const;
        if (choices.every((field) => order[field] === undefined))
          refuse('FIELD_INVALID/none_of_given', { param: 'listedOnly', choices });
        const waitMs = order.wait === undefined ? undefined : parseWait(order.wait);
        await ensurePolicy(tx, tenantId, clock.now);
        const old = await findPolicy(tx, tenantId, 'update');
        const policy = {
          tenantId,
          listedOnly: order.listedOnly ?? old.listedOnly,
          waitMs: waitMs ?? old.waitMs,
          secondPerson: order.secondPerson ?? old.secondPerson,
        };
        await updatePolicy(tx, policy, clock.now);
        await emit(tx, clock, 'payout_policy.set', tenantId, { old: shownPolicy(old), new: shownPolicy(policy) });
        return policy;
      }),
    addPayoutDestination: (order) =>
      context.run(async (tx, clock) => {
        const destination = await addDestination(tx, clock, context, rails, order);
        const { id, chain, address, label, usableAt } = destination;
        await emit(tx, clock, 'payout_destination.created', id, { chain, address, label, usableAt });
        return destination;
      }),
    payoutDestination: async (id) => (isUuid(id) ? await findDestination(sql, { tenantId, id }) : null) ?? notFound(id),
    payoutDestinations: (page = {}) =>
      listDestinations(sql, tenantId, { limit: page.limit ?? PAGE, before: page.before ?? null }),
    approvePayoutDestination: (id) =>
      context.run(async (tx, clock) => {
        const destination = await lockListed(tx, id);
        const { chain, address, addedBy } = destination;
        if (destination.usableAt !== null) refuse('PAYOUT_DESTINATION_APPROVED', { destination: id });
        const isCaller = await context.identities.samePerson(tx, tenantId, caller.actor, [addedBy]);
        if (isCaller(addedBy)) refuse('APPROVAL_NEEDS_ANOTHER/destination', { destination: id });
        const { waitMs } = await findPolicy(tx, tenantId);
        const usableAt = new Date(clock.now.getTime() + waitMs);
        await approveDestination(tx, { tenantId, id, by: caller.actor, at: clock.now }, usableAt);
        await emit(tx, clock, 'payout_destination.approved', id, { chain, address, usableAt });
        return { ...destination, approvedBy: caller.actor, usableAt };
      }),
    removePayoutDestination: (id, reason) =>
      context.run(async (tx, clock) => {
        if (reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
        const { chain, address } = await lockListed(tx, id);
        await removeDestination(tx, { tenantId, id, by: caller.actor, at: clock.now });
        await emit(tx, clock, 'payout_destination.removed', id, { chain, address, reason });
      }),
    setPayoutCap: (order) =>
      context.run(async (tx, clock) => {
        const { chain = ALL_CHAINS } = order;
        if (order.maxAmount === undefined && order.dailyAmount === undefined)
          refuse('FIELD_INVALID/none_given', { param: 'maxAmount', second: 'dailyAmount' });
        if (chain !== ALL_CHAINS) requireChain(rails, chain);
        const asset =
          (await findAsset(tx, tenantId, order.asset))?.name ??
          refuse('ASSET_NOT_FOUND', { param: 'asset', asset: order.asset });
        const given = {
          maxAmount: amountOf('maxAmount', order.maxAmount),
          dailyAmount: amountOf('dailyAmount', order.dailyAmount),
        };
        const before = await lockCap(tx, { tenantId, asset, chain }, clock.now);
        const old = { maxAmount: before.maxAmount, dailyAmount: before.dailyAmount };
        const after = {
          maxAmount: given.maxAmount === undefined ? old.maxAmount : given.maxAmount,
          dailyAmount: given.dailyAmount === undefined ? old.dailyAmount : given.dailyAmount,
        };
        await writeCap(tx, { tenantId, asset, chain, ...after }, clock.now);
        await emit(tx, clock, 'payout_cap.set', tenantId, {
          asset,
          chain: chain === ALL_CHAINS ? null : chain,
          old,
          new: after,
        });
        return listCaps(tx, tenantId, MOST_CAPS);
      }),
    payoutCaps: () => listCaps(sql, tenantId, MOST_CAPS),
  };
}

async function addDestination(
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: VerbContext,
  rails: Rails,
  { chain, address: given, label }: DestinationOrder,
): Promise<PayoutDestination> {
  const rail = rails.of(chain, tenantId) ?? noChain(rails, chain);
  const checked = payeeOn(rail, given, 'address');
  if ('refused' in checked) throw new Refusal(checked.refused);
  if (label !== undefined && (label.length < 1 || label.length > LONGEST_LABEL))
    refuse('FIELD_INVALID/wrong_length', { param: 'label', min: 1, max: LONGEST_LABEL });
  // The row of the policy first: a policy that begins to ask for a second person, or a longer wait, holds for all that comes after it.
  await ensurePolicy(tx, tenantId, clock.now);
  const { waitMs, secondPerson } = await findPolicy(tx, tenantId, 'share');
  const count = await countDestinations(tx, tenantId);
  if (count >= MOST_DESTINATIONS) refuse('PAYOUT_DESTINATIONS_TOO_MANY', { max: MOST_DESTINATIONS });
  const destination: PayoutDestination = {
    tenantId,
    id: newId(),
    chain,
    address: checked.address,
    label: label ?? null,
    addedBy: caller.actor,
    addedAt: clock.now,
    approvedBy: null,
    usableAt: secondPerson ? null : new Date(clock.now.getTime() + waitMs),
  };
  if (!(await insertDestination(tx, destination)))
    refuse('PAYOUT_DESTINATION_EXISTS', { param: 'address', chain, address: checked.address });
  return destination;
}

function requireChain(rails: Rails, chain: string): void {
  if (!rails.chains.includes(chain)) noChain(rails, chain);
}

const noChain = ({ chains }: Rails, chain: string): never => {
  throw new Refusal(chainNotAvailable('chain', chain, chains));
};

function parseWait(wait: string | number): number {
  const ms = parseDelayMs(wait, 'wait');
  return ms <= MOST_WAIT_MS ? ms : refuse('DELAY_OUT_OF_RANGE/too_far', { param: 'wait', max: '31 days' });
}

const amountOf = (param: string, value: Amount | null | undefined): bigint | null | undefined =>
  value === null || value === undefined ? value : parsePositiveAmount(value, param);

const shownPolicy = ({ listedOnly, waitMs, secondPerson }: PayoutPolicy): Readonly<Record<string, unknown>> => ({
  listedOnly,
  wait: `PT${waitMs / 1_000}S`,
  secondPerson,
});

const emitterOf =
  (caller: Caller, tenantId: Uuid) =>
  async (
    tx: Transaction,
    clock: Clock,
    type: EventType,
    resourceId: Uuid,
    data: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    // A tenant has one policy, and a cap has no id.
    const resource = resourceId === tenantId ? 'tenant' : 'payout_destination';
    await appendEvents(tx, [{ ...caller, tenantId, type, resource, resourceId, data, occurredAt: clock.now }]);
  };
