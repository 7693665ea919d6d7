// Schedules in every state, slots that could not become a payment, subscriptions, plans and allowances.
import { toTypeId } from '../../../src/kernel/index.ts';
import type { Cell } from '../axes.ts';
import { setsAside } from '../oracle/recurring.ts';
import type { World } from '../world.ts';
import { runLoop } from '../world.ts';
import { drive } from '../../support/test-clock.ts';
import type { Parties } from './accounts.ts';
import { openParties, payees } from './accounts.ts';
import type { Driver } from './driver.ts';
import { AMOUNT, ASSET, fresh, retriedOf } from './driver.ts';

const reason = 'the matrix';
const DAY = 86_400_000;

interface ScheduleRow extends Parties {
  readonly id: string;
  /** Local dates between which slots were never paid. */
  readonly past: { readonly start: string; readonly end: string };
  readonly madeAt: number;
}

/** Due rows of schedules come up now. The trigger that lets no schedule go back is off meanwhile. */
async function dueNow(world: World, id: string, fields = ''): Promise<void> {
  const now = new Date(await world.now()).toISOString();
  await world.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.schedule_due set due_at = '${now}'::timestamptz - interval '1 ms' ${fields} where schedule_id = '${id}'; commit`,
  );
}

async function visit(world: World): Promise<void> {
  if (!world.isTest) return runLoop(world.usance, 'scheduler');
  await world.tenant.advanceTestClock(world.clock, new Date(await world.now()));
  await drive(world.usance);
}

const local = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** Daily since three days ago, all in the past skipped, with a last slot where it is to end. */
async function createPlain(
  world: World,
  cell: Pick<Cell, 'owner' | 'money' | 'state'>,
  parties: Parties,
  start: number,
): Promise<string> {
  const funding = setsAside(cell) ? ('reserve' as const) : ('at_execution' as const);
  const { id } = await world.key.createSchedule({
    from: parties.from,
    asset: ASSET,
    amount: AMOUNT,
    funding,
    ...payees(parties, cell),
    rule: { everySeconds: 86_400 },
    start: local(start),
    ...(cell.state === 'expired' ? { afterFailure: 'expire' as const } : {}),
    idempotencyKey: fresh('schedule'),
  });
  return id;
}

/** The slot that the rule passed last is due once more. */
const slotDue = (world: World, id: string, start: number): Promise<void> => {
  const last = start + Math.floor((start + 3 * DAY - start) / DAY) * DAY;
  return dueNow(world, id, `, passed = 3, passed_slot = timestamp '${local(last)}' - interval '1 ms'`);
};

async function makeSchedule(world: World, cell: Cell<'schedule'>): Promise<ScheduleRow> {
  const { tenant, key } = world;
  const parties = await openParties(world, cell, { guarded: cell.owner === 'allowance' });
  const madeAt = await world.now();
  // Its newest slot in the past was half a minute ago.
  const start = Math.floor((madeAt - 3 * DAY - 30_000) / 1_000) * 1_000;
  const row = (id: string): ScheduleRow => ({
    ...parties,
    id,
    madeAt,
    past: { start: local(start), end: local(start + 2 * DAY) },
  });
  if (cell.owner === 'subscription') return row(await makeSubscription(world, scheduleAs(cell.state), parties));
  if (cell.owner === 'allowance') {
    const credit = { asset: ASSET, amount: AMOUNT, frequency: 'WEEKLY', status: 'ON' } as const;
    const { id } = await key.createAllowance({ guardian: parties.payer, junior: parties.payee, ...credit });
    if (cell.state === 'paused') await tenant.pauseSchedule(id);
    if (cell.state === 'cancelled') await tenant.cancelSchedule(id);
    return row(id);
  }
  const id = await createPlain(world, cell, parties, start);
  if (cell.state === 'paused') await tenant.pauseSchedule(id);
  if (cell.state === 'cancelled') await tenant.cancelSchedule(id);
  if (cell.state === 'expired') await expire(world, id, start);
  if (cell.state === 'completed') {
    // A rule that has no slot ahead cannot be ordered: its end comes nearer afterwards.
    await world.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.schedules set timing = timing || '{"count": 4}' where id = '${id}'; commit`,
    );
    await slotDue(world, id, start);
    await visit(world);
    await world.settle();
  }
  if (cell.verb === 'scheduler' && cell.state === 'active') await slotDue(world, id, start);
  return row(id);
}

/** Its payment fails for good, and the next visit ends it. */
async function expire(world: World, id: string, start: number): Promise<void> {
  const { tenant, owner } = world;
  if (world.isTest) {
    // An advance pays what it makes: nothing can fail in between.
    await owner.query(
      `begin; set local session_replication_role = replica;
       update usance.schedules s set status = 'expired', status_reason = 'payment_failed', ended_at = s.created_at,
              passed_slot = d.passed_slot, passed = d.passed
       from usance.schedule_due d where d.schedule_id = s.id and s.id = '${id}';
       delete from usance.schedule_due where schedule_id = '${id}'; commit`,
    );
    return;
  }
  await slotDue(world, id, start);
  await visit(world);
  const [made] = await tenant.occurrences(id, { status: 'made' });
  await tenant.failPayment(made?.paymentId ?? '', reason);
  await dueNow(world, id);
  await visit(world);
}

type SubscriptionState = Cell<'subscription'>['state'];

const scheduleAs = (state: Cell<'schedule'>['state']): SubscriptionState =>
  (
    ({
      active: 'active',
      paused: 'past due',
      completed: 'used up',
      cancelled: 'cancelled',
      expired: 'expired',
    }) as const
  )[state];

async function makeSubscription(world: World, state: SubscriptionState, parties: Parties): Promise<string> {
  const { key, tenant } = world;
  const plan = await key.createPlan({
    name: 'Club',
    price: AMOUNT,
    asset: ASSET,
    receiver: parties.to,
    period: { frequency: 'MONTHLY' },
    charges: state === 'used up' ? 1 : 3,
    trialDays: state === 'trialing' ? 14 : 0,
    afterFailure: state === 'past due' ? 'pause' : 'expire',
  });
  const { id, lastPaymentId } = await key.subscribe({
    plan: plan.id,
    payer: parties.from,
    idempotencyKey: fresh('subscribe'),
  });
  if (state === 'cancelled') await tenant.cancelSubscription(id);
  if (state === 'ending') await tenant.cancelSubscription(id, { at: 'period_end' });
  if (state === 'paused') await tenant.pauseSubscription(id);
  if (state === 'past due' || state === 'expired') await tenant.failPayment(lastPaymentId ?? '', reason);
  if (state === 'used up') await world.settle();
  if (['past due', 'expired', 'used up'].includes(state)) {
    await dueNow(world, id);
    await visit(world);
  }
  return id;
}

const typed = ({ id }: { id: string }): string => `/schedules/${toTypeId('schedule', id)}`;

const lift = async ({ from }: Parties, { tenant }: World): Promise<void> => {
  if (from === 'world' || from === 'fees') await tenant.setLimit({ account: from, asset: ASSET, approvalAbove: null });
};

const needsApproval = async (world: World, { condition }: Cell, { from }: Parties): Promise<void> => {
  if (condition === 'awaiting approval') await world.tenant.setLimit({ account: from, asset: ASSET, approvalAbove: 0 });
};

export const SCHEDULES: Driver<'schedule', ScheduleRow> = {
  async make(world, cell) {
    const row = await makeSchedule(world, cell);
    const { status } = await world.tenant.schedule(row.id);
    if (status !== cell.state) throw new Error(`expected the schedule to be ${cell.state}, not ${status}`);
    await needsApproval(world, cell, row);
    return row;
  },
  clear: lift,
  kindOf: ({ verb }) => (verb === 'scheduler' ? 'with a slot due' : ''),
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  calls: {
    editSchedule: {
      http(row, { way }) {
        const edit =
          way === 'amount'
            ? { amount: (AMOUNT / 2n).toString() }
            : way === 'rule'
              ? { rule: { every_seconds: 172_800 } }
              : { metadata: { seen: 'yes' } };
        return [`PATCH ${typed(row)}`, edit];
      },
      by(verbs, { id }, { way }) {
        const edit =
          way === 'amount'
            ? { amount: AMOUNT / 2n }
            : way === 'rule'
              ? { rule: { everySeconds: 172_800 } }
              : { metadata: { seen: 'yes' } };
        return verbs.editSchedule(id, edit);
      },
    },
    pauseSchedule: {
      http: (row) => [`POST ${typed(row)}/pause`, { reason }],
      by: (verbs, { id }) => verbs.pauseSchedule(id, { reason }),
    },
    resumeSchedule: {
      http: (row) => [`POST ${typed(row)}/resume`, { reason }],
      by: (verbs, { id }) => verbs.resumeSchedule(id, { reason }),
    },
    cancelSchedule: {
      http: (row) => [`POST ${typed(row)}/cancel`, { reason }],
      by: (verbs, { id }) => verbs.cancelSchedule(id, { reason }),
    },
    triggerSchedule: {
      http: (row) => [`POST ${typed(row)}/trigger`],
      by: (verbs, { id }) => verbs.triggerSchedule(id, { idempotencyKey: fresh('call') }),
    },
    backfillSchedule: {
      http: (row) => [`POST ${typed(row)}/backfill`, row.past],
      by: (verbs, { id, past }) => verbs.backfillSchedule(id, { ...past, idempotencyKey: fresh('call') }),
    },
  },
  async status(_cell, { id }, { tenant }) {
    const made = await tenant.occurrences(id, { status: 'made' });
    return `${(await tenant.schedule(id)).status}, ${made.length} made`;
  },
};

interface LetterRow extends Parties {
  readonly id: string;
}

/** A slot whose payment was over a limit when it was due. */
async function makeLetter(world: World, cell: Cell<'occurrence'>): Promise<LetterRow> {
  const { tenant } = world;
  const parties = await openParties(world, cell);
  const now = await world.now();
  const start = Math.floor((now - 3 * DAY - 30_000) / 1_000) * 1_000;
  const schedule = await createPlain(world, { ...cell, state: 'active' }, parties, start);
  await tenant.setLimit({ account: parties.from, asset: ASSET, maxAmount: 1 });
  await slotDue(world, schedule, start);
  await visit(world);
  await tenant.setLimit({ account: parties.from, asset: ASSET, maxAmount: null });
  const [failed] = await tenant.occurrences(schedule, { status: 'failed' });
  if (!failed) throw new Error('expected a slot that could not become a payment');
  const { id } = failed;
  if (cell.state === 'discarded') await tenant.discardDeadLetter(id, reason);
  await needsApproval(world, cell, parties);
  return { ...parties, id };
}

const letterPath = ({ id }: LetterRow): string => `/dead-letters/${toTypeId('occurrence', id)}`;

export const OCCURRENCES: Driver<'occurrence', LetterRow> = {
  make: makeLetter,
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  calls: {
    retryDeadLetter: {
      http: (row) => [`POST ${letterPath(row)}/retry`, { reason }],
      by: (verbs, { id }) => verbs.retryDeadLetter(id, { reason }),
    },
    discardDeadLetter: {
      http: (row) => [`POST ${letterPath(row)}/discard`, { reason }],
      by: (verbs, { id }) => verbs.discardDeadLetter(id, reason),
    },
    discardDeadLetters: {
      http: () => ['POST /dead-letters/discard', { filter: { kind: 'occurrence' }, reason }],
      by: (verbs) => verbs.discardDeadLetters({ kind: 'occurrence' }, { reason }),
    },
    retryDeadLetters: {
      http: () => ['POST /dead-letters/retry', { filter: { kind: 'occurrence' }, reason }],
      by: (verbs) => verbs.retryDeadLetters({ kind: 'occurrence' }, { reason }),
    },
  },
  answered: ({ verb }, row, answer) =>
    verb.endsWith('DeadLetters') ? retriedOf(answer, [row.id, toTypeId('occurrence', row.id)]) : 'allowed',
  async clear(row, world) {
    await lift(row, world);
    const letters = await world.tenant.deadLetters({ kind: 'occurrence' });
    if (letters.some(({ id }) => id === row.id)) await world.tenant.discardDeadLetter(row.id, reason);
  },
};

interface SubscriptionRow extends Parties {
  readonly id: string;
  readonly plan: string;
}

const SHOWN_AS: Partial<Record<SubscriptionState, string>> = {
  ending: 'active',
  'past due': 'past_due',
  'used up': 'expired',
};
const cancelled = (way: string): 'now' | 'period_end' => (way === 'now' ? 'now' : 'period_end');

const subscriptionPath = ({ id }: SubscriptionRow): string => `/subscriptions/${toTypeId('subscription', id)}`;

export const SUBSCRIPTIONS: Driver<'subscription', SubscriptionRow> = {
  async make(world, cell) {
    const parties = await openParties(world, cell);
    const id = await makeSubscription(world, cell.state, parties);
    const { status, planId: plan } = await world.tenant.subscription(id);
    const wanted = SHOWN_AS[cell.state] ?? cell.state;
    if (status !== wanted) throw new Error(`expected the subscription to be ${wanted}, not ${status}`);
    await needsApproval(world, cell, parties);
    return { ...parties, id, plan };
  },
  clear: lift,
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  calls: {
    editSubscription: {
      http: (row, { way }) => [
        `PATCH ${subscriptionPath(row)}`,
        way === 'retry' ? { retry: { max_attempts: 3 } } : { metadata: { seen: 'yes' } },
      ],
      by: (verbs, { id }, { way }) =>
        verbs.editSubscription(id, way === 'retry' ? { retry: { maxAttempts: 3 } } : { metadata: { seen: 'yes' } }),
    },
    cancelSubscription: {
      http: (row, { way }) => [`POST ${subscriptionPath(row)}/cancel`, { at: cancelled(way), reason }],
      by: (verbs, { id }, { way }) => verbs.cancelSubscription(id, { at: cancelled(way), reason }),
    },
    changeSubscriptionPlan: {
      http: (row) => [`POST ${subscriptionPath(row)}/change-plan`, { plan: toTypeId('plan', row.plan) }],
      by: (verbs, { id, plan }) => verbs.changeSubscriptionPlan(id, { plan, idempotencyKey: fresh('call') }),
    },
    pauseSubscription: {
      http: (row) => [`POST ${subscriptionPath(row)}/pause`, { reason }],
      by: (verbs, { id }) => verbs.pauseSubscription(id, { reason }),
    },
    resumeSubscription: {
      http: (row) => [`POST ${subscriptionPath(row)}/resume`, { reason }],
      by: (verbs, { id }) => verbs.resumeSubscription(id, { reason }),
    },
  },
};

export const PLANS: Driver<'plan', { readonly id: string; readonly payer: string; readonly stranger: string }> = {
  async make(world, cell) {
    const { payer, stranger, to: receiver } = await openParties(world, cell, { funds: 'empty' });
    const period = { frequency: 'MONTHLY' } as const;
    const terms = { name: 'Club', price: AMOUNT, asset: ASSET, receiver, period, charges: 3 };
    return { id: (await world.key.createPlan(terms)).id, payer, stranger };
  },
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  calls: {
    editPlan: {
      http: ({ id }) => [`PATCH /plans/${toTypeId('plan', id)}`, { price: (2n * AMOUNT).toString() }],
      by: (verbs, { id }) => verbs.editPlan(id, { price: 2n * AMOUNT }),
    },
  },
};

const CREDIT = { amount: AMOUNT, frequency: 'WEEKLY', status: 'ON' } as const;

const allowancePath = ({ payer, payee }: Parties): string => `/guardians/${payer}/allowances/${payee}`;

export const ALLOWANCES: Driver<'allowance', Parties> = {
  async make(world, cell) {
    const { key, tenant } = world;
    const parties = await openParties(world, cell, { guarded: true });
    const { payer: guardian, payee: junior } = parties;
    await key.createAllowance({ guardian, junior, asset: ASSET, ...CREDIT });
    if (cell.state === 'OFF') await key.editAllowance(guardian, junior, { status: 'OFF' });
    if (cell.state === 'deleted') await key.deleteAllowance(guardian, junior);
    if (cell.state === 'of another guardian') await tenant.editAccount(junior, { guardian: parties.stranger });
    await needsApproval(world, cell, parties);
    return parties;
  },
  endUser: ({ actor }, row) => (actor === 'other end user' ? row.stranger : row.payer),
  calls: {
    createAllowance: {
      http: (row) => [`POST ${allowancePath(row)}`, { ...CREDIT, amount: AMOUNT.toString(), asset: ASSET }],
      by: (verbs, { payer: guardian, payee: junior }) =>
        verbs.createAllowance({ guardian, junior, asset: ASSET, ...CREDIT }),
    },
    editAllowance: {
      http: (row, { way }) => [
        `PATCH ${allowancePath(row)}`,
        way === 'amount' ? { amount: (AMOUNT / 2n).toString() } : { status: way },
      ],
      by: (verbs, { payer, payee }, { way }) =>
        verbs.editAllowance(payer, payee, way === 'amount' ? { amount: AMOUNT / 2n } : { status: way as 'ON' | 'OFF' }),
    },
    deleteAllowance: {
      http: (row) => [`DELETE ${allowancePath(row)}`],
      by: (verbs, { payer, payee }) => verbs.deleteAllowance(payer, payee),
    },
  },
};
