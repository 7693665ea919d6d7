// Where a payment over a chain may go: decided when it is created, and never changed. The chain is chosen when the payment runs.
import type { Refused, Uuid } from '../kernel/index.ts';
import { Refusal, oneOf, refuse, refused } from '../kernel/index.ts';

/** `ledger`: between accounts. `any`: the chain is chosen among the destinations when the payment runs. Otherwise the name of a chain. */
export type PaymentRail = string;

export const LEDGER: PaymentRail = 'ledger';
export const ANY_CHAIN: PaymentRail = 'any';

export const ROUTE_PRIORITIES = ['low_fee', 'fast', 'reliable'] as const;
/** What the choice of a chain looks at first. */
export type RoutePriority = (typeof ROUTE_PRIORITIES)[number];

export interface PayoutTerms {
  /** The payee's address on each chain that it accepts, as the chain writes it. */
  readonly destinations: Readonly<Record<string, string>>;
  readonly priority: RoutePriority;
  /** The quote that the caller accepted; null: none. */
  readonly quoteId: Uuid | null;
}

/** What a request says of a payment over a chain. */
export interface PayoutOrder {
  /** `ledger` (default), `any` (default with `destinations`), or a chain. */
  readonly rail?: string;
  /** The address on the chain that `rail` names … */
  readonly destination?: string;
  /** … or an address for each chain that may be used. */
  readonly destinations?: Readonly<Record<string, string>>;
  readonly routePriority?: RoutePriority;
  readonly quoteId?: Uuid;
}

export interface WantedPayout {
  readonly tenantId: Uuid;
  readonly chain: string;
  readonly address: string;
  readonly asset: string;
  readonly amount: bigint;
  /** The field of the request that has the address. */
  readonly param: string;
}

/** The chains that this process can pay over. No call to a chain: a create waits for none. */
export interface PayoutChains {
  readonly chains: readonly string[];
  /** Why the chain can never pay this, or the address as the chain writes it. */
  check(payout: WantedPayout): { readonly refused: Refused } | { readonly address: string };
}

const MOST_DESTINATIONS = 10;

export interface ParsedPayout {
  readonly rail: PaymentRail;
  /** Null for a payment between accounts. */
  readonly payout: PayoutTerms | null;
}

/** Its form: what can be said without the chains. */
export function parsePayout(order: PayoutOrder): ParsedPayout {
  const { destination, destinations } = order;
  const { rail = destinations === undefined ? LEDGER : ANY_CHAIN } = order;
  if (rail === LEDGER) {
    for (const param of ['destination', 'destinations', 'routePriority', 'quoteId'] as const)
      if (order[param] !== undefined) refuse('PAYOUT_INVALID/not_a_payout', { param, rail: 'rail' });
    return { rail, payout: null };
  }
  if (destination !== undefined && destinations !== undefined)
    refuse('FIELD_INVALID/both_given', { param: 'destinations', first: 'destination' });
  if (destination !== undefined && rail === ANY_CHAIN)
    refuse('PAYOUT_INVALID/chain_required', { param: 'rail', destination: 'destination' });
  const named = destinations ?? (destination === undefined ? {} : { [rail]: destination });
  const count = Object.keys(named).length;
  if (count < 1 || count > MOST_DESTINATIONS)
    refuse('PAYOUT_INVALID/no_destination', {
      param: 'destinations',
      destination: 'destination',
      max: MOST_DESTINATIONS,
    });
  const own = named[rail];
  if (rail !== ANY_CHAIN && own === undefined)
    refuse('PAYOUT_INVALID/other_chain', { param: 'destinations', chain: rail });
  const priority = oneOf(order.routePriority ?? 'low_fee', ROUTE_PRIORITIES, 'routePriority');
  // Of a named chain only its own address: the others could never be used.
  const kept = own === undefined ? named : { [rail]: own };
  return { rail, payout: { destinations: kept, priority, quoteId: order.quoteId ?? null } };
}

/** Refuses a payout that one of its chains can never pay. Addresses come back as their chains write them. */
export function checkedPayout(
  { rail, payout }: ParsedPayout,
  about: Pick<WantedPayout, 'tenantId' | 'asset' | 'amount'>,
  { payouts = NO_CHAINS }: { readonly payouts?: PayoutChains | undefined },
): PayoutTerms | null {
  if (payout === null) return null;
  const addresses = Object.entries(payout.destinations).map(([chain, address]) => {
    const isNamed = rail !== ANY_CHAIN;
    if (!payouts.chains.includes(chain))
      throw new Refusal(chainNotAvailable(isNamed ? 'rail' : 'destinations', chain, payouts.chains));
    const checked = payouts.check({ ...about, chain, address, param: isNamed ? 'destination' : 'destinations' });
    if ('refused' in checked) throw new Refusal(checked.refused);
    return [chain, checked.address] as const;
  });
  return { ...payout, destinations: Object.fromEntries(addresses) };
}

/** With no chain at all the message says how to get one. */
export const chainNotAvailable = (param: string, chain: string, chains: readonly string[]): Refused =>
  chains.length > 0
    ? refused('CHAIN_NOT_AVAILABLE/other', { param, chain, chains })
    : refused('CHAIN_NOT_AVAILABLE/none', { param, chain });

const NO_CHAINS: PayoutChains = { chains: [], check: ({ address }) => ({ address }) };

export const isPayout = ({ rail }: { readonly rail: PaymentRail }): boolean => rail !== LEDGER;

/** The priorities of due rows of payouts begin here. The ledger's processor claims one priority at a time, and never one of these. */
export const PAYOUT_PRIORITY = 10;

/** The priority of a payment's due row. */
export const duePriorityOf = (payment: { readonly rail: PaymentRail; readonly priority: number }): number =>
  payment.priority + (isPayout(payment) ? PAYOUT_PRIORITY : 0);
