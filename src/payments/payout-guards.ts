// What a tenant allows its payouts: the port through which creates, edits and retries ask. The answer is in a module above (payouts/guards).
import type { Sql } from '../db/index.ts';
import type { Refused } from '../kernel/index.ts';
import type { Pauses } from '../tenants/index.ts';
import type { OrderBounds } from './order.ts';
import type { Payment } from './payment.ts';
import { ANY_CHAIN } from './payout-terms.ts';

/** A payout that is to be created, changed or retried. */
export interface AskedOfGuards extends Pick<Payment, 'tenantId' | 'asset' | 'amount' | 'executeAt'> {
  /** The address on each chain that may be used. */
  readonly destinations: Readonly<Record<string, string>>;
}

export interface PayoutGuards {
  /** Reads what these payouts are asked by; the answer is why one is refused. */
  open(sql: Sql, payouts: readonly AskedOfGuards[]): Promise<(payout: AskedOfGuards) => Refused | null>;
}

type Asked = Omit<AskedOfGuards, 'destinations'> & Pick<Payment, 'payout'>;

/** Why the guards refuse a payment; null for a payment between accounts. A batch without payouts reads nothing. */
export async function openGuards(
  sql: Sql,
  { payoutGuards }: Pick<OrderBounds, 'payoutGuards'>,
  payments: readonly Asked[],
): Promise<(payment: Asked) => Refused | null> {
  const payouts = payments.flatMap((payment) => askedOf(payment) ?? []);
  if (!payoutGuards || payouts.length === 0) return () => null;
  const refused = await payoutGuards.open(sql, payouts);
  return (payment) => {
    const asked = askedOf(payment);
    return asked && refused(asked);
  };
}

const askedOf = ({ payout, ...payment }: Asked): AskedOfGuards | null =>
  payout && { ...payment, destinations: payout.destinations };

/** Whether nothing may be paid by it now: its tenant, asset or rail is paused, or every chain that it may use. */
export function isPaused(pauses: Pauses, payment: Pick<Payment, 'tenantId' | 'asset' | 'rail' | 'payout'>): boolean {
  if (pauses.covers(payment)) return true;
  const { rail, payout } = payment;
  if (rail !== ANY_CHAIN || !payout) return false;
  return Object.keys(payout.destinations).every((chain) => pauses.covers({ ...payment, rail: chain }));
}
