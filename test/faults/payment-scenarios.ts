// Every verb on payments, ready to be interrupted.
import pg from 'pg';
import type { TenantHandle } from '../../src/engine.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import type { Act, Ground, Scenario } from './ground.ts';
import { runLoop } from './ground.ts';
import type { Program } from './victim.ts';

type Payment = Awaited<ReturnType<TenantHandle['payment']>>;
type Order = Parameters<TenantHandle['createPayment']>[0];

const hold: Order = {
  from: 'ann',
  to: 'ben',
  asset: 'USD',
  amount: 100,
  delay: '48h',
  reference: 'p',
  idempotencyKey: 'p',
};
const three = [
  { to: 'ben', amount: 50 },
  { to: 'cem', amount: 30 },
  { to: 'fees', amount: 20 },
];
/** Whatever has ended: before a minute from now. */
const OLD = { olderThanMs: -60_000, caller: LIBRARY };
const { to: _to, ...withoutPayee } = hold;
const withLegs: Order = { ...withoutPayee, legs: three };

const create = (order: Order, before?: (tenant: TenantHandle) => Promise<unknown>): Scenario => ({
  verbs: ['createPayment'],
  async prepare({ tenant }) {
    await before?.(tenant);
    return { act: (engine) => engine.tenant.createPayment(order) };
  },
});

/** A verb on a payment that exists. With `isDone` it has no key, and its caller looks before doing it again. */
const change = (
  verb: keyof TenantHandle,
  prepare: (ground: Ground) => Promise<Payment>,
  act: (tenant: TenantHandle, payment: Payment) => Promise<unknown>,
  isDone?: (payment: Payment) => boolean,
): Scenario => ({
  verbs: [verb],
  async prepare(ground): Promise<Act> {
    const payment = await prepare(ground);
    const doIt = ({ tenant }: Program): Promise<unknown> => act(tenant, payment);
    if (!isDone) return { act: doIt };
    return {
      act: doIt,
      again: async (engine) => isDone(await engine.tenant.payment(payment.id)) || doIt(engine),
    };
  },
});

const held = ({ tenant }: Ground): Promise<Payment> => tenant.createPayment(hold);

const partCaptured = async (ground: Ground): Promise<Payment> => {
  const { id } = await held(ground);
  return ground.tenant.capturePayment(id, { amount: 40, idempotencyKey: 'a part' });
};

const settled =
  (order: Order) =>
  async (ground: Ground): Promise<Payment> => {
    const { delay: _delay, ...now } = order;
    const { id } = await ground.tenant.createPayment(now);
    await runLoop(ground, 'processor');
    return ground.tenant.payment(id);
  };

const failed = async (ground: Ground): Promise<Payment> =>
  ground.tenant.failPayment((await held(ground)).id, 'to be retried');

/** Made by somebody else, above the amount that needs a second person. */
const awaiting = async ({ tenant, usance }: Ground): Promise<Payment> => {
  await tenant.setLimit({ asset: 'USD', approvalAbove: 50 });
  return (await usance.tenant(tenant.id, { actor: 'cli:jo' })).createPayment(hold);
};

const limited = async (tenant: TenantHandle): Promise<void> =>
  tenant.setLimit({ account: 'ann', asset: 'USD', dailyAmount: 500 });

const bulk = [
  { ...withoutPayee, to: 'ben', reference: 'b1' },
  { ...withoutPayee, to: 'cem', reference: 'b2', funding: 'at_execution' as const },
  { ...withoutPayee, to: 'ben', reference: 'b3', amount: 1_000_000 },
  { ...withoutPayee, legs: three, reference: 'b4' },
];

export const PAYMENT_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a hold': create(hold),
  'create a hold under a daily limit': create(hold, limited),
  'create, funded at execution': create({ ...hold, funding: 'at_execution' }),
  'create with legs': create(withLegs),
  'create many, each for itself': {
    verbs: ['createPayments'],
    prepare: async () => ({ act: ({ tenant }) => tenant.createPayments(bulk, { idempotencyKey: 'bulk' }) }),
  },
  'create many, all or none': {
    verbs: ['createPayments'],
    prepare: async () => ({
      act: ({ tenant }) =>
        tenant.createPayments(
          bulk.filter((order) => order.reference !== 'b3'),
          { idempotencyKey: 'bulk', atomic: true },
        ),
    }),
  },
  "create in a caller's own transaction": {
    verbs: ['createPayment'],
    prepare: async () => ({ act: createWithin }),
  },
  cancel: change(
    'cancelPayment',
    held,
    (tenant, { id }) => tenant.cancelPayment(id, { reason: 'sold out' }),
    (payment) => payment.status === 'cancelled',
  ),
  'cancel after a capture, under a daily limit': change(
    'cancelPayment',
    async (ground) => {
      await limited(ground.tenant);
      return partCaptured(ground);
    },
    (tenant, { id }) => tenant.cancelPayment(id),
    (payment) => payment.status === 'settled',
  ),
  'capture a part of a hold': change('capturePayment', held, (tenant, { id }) =>
    tenant.capturePayment(id, { amount: 40, idempotencyKey: 'once' }),
  ),
  'capture the last part of a hold': change('capturePayment', partCaptured, (tenant, { id }) =>
    tenant.capturePayment(id, { idempotencyKey: 'once' }),
  ),
  'edit an amount': change(
    'editPayment',
    held,
    (tenant, { id }) => tenant.editPayment(id, { amount: 250, metadata: { why: 'more' } }),
    (payment) => payment.amount === 250n,
  ),
  'edit an instant': change(
    'editPayment',
    held,
    (tenant, { id, createdAt }) =>
      tenant.editPayment(id, { executeAt: new Date(createdAt.getTime() + 3_600_000), metadata: { moved: true } }),
    (payment) => payment.metadata !== null,
  ),
  extend: change(
    'extendPayment',
    held,
    (tenant, { id, executeAt }) => tenant.extendPayment(id, new Date(executeAt.getTime() + 3_600_000)),
    (payment) => payment.expiresAt !== null,
  ),
  'refund a part': change('refundPayment', settled(hold), (tenant, { id }) =>
    tenant.refundPayment(id, { amount: 30, reason: 'late', idempotencyKey: 'once' }),
  ),
  'refund an archived payment': change(
    'refundPayment',
    async (ground) => {
      const payment = await settled(hold)(ground);
      await ground.usance.archive(OLD);
      return payment;
    },
    (tenant, { id }) => tenant.refundPayment(id, { amount: 30, idempotencyKey: 'once' }),
  ),
  'archive ended payments': {
    tells: { 'payments.archived': 1 },
    async prepare(ground) {
      await settled(hold)(ground);
      await ground.tenant.createPayment({ ...hold, reference: 'open', idempotencyKey: 'open' });
      return { act: ({ usance }) => usance.archive(OLD) };
    },
  },
  'refund all legs': change('refundPayment', settled(withLegs), (tenant, { id }) =>
    tenant.refundPayment(id, { idempotencyKey: 'once' }),
  ),
  retry: change(
    'retryPayment',
    failed,
    (tenant, { id }) => tenant.retryPayment(id, { reason: 'mended' }),
    (payment) => payment.status === 'scheduled',
  ),
  'run now': {
    verbs: ['runPaymentNow'],
    async prepare(ground) {
      const { id } = await held(ground);
      return { act: ({ tenant }) => tenant.runPaymentNow(id), again: ranNow(id, (own) => own.runPaymentNow(id)) };
    },
  },
  'run many now': {
    verbs: ['runPaymentsNow'],
    async prepare(ground) {
      const { id } = await held(ground);
      await ground.tenant.createPayment({ ...hold, reference: 'q', idempotencyKey: 'q' });
      const act = (tenant: TenantHandle): Promise<unknown> => tenant.runPaymentsNow({ account: 'ann' }, { limit: 10 });
      return { act: ({ tenant }) => act(tenant), again: ranNow(id, act) };
    },
  },
  fail: change(
    'failPayment',
    held,
    (tenant, { id }) => tenant.failPayment(id, 'a mistake'),
    (payment) => payment.status === 'failed',
  ),
  approve: change(
    'approvePayment',
    awaiting,
    (tenant, { id }) => tenant.approvePayment(id, { termsVersion: 1 }),
    (payment) => payment.approval === 'given',
  ),
  reject: change(
    'rejectPayment',
    awaiting,
    (tenant, { id }) => tenant.rejectPayment(id, 'not ours'),
    (payment) => payment.status === 'cancelled',
  ),
  'retry a dead letter': change(
    'retryDeadLetter',
    failed,
    (tenant, { id }) => tenant.retryDeadLetter(id, { reason: 'mended' }),
    (payment) => payment.status === 'scheduled',
  ),
  'retry all dead letters': change(
    'retryDeadLetters',
    failed,
    (tenant) => tenant.retryDeadLetters({ code: 'FAILED_BY_OPERATOR' }),
    (payment) => payment.status === 'scheduled',
  ),
  'discard a dead letter': {
    verbs: ['discardDeadLetter'],
    async prepare(ground) {
      const { id } = await failed(ground);
      const discard = ({ tenant }: Program): Promise<unknown> => tenant.discardDeadLetter(id, 'known and accepted');
      return {
        act: discard,
        again: async (engine) => (await engine.tenant.deadLetters()).length === 0 || discard(engine),
      };
    },
  },
  'discard all dead letters': {
    verbs: ['discardDeadLetters'],
    async prepare(ground) {
      await failed(ground);
      const act = ({ tenant }: Program): Promise<unknown> =>
        tenant.discardDeadLetters({ code: 'FAILED_BY_OPERATOR' }, { reason: 'known and accepted' });
      // The letters that a crash left are discarded by the same request.
      return { act, again: act };
    },
  },
  'set a limit': {
    verbs: ['setLimit'],
    // Setting it again sets the same.
    prepare: async () => ({ act: ({ tenant }) => limited(tenant) }),
  },
};

/** The caller looks at the timeline: was it made due already? */
function ranNow(id: string, act: (tenant: TenantHandle) => Promise<unknown>): (engine: Program) => Promise<unknown> {
  return async ({ tenant }) =>
    (await tenant.timeline(id)).some((entry) => entry.type === 'payment.run_now') || act(tenant);
}

async function createWithin({ tenant, url }: Program): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await tenant.within(client).createPayment(hold);
    await client.query('commit');
  } finally {
    await client.end().catch(() => undefined);
  }
}
