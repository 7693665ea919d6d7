// A world for the tests of an application: a database that is thrown away, a test tenant whose clock the test advances, and recorders of what
// happened. The background loops run in this process, so nothing else has to be started.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../engine.ts';
import { newSecretKey, parseDelayMs } from '../engine.ts';
import type { JobProcessorDefinition, TenantHandle, TestClock, Usance } from '../library/index.ts';
import { createUsance } from '../library/index.ts';
import { engineOf } from '../library/usance.ts';
import type { EventRecorder } from './event-recorder.ts';
import { createEventRecorder } from './event-recorder.ts';
import type { JobRecorder } from './job-recorder.ts';
import { createJobRecorder } from './job-recorder.ts';

/** Options of `createTestWorld`. All of them are optional. */
export interface TestWorldOptions {
  /** Processors that the jobs of the world can run. Default: none. */
  readonly processors?: readonly JobProcessorDefinition[];
  /**
   * A PostgreSQL for tests. The world gets its own schema there, which `close` drops; the role must be allowed to create schemas. Default: an
   * embedded server in a temporary folder, which `close` removes.
   */
  readonly databaseUrl?: string | null | undefined;
  /** The time at which the test clock begins. Default `2027-01-01T00:00:00.000Z`. */
  readonly now?: Date | string;
  /** Assets to create; the first is the default asset. Default `['USD/2']`. */
  readonly assets?: readonly string[];
  /** Called with lines that an operator should see. Default: none. */
  readonly onNotice?: (line: string) => void;
}

/** A test tenant with its clock. */
export interface TestTenant {
  /** The resources of the test tenant. */
  readonly shop: TenantHandle;
  /** The test clock. */
  readonly clock: WorldClock;
  /** Events of the tenant since it was created, or since `clear`. */
  readonly events: EventRecorder;
  /** Executions of the tenant's jobs. */
  readonly jobs: JobRecorder;
  /**
   * Advances the clock to an instant (a `Date`, or RFC 3339 text) or by a duration (`30d`, `PT1H`, seconds), and resolves once it has arrived:
   * everything that fell due has happened at its own instant, and its events are ordered. Throws if the advance fails.
   */
  advance(to: Date | string | number): Promise<TestClock>;
  /** Runs everything that is due now, such as a payment without a delay; the clock stays where it is. */
  runDue(): Promise<TestClock>;
  /** Opens the account if there is none, and deposits minor units of an asset; default the first asset of the world. */
  fund(ref: string, amount: bigint | number | string, asset?: string): Promise<void>;
}

/** A database that is thrown away, with a first test tenant. */
export interface TestWorld extends TestTenant {
  /** The library. */
  readonly usance: Usance;
  /** Another test tenant of the same database, with its own clock: cheaper than another world. */
  createTenant(options?: Pick<TestWorldOptions, 'now' | 'assets'>): Promise<TestTenant>;
  /** Stops the loops and removes the database. */
  close(): Promise<void>;
}

/** The test clock of a world. */
export interface WorldClock {
  /** TypeID, `clk_…`. */
  readonly id: string;
  /** Its time after the last advance. */
  readonly now: Date;
}

const START = '2027-01-01T00:00:00.000Z';
/** A test clock runs payments, retries and schedules; the others order events and run jobs. */
const LOOPS = ['clocks', 'sequencer', 'matcher', 'jobs', 'rescuer'];

/** Creates the database, a test tenant and its clock, and starts the background loops in this process. */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const { processors = [], onNotice = () => undefined } = options;
  const database = options.databaseUrl ? schemaOn(options.databaseUrl) : await embeddedServer();
  const encryption = { key: newSecretKey() };
  const library = await createUsance({
    ...database.options,
    ...(processors.length > 0 ? { processors } : {}),
    onNotice,
    encryption,
    migrate: true,
  }).catch(async (error: unknown) => {
    await database.remove();
    throw error;
  });
  const close = async (): Promise<void> => {
    await database.beforeClose(engineOf(library));
    await library.close();
    await database.remove();
  };
  try {
    library.start(LOOPS);
    const first = await createTestTenant(library, options);
    return {
      ...first,
      usance: library,
      createTenant: (terms = {}) => createTestTenant(library, terms),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The database of a world, and its removal. */
interface WorldDatabase {
  readonly options: { readonly databaseUrl?: string; readonly schema?: string; readonly dataDir?: string };
  beforeClose(engine: Engine): Promise<void>;
  remove(): Promise<void>;
}

async function embeddedServer(): Promise<WorldDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'usance-test-'));
  // A server that root starts runs under an account that has to reach the folder.
  await chmod(folder, 0o755);
  return {
    options: { dataDir: join(folder, 'data') },
    beforeClose: async () => undefined,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function schemaOn(databaseUrl: string): WorldDatabase {
  const schema = `usance_test_${randomBytes(6).toString('hex')}`;
  return {
    options: { databaseUrl, schema },
    async beforeClose({ db, loops }) {
      await Promise.all(loops.map((loop) => loop.stop()));
      await db.query(`drop schema if exists ${schema}, ${schema}_docs, ${schema}_docs_test cascade`);
    },
    remove: async () => undefined,
  };
}

let tenants = 0;

async function createTestTenant(
  library: Usance,
  { now = START, assets = ['USD/2'] }: Pick<TestWorldOptions, 'now' | 'assets'>,
): Promise<TestTenant> {
  const shop = await library.tenants.create({ name: `test-${(tenants += 1)}`, kind: 'test' });
  const { id, now: begin } = await shop.testClocks.create({ name: 'test', now });
  const state = { now: new Date(begin) };
  for (const [index, asset] of assets.entries()) await shop.assets.create({ asset, default: index === 0 });
  const [defaultAsset = ''] = assets;

  const advance = async (to: Date | string | number): Promise<TestClock> => {
    await shop.testClocks.advance(id, { to: targetOf(to, state.now) });
    const clock = await arrived(shop, id);
    state.now = new Date(clock.now);
    if (clock.status !== 'failed') return clock;
    throw new Error(`the test clock stopped at ${clock.now}: ${clock.advance?.code} ${clock.advance?.detail}`);
  };
  const events = createEventRecorder(engineOf(library), shop);
  await events.clear();
  let deposits = 0;
  return {
    shop,
    clock: {
      id,
      get now() {
        return state.now;
      },
    },
    events,
    jobs: createJobRecorder(shop),
    advance,
    runDue: () => advance(state.now),
    async fund(ref, amount, asset = defaultAsset) {
      await shop.accounts.ensure({ ref });
      await shop.accounts.deposit(ref, { asset, amount }, { idempotencyKey: `test deposit ${(deposits += 1)}` });
    },
  };
}

/** An instant begins with a year, a duration does not. */
function targetOf(to: Date | string | number, now: Date): Date | string {
  if (to instanceof Date || (typeof to === 'string' && /^\d{4}-/.test(to))) return to;
  return new Date(now.getTime() + parseDelayMs(to, 'to'));
}

const EVERY_MS = 10;

/** Unlike `testClocks.wait`, it also waits until the events on the way are ordered and counted. */
async function arrived(shop: TenantHandle, id: string): Promise<TestClock> {
  for (;;) {
    const clock = await shop.testClocks.get(id);
    if (clock.status !== 'advancing' && clock.advance?.events) return clock;
    await pause(EVERY_MS);
  }
}
