// A test clock's verbs, and a whole advance of one, ready to be interrupted. They play in a test tenant beside the shop.
import type { TenantHandle } from '../../src/engine.ts';
import type { Ground, Scenario } from './ground.ts';
import { fund, runLoop } from './ground.ts';
import type { Program } from './victim.ts';

const START = '2027-01-01T00:00:00Z';
const END = '2027-01-02T00:00:00Z';

const lab = (engine: Program | Ground): Promise<TenantHandle> => engine.usance.tenant('lab');
const create = async (engine: Program | Ground): Promise<unknown> =>
  (await lab(engine)).createTestClock({ name: 'lab', now: START });
const ask = async (engine: Program | Ground): Promise<unknown> => {
  const tenant = await lab(engine);
  const [clock] = await tenant.testClocks();
  return clock?.status === 'ready' && tenant.advanceTestClock(clock.id, END);
};
const idOf = async (engine: Program | Ground): Promise<string | null> =>
  (await (await lab(engine)).testClocks())[0]?.id ?? null;
const cancel = async (engine: Program | Ground): Promise<unknown> => {
  const id = await idOf(engine);
  return id !== null && (await lab(engine)).cancelAdvance(id);
};
const remove = async (engine: Program | Ground): Promise<unknown> => {
  const id = await idOf(engine);
  return id !== null && (await lab(engine)).deleteTestClock(id);
};
const isAsked = async (engine: Program): Promise<boolean> =>
  (await (await lab(engine)).testClocks()).some((clock) => clock.status === 'advancing');

const prepareLab = async (ground: Ground, clock: boolean): Promise<void> => {
  await ground.usance.createTenant({ name: 'lab', kind: 'test' });
  if (clock) await create(ground);
};

/** One that is paid, and one that is given up after it. */
async function fill(tenant: TenantHandle): Promise<void> {
  await tenant.createAsset('USD/2');
  for (const ref of ['eve', 'fay', 'poor']) await tenant.openAccount({ ref });
  await fund(tenant, 'eve', 1_000);
  const order = { from: 'eve', to: 'fay', asset: 'USD', amount: 100 };
  await tenant.createPayment({ ...order, delay: '1h', reference: 'paid', idempotencyKey: 'paid' });
  const unfunded = { from: 'poor', funding: 'at_execution', retry: { maxAttempts: 1 } } as const;
  await tenant.createPayment({ ...order, ...unfunded, delay: '2h', reference: 'given up', idempotencyKey: 'given up' });
}

const arrive = async (engine: Program | Ground): Promise<void> => {
  const isThere = async () => (await (await lab(engine)).testClocks())[0]?.status !== 'advancing';
  do await runLoop(engine, 'clocks');
  while (!(await isThere()));
};

export const CLOCK_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create a test clock': {
    verbs: ['createTestClock'],
    async prepare(ground) {
      await prepareLab(ground, false);
      const made = async (engine: Program) => (await (await lab(engine)).testClocks()).length > 0;
      return { act: create, again: async (engine) => (await made(engine)) || create(engine) };
    },
  },
  'ask for an advance': {
    verbs: ['advanceTestClock'],
    async prepare(ground) {
      await prepareLab(ground, true);
      return { act: ask, again: async (engine) => (await isAsked(engine)) || ask(engine) };
    },
  },
  'cancel an advance': {
    verbs: ['cancelAdvance'],
    tells: { 'test_clock.advance_cancelled': 1 },
    async prepare(ground) {
      await prepareLab(ground, true);
      await ask(ground);
      return { act: cancel, again: cancel };
    },
  },
  'delete a test clock': {
    verbs: ['deleteTestClock'],
    tells: { 'test_clock.deleted': 1 },
    async prepare(ground) {
      await prepareLab(ground, true);
      return { act: remove, again: remove };
    },
  },
  'advance a test clock by a day': {
    loop: 'clocks',
    tells: { 'payment.settled': 1, 'payment.failed': 1, 'test_clock.advanced': 1 },
    async prepare(ground) {
      await prepareLab(ground, true);
      await fill(await lab(ground));
      await ask(ground);
      return {
        act: arrive,
        // Whoever died had the lease: as if its time were over.
        async again(engine) {
          await ground.owner.query('update usance.test_clocks set leased_until = null');
          await arrive(engine);
        },
      };
    },
  },
};
