// The test tenant `demo-world`: four weeks of a market that pays later, for the pages of the dashboard. Its clock begins four weeks ago and is
// advanced to the present, so everything in it has happened at its own instant, by the verbs of the library. `usance dev` fills it once it is
// ready, in the background. The last step opens the account of a new customer, which is the mark of a complete world: a fill that was killed is
// repeated by the next start, and its idempotency keys leave out what was done.
import type { Engine, TenantHandle } from '../../engine.ts';
import { Refusal } from '../../kernel/index.ts';
import type { Usance } from '../../library/index.ts';
import { createEndpoints, pointEndpoints } from './endpoints.ts';
import { appendOwnEvents, createKeys, pauseGems, setLimits, subscribeJobs } from './operations.ts';
import { FAILS_BEFORE, openOrders, ordersInTrouble, placeOrders, settleTrouble } from './orders.ts';
import { beforeDrop, droppedPayout, earlierPayouts, payoutsInReview } from './payouts.ts';
import { openAccounts, retireAccounts } from './people.ts';
import type { Receiver } from './receiver.ts';
import { agreeOnRecurring } from './recurring.ts';
import type { Stage } from './stage.ts';
import { DAYS, FILLER, beginOf, openStage } from './stage.ts';

export const DEMO_WORLD = 'demo-world';
/** Opened last. */
const NEWEST = { ref: 'zoe', name: 'Zoe Marchetti' };

export interface DemoWorld {
  readonly tenant: TenantHandle;
  /** In real time. Its history ends then. */
  readonly createdAt: Date;
}

/** The tenant, with its clock unless it is complete. Null if a tenant of this name is something else. */
export async function ensureDemoWorld(engine: Engine): Promise<DemoWorld | null> {
  const caller = { actor: FILLER };
  await unless('TENANT_EXISTS', () => engine.createTenant({ name: DEMO_WORLD, kind: 'test' }, caller));
  const known = (await engine.tenants()).find(({ name }) => name === DEMO_WORLD);
  if (known?.kind !== 'test') return null;
  const { createdAt } = known;
  const tenant = await engine.tenant(known.id, caller);
  const [clock] = await tenant.testClocks();
  if (clock || (await isFilled(tenant))) return { tenant, createdAt };
  const create = (now: Date) => (): Promise<unknown> => tenant.createTestClock({ name: DEMO_WORLD, now });
  // A fill that was killed in its leap has left the tenant between two clocks.
  await unless('CLOCK_BACKWARDS', () => unless('CLOCK_EXISTS', create(beginOf(createdAt))));
  await unless('CLOCK_EXISTS', create(createdAt));
  return { tenant, createdAt };
}

/** Fills the world, or completes it. True if there was something to do. */
export async function fillDemoWorld(
  engine: Engine,
  usance: Pick<Usance, 'tenant'>,
  { tenant, createdAt }: DemoWorld,
  { receiver, stop }: { readonly receiver: Receiver; readonly stop: AbortSignal },
): Promise<boolean> {
  const stage = await openStage(engine, usance, tenant.name, { began: beginOf(createdAt), stop });
  if (await isFilled(tenant)) {
    await subscribeJobs(stage);
    return false;
  }
  // A fill that was killed has left endpoints of its receiver.
  await pointEndpoints(tenant, receiver);
  await fourWeeks(stage);
  await lastDay(stage, receiver);
  await stage.shop.accounts.ensure(NEWEST);
  return true;
}

/** Days between the orders of a week: at all hours of the day. */
const ALMOST_TWO_DAYS = 41 / 24;
const THREE_HOURS = 3 / 24;

async function fourWeeks(stage: Stage): Promise<void> {
  const { at, now, pass, faults, engine } = stage;
  const wave = (week: number): Promise<void> =>
    placeOrders(stage, {
      name: `week ${week}`,
      orders: 18,
      first: 1001 + 18 * week,
      due: Array.from({ length: 3 }, (_, index) => at(7 * week + 0.3 + index * ALMOST_TWO_DAYS)),
    });
  const hasChain = engine.chains.sandbox !== null;
  await openAccounts(stage);
  await Promise.all([setLimits(stage), createKeys(stage), agreeOnRecurring(stage), wave(0)]);
  await pass(at(7));
  await Promise.all([retireAccounts(stage), wave(1), hasChain && earlierPayouts(stage)]);
  await pass(at(14));
  await Promise.all([wave(2), hasChain && droppedPayout(stage)]);
  await pass(beforeDrop(stage));
  await Promise.all([wave(3), ordersInTrouble(stage)]);
  // The chain loses the next transaction that it is given.
  if (hasChain && (await now()) < at(24)) await faults({ expire: 1 });
  await pass(at(24));
  if (hasChain) await faults({});
  await settleTrouble(stage);
}

async function lastDay(stage: Stage, receiver: Receiver): Promise<void> {
  const { at, before, pass, workers, engine } = stage;
  const hours = Array.from({ length: 8 }, (_, index) => at(27 + (index + 0.5) * THREE_HOURS));
  await placeOrders(stage, { name: 'last day', orders: 44, first: 1101, due: hours });
  await pass(before(65));
  await subscribeJobs(stage);
  await createEndpoints(stage, receiver);
  await workers();
  await Promise.all([
    placeOrders(stage, { name: 'last hour', orders: 12, first: 1151, due: [FAILS_BEFORE, 19].map(before) }),
    openOrders(stage),
    appendOwnEvents(stage),
  ]);
  await pauseGems(stage);
  if (engine.chains.sandbox === null) await pass(at(DAYS));
  else await payoutsInReview(stage);
}

async function isFilled(tenant: TenantHandle): Promise<boolean> {
  try {
    await tenant.account(NEWEST.ref);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ACCOUNT_NOT_FOUND') return false;
    throw error;
  }
}

async function unless(code: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === code)) throw error;
  }
}
