// Every verb on plans and subscriptions, and the charges themselves, ready to be interrupted.
import type { TenantHandle } from '../../src/engine.ts';
import type { Act, Ground, Scenario } from './ground.ts';
import { runLoop } from './ground.ts';
import type { Program } from './victim.ts';

type View = Awaited<ReturnType<TenantHandle['subscription']>>;

const TERMS = {
  name: 'Club',
  price: 100,
  asset: 'USD',
  receiver: 'ben',
  period: { frequency: 'MONTHLY' },
  months: 12,
  afterFailure: 'pause',
} as const;

const subscribed = async ({ tenant }: Ground, payer = 'ann'): Promise<View> => {
  const { id } = await tenant.createPlan(TERMS);
  return tenant.subscribe({ plan: id, payer, reference: 's', idempotencyKey: 's' });
};

const change = (
  verb: 'cancelSubscription' | 'pauseSubscription' | 'resumeSubscription',
  prepare: (ground: Ground) => Promise<View>,
  becomes: View['status'],
): Scenario => ({
  verbs: [verb],
  slow: true,
  async prepare(ground): Promise<Act> {
    const { id } = await prepare(ground);
    const act = ({ tenant }: Program): Promise<unknown> => tenant[verb](id, { reason: 'asked for' });
    return { act, again: async (engine) => (await engine.tenant.subscription(id)).status === becomes || act(engine) };
  },
});

async function* importedFile(payer: string): AsyncGenerator<string> {
  yield 'reference,plan,payer,next_due_at,charges_made,status';
  yield `s,Club,${payer},2099-01-31T09:00:00Z,3,ACTIVE`;
  yield `t,Club,${payer},2099-01-31T09:00:00Z,0,PAST_DUE`;
}

/** Looks at what became of the charge now, rather than in a while. */
async function watch({ owner }: Ground, id: string): Promise<void> {
  await owner.query(
    `update usance.schedule_due set due_at = clock_timestamp() - interval '1 ms' where schedule_id = '${id}'`,
  );
}

export const SUBSCRIPTION_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'make a plan': {
    verbs: ['createPlan'],
    slow: true,
    prepare() {
      const act = ({ tenant }: Program): Promise<unknown> => tenant.createPlan(TERMS);
      return Promise.resolve({ act, again: async (engine) => (await engine.tenant.plans()).length > 0 || act(engine) });
    },
  },
  'change a plan': {
    verbs: ['editPlan'],
    slow: true,
    async prepare({ tenant }) {
      const { id } = await tenant.createPlan(TERMS);
      const act = (engine: Program): Promise<unknown> => engine.tenant.editPlan(id, { price: 200 });
      return { act, again: async (engine) => (await engine.tenant.plan(id)).price === 200n || act(engine) };
    },
  },
  subscribe: {
    verbs: ['subscribe'],
    slow: true,
    tells: { 'subscription.created': 1, 'schedule.created': 1, 'payment.created': 1 },
    async prepare({ tenant }) {
      const { id } = await tenant.createPlan(TERMS);
      const order = { plan: id, payer: 'ann', reference: 's', idempotencyKey: 's' };
      return { act: (engine) => engine.tenant.subscribe(order) };
    },
  },
  'subscribe with a trial': {
    verbs: ['subscribe'],
    slow: true,
    tells: { 'subscription.created': 1, 'schedule.created': 1 },
    async prepare({ tenant }) {
      const { id } = await tenant.createPlan({ ...TERMS, trialDays: 14 });
      const order = { plan: id, payer: 'ann', reference: 's', idempotencyKey: 's' };
      return { act: (engine) => engine.tenant.subscribe(order) };
    },
  },
  'import subscriptions': {
    verbs: ['importSubscriptions'],
    slow: true,
    async prepare({ tenant }) {
      await tenant.createPlan(TERMS);
      return {
        act: (engine) =>
          engine.tenant.importSubscriptions({ format: 'csv', batchSize: 1, open: () => importedFile('ann') }),
      };
    },
  },
  'change a subscription': {
    verbs: ['editSubscription'],
    slow: true,
    async prepare(ground) {
      const { id } = await subscribed(ground);
      const act = ({ tenant }: Program): Promise<unknown> => tenant.editSubscription(id, { retry: { maxAttempts: 3 } });
      return {
        act,
        again: async (engine) => (await engine.tenant.subscription(id)).retry?.maxAttempts === 3 || act(engine),
      };
    },
  },
  'cancel a subscription and its charge': change('cancelSubscription', subscribed, 'cancelled'),
  'cancel a subscription at the end of its period': {
    verbs: ['cancelSubscription'],
    slow: true,
    tells: { 'subscription.cancellation_scheduled': 1 },
    async prepare(ground) {
      const { id } = await subscribed(ground);
      const act = ({ tenant }: Program): Promise<unknown> => tenant.cancelSubscription(id, { at: 'period_end' });
      return {
        act,
        again: async (engine) => (await engine.tenant.subscription(id)).cancelAt !== null || act(engine),
      };
    },
  },
  'withdraw the cancellation of a subscription': {
    verbs: ['resumeSubscription'],
    slow: true,
    tells: { 'subscription.cancellation_withdrawn': 1 },
    async prepare(ground) {
      const { id } = await subscribed(ground);
      await ground.tenant.cancelSubscription(id, { at: 'period_end' });
      const act = ({ tenant }: Program): Promise<unknown> => tenant.resumeSubscription(id);
      return {
        act,
        again: async (engine) => (await engine.tenant.subscription(id)).cancelAt === null || act(engine),
      };
    },
  },
  'cancel a subscription whose period has ended': {
    loop: 'scheduler',
    slow: true,
    tells: { 'subscription.cancelled': 1, 'schedule.cancelled': 1 },
    async prepare(ground) {
      const { id } = await subscribed(ground);
      await runLoop(ground, 'processor');
      const { cancelAt } = await ground.tenant.cancelSubscription(id, { at: 'period_end' });
      const ends = (at: string): Promise<unknown> =>
        ground.owner.query(
          `begin; set local session_replication_role = replica;
           update usance.schedules set cancel_at = ${at} where id = '${id}'; commit`,
        );
      await ends('created_at');
      await watch(ground, id);
      // Back to the instant that its event has, for verify.
      return { act: (engine) => runLoop(engine, 'scheduler'), mend: () => ends(`'${cancelAt?.toISOString()}'`) };
    },
  },
  'change the plan of a subscription': {
    verbs: ['changeSubscriptionPlan'],
    slow: true,
    tells: { 'subscription.plan_changed': 1 },
    async prepare(ground) {
      const { id } = await subscribed(ground);
      const plan = await ground.tenant.createPlan({ ...TERMS, price: 200 });
      const order = { plan: plan.id, idempotencyKey: 'change' };
      return { act: (engine) => engine.tenant.changeSubscriptionPlan(id, order) };
    },
  },
  'change the plan of a subscription at once': {
    verbs: ['changeSubscriptionPlan'],
    slow: true,
    tells: { 'subscription.plan_changed': 1, 'payment.created': 1 },
    async prepare(ground) {
      const { id } = await subscribed(ground);
      await runLoop(ground, 'processor');
      const plan = await ground.tenant.createPlan({ ...TERMS, price: 200 });
      const order = { plan: plan.id, proration: 'charge', idempotencyKey: 'change' } as const;
      return { act: (engine) => engine.tenant.changeSubscriptionPlan(id, order) };
    },
  },
  'pause a subscription': change('pauseSubscription', subscribed, 'paused'),
  'resume a paused subscription': change(
    'resumeSubscription',
    async (ground) => {
      const view = await subscribed(ground);
      return ground.tenant.pauseSubscription(view.id);
    },
    'active',
  ),
  'resume a subscription': change(
    'resumeSubscription',
    async (ground) => {
      const view = await subscribed(ground, 'poor');
      await ground.tenant.failPayment(view.lastPaymentId ?? '', 'no funds');
      await watch(ground, view.id);
      await runLoop(ground, 'scheduler');
      return view;
    },
    'active',
  ),
  'pay a charge': {
    loop: 'processor',
    slow: true,
    tells: { 'payment.settled': 1, 'subscription.charged': 1 },
    async prepare(ground) {
      await subscribed(ground);
      return { act: (engine) => runLoop(engine, 'processor') };
    },
  },
  'look at a charge that is paid': {
    loop: 'scheduler',
    slow: true,
    async prepare(ground) {
      const { id } = await subscribed(ground);
      await runLoop(ground, 'processor');
      await watch(ground, id);
      return { act: (engine) => runLoop(engine, 'scheduler') };
    },
  },
};
