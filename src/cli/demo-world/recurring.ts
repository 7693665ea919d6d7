// Recurring payments: rent and wages, subscriptions in every state, and the pocket money of a family.
import type { Stage } from './stage.ts';
import { USD, together } from './stage.ts';

export async function agreeOnRecurring(stage: Stage): Promise<void> {
  await Promise.all([createSchedules(stage), createSubscriptions(stage), createAllowances(stage)]);
}

async function createSchedules({ shop, as, at, key }: Stage): Promise<void> {
  const usd = { asset: USD, zone: 'Europe/Lisbon' };
  await shop.schedules.create(
    {
      ...usd,
      from: 'operations',
      amount: 150_000,
      legs: [
        { to: 'harbor-books', amount: 145_000 },
        { to: 'fees', amount: 5_000 },
      ],
      rule: { frequency: 'WEEKLY', weekdays: ['MO'], time: '09:00' },
      reference: 'rent-warehouse',
      metadata: { contract: 'W-2031' },
    },
    key('schedule rent'),
  );
  await shop.schedules.create(
    {
      ...usd,
      from: 'operations',
      to: 'priya',
      amount: 82_000,
      rule: { frequency: 'WEEKLY', weekdays: ['FR'], time: '17:30' },
      reference: 'wages-priya',
      priority: 'high',
    },
    key('schedule wages'),
  );
  // More than the budget has: the forecast names the first date that it cannot cover.
  await shop.schedules.create(
    {
      ...usd,
      from: 'marketing',
      to: 'loop-records',
      amount: 84_000,
      rule: { frequency: 'WEEKLY', weekdays: ['TU'], time: '12:00' },
      reference: 'ads-newsletter',
      funding: 'at_execution',
    },
    key('schedule ads'),
  );
  await shop.schedules.create(
    {
      ...usd,
      from: 'noor',
      to: 'felix',
      amount: 1_500,
      rule: { frequency: 'DAILY', every: 2, time: '08:15' },
      count: 3,
      reference: 'lunch-club',
    },
    key('schedule lunch'),
  );
  // Its payee closes before the first slot: each one is a dead letter.
  await shop.schedules.create(
    {
      ...usd,
      from: 'dana',
      to: 'old-kiosk',
      amount: 2_200,
      rule: { frequency: 'WEEKLY', weekdays: ['WE'], time: '07:45' },
      start: at(8).toISOString().slice(0, 10),
      reference: 'newspapers',
    },
    key('schedule newspapers'),
  );
  const donation = await shop.schedules.create(
    {
      ...usd,
      from: 'yuki',
      to: 'sprout-garden',
      amount: 5_000,
      rule: { frequency: 'MONTHLY', daysOfMonth: ['last'], time: '10:00' },
      reference: 'community-garden',
    },
    key('schedule donation'),
  );
  const support = await as('support:jo');
  await support.schedules.pause(donation.id, { reason: 'Paused at the request of the payer' }, key('pause donation'));
}

async function createSubscriptions({ shop, as, key }: Stage): Promise<void> {
  const plan = (name: string, price: number, receiver: string, more: object): Promise<{ readonly id: string }> =>
    shop.plans.create(
      { name, price, asset: USD, receiver, period: { frequency: 'MONTHLY' }, ...more },
      key(`plan ${name}`),
    );
  const basic = await plan('Streamly Basic', 899, 'streamly', { afterFailure: 'pause', retry: { maxAttempts: 2 } });
  const family = await plan('Streamly Family', 1_499, 'streamly', { trialDays: 30 });
  const gym = await plan('Gymloft weekly', 1_200, 'gymloft', {
    period: { frequency: 'WEEKLY' },
    afterFailure: 'expire',
    retry: { maxAttempts: 2 },
  });
  const subscribe = (plan: { readonly id: string }, payer: string): Promise<{ readonly id: string }> =>
    shop.subscriptions.create(
      { plan: plan.id, payer, reference: `${payer}@${plan === gym ? 'gymloft' : 'streamly'}` },
      key(`subscribe ${payer} ${plan.id}`),
    );
  await together(
    [
      ...['dana', 'noor', 'felix', 'ines'].map((payer) => [basic, payer] as const),
      [family, 'marco'] as const,
      ...['priya', 'amara'].map((payer) => [gym, payer] as const),
      // Without enough money: the first is paused by the failure, the second expires.
      [basic, 'sam-ellis'] as const,
      [gym, 'ivy-ellis'] as const,
    ].map(
      ([terms, payer]) =>
        () =>
          subscribe(terms, payer),
    ),
  );
  const left = await subscribe(gym, 'yuki');
  const resting = await subscribe(basic, 'tomas');
  const support = await as('support:jo');
  await support.subscriptions.cancel(left.id, { at: 'now', reason: 'Moved to another city' }, key('cancel yuki'));
  await support.subscriptions.pause(resting.id, { reason: 'Abroad until spring' }, key('pause tomas'));
}

async function createAllowances({ shop, key }: Stage): Promise<void> {
  const pocketMoney = (junior: string, amount: number, more: object): Promise<unknown> =>
    shop.allowances.create(
      'ruth-ellis',
      junior,
      { amount, asset: USD, frequency: 'WEEKLY', status: 'ON', zone: 'Europe/Lisbon', ...more },
      key(`allowance ${junior}`),
    );
  await pocketMoney('sam-ellis', 800, {});
  await pocketMoney('ivy-ellis', 650, { status: 'OFF' });
}
