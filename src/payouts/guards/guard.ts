// What a tenant allows its payouts: only to listed addresses, at most so much at once and in a day. Pure: what was read is handed in.
//
// The same questions are asked three times. A create, an edit or a retry is refused by them. Before an attempt they bar chains, so that a payout with
// several destinations takes one that is allowed. The commit of signed bytes asks again under locks, and only there is the daily cap counted.
import type { Refused, Uuid } from '../../kernel/index.ts';
import { refused } from '../../kernel/index.ts';
import { hourOf } from '../../payments/index.ts';
import type { ChainSum, Guards, ListedAddress, PayoutCap } from './store.ts';

export interface AskedPayout {
  readonly tenantId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
}

/** Caps and lists of some tenants, as they were read. */
export class GuardBook {
  readonly #policies: ReadonlyMap<Uuid, Guards['policies'][number]>;
  readonly #listed: ReadonlyMap<string, ListedAddress>;
  readonly #caps: ReadonlyMap<string, PayoutCap>;
  readonly #sent = new Map<string, bigint>();

  constructor({ policies, listed, caps }: Guards, sent: readonly ChainSum[] = []) {
    this.#policies = new Map(policies.map((policy) => [policy.tenantId, policy]));
    this.#listed = new Map(listed.map((one) => [placeOf(one), one]));
    this.#caps = new Map(caps.map((cap) => [capOf(cap), cap]));
    for (const { amount, ...place } of sent) this.#add(place, amount);
  }

  /** Null: the address may be paid at this instant. */
  destination(
    tenantId: Uuid,
    { chain, address }: { readonly chain: string; readonly address: string },
    at: Date,
  ): Barred | null {
    if (!this.#policies.get(tenantId)?.listedOnly) return null;
    const listed = this.#listed.get(placeOf({ tenantId, chain, address }));
    if (!listed) return never(refused('PAYOUT_DESTINATION_NOT_ALLOWED/not_listed', { chain, address }));
    if (listed.usableAt === null)
      return later(refused('PAYOUT_DESTINATION_NOT_ALLOWED/awaits_approval', { chain, address }));
    if (listed.usableAt <= at) return null;
    const { usableAt } = listed;
    return later(refused('PAYOUT_DESTINATION_NOT_ALLOWED/too_new', { chain, address, at: usableAt }), usableAt);
  }

  /** Null: the chain may move this much at once. */
  atOnce({ tenantId, asset, amount }: AskedPayout, chain: string): Barred | null {
    for (const scope of [chain, ALL_CHAINS]) {
      const max = this.#caps.get(capOf({ tenantId, asset, chain: scope }))?.maxAmount ?? null;
      if (max !== null && amount > max) {
        const fields = { chain, max: { amount: max, asset }, amount: { amount, asset } };
        return never(refused('PAYOUT_CAP_EXCEEDED/payout', fields));
      }
    }
    return null;
  }

  /** Null: within the daily caps, by what was read and added. A payout that is above the cap by itself can never be. */
  inADay({ tenantId, asset, amount }: AskedPayout, chain: string, now: Date): Barred | null {
    for (const scope of [chain, ALL_CHAINS]) {
      const most = this.#caps.get(capOf({ tenantId, asset, chain: scope }))?.dailyAmount ?? null;
      if (most === null) continue;
      const used = this.#sent.get(capOf({ tenantId, asset, chain: scope })) ?? 0n;
      const fields = { chain, limit: { amount: most, asset }, amount: { amount, asset } };
      if (amount > most) return never(refused('PAYOUT_CAP_EXCEEDED/never', fields));
      if (used + amount > most)
        // An hour leaves the window when the next one begins.
        return later(refused('PAYOUT_CAP_EXCEEDED/day', { ...fields, used: { amount: used, asset } }), nextHour(now));
    }
    return null;
  }

  /** Counts a payout that is signed: the next one finds less left. */
  count({ tenantId, asset, amount }: AskedPayout, chain: string): void {
    this.#add({ tenantId, asset, chain }, amount);
  }

  #add({ tenantId, asset, chain }: Omit<ChainSum, 'amount'>, amount: bigint): void {
    for (const scope of [chain, ALL_CHAINS]) {
      const name = capOf({ tenantId, asset, chain: scope });
      this.#sent.set(name, (this.#sent.get(name) ?? 0n) + amount);
    }
  }
}

export interface Barred {
  readonly cause: Refused;
  /** It may be allowed later as things are: the payout waits. */
  readonly passes: boolean;
  /** Not before then; null: unknown. */
  readonly until: Date | null;
}

const never = (cause: Refused): Barred => ({ cause, passes: false, until: null });
export const later = (cause: Refused, until: Date | null = null): Barred => ({ cause, passes: true, until });

const nextHour = (now: Date): Date => new Date(hourOf(now).getTime() + 3_600_000);

/** The chain of a cap that holds for all of them together. */
export const ALL_CHAINS = '';

const placeOf = ({ tenantId, chain, address }: Pick<ListedAddress, 'tenantId' | 'chain' | 'address'>): string =>
  `${tenantId} ${chain} ${address}`;
const capOf = ({ tenantId, asset, chain }: Pick<PayoutCap, 'tenantId' | 'asset' | 'chain'>): string =>
  `${tenantId} ${asset} ${chain}`;
