// What a tenant allows its payouts: only to listed addresses, at most so much at once and in a day. Pure: what was read is handed in.
//
// The same questions are asked three times. A create, an edit or a retry is refused by them. Before an attempt they bar chains, so that a payout with
// several destinations takes one that is allowed. The commit of signed bytes asks again under locks, and only there is the daily cap counted.
import type { Refused, Uuid } from '../../kernel/index.ts';
import { refused } from '../../kernel/index.ts';
import { hourOf } from '../../payments/index.ts';
import type { ChainSpend, Guards, HourlySpend, ListedAddress, PayoutCap } from './store.ts';

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
  readonly #spend = new Map<string, bigint>();

  constructor({ policies, listed, caps }: Guards, spend: readonly ChainSpend[] = []) {
    this.#policies = new Map(policies.map((policy) => [policy.tenantId, policy]));
    this.#listed = new Map(listed.map((one) => [addressKey(one), one]));
    this.#caps = new Map(caps.map((cap) => [capKey(cap), cap]));
    for (const { amount, ...scope } of spend) this.#add(scope, amount);
  }

  /** Null: the policy allows the address at this instant. */
  barredByPolicy(
    tenantId: Uuid,
    { chain, address }: { readonly chain: string; readonly address: string },
    at: Date,
  ): Barred | null {
    if (!this.#policies.get(tenantId)?.listedOnly) return null;
    const listed = this.#listed.get(addressKey({ tenantId, chain, address }));
    if (!listed) return barredForGood(refused('PAYOUT_DESTINATION_NOT_ALLOWED/not_listed', { chain, address }));
    if (listed.usableAt === null)
      return barredForNow(refused('PAYOUT_DESTINATION_NOT_ALLOWED/awaits_approval', { chain, address }));
    if (listed.usableAt <= at) return null;
    const { usableAt } = listed;
    return barredForNow(refused('PAYOUT_DESTINATION_NOT_ALLOWED/too_new', { chain, address, at: usableAt }), usableAt);
  }

  /** Null: within the caps of one payout. */
  barredByPayoutCap({ tenantId, asset, amount }: AskedPayout, chain: string): Barred | null {
    for (const scope of [chain, ALL_CHAINS]) {
      const max = this.#caps.get(capKey({ tenantId, asset, chain: scope }))?.maxAmount ?? null;
      if (max !== null && amount > max) {
        const fields = { chain, max: { amount: max, asset }, amount: { amount, asset } };
        return barredForGood(refused('PAYOUT_CAP_EXCEEDED/payout', fields));
      }
    }
    return null;
  }

  /** Null: within the daily caps, by what was read and added. A payout that is above the cap by itself can never be. */
  barredByDailyCap({ tenantId, asset, amount }: AskedPayout, chain: string, now: Date): Barred | null {
    for (const scope of [chain, ALL_CHAINS]) {
      const most = this.#caps.get(capKey({ tenantId, asset, chain: scope }))?.dailyAmount ?? null;
      if (most === null) continue;
      const used = this.#spend.get(capKey({ tenantId, asset, chain: scope })) ?? 0n;
      const fields = { chain, limit: { amount: most, asset }, amount: { amount, asset } };
      if (amount > most) return barredForGood(refused('PAYOUT_CAP_EXCEEDED/never', fields));
      if (used + amount > most)
        // An hour leaves the window when the next one begins.
        return barredForNow(
          refused('PAYOUT_CAP_EXCEEDED/day', { ...fields, used: { amount: used, asset } }),
          nextHour(now),
        );
    }
    return null;
  }

  /** Counts a payout that is signed: the next one finds less left. */
  count({ tenantId, asset, amount }: AskedPayout, chain: string): void {
    this.#add({ tenantId, asset, chain }, amount);
  }

  #add({ tenantId, asset, chain }: Omit<ChainSpend, 'amount'>, amount: bigint): void {
    for (const scope of [chain, ALL_CHAINS]) {
      const name = capKey({ tenantId, asset, chain: scope });
      this.#spend.set(name, (this.#spend.get(name) ?? 0n) + amount);
    }
  }
}

/** Why a payout may not take a chain. */
export interface Barred {
  readonly cause: Refused;
  /** True: it may be allowed later without a change of the guards, so the payout waits. */
  readonly isTemporary: boolean;
  /** Not before then; null: unknown. */
  readonly until: Date | null;
}

const barredForGood = (cause: Refused): Barred => ({ cause, isTemporary: false, until: null });
export const barredForNow = (cause: Refused, until: Date | null = null): Barred => ({
  cause,
  isTemporary: true,
  until,
});

/** What a signed attempt counts in the daily caps, in the hour of its commit; the same when it is given back. */
export const hourlySpendOf = ({
  tenantId,
  asset,
  amount,
  sent: { chain, sentAt },
}: AskedPayout & { readonly sent: { readonly chain: string; readonly sentAt: Date } }): HourlySpend => ({
  tenantId,
  asset,
  amount,
  chain,
  hour: hourOf(sentAt),
});

const nextHour = (now: Date): Date => new Date(hourOf(now).getTime() + 3_600_000);

/** The chain of a cap that holds for all of them together. */
export const ALL_CHAINS = '';

const addressKey = ({ tenantId, chain, address }: Pick<ListedAddress, 'tenantId' | 'chain' | 'address'>): string =>
  `${tenantId} ${chain} ${address}`;
const capKey = ({ tenantId, asset, chain }: Pick<PayoutCap, 'tenantId' | 'asset' | 'chain'>): string =>
  `${tenantId} ${asset} ${chain}`;
