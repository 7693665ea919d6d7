// Schedules of a test: verbs, scheduler and processor share a time that stands still until the test moves it.
import { IDENTITIES } from '../../src/access/index.ts';
import { NO_SECRETS } from '../../src/secrets/index.ts';
import type { Database, Sql } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { Counts, LoopDefinition } from '../../src/kernel/index.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import { DEFAULT_BOUNDS } from '../../src/payments/index.ts';
import type { Occurrence, ScheduleOrder, ScheduleVerbs, ScheduleView } from '../../src/schedules/index.ts';
import { formatLocal, scheduleVerbs, schedulerLoop } from '../../src/schedules/index.ts';
import { key, open } from '../support/books.ts';
import type { TestProcessor, TestTime } from '../support/processor.ts';
import { frozenTime, testProcessor } from '../support/processor.ts';

export interface ScheduleWorld {
  readonly time: TestTime & { to(instant: string): void };
  readonly verbs: ScheduleVerbs;
  readonly processor: TestProcessor;
  /** One run of the scheduler, until nothing is due. */
  tick(): Promise<Counts>;
  /** The same of a scheduler that was just started: it looks at everything from the beginning. */
  anotherTick(): Promise<Counts>;
  /** A schedule between two new accounts, the payer with that much. */
  schedule(order: Partial<ScheduleOrder> & Pick<ScheduleOrder, 'rule'>, funds?: number): Promise<ScheduleView & People>;
}

interface People {
  readonly payer: string;
  readonly payee: string;
}

let people = 0;

export function scheduleWorld(
  store: { readonly db: Database; readonly tenant: TenantHandle },
  start: string,
  options: { batchSize?: number; lanes?: number; onPoisoned?: (id: string, error: unknown) => void } = {},
): ScheduleWorld {
  const { db, tenant } = store;
  let now = Date.parse(start);
  const frozen = frozenTime(new Date(now));
  const time = {
    ...frozen,
    advance(ms: number): void {
      now += ms;
      frozen.advance(ms);
    },
    to(instant: string): void {
      time.advance(Date.parse(instant) - now);
    },
  };
  const context = {
    tenantId: tenant.id,
    caller: LIBRARY,
    identities: IDENTITIES,
    secrets: NO_SECRETS,
    sql: db,
    run: <T>(
      work: (
        tx: Parameters<Parameters<Database['transaction']>[0]>[0],
        clock: Awaited<ReturnType<TestTime['readClock']>>,
      ) => Promise<T>,
    ) => db.transaction(async (tx) => work(tx, await time.readClock(tx))),
  };
  const verbs = scheduleVerbs(
    { ...context, runUntimed: (work) => db.transaction(work), moment: time.readClock },
    DEFAULT_BOUNDS,
  );
  const scheduler = (): LoopDefinition =>
    schedulerLoop(db, { readClock: time.readClock, bounds: DEFAULT_BOUNDS, ...options });
  const runOnce = async (loop: LoopDefinition): Promise<Counts> =>
    (await loop.runOnce(new AbortController().signal, false)).counts;
  const loop = scheduler();
  return {
    time,
    verbs,
    processor: testProcessor(db, { time }),
    tick: () => runOnce(loop),
    anotherTick: () => runOnce(scheduler()),
    async schedule(order, funds = 100_000) {
      const [payer, payee] = [`payer-${(people += 1)}`, `payee-${people}`];
      await open(tenant, { [payer]: funds, [payee]: 0 });
      const made = await verbs.createSchedule({
        from: payer,
        to: payee,
        asset: 'USD',
        amount: 100,
        ...order,
        idempotencyKey: key(),
      });
      return { ...made, payer, payee };
    },
  };
}

/** `2026-01-31 made`, `2026-02-01 skipped missed 3`: oldest first. */
export function told(occurrences: readonly Occurrence[]): string[] {
  return occurrences
    .toReversed()
    .map(({ slot, status, reason, slots }) =>
      [formatLocal(slot).replace('T00:00:00', ''), status, reason ?? '', slots > 1 ? slots : '']
        .join(' ')
        .trim()
        .replaceAll('  ', ' '),
    );
}

/** The data of its events of a type, oldest first. */
export async function eventsOf(sql: Sql, id: string, type: string): Promise<unknown[]> {
  const rows = await sql.query(
    `select data from usance.events where resource_id = $1::uuid and type = $2::text order by id`,
    [id, type],
  );
  return rows.map((row) => row['data']);
}

/** So that the next test's scheduler finds its own schedules only. */
export async function stopAll(tenant: TenantHandle): Promise<void> {
  for (const { id } of await tenant.schedules({ status: 'active' }, { limit: 1_000 })) await tenant.cancelSchedule(id);
}

/** Runs what is due, and settles it. */
export async function live(world: ScheduleWorld, ms: number): Promise<void> {
  world.time.advance(ms);
  await world.tick();
  await world.processor.drain();
}

export const slotsAhead = async (world: ScheduleWorld, id: string, count: number): Promise<string[]> =>
  (await world.verbs.upcoming(id, count)).map(({ slot }) => slot);
