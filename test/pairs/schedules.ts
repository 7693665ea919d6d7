// A schedule and a subscription, and what can be done to each.
import type { Noun, Rows, Stage } from './nouns.ts';
import { putOffRetry, runLoop, shift } from './nouns.ts';

const keyed = (name: string) => ({ idempotencyKey: name });
const ORDER = { from: 'ann', to: 'ben', asset: 'USD', amount: 100, reference: 's', ...keyed('s') };

const monthly = async ({ jo }: Stage): Promise<Rows> => {
  const { id } = await jo.createSchedule({
    ...ORDER,
    rule: { frequency: 'MONTHLY', time: '09:00' },
    start: '2026-01-31',
  });
  return { id };
};

/** Daily, since half a minute ago: one slot is due. */
const due = async ({ jo, owner }: Stage): Promise<Rows> => {
  const start = new Date(Date.now() - 30_000).toISOString().slice(0, 19);
  const { id } = await jo.createSchedule({ ...ORDER, rule: { everySeconds: 86_400 }, start });
  await shift(
    owner,
    `update usance.schedule_due set due_at = clock_timestamp() - interval '30 seconds', passed = 0,
       passed_slot = timestamp '${start}' - interval '1 millisecond'
     where schedule_id = '${id}'`,
  );
  return { id };
};

export const SCHEDULES: Noun = {
  starts: {
    ahead: monthly,
    due,
    paused: async (stage) => {
      const rows = await monthly(stage);
      await stage.jo.pauseSchedule(rows['id'] ?? '');
      return rows;
    },
    made: async (stage) => {
      const rows = await due(stage);
      await runLoop(stage, 'scheduler');
      return rows;
    },
  },
  verbs: {
    pause: { in: ['ahead', 'due', 'made'], act: ({ jo }, { id = '' }) => jo.pauseSchedule(id) },
    resume: { in: ['paused'], act: ({ jo }, { id = '' }) => jo.resumeSchedule(id) },
    'edit amount': {
      in: ['ahead', 'due', 'paused', 'made'],
      act: ({ jo }, { id = '' }) => jo.editSchedule(id, { amount: 200 }),
    },
    'edit rule': {
      in: ['ahead', 'due', 'paused', 'made'],
      act: ({ jo }, { id = '' }) =>
        jo.editSchedule(id, { rule: { frequency: 'WEEKLY', weekdays: ['MO'], time: '10:00' } }),
    },
    cancel: { in: ['ahead', 'due', 'paused', 'made'], act: ({ jo }, { id = '' }) => jo.cancelSchedule(id) },
    'cancel with payment': {
      in: ['ahead', 'due', 'paused', 'made'],
      act: ({ jo }, { id = '' }) => jo.cancelSchedule(id, { cancelPayment: true }),
    },
    trigger: {
      in: ['ahead', 'due', 'made'],
      act: ({ jo, key }, { id = '' }) => jo.triggerSchedule(id, key('trigger')),
    },
    backfill: {
      in: ['ahead', 'paused'],
      act: ({ jo, key }, { id = '' }) =>
        jo.backfillSchedule(id, { start: '2026-02-01', end: '2026-04-30', ...key('backfill') }),
    },
    visit: { in: ['due', 'ahead', 'made'], loop: 'scheduler', act: (side) => runLoop(side, 'scheduler') },
    settle: { in: ['made', 'due'], loop: 'processor', act: (side) => runLoop(side, 'processor') },
  },
};

const subscribed =
  (payer: string) =>
  async ({ jo }: Stage): Promise<Rows> => {
    const plan = await jo.createPlan({
      name: 'Club',
      price: 100,
      asset: 'USD',
      receiver: 'ben',
      period: { frequency: 'MONTHLY' },
      months: 12,
      afterFailure: 'pause',
    });
    const { id, lastPaymentId } = await jo.subscribe({ plan: plan.id, payer, reference: 's', ...keyed('s') });
    return { id, plan: plan.id, charge: lastPaymentId ?? '' };
  };

/** The scheduler looks at what became of the charge now, rather than in a while. */
const watched = async (stage: Stage, rows: Rows): Promise<Rows> => {
  await shift(
    stage.owner,
    `update usance.schedule_due set due_at = clock_timestamp() - interval '1 ms' where schedule_id = '${rows['id']}'`,
  );
  return rows;
};

export const SUBSCRIPTIONS: Noun = {
  starts: {
    charged: subscribed('ann'),
    settled: async (stage) => {
      const rows = await subscribed('ann')(stage);
      await runLoop(stage, 'processor');
      return watched(stage, rows);
    },
    underfunded: async (stage) => {
      const rows = await subscribed('poor')(stage);
      await runLoop(stage, 'processor');
      await putOffRetry(stage.owner, rows['charge'] ?? '');
      return rows;
    },
    failed: async (stage) => {
      const rows = await subscribed('ann')(stage);
      await stage.jo.failPayment(rows['charge'] ?? '', 'not accepted');
      return watched(stage, rows);
    },
    paused: async (stage) => {
      const rows = await subscribed('ann')(stage);
      await stage.jo.pauseSubscription(rows['id'] ?? '');
      return rows;
    },
    /** Its period is over, and it is cancelled by the next visit. */
    ending: async (stage) => {
      const rows = await subscribed('ann')(stage);
      await runLoop(stage, 'processor');
      await stage.jo.cancelSubscription(rows['id'] ?? '', { at: 'period_end' });
      await stage.owner.query(`update usance.schedules set cancel_at = created_at where id = '${rows['id']}'`);
      return watched(stage, rows);
    },
    'past due': async (stage) => {
      const rows = await subscribed('ann')(stage);
      await stage.jo.failPayment(rows['charge'] ?? '', 'not accepted');
      await watched(stage, rows);
      await runLoop(stage, 'scheduler');
      return rows;
    },
  },
  verbs: {
    cancel: {
      in: ['charged', 'settled', 'underfunded', 'failed', 'past due', 'paused', 'ending'],
      act: ({ jo }, { id = '' }) => jo.cancelSubscription(id, { reason: 'asked for' }),
    },
    'cancel at the end': {
      in: ['charged', 'settled', 'failed', 'ending'],
      act: ({ jo }, { id = '' }) => jo.cancelSubscription(id, { at: 'period_end' }),
    },
    pause: { in: ['charged', 'settled', 'failed', 'ending'], act: ({ jo }, { id = '' }) => jo.pauseSubscription(id) },
    resume: { in: ['past due', 'paused', 'ending'], act: ({ jo }, { id = '' }) => jo.resumeSubscription(id) },
    visit: {
      in: ['charged', 'settled', 'failed', 'ending'],
      loop: 'scheduler',
      act: (side) => runLoop(side, 'scheduler'),
    },
    settle: { in: ['charged', 'underfunded'], loop: 'processor', act: (side) => runLoop(side, 'processor') },
    'cancel the charge': {
      in: ['charged', 'underfunded'],
      act: ({ jo }, { charge = '' }) => jo.cancelPayment(charge),
    },
    'fail the charge': {
      in: ['charged', 'underfunded'],
      act: ({ jo }, { charge = '' }) => jo.failPayment(charge, 'by hand'),
    },
    'retry the charge': { in: ['failed', 'past due'], act: ({ jo }, { charge = '' }) => jo.retryPayment(charge) },
    'change the plan': {
      in: ['charged', 'settled', 'ending'],
      act: ({ jo, key }, { id = '', plan = '' }) => jo.changeSubscriptionPlan(id, { plan, ...key('change') }),
    },
    'edit the plan': { in: ['charged', 'settled'], act: ({ jo }, { plan = '' }) => jo.editPlan(plan, { price: 200 }) },
    'fund the payer': {
      in: ['underfunded'],
      act: ({ jo, key }) => jo.deposit({ account: 'poor', asset: 'USD', amount: 100, ...key('fund') }),
    },
  },
};
