// Customers who order payments without pause and write down what they were told: an acknowledgement, or nothing. What
// they were not told is asked again, by its key, when everything is calm; then it is reckoned up.
import { setTimeout as pause } from 'node:timers/promises';
import { asNumber, asText } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { troubles } from '../support/books.ts';
import type { Shop } from './durable.ts';
import { FUNDS } from './durable.ts';

type Order = Parameters<TenantHandle['createPayment']>[0] & { readonly to: string; readonly amount: number };

export interface Told {
  /** Payment by key. */
  readonly acknowledged: Map<string, string>;
  readonly orders: Map<string, Order>;
  /** Keys of calls that ended in an error. */
  readonly unknown: string[];
  /** What those were found to be, by their keys. */
  readonly found: Map<string, string>;
}

export interface Load {
  readonly told: Told;
  /** Until that many more were acknowledged. */
  acknowledgements(more: number): Promise<void>;
  stop(): Promise<void>;
}

/** Numbers that are the same again for the same seed. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface LoadOptions {
  readonly name: string;
  readonly seed: number;
  readonly customers?: number;
  /** Through another engine than the shop's own. */
  readonly tenant?: TenantHandle;
}

export function startLoad(shop: Shop, options: LoadOptions): Load {
  const { name, customers = 8, tenant = shop.tenant } = options;
  const told: Told = { acknowledged: new Map(), orders: new Map(), unknown: [], found: new Map() };
  const state = { stopping: false, awaited: Infinity, reached: (): void => undefined };
  const customer = async (number: number): Promise<void> => {
    const choose = random(options.seed * 1_000 + number);
    for (let n = 0; !state.stopping; n += 1) {
      const order = orderOf(shop.accounts, `${name}, customer ${number}, ${n}`, choose);
      told.orders.set(order.idempotencyKey, order);
      try {
        const { id } = await untilFree(() => tenant.createPayment(order));
        told.acknowledged.set(order.idempotencyKey, id);
        if (told.acknowledged.size >= state.awaited) state.reached();
      } catch (error) {
        // Nothing else here can be refused: whatever is thrown comes from the fault.
        if (error instanceof Refusal) throw error;
        told.unknown.push(order.idempotencyKey);
        // A server that is away answers at once; it would be asked a thousand times until it is back.
        await pause(20);
      }
    }
  };
  shop.told.push(told);
  const working = Promise.all(Array.from({ length: customers }, (_, number) => customer(number)));
  return {
    told,
    async acknowledgements(more) {
      const enough = new Promise<void>((resolve) => {
        state.awaited = told.acknowledged.size + more;
        state.reached = resolve;
      });
      await Promise.race([working, enough]);
    },
    async stop() {
      state.stopping = true;
      await working;
    },
  };
}

/** Who stands still may hold a payer for longer than anybody waits: nothing was done then, and it is asked for again. */
async function untilFree<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'BUSY')) throw error;
    }
  }
}

function orderOf(accounts: readonly string[], idempotencyKey: string, choose: (below: number) => number): Order {
  const from = choose(accounts.length);
  const to = (from + 1 + choose(accounts.length - 1)) % accounts.length;
  return {
    from: accounts[from] ?? '',
    to: accounts[to] ?? '',
    asset: 'USD',
    amount: 1 + choose(9),
    delay: choose(2),
    funding: choose(4) === 0 ? 'at_execution' : 'reserve',
    priority: (['high', 'normal', 'low'] as const)[choose(3)] ?? 'normal',
    idempotencyKey,
  };
}

export interface Reckoning {
  readonly acknowledged: number;
  readonly unknown: number;
  /** Of the unknown: were there after all. */
  readonly hadHappened: number;
  /** Everything that is wrong; empty is what we want. */
  readonly wrong: readonly string[];
}

/** Asks for what nobody was told, waits until nothing is due any more, and compares the books with all that was told. */
export async function reckon(shop: Shop, { told }: Load): Promise<Reckoning> {
  const { tenant, usance } = shop;
  const wrong: string[] = [];
  const known = shop.told.reduce((sum, { acknowledged, found }) => sum + acknowledged.size + found.size, 0);
  const [row] = await usance.db.query('select count(*)::int as n from usance.payments');
  const hadHappened = asNumber(row?.['n']) - known;
  for (const key of told.unknown) {
    const order = told.orders.get(key);
    if (order) told.found.set(key, (await tenant.createPayment(order)).id);
  }
  await nothingDue(shop);
  const orders = new Map(shop.told.flatMap((each) => [...each.orders]));
  const ids = new Map(shop.told.flatMap((each) => [...each.acknowledged, ...each.found]));

  const paid = await usance.db.query(
    `select p.id, p.status, p.amount::int as amount, (p.amount = t.amount) as whole, coalesce(t.transfers, 0)::int as transfers,
            t.posted_at < p.execute_at as early
     from usance.payments p
     left join (select payment_id, count(*) as transfers, sum(amount) as amount, min(posted_at) as posted_at
                from usance.transfers where kind = 'settlement' group by 1) t on t.payment_id = p.id`,
  );
  const stored = new Map(paid.map((payment) => [asText(payment['id']), payment]));
  for (const [key, id] of ids) {
    const payment = stored.get(id);
    if (!payment) wrong.push(`${key}: acknowledged and lost`);
    else if (payment['status'] !== 'settled') wrong.push(`${key}: ${String(payment['status'])}`);
    else if (payment['transfers'] !== 1 || payment['whole'] !== true) wrong.push(`${key}: not paid exactly once`);
    else if (payment['early'] === true) wrong.push(`${key}: paid before its time`);
  }
  if (stored.size !== ids.size) wrong.push(`${stored.size} payments, ${ids.size} were ordered`);
  for (const ref of shop.accounts) {
    let expected = BigInt(FUNDS);
    for (const order of orders.values()) {
      if (order.from === ref) expected -= BigInt(order.amount);
      if (order.to === ref) expected += BigInt(order.amount);
    }
    const [balance] = await tenant.balances(ref);
    if (balance?.available !== expected || balance.reserved !== 0n)
      wrong.push(`${ref} has ${balance?.available} and ${balance?.reserved} reserved, ordered was ${expected}`);
  }
  wrong.push(...(await troubles(usance)));
  return { acknowledged: told.acknowledged.size, unknown: told.unknown.length, hadHappened, wrong };
}

/** The processors settle without being told; this only looks. What stays due for long is wrong, and is then found. */
async function nothingDue({ usance }: Shop): Promise<void> {
  for (let looks = 0; looks < 1_200; looks += 1) {
    const [row] = await usance.db.query('select count(*)::int as n from usance.due');
    if (asNumber(row?.['n']) === 0) return;
    await pause(50);
  }
}
