// Every verb on schedules, and the scheduler's own work, ready to be interrupted.
import type { TenantHandle } from '../../src/engine.ts';
import type { Act, Ground, Scenario } from './ground.ts';
import { fund, runLoop } from './ground.ts';
import type { Program } from './victim.ts';

type Order = Parameters<TenantHandle['createSchedule']>[0];
type View = Awaited<ReturnType<TenantHandle['schedule']>>;

const order = (reference: string, more: Partial<Order> = {}): Order => ({
  from: 'ann',
  to: 'ben',
  asset: 'USD',
  amount: 100,
  rule: { frequency: 'MONTHLY', time: '09:00' },
  start: '2026-01-31',
  reference,
  idempotencyKey: reference,
  ...more,
});

const made = ({ tenant }: Ground): Promise<View> => tenant.createSchedule(order('s'));

/** A verb on a schedule. With `isDone` it has no key, and its caller looks before doing it again. */
const change = (
  verb: keyof TenantHandle,
  prepare: (ground: Ground) => Promise<View>,
  act: (tenant: TenantHandle, id: string) => Promise<unknown>,
  isDone?: (schedule: View) => boolean,
): Scenario => ({
  verbs: [verb],
  async prepare(ground): Promise<Act> {
    const { id } = await prepare(ground);
    const doIt = ({ tenant }: Program): Promise<unknown> => act(tenant, id);
    if (!isDone) return { act: doIt };
    return { act: doIt, again: async (engine) => isDone(await engine.tenant.schedule(id)) || doIt(engine) };
  },
});

/** Daily, by default from half a minute ago: so many slots are due now. The trigger that forbids going back is off meanwhile. */
async function due(
  { tenant, owner }: Ground,
  reference: string,
  slots: number,
  more: Partial<Order> = {},
  agoSeconds = 30,
): Promise<View> {
  const start = new Date(Date.now() - agoSeconds * 1_000 - (slots - 1) * 86_400_000).toISOString().slice(0, 19);
  const view = await tenant.createSchedule(order(reference, { rule: { everySeconds: 86_400 }, start, ...more }));
  await owner.query(
    `begin; set local session_replication_role = replica;
     update usance.schedule_due set due_at = clock_timestamp() - interval '${agoSeconds} seconds', passed = 0,
       passed_slot = timestamp '${start}' - interval '1 millisecond'
     where schedule_id = '${view.id}'; commit`,
  );
  return view;
}

const run = (tells: Readonly<Record<string, number>>, prepare: (ground: Ground) => Promise<unknown>): Scenario => ({
  loop: 'scheduler',
  tells,
  async prepare(ground) {
    await prepare(ground);
    return { act: (engine) => runLoop(engine, 'scheduler') };
  },
});

/** A slot that failed for want of funds, which are there now. */
const failed = async (ground: Ground): Promise<{ view: View; occurrence: string }> => {
  const view = await due(ground, 's', 1, { from: 'poor', funding: 'reserve' });
  await runLoop(ground, 'scheduler');
  const [letter] = await ground.tenant.deadLetters();
  await ground.tenant.deposit({ account: 'poor', asset: 'USD', amount: 1_000, idempotencyKey: 'funds' });
  return { view, occurrence: letter?.id ?? '' };
};

/** Two schedules are overdue, where one may be. */
const overdue = async (ground: Ground): Promise<void> => {
  for (const reference of ['held', 'held too']) await due(ground, reference, 1, {}, 3_600);
  await ground.tenant.setOutageGuard({ count: 1 });
};
const held = async (ground: Ground): Promise<string> => {
  await overdue(ground);
  await runLoop(ground, 'scheduler');
  return (await ground.tenant.outages())[0]?.id ?? '';
};

/** What a person decides about an outage, once. */
const decision = (
  verb: 'releaseOutage' | 'discardOutage',
  act: (tenant: TenantHandle, id: string) => Promise<unknown>,
): Scenario => ({
  verbs: [verb],
  async prepare(ground) {
    const id = await held(ground);
    const doIt = ({ tenant }: Program): Promise<unknown> => act(tenant, id);
    return {
      act: doIt,
      again: async (engine) => (await engine.tenant.outages())[0]?.status !== 'waiting' || doIt(engine),
    };
  },
});

/** The loop that looks ahead comes to its end in two looks: at schedules, and at payments. */
const lookAhead = async ({ usance }: Program | Ground): Promise<void> => {
  const loop = usance.loops.find(({ name }) => name === 'forecast');
  while ((await loop?.runOnce())?.counts['passes'] === 0);
};

/** Lacks the money for a slot of tomorrow. */
const lacking = ({ tenant }: Ground, from: string): Promise<View> => {
  const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
  return tenant.createSchedule(order(from, { from, rule: { everySeconds: 86_400 }, start }));
};

const poison = `
  create or replace function public.refuse_poison() returns trigger language plpgsql as
    $$ begin raise exception 'poison'; end $$;
  create or replace trigger poison before insert on usance.occurrences for each row when (new.amount = 666)
    execute function public.refuse_poison();`;

const ALL: Readonly<Record<string, Scenario>> = {
  'create a schedule': {
    verbs: ['createSchedule'],
    prepare: () => Promise.resolve({ act: (engine) => engine.tenant.createSchedule(order('s')) }),
  },
  'edit a schedule': change(
    'editSchedule',
    made,
    (tenant, id) => tenant.editSchedule(id, { amount: 70, rule: { cron: '0 9 L * *' } }),
    ({ amount }) => amount === 70n,
  ),
  'pause a schedule': change(
    'pauseSchedule',
    made,
    (tenant, id) => tenant.pauseSchedule(id, { reason: 'asked for' }),
    ({ status }) => status === 'paused',
  ),
  'resume a schedule': change(
    'resumeSchedule',
    async (ground) => ground.tenant.pauseSchedule((await made(ground)).id),
    (tenant, id) => tenant.resumeSchedule(id),
    ({ status }) => status === 'active',
  ),
  'cancel a schedule and its payment': change(
    'cancelSchedule',
    async (ground) => {
      const view = await due(ground, 's', 1);
      await runLoop(ground, 'scheduler');
      return view;
    },
    (tenant, id) => tenant.cancelSchedule(id, { cancelPayment: true }),
    ({ status }) => status === 'cancelled',
  ),
  'trigger a schedule': change('triggerSchedule', made, (tenant, id) =>
    tenant.triggerSchedule(id, { idempotencyKey: 'now' }),
  ),
  'backfill a schedule': change(
    'backfillSchedule',
    async (ground) => {
      const view = await due(ground, 's', 4);
      await runLoop(ground, 'scheduler');
      return view;
    },
    (tenant, id) => tenant.backfillSchedule(id, { start: '2026-01-01', end: '2199-01-01', idempotencyKey: 'past' }),
  ),
  'retry an occurrence': {
    verbs: ['retryDeadLetter'],
    async prepare(ground) {
      const { occurrence } = await failed(ground);
      const act = ({ tenant }: Program): Promise<unknown> => tenant.retryDeadLetter(occurrence);
      return { act, again: async (engine) => (await engine.tenant.deadLetters()).length === 0 || act(engine) };
    },
  },
  'discard an occurrence': {
    verbs: ['discardDeadLetter'],
    async prepare(ground) {
      const { occurrence } = await failed(ground);
      const act = ({ tenant }: Program): Promise<unknown> => tenant.discardDeadLetter(occurrence, 'paid in cash');
      return { act, again: async (engine) => (await engine.tenant.deadLetters()).length === 0 || act(engine) };
    },
  },
  'set an outage guard': {
    verbs: ['setOutageGuard'],
    // Setting it again sets the same.
    prepare: () =>
      Promise.resolve({
        act: ({ tenant }) => tenant.setOutageGuard({ count: 5, amounts: [{ asset: 'USD', amount: 100 }] }),
      }),
  },
  'release an outage': decision('releaseOutage', (tenant, id) => tenant.releaseOutage(id)),
  'discard an outage': decision('discardOutage', (tenant, id) => tenant.discardOutage(id, { reason: 'paid in cash' })),
  'notice an outage': run({ 'outage.held': 1 }, overdue),
  'pass over what was discarded': run({ 'schedule.occurrence_skipped': 2 }, async (ground) => {
    await ground.tenant.discardOutage(await held(ground), { reason: 'paid in cash' });
  }),
  'run one due schedule': run({ 'payment.created': 1 }, (ground) => due(ground, 'one', 1)),
  'run due schedules with every outcome': run(
    {
      'payment.created': 5,
      'schedule.occurrence_late': 1,
      'schedule.occurrence_skipped': 2,
      'schedule.occurrence_failed': 1,
      'schedule.completed': 1,
      'schedule.expired': 1,
    },
    async (ground) => {
      await due(ground, 'one', 1);
      await due(ground, 'missed', 3);
      await due(ground, 'all', 2, { missed: 'all', overlap: 'allow' });
      await due(ground, 'skipped', 3, { missed: 'skip' });
      await due(ground, 'expires', 1, { from: 'poor', funding: 'reserve', afterFailure: 'expire' });
      const { id } = await due(ground, 'last', 1);
      await ground.owner.query(
        `update usance.schedules set timing = timing || jsonb_build_object('count', 1) where id = $1::uuid`,
        [id],
      );
    },
  ),
  'run beside one that cannot be': run({ 'payment.created': 2 }, async (ground) => {
    await ground.owner.query(poison);
    await due(ground, 'one', 1);
    await due(ground, 'poison', 1, { amount: 666 });
    await due(ground, 'two', 1);
  }),
  'tell of shortfalls, and forget one': {
    loop: 'forecast',
    tells: { 'account.shortfall_expected': 2 },
    async prepare(ground) {
      await lacking(ground, 'cem');
      await lookAhead(ground);
      await fund(ground.tenant, 'cem', 1_000);
      await lacking(ground, 'poor');
      const more = { from: 'dia', to: 'ben', asset: 'USD', amount: 100, reference: 'p', idempotencyKey: 'p' };
      await ground.tenant.createPayment({ ...more, funding: 'at_execution', delay: '24h' });
      return { act: lookAhead };
    },
  },
};

/** The others show in every test run what these show in the proof. */
const MOSTLY_IN_THE_PROOF = [
  'edit a schedule',
  'resume a schedule',
  'cancel a schedule and its payment',
  'backfill a schedule',
  'retry an occurrence',
  'discard an occurrence',
  'pause a schedule',
  'set an outage guard',
  'release an outage',
  'discard an outage',
  'notice an outage',
  'run one due schedule',
  'run beside one that cannot be',
  'tell of shortfalls, and forget one',
];

export const SCHEDULE_SCENARIOS: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(ALL).map(([name, scenario]) => [name, { ...scenario, slow: MOSTLY_IN_THE_PROOF.includes(name) }]),
);
