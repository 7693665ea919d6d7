// Payments in every state, of every owner, and the verbs on them.
import type { Payment, TenantHandle } from '../../../src/engine.ts';
import { callerOf, liveAt, toTypeId } from '../../../src/kernel/index.ts';
import { archiveSlice } from '../../../src/payments/index.ts';
import type { Cell } from '../axes.ts';
import { madeByEndUser, reserves } from '../oracle/payments.ts';
import type { World } from '../world.ts';
import { aboveThreshold, openParties, payees } from './accounts.ts';
import type { Parties } from './accounts.ts';
import type { Driver } from './driver.ts';
import { AMOUNT, ASSET, HOUR, fresh, retriedOf } from './driver.ts';

type PaymentCell = Cell<'payment'>;

export interface PaymentRow extends Parties {
  readonly id: string;
  readonly payment: Payment;
  /** The tenant's time when it was made. */
  readonly madeAt: number;
}

const PART = 100n;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Waits for a credit of its payer; what a system account pays, for its payee to be active again. */
const waitsForFunds = ({ state, money }: PaymentCell): boolean =>
  state === 'retrying' && (money === 'inside' || money === 'to world');

async function make(world: World, cell: PaymentCell): Promise<PaymentRow> {
  const funds = waitsForFunds(cell) ? 'empty' : 'funded';
  const parties = await openParties(world, cell, { funds, guarded: cell.owner === 'allowance' });
  const making = (): Promise<Made> => create(world, cell, parties);
  const needsApproval = cell.condition === 'awaiting approval' || cell.condition === 'approved';
  const made = await (needsApproval ? aboveThreshold(world, parties.from, making) : making());
  if (cell.condition === 'approved') await approve(world, made.id);
  await bring(world, cell, made.id, parties);
  if (cell.owner === 'ended subscription') await world.tenant.cancelSubscription(made.owner);
  if (cell.condition === 'past expiry') await backDate(world, cell, made.id);
  if (cell.condition === 'archived')
    await archiveSlice(world.usance.db, liveAt(new Date()), callerOf({ actor: 'matrix' }), {
      olderThanMs: -1_000,
      // Of this tenant alone: a walk over all of them grows with the matrix.
      from: { tenantId: world.tenant.id, after: FIRST_ID },
    });
  const payment = await world.tenant.payment(made.id);
  if (payment.status !== STATUS[cell.state])
    throw new Error(`expected the row to be ${cell.state}, not ${payment.status}`);
  return { ...parties, id: made.id, payment, madeAt: await world.now() };
}

async function approve({ tenant }: World, id: string): Promise<void> {
  const { termsVersion } = await tenant.payment(id);
  await tenant.approvePayment(id, { termsVersion });
}

const STATUS: Readonly<Record<PaymentCell['state'], Payment['status']>> = {
  scheduled: 'scheduled',
  'partly captured': 'scheduled',
  retrying: 'scheduled',
  settled: 'settled',
  'partly refunded': 'settled',
  failed: 'failed',
  'failed after a capture': 'failed',
  discarded: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

interface Made {
  readonly id: string;
  /** The schedule's id, where one made it. */
  readonly owner: string;
}

async function create(world: World, cell: PaymentCell, parties: Parties): Promise<Made> {
  const funding = reserves(cell) ? ('reserve' as const) : ('at_execution' as const);
  const terms = { from: parties.from, asset: ASSET, amount: AMOUNT, funding, ...payees(parties, cell) };
  const { key } = world;
  switch (cell.owner) {
    case 'plain':
    case 'legs': {
      const maker = madeByEndUser(cell) ? await world.endUser(parties.payer) : key;
      const isDue = ['retrying', 'settled', 'partly refunded'].includes(cell.state);
      const order = { ...terms, ...(isDue ? {} : { delay: '1h' }), idempotencyKey: fresh('create') };
      return { id: (await maker.createPayment(order)).id, owner: '' };
    }
    case 'schedule': {
      const order = { ...terms, rule: { everySeconds: 86_400 }, idempotencyKey: fresh('schedule') };
      const { id: owner } = await key.createSchedule(order);
      return triggered(key, owner);
    }
    case 'subscription':
    case 'ended subscription': {
      const { to: receiver, from: payer } = parties;
      const period = { frequency: 'MONTHLY' } as const;
      const plan = await key.createPlan({ name: 'Club', price: AMOUNT, asset: ASSET, receiver, period, charges: 3 });
      const made = await key.subscribe({ plan: plan.id, payer, idempotencyKey: fresh('subscribe') });
      return { id: made.lastPaymentId ?? '', owner: made.id };
    }
    case 'allowance': {
      const { payer: guardian, payee: junior } = parties;
      const credit = { asset: ASSET, amount: AMOUNT, frequency: 'WEEKLY', status: 'ON' } as const;
      return triggered(key, (await key.createAllowance({ guardian, junior, ...credit })).id);
    }
  }
}

async function triggered(key: TenantHandle, owner: string): Promise<Made> {
  const { paymentId } = await key.triggerSchedule(owner, { idempotencyKey: fresh('trigger') });
  return { id: paymentId ?? '', owner };
}

/** From scheduled to the state that the cell wants. */
async function bring(world: World, cell: PaymentCell, id: string, parties: Parties): Promise<void> {
  const { tenant } = world;
  const capture = () => tenant.capturePayment(id, { amount: PART, idempotencyKey: fresh('capture') });
  switch (cell.state) {
    case 'scheduled':
      return;
    case 'partly captured':
      await capture();
      return;
    case 'retrying': {
      const inactive = waitsForFunds(cell) ? null : parties.payee;
      if (inactive) await tenant.suspendAccount(inactive, 'the matrix');
      await world.settle();
      if (inactive) await tenant.reactivateAccount(inactive, 'the matrix');
      return;
    }
    case 'settled':
      return world.settle();
    case 'partly refunded': {
      await world.settle();
      const from = cell.owner === 'legs' ? { from: parties.to } : {};
      await tenant.refundPayment(id, { amount: PART, ...from, idempotencyKey: fresh('refund') });
      return;
    }
    case 'failed after a capture':
      await capture();
      await tenant.failPayment(id, 'the matrix');
      return;
    case 'failed':
      await tenant.failPayment(id, 'the matrix');
      return;
    case 'discarded':
      await tenant.failPayment(id, 'the matrix');
      await tenant.discardDeadLetter(id, 'the matrix');
      return;
    case 'cancelled':
      await tenant.cancelPayment(id);
      return;
    case 'expired':
      await backDate(world, cell, id);
      return world.settle();
  }
}

/** As if it had been due two hours ago and had expired one hour ago. */
async function backDate(world: World, cell: PaymentCell, id: string): Promise<void> {
  const now = await world.now();
  const at = (hours: number): string => new Date(now - hours * HOUR).toISOString();
  await world.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.payments set execute_at = '${at(2)}', expires_at = '${at(1)}', created_at = '${at(3)}' where id = '${id}';
     update usance.due set due_at = '${at(cell.state === 'retrying' ? 1 : 2)}' where payment_id = '${id}'; commit`,
  );
}

/** An account that has a part in this row alone. */
const personOf = ({ from, payer, payee }: PaymentRow): string => (from === payer ? payer : payee);
const typed = (id: string): string => toTypeId('payment', id);
const pathOf = ({ id }: PaymentRow): string => `/payments/${typed(id)}`;
const until = ({ madeAt }: PaymentRow, hours: number): string => new Date(madeAt + hours * HOUR).toISOString();

function editOf(
  cell: PaymentCell,
  row: PaymentRow,
): { amount?: bigint; executeAt?: string; metadata?: { seen: string } } {
  if (cell.way === 'metadata') return { metadata: { seen: 'yes' } };
  if (cell.way === 'execute_at') return { executeAt: until(row, 2) };
  return { amount: cell.way === 'more' ? AMOUNT + AMOUNT / 2n : AMOUNT / 2n };
}

const part = ({ way }: PaymentCell): { amount?: bigint } => (way === 'part' ? { amount: PART } : {});
const texts = (fields: { amount?: bigint }): { amount?: string } =>
  fields.amount === undefined ? {} : { amount: fields.amount.toString() };

/** The version of the terms that an approver names. */
const seen = ({ payment }: PaymentRow, { way }: PaymentCell): number =>
  way === 'as seen' ? payment.termsVersion : payment.termsVersion + 1;

const reason = 'the matrix';

export const PAYMENTS: Driver<'payment', PaymentRow> = {
  make,
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  kindOf: (cell) => (madeByEndUser(cell) ? 'of an end user' : ''),
  calls: {
    cancelPayment: {
      http: (row) => [`POST ${pathOf(row)}/cancel`, { reason }],
      by: (verbs, { id }) => verbs.cancelPayment(id, { reason }),
    },
    capturePayment: {
      http: (row, cell) => [`POST ${pathOf(row)}/capture`, texts(part(cell))],
      by: (verbs, { id }, cell) => verbs.capturePayment(id, { ...part(cell), idempotencyKey: fresh('call') }),
    },
    editPayment: {
      http(row, cell) {
        const { amount, executeAt, metadata } = editOf(cell, row);
        const fields = { ...(executeAt ? { execute_at: executeAt } : {}), ...(metadata ? { metadata } : {}) };
        return [`PATCH ${pathOf(row)}`, { ...fields, ...texts(amount === undefined ? {} : { amount }) }];
      },
      by: (verbs, row, cell) => verbs.editPayment(row.id, editOf(cell, row)),
    },
    extendPayment: {
      http: (row) => [`POST ${pathOf(row)}/extend`, { expires_at: until(row, 5) }],
      by: (verbs, row) => verbs.extendPayment(row.id, until(row, 5)),
    },
    refundPayment: {
      http: (row, cell) => [`POST ${pathOf(row)}/refund`, texts(part(cell))],
      by: (verbs, { id }, cell) => verbs.refundPayment(id, { ...part(cell), idempotencyKey: fresh('call') }),
    },
    retryPayment: {
      http: (row) => [`POST ${pathOf(row)}/retry`, { reason }],
      by: (verbs, { id }) => verbs.retryPayment(id, { reason }),
    },
    runPaymentNow: {
      http: (row) => [`POST ${pathOf(row)}/run-now`],
      by: (verbs, { id }) => verbs.runPaymentNow(id),
    },
    runPaymentsNow: {
      http: (row) => ['POST /payments/run-now', { filter: { account: personOf(row) }, limit: 1_000 }],
      by: (verbs, row) => verbs.runPaymentsNow({ account: personOf(row) }, { limit: 1_000 }),
    },
    resolvePayout: {
      http: (row) => [`POST ${pathOf(row)}/resolve`, { outcome: 'dead', reason }],
      by: (verbs, { id }) => verbs.resolvePayout(id, { outcome: 'dead', reason }),
    },
    failPayment: {
      http: (row) => [`POST ${pathOf(row)}/fail`, { reason }],
      by: (verbs, { id }) => verbs.failPayment(id, reason),
    },
    approvePayment: {
      http: (row, cell) => [`POST ${pathOf(row)}/approve`, { terms_version: seen(row, cell), reason }],
      by: (verbs, row, cell) => verbs.approvePayment(row.id, { termsVersion: seen(row, cell), reason }),
    },
    rejectPayment: {
      http: (row) => [`POST ${pathOf(row)}/reject`, { reason }],
      by: (verbs, { id }) => verbs.rejectPayment(id, reason),
    },
    retryDeadLetter: {
      http: ({ id }) => [`POST /dead-letters/${typed(id)}/retry`, { reason }],
      by: (verbs, { id }) => verbs.retryDeadLetter(id, { reason }),
    },
    discardDeadLetter: {
      http: ({ id }) => [`POST /dead-letters/${typed(id)}/discard`, { reason }],
      by: (verbs, { id }) => verbs.discardDeadLetter(id, reason),
    },
    discardDeadLetters: {
      http: () => ['POST /dead-letters/discard', { filter: { kind: 'payment' }, reason }],
      by: (verbs) => verbs.discardDeadLetters({ kind: 'payment' }, { reason }),
    },
    retryDeadLetters: {
      http: () => ['POST /dead-letters/retry', { filter: { kind: 'payment' }, reason }],
      by: (verbs) => verbs.retryDeadLetters({ kind: 'payment' }, { reason }),
    },
  },
  answered({ verb }, row, answer) {
    const mine = ({ id }: { id: string }): boolean => id === row.id || id === typed(row.id);
    if (verb === 'runPaymentsNow') {
      const { payments, data, refused } = answer as {
        payments?: { id: string }[];
        data?: { id: string }[];
        refused: { id: string; code: string }[];
      };
      return (payments ?? data ?? []).some(mine) ? 'allowed' : (refused.find(mine)?.code ?? 'left out');
    }
    return verb.endsWith('DeadLetters') ? retriedOf(answer, [row.id, typed(row.id)]) : 'allowed';
  },
  async clear({ id }, { tenant }) {
    const letters = await tenant.deadLetters({ kind: 'payment' });
    if (letters.some((letter) => letter.id === id)) await tenant.discardDeadLetter(id, reason);
  },
  status: async (_cell, row, { tenant }) => (await tenant.payment(row.id)).status,
};
