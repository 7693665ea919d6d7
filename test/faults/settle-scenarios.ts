// The processor's own work, ready to be interrupted: each scenario is one run of its loop.
import type { TenantHandle } from '../../src/engine.ts';
import { freeze } from '../support/books.ts';
import type { Ground, Scenario } from './ground.ts';
import { fund, runLoop } from './ground.ts';

type Order = Parameters<TenantHandle['createPayment']>[0];

/** Orders that are due already; the one with the lower number first. */
async function due(tenant: TenantHandle, orders: Readonly<Record<string, Partial<Order>>>): Promise<void> {
  let place = 0;
  for (const [reference, order] of Object.entries(orders)) {
    const executeAt = new Date(Date.now() - 40_000 + (place += 1));
    const basis = { from: 'ann', asset: 'USD', amount: 100, executeAt, idempotencyKey: reference };
    await tenant.createPayment({ ...basis, ...(order.legs ? {} : { to: 'ben' }), ...order, reference });
  }
}

const later = { funding: 'at_execution' } as const;

const run = (tells: Readonly<Record<string, number>>, prepare: (ground: Ground) => Promise<unknown>): Scenario => ({
  loop: 'processor',
  tells,
  async prepare(ground) {
    await prepare(ground);
    return { act: (engine) => runLoop(engine, 'processor') };
  },
});

const waiting = async (ground: Ground): Promise<void> => {
  await due(ground.tenant, {
    first: { from: 'poor', ...later },
    second: { from: 'poor', ...later },
    third: { from: 'poor', ...later },
  });
  await runLoop(ground, 'processor');
};

/** Whatever moves 666 is refused by the database itself, as if its row were corrupted. */
const poison = `
  create or replace function public.refuse_poison() returns trigger language plpgsql as
    $$ begin raise exception 'poison'; end $$;
  create or replace trigger poison before insert on usance.transfers for each row when (new.amount = 666)
    execute function public.refuse_poison();`;

export const SETTLE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'settle one': run({ 'payment.settled': 1 }, ({ tenant }) => due(tenant, { one: {} })),
  'settle under a cap': run({ 'payment.settled': 2 }, async ({ tenant }) => {
    await tenant.setExecutionCap(100);
    await due(tenant, { high: { priority: 'high' }, low: { priority: 'low' } });
  }),
  'settle with every outcome': run(
    { 'payment.settled': 4, 'payment.attempt_failed': 2, 'payment.failed': 1, 'payment.expired': 1 },
    async ({ tenant }) => {
      await tenant.setLimit({ account: 'ben', asset: 'USD', dailyAmount: 200 });
      await due(tenant, {
        'settled 1': {},
        'settled 2': { to: 'dia' },
        'settled, funded at execution': { from: 'ben', to: 'cem', ...later },
        'settled out of what came before': { from: 'cem', to: 'dia', amount: 90, ...later },
        'over the daily limit': { from: 'ben', to: 'cem', amount: 150, ...later },
        'underfunded, will be retried': { from: 'poor', ...later },
        'underfunded, last attempt': { from: 'poor', ...later, retry: { maxAttempts: 1 } },
        expired: { from: 'poor', ...later, expiresAt: new Date(Date.now() - 1_000) },
        blocked: { asset: 'EUR' },
      });
      await tenant.pause('asset', 'EUR/2', 'audit');
    },
  ),
  'settle with legs': run({ 'payment.settled': 2 }, ({ tenant }) =>
    due(tenant, {
      legs: {
        legs: [
          { to: 'ben', amount: 60 },
          { to: 'fees', amount: 40 },
        ],
      },
      plain: { to: 'cem' },
    }),
  ),
  'settle what was foreseen wrongly': run(
    { 'payment.settled': 2, 'payment.attempt_failed': 1 },
    async ({ tenant, owner }) => {
      await due(tenant, { one: {}, two: { to: 'cem' }, frozen: { asset: 'EUR' }, suspended: { to: 'dia' } });
      await tenant.suspendAccount('dia', 'asked for');
      await freeze(owner, tenant.id, 'EUR/2');
    },
  ),
  'settle funds that nobody reserved': run({ 'payment.settled': 3 }, ({ tenant }) =>
    due(tenant, { one: later, two: { to: 'cem', ...later }, reserved: { to: 'dia' } }),
  ),
  'settle funds that nobody reserved, and that are missing': run(
    { 'payment.settled': 2, 'payment.attempt_failed': 1 },
    ({ tenant }) => due(tenant, { one: later, missing: { from: 'poor', ...later }, two: { to: 'cem', ...later } }),
  ),
  'settle beside one that cannot be': run(
    { 'payment.settled': 2, 'payment.attempt_failed': 1 },
    async ({ tenant, owner }) => {
      await owner.query(poison);
      await due(tenant, { one: {}, poison: { amount: 666 }, two: { from: 'ben', to: 'cem' } });
    },
  ),
  'settle beside a balance that is held': {
    loop: 'processor',
    slow: true,
    async prepare(ground) {
      await due(ground.tenant, { one: {}, two: {}, held: { from: 'ben', to: 'cem' } });
      const lock = await holdBalance(ground, 'ben');
      return { act: (engine) => runLoop(engine, 'processor'), mend: lock };
    },
  },
  'wake the waiting': run({ 'payment.settled': 2 }, async (ground) => {
    await waiting(ground);
    await fund(ground.tenant, 'poor', 250);
  }),
  'wake nobody': run({}, async (ground) => {
    await waiting(ground);
    for (const { id } of await ground.tenant.payments({ account: 'poor' })) await ground.tenant.cancelPayment(id);
    await fund(ground.tenant, 'poor', 250);
  }),
};

/** A transaction left open on a balance; returns what ends it. */
async function holdBalance({ owner }: Ground, ref: string): Promise<() => Promise<void>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: has, resolve: got } = Promise.withResolvers<void>();
  const open = owner.transaction(async (tx) => {
    await tx.query(
      `select 1 from usance.balances where account_id = (select id from usance.accounts where ref = $1::text) for update`,
      [ref],
    );
    got();
    await ended;
  });
  await has;
  return async () => {
    end();
    await open;
  };
}
