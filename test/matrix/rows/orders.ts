// Orders: accounts in the state that the cell wants, and everything that can be ordered between them.
import type { TenantHandle } from '../../../src/engine.ts';
import { toTypeId } from '../../../src/kernel/index.ts';
import type { Cell } from '../axes.ts';
import { setsAside } from '../oracle/orders.ts';
import type { World } from '../world.ts';
import type { Parties } from './accounts.ts';
import { openParties, payees } from './accounts.ts';
import type { Driver } from './driver.ts';
import { AMOUNT, ASSET, fresh } from './driver.ts';

type OrderCell = Cell<'order'>;

interface OrderRow extends Parties {
  readonly amount: bigint;
  readonly plan: string;
}

/** More than any account of the matrix holds. */
const TOO_MUCH = 1_000_000_000_000n;

const ofPlan = ({ verb }: OrderCell): boolean => verb === 'subscribe' || verb === 'importSubscriptions';

async function make(world: World, cell: OrderCell): Promise<OrderRow> {
  const { tenant } = world;
  const parties = await openParties(world, cell);
  const amount = cell.state === 'short of funds' ? TOO_MUCH : AMOUNT;
  const receiver = parties.to;
  const terms = { name: 'Club', price: amount, asset: ASSET, period: { frequency: 'MONTHLY' } as const, charges: 3 };
  const plan = ofPlan(cell) ? (await tenant.createPlan({ ...terms, receiver })).id : '';
  if (cell.state === 'payer suspended') await tenant.suspendAccount(parties.payer, 'the matrix');
  if (cell.state === 'payee closed') await tenant.closeAccount(parties.payee, 'the matrix');
  if (cell.condition === 'awaiting approval')
    await tenant.setLimit({ account: parties.from, asset: ASSET, approvalAbove: 0 });
  return { ...parties, amount, plan };
}

const bodyOf = (row: OrderRow, cell: OrderCell): object => {
  const paid = payees(row, cell, row.amount);
  const legs = 'legs' in paid ? { legs: paid.legs.map((leg) => ({ ...leg, amount: leg.amount.toString() })) } : paid;
  return { from: row.from, asset: ASSET, amount: row.amount.toString(), ...legs };
};
const funding = (cell: OrderCell): 'reserve' | 'at_execution' => (setsAside(cell) ? 'reserve' : 'at_execution');
const payment = (row: OrderRow, cell: OrderCell) => ({
  from: row.from,
  asset: ASSET,
  amount: row.amount,
  delay: '1h',
  funding: funding(cell),
  ...payees(row, cell, row.amount),
});
const rule = { everySeconds: 86_400 };
const planOf = (row: OrderRow) => ({ name: 'Club', price: row.amount, receiver: row.to, asset: ASSET });

export const ORDERS: Driver<'order', OrderRow> = {
  make,
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  kindOf: (cell) => (ofPlan(cell) ? 'with a plan' : ''),
  calls: {
    deposit: {
      http: ({ payee, amount }) => [`POST /accounts/${payee}/deposit`, { asset: ASSET, amount: amount.toString() }],
      by: (verbs, { payee, amount }) =>
        verbs.deposit({ account: payee, asset: ASSET, amount, idempotencyKey: fresh('call') }),
    },
    withdraw: {
      http: ({ payer, amount }) => [`POST /accounts/${payer}/withdraw`, { asset: ASSET, amount: amount.toString() }],
      by: (verbs, { payer, amount }) =>
        verbs.withdraw({ account: payer, asset: ASSET, amount, idempotencyKey: fresh('call') }),
    },
    transfer: {
      by: (verbs, { from, to, amount }) =>
        verbs.transfer({ from, to, asset: ASSET, amount, idempotencyKey: fresh('call') }),
    },
    reserve: {
      by: (verbs, { payer, amount }) =>
        verbs.reserve({ account: payer, asset: ASSET, amount, idempotencyKey: fresh('call') }),
    },
    importOpeningBalances: {
      by: (verbs, { payee, amount }) => imported(verbs, `${payee},${ASSET},${amount}`),
    },
    importSubscriptions: {
      by: (verbs, { plan, from }) => {
        const line = `${fresh('import')},${plan},${from},2099-01-01T00:00:00Z`;
        return verbs.importSubscriptions({
          format: 'csv',
          open: () => linesOf('reference,plan,payer,next_due_at', line),
        });
      },
    },
    createPayment: {
      by: (verbs, row, cell) => verbs.createPayment({ ...payment(row, cell), idempotencyKey: fresh('call') }),
    },
    createPaymentGrouped: {
      http: (row, cell) =>
        cell.way === 'hold'
          ? ['POST /holds', { ...bodyOf(row, cell), delay: '1h' }]
          : ['POST /payments', { ...bodyOf(row, cell), delay: '1h', funding: funding(cell) }],
      by: (verbs, row, cell) =>
        verbs.createPaymentGrouped(
          { key: fresh('call'), fingerprint: 'matrix' },
          cell.way === 'hold' ? { ...payment(row, cell), funding: 'reserve' } : payment(row, cell),
          ({ id }) => id,
        ),
    },
    createPayments: {
      http: (row, cell) => [
        'POST /payments/bulk',
        { atomic: false, payments: [{ ...bodyOf(row, cell), delay: '1h', funding: funding(cell) }] },
      ],
      by: (verbs, row, cell) => verbs.createPayments([payment(row, cell)], { idempotencyKey: fresh('call') }),
    },
    createSchedule: {
      http: (row, cell) => ['POST /schedules', { ...bodyOf(row, cell), rule: { every_seconds: rule.everySeconds } }],
      by: (verbs, row, cell) => {
        const { delay: _at, funding: _how, ...terms } = payment(row, cell);
        return verbs.createSchedule({ ...terms, rule, idempotencyKey: fresh('call') });
      },
    },
    createPlan: {
      http: (row) => [
        'POST /plans',
        { ...planOf(row), price: row.amount.toString(), period: { frequency: 'MONTHLY' }, charges: 3 },
      ],
      by: (verbs, row) => verbs.createPlan({ ...planOf(row), period: { frequency: 'MONTHLY' }, charges: 3 }),
    },
    subscribe: {
      http: ({ plan, from }) => ['POST /subscriptions', { plan: toTypeId('plan', plan), payer: from }],
      by: (verbs, { plan, from }) => verbs.subscribe({ plan, payer: from, idempotencyKey: fresh('call') }),
    },
  },
  answered({ verb }, _row, answer) {
    if (verb === 'importSubscriptions') return (answer as { refused: number }).refused > 0 ? 'left out' : 'allowed';
    if (verb !== 'createPayments') return 'allowed';
    const over = answer as { data?: { error: { code: string } | null }[] };
    const own = answer as { refused?: { code: string } }[];
    return (over.data ? over.data[0]?.error?.code : own[0]?.refused?.code) ?? 'allowed';
  },
  async clear({ from }, { tenant }) {
    if (from === 'world' || from === 'fees')
      await tenant.setLimit({ account: from, asset: ASSET, approvalAbove: null });
  },
};

const imported = (verbs: TenantHandle, line: string): Promise<unknown> =>
  verbs.importOpeningBalances({
    name: fresh('import'),
    format: 'csv',
    open: () => linesOf('account,asset,amount', line),
  });

async function* linesOf(...lines: string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(lines);
}
