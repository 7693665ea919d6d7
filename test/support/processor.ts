// Processors of a test: they run when told to, at a time that the test says. Time is the database's, moved ahead by as
// much as the test wants, so that a day passes in no time and real and moved instants stay in order.
import type { Database, Sql } from '../../src/db/index.ts';
import { asDate, only } from '../../src/db/index.ts';
import type { Clock, Counts } from '../../src/kernel/index.ts';
import { liveAt } from '../../src/kernel/index.ts';
import type { ProcessorOptions } from '../../src/payments/index.ts';
import { processorLoop } from '../../src/payments/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';

export interface TestTime {
  /** Moves time ahead. */
  advance(ms: number): void;
  readonly readClock: (sql: Sql) => Promise<Clock>;
}

export function testTime(): TestTime {
  let aheadMs = 0;
  return {
    advance(ms) {
      aheadMs += ms;
    },
    async readClock(sql) {
      const row = only(await sql.query(`select date_trunc('milliseconds', clock_timestamp()) as now`));
      return liveAt(new Date(asDate(row['now']).getTime() + aheadMs));
    },
  };
}

/** Time that stands still until it is moved: for what has to be right to the millisecond. */
export function frozenTime(start: Date): TestTime {
  let now = start.getTime();
  return {
    advance(ms) {
      now += ms;
    },
    readClock: () => Promise.resolve(liveAt(new Date(now))),
  };
}

export interface TestProcessor extends TestTime {
  /** One run of the loop. */
  run(): Promise<Counts>;
  /** Runs until nothing is due, and returns the sum. */
  drain(): Promise<Counts>;
  /** Moves time ahead, then drains. */
  drainAfter(ms: number): Promise<Counts>;
}

export function testProcessor(
  db: Database,
  options: Partial<Omit<ProcessorOptions, 'readClock'>> & { time?: TestTime } = {},
): TestProcessor {
  const { time = testTime(), ...rest } = options;
  const loop = processorLoop(db, { simulateFailures: 0, ownerRules: OWNER_RULES, ...rest, readClock: time.readClock });
  const run = async (): Promise<Counts> => (await loop.runOnce(new AbortController().signal, false)).counts;
  const drain = async (): Promise<Counts> => {
    const total: Record<string, number> = {};
    for (;;) {
      const counts = await run();
      for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
      if (counts['claimed'] === 0 && counts['woken'] === 0) return total;
    }
  };
  return {
    ...time,
    run,
    drain,
    async drainAfter(ms) {
      time.advance(ms);
      return drain();
    },
  };
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
