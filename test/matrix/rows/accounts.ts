// The accounts of a row: a payer with money, a payee, and who pays and is paid where that is a system account.
import type { Cell } from '../axes.ts';
import type { World } from '../world.ts';
import { AMOUNT, ASSET, fresh } from './driver.ts';

export interface Parties {
  /** Accounts of the row's own, open whichever way the money goes. */
  readonly payer: string;
  readonly payee: string;
  /** The second payee of a payment with legs. */
  readonly second: string;
  /** An account that has no part in it. */
  readonly stranger: string;
  readonly from: string;
  readonly to: string;
}

export async function openParties(
  world: World,
  cell: Pick<Cell, 'money' | 'owner'>,
  options: { readonly funds?: 'funded' | 'empty'; readonly guarded?: boolean } = {},
): Promise<Parties> {
  const { tenant, bystander } = world;
  const { funds = 'funded', guarded = false } = options;
  const payer = await world.account(funds);
  const payee = guarded ? fresh('child') : await world.account('empty');
  if (guarded) await tenant.openAccount({ ref: payee, guardian: payer });
  const second = cell.owner === 'legs' ? await world.account('empty') : bystander;
  const from = cell.money === 'from world' ? 'world' : cell.money === 'out of fees' ? 'fees' : payer;
  return { payer, payee, second, stranger: bystander, from, to: cell.money === 'to world' ? 'world' : payee };
}

/** Whom an order pays: one payee, or two legs. */
export function payees(
  { to, second }: Parties,
  cell: Pick<Cell, 'owner'>,
  amount = AMOUNT,
): { to: string } | { legs: { to: string; amount: bigint }[] } {
  if (cell.owner !== 'legs') return { to };
  const part = amount / 4n;
  return {
    legs: [
      { to, amount: amount - part },
      { to: second, amount: part },
    ],
  };
}

/** Every payment of this payer waits for a second person, while `work` makes some. */
export async function aboveThreshold<T>({ tenant }: World, account: string, work: () => Promise<T>): Promise<T> {
  await tenant.setLimit({ account, asset: ASSET, approvalAbove: 0 });
  const made = await work();
  await tenant.setLimit({ account, asset: ASSET, approvalAbove: null });
  return made;
}
