// Who gets how much of a payment that is captured in parts. The rule, which needs no memory of the captures before: of everything
// captured so far, each payee in the order of the legs gets its share in proportion to its leg and the legs after it, rounded half up
// to a whole minor unit; the rest is for the payees after it. So the shares add up, none exceeds its leg, and a further capture never
// takes anything back. (The largest remainder does: with a larger total a payee can get less.)
import type { Leg } from './payment.ts';

/** What each leg has once `captured` of all legs is captured. */
export function sharesOf(legs: readonly Leg[], captured: bigint): Leg[] {
  let left = captured;
  let ahead = legs.reduce((sum, leg) => sum + leg.amount, 0n);
  return legs.map((leg) => {
    const amount = (2n * left * leg.amount + ahead) / (2n * ahead);
    left -= amount;
    ahead -= leg.amount;
    return { ...leg, amount };
  });
}

/** What each leg gets when `captured` grows by `more`. Payees that get nothing are left out. */
export function partsOf(legs: readonly Leg[], captured: bigint, more: bigint): Leg[] {
  const before = sharesOf(legs, captured);
  return sharesOf(legs, captured + more)
    .map((leg, n) => ({ ...leg, amount: leg.amount - (before[n]?.amount ?? 0n) }))
    .filter((leg) => leg.amount > 0n);
}

/** The rule in SQL, for a row `p` of payments with legs: a subquery of account_id, amount (the leg) and share. */
export const SHARES_OF_LEGS = `(
  with recursive split (n, captured, ahead, account_id, amount, share) as (
    select 0, p.captured::numeric, p.amount::numeric, null::uuid, 0::bigint, 0::numeric
    union all
    select s.n + 1, s.captured - d.share, s.ahead - l.amount, l.account_id, l.amount, d.share
    from split s
    cross join lateral (
      select (p.legs -> s.n ->> 'account')::uuid as account_id, (p.legs -> s.n ->> 'amount')::bigint as amount) l
    cross join lateral (select div(2 * s.captured * l.amount + s.ahead, 2 * s.ahead) as share) d
    where s.n < jsonb_array_length(p.legs) and s.ahead > 0)
  select account_id, amount, share::bigint as share from split where n > 0)`;
