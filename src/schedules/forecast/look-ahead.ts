// Tells of shortfalls before they happen: every payer of what is due within a horizon is projected, a slice at a time, and the
// first payment that will lack money is told, once, as `account.shortfall_expected`. A look moves nothing and holds nothing up.
//
//   two look at once          they meet on the key of `shortfalls`: one of them tells
//   money comes, or it ends   the row goes; if the same is expected again later, that is told again
//   a pass is slow            a slice a second, so that a hundred thousand schedules take some two minutes, and little of anything else
//   a test clock              is looked at when it has arrived, by its own time, in the transaction that says so
import type { Database, Transaction } from '../../db/index.ts';
import { isLastingError } from '../../db/index.ts';
import type { Fact } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, LoopDefinition, Uuid } from '../../kernel/index.ts';
import { NIL_UUID, MAX_AMOUNT, SYSTEM } from '../../kernel/index.ts';
import { derivedAccount } from '../../ledger/index.ts';
import { payersOfPayments } from '../../payments/index.ts';
import type { Paces } from '../pace.ts';
import type { Window } from './gather.ts';
import { gather } from './gather.ts';
import type { Line } from './project.ts';
import { project } from './project.ts';
import type { Expected } from './store.ts';
import { noteShortfalls, payersOfSchedules } from './store.ts';

export interface LookAheadOptions {
  /** How long before it happens a shortfall is told, in milliseconds. */
  readonly horizonMs: number;
  readonly paces: Paces;
  /** Told of an account that could not be projected. */
  readonly onSetAside?: (accountId: Uuid, error: unknown) => void;
  /** Live time; read inside the transaction of a slice. */
  readonly readClock: (tx: Transaction) => Promise<Clock>;
}

/** In what is looked for payers, one after the other. */
const SOURCES = [payersOfSchedules, payersOfPayments] as const;
/** Due rows in one slice; of each of their payers the newest so many payments and schedules are looked at. */
const SLICE = 1_000;
const MOST: Window['most'] = { payments: 1_000, schedules: 100, lines: 1_000 };
const PAUSE_BETWEEN_SLICES_MS = 1_000;
const PAUSE_BETWEEN_PASSES_MS = 60_000;
/** Of a test clock that has arrived: slices at most. */
const MOST_SLICES = 20;
const FIRST = { tenantId: NIL_UUID, id: NIL_UUID };

interface Place {
  readonly source: number;
  readonly after: { readonly tenantId: Uuid; readonly id: Uuid };
}
const BEGINNING: Place = { source: 0, after: FIRST };

export function lookAheadLoop(db: Database, options: LookAheadOptions): LoopDefinition {
  let place: Place | null = BEGINNING;
  return {
    name: 'forecast',
    pollMs: PAUSE_BETWEEN_PASSES_MS,
    async runOnce() {
      const from = place ?? BEGINNING;
      const done = await db.transaction(async (tx) => lookAt(tx, await options.readClock(tx), from, options), {
        probes: true,
      });
      place = done.next;
      const counts = { looked: done.looked, told: done.told, passes: place ? 0 : 1 };
      return { counts, nextInMs: place ? PAUSE_BETWEEN_SLICES_MS : PAUSE_BETWEEN_PASSES_MS };
    },
  };
}

/** A test clock has arrived: everything of it is looked at. */
export async function lookAheadOfClock(
  tx: Transaction,
  clock: Clock,
  options: Omit<LookAheadOptions, 'readClock'>,
): Promise<void> {
  let place: Place | null = BEGINNING;
  for (let slices = 0; place && slices < MOST_SLICES; slices += 1)
    place = (await lookAt(tx, clock, place, options)).next;
}

async function lookAt(
  tx: Transaction,
  clock: Clock,
  { source, after }: Place,
  options: Omit<LookAheadOptions, 'readClock'>,
): Promise<{ looked: number; told: number; next: Place | null }> {
  const until = new Date(clock.now.getTime() + options.horizonMs);
  const rows = (await SOURCES[source]?.(tx, clock.clockId, { after, until, limit: SLICE })) ?? [];
  const payers = rows.flatMap(({ tenantId, payerId }) =>
    payerId !== null && derivedAccount(tenantId, payerId) === null ? [{ tenantId, payerId }] : [],
  );
  let [looked, told] = [0, 0];
  for (const [tenantId, own] of Map.groupBy(payers, (row) => row.tenantId)) {
    const ids = [...new Set(own.map(({ payerId }) => payerId))];
    looked += ids.length;
    told += await tellApart(tx, clock, tenantId, ids, { ...options, until });
  }
  const last = rows.at(-1);
  const following = source + 1 < SOURCES.length ? { source: source + 1, after: FIRST } : null;
  return { looked, told, next: last && rows.length === SLICE ? { source, after: last } : following };
}

/** All accounts of a tenant at once; where that throws each alone, and the one to blame is reported and left out. */
async function tellApart(
  tx: Transaction,
  clock: Clock,
  tenantId: Uuid,
  ids: readonly Uuid[],
  options: Omit<LookAheadOptions, 'readClock'> & { readonly until: Date },
): Promise<number> {
  try {
    return await tx.savepoint((inner) => tellOf(inner, clock, tenantId, ids, options));
  } catch (error) {
    if (!isLastingError(error)) throw error;
    const [id] = ids;
    if (id !== undefined && ids.length === 1) {
      options.onSetAside?.(id, error);
      return 0;
    }
    let told = 0;
    for (const each of ids) told += await tellApart(tx, clock, tenantId, [each], options);
    return told;
  }
}

async function tellOf(
  tx: Transaction,
  clock: Clock,
  tenantId: Uuid,
  ids: readonly Uuid[],
  { until, paces }: { until: Date; paces: Paces },
): Promise<number> {
  const window = { now: clock.now, until, most: MOST, untriedOnly: true };
  const ahead = await gather(tx, tenantId, ids, window, paces);
  const expected = [...ahead].flatMap(([accountId, { funds, flows }]) =>
    [...funds].flatMap(([asset, own]): (Expected & { line: Line })[] => {
      const { shortfall } = project(
        own,
        flows.filter((flow) => flow.asset === asset),
      );
      // What is due now is not expected: it happens.
      if (!shortfall || shortfall.line.at <= clock.now.getTime()) return [];
      const { line, missing } = shortfall;
      // Everything ahead may come to more than an amount can be: then that much is lacking at least.
      const least = missing > MAX_AMOUNT ? MAX_AMOUNT : missing;
      return [{ accountId, asset, at: new Date(line.at), missing: least, line }];
    }),
  );
  const fresh = await noteShortfalls(tx, tenantId, ids, expected, clock.now);
  const facts = expected.flatMap((each): Fact[] => (fresh.has(each.accountId + each.asset) ? [factOf(each)] : []));
  await appendEvents(tx, facts);
  return facts.length;

  function factOf({ accountId, asset, at, missing, line }: Expected & { line: Line }): Fact {
    const cause = line.paymentId === null ? { scheduleId: line.scheduleId } : { paymentId: line.paymentId };
    const data = { asset, at: at.toISOString(), missing, amount: -line.amount, ...cause };
    const about = { tenantId, resource: 'account', resourceId: accountId, occurredAt: clock.now };
    return { ...SYSTEM, ...about, type: 'account.shortfall_expected', data };
  }
}
