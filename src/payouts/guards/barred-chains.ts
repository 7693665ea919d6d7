// Which chains a payout may not take now: asked before an attempt, so that another of its destinations is chosen, and again when its bytes are to be committed.
import type { Sql } from '../../db/index.ts';
import type { Clock, Refused, Uuid } from '../../kernel/index.ts';
import { refused } from '../../kernel/index.ts';
import type { Payment } from '../../payments/index.ts';
import { windowStart } from '../../payments/index.ts';
import type { Pauses } from '../../tenants/index.ts';
import type { Barred } from './guard-book.ts';
import { GuardBook, barredForNow } from './guard-book.ts';
import { readGuards, readPayoutSpend } from './store.ts';

/** By chain. */
export type BarredChains = Readonly<Record<string, Barred>>;

type Asked = Pick<Payment, 'tenantId' | 'id' | 'asset' | 'amount' | 'payout'>;

/** Of each payout its barred chains; none is left out that has one. Nothing is locked: the commit asks again. */
export async function barredChains(
  sql: Sql,
  clock: Clock,
  payments: readonly Asked[],
  pauses: Pauses,
): Promise<Map<Uuid, BarredChains>> {
  const named = payments.flatMap(({ tenantId, asset, payout }) =>
    Object.entries(payout?.destinations ?? {}).map(([chain, address]) => ({ tenantId, asset, chain, address })),
  );
  const guards = await readGuards(sql, named);
  const book = new GuardBook(guards, await readPayoutSpend(sql, guards.caps, windowStart(clock)));
  return new Map(
    payments.map((payment) => {
      const { id, payout } = payment;
      const barred = Object.entries(payout?.destinations ?? {}).flatMap(([chain, address]) => {
        const found = whyBarred(book, { ...payment, chain, address }, pauses, clock.now);
        return found ? [[chain, found] as const] : [];
      });
      return [id, Object.fromEntries(barred)];
    }),
  );
}

interface PayoutOnChain extends Pick<Payment, 'tenantId' | 'asset' | 'amount'> {
  readonly chain: string;
  readonly address: string;
}

/** In this order: the pause of the chain, the list, the caps. */
export function whyBarred(book: GuardBook, payout: PayoutOnChain, pauses: Pauses, now: Date): Barred | null {
  const { tenantId, chain } = payout;
  if (pauses.covers({ ...payout, rail: chain })) return barredForNow(paused(chain));
  return (
    book.barredByPolicy(tenantId, payout, now) ??
    book.barredByPayoutCap(payout, chain) ??
    book.barredByDailyCap(payout, chain, now)
  );
}

const paused = (chain: string): Refused => refused('PAYOUT_WAITS/paused', { chain });

/** Why none of these chains can be taken, and whether one of them may be later; null if one can. */
export function allBarred(chains: readonly string[], barred: BarredChains): Barred | null {
  const found = chains.map((chain) => barred[chain] ?? null);
  if (found.some((one) => one === null)) return null;
  const waits = found.filter((one) => one?.isTemporary);
  // The one that may pass first; of one that does not say when it is asked again soon.
  const [first = found[0]] = waits.toSorted((a, b) => (a?.until?.getTime() ?? 0) - (b?.until?.getTime() ?? 0));
  return first ?? null;
}
