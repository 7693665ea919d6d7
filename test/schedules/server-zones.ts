// The same questions to PostgreSQL, which has its own zone data and its own code for it: what the clocks of a zone show all
// through the years, and when a monthly rule runs whose time of day is one that some transition leaves out or repeats.
import type { Sql } from '../../src/db/index.ts';
import { Timetable, formatLocal, zoneOf } from '../../src/schedules/rules/index.ts';

export interface Difference {
  readonly zone: string;
  readonly what: string;
  readonly ours: string;
  readonly server: string;
}

export interface Compared {
  readonly instants: number;
  readonly slots: number;
  readonly transitions: number;
  readonly differences: readonly Difference[];
}

/** The last is of a yearly rule. */
const ANCHORS = ['01-28', '01-29', '01-30', '01-31', '02-29'];

/** `firstYear` has a 29th of February. */
export async function compareZone(sql: Sql, zone: string, firstYear: number, lastYear: number): Promise<Compared> {
  const offsets = await serverOffsets(sql, zone, firstYear, lastYear);
  const differences: Difference[] = [];
  const note = (what: string, ours: string, server: string): void => {
    if (ours !== server) differences.push({ zone, what, ours, server });
  };
  // Where the server's offset changes between two looks, ours must too, and nowhere else.
  const ours = zoneOf(zone);
  for (const { at, offset } of offsets) {
    note(`offset at ${new Date(at).toISOString()}`, String(ours.toLocal(at) - at), String(offset));
  }
  const turns = offsets.flatMap(({ at, offset }, index) => {
    const before = offsets[index - 1];
    return before && before.offset !== offset ? [transitionOf(zone, before.at, at)] : [];
  });
  const times = new Set(turns.flatMap(timesAround));
  let slots = 0;
  for (const anchor of ANCHORS) {
    for (const time of times) {
      slots += await compareSlots(sql, zone, `${firstYear}-${anchor}T${time}`, lastYear, note);
    }
  }
  return { instants: offsets.length, slots, transitions: turns.length, differences };
}

/** Noon and midnight of every day. */
async function serverOffsets(
  sql: Sql,
  zone: string,
  firstYear: number,
  lastYear: number,
): Promise<{ at: number; offset: number }[]> {
  const rows = await sql.query(
    `select (extract(epoch from t) * 1000)::bigint::text as at,
            (extract(epoch from (t at time zone $1::text) - (t at time zone 'UTC')) * 1000)::bigint::text as shift
     from generate_series(make_timestamptz($2::int, 1, 1, 0, 0, 0, 'UTC'), make_timestamptz($3::int, 12, 31, 0, 0, 0, 'UTC'),
                          interval '12 hours') t`,
    [zone, firstYear, lastYear],
  );
  return rows.map((row) => ({ at: Number(row['at']), offset: Number(row['shift']) }));
}

/** Local times of day just before, inside and just after what the clocks leave out or repeat. */
function timesAround({ from, to }: { from: number; to: number }): string[] {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  return [low - 1_000, low, (low + high) / 2, high - 1_000, high].map((local) =>
    formatLocal(Math.floor(local / 1_000) * 1_000).slice(11),
  );
}

/** What the clocks show as they are changed, and what they show then. */
function transitionOf(zone: string, after: number, before: number): { from: number; to: number } {
  const ours = zoneOf(zone);
  let [low, high] = [after, before];
  const shift = (at: number): number => ours.toLocal(at) - at;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shift(middle) === shift(after)) low = middle;
    else high = middle;
  }
  return { from: high + shift(after), to: high + shift(high) };
}

/** Every month or year, on the anchor's day or the last one: the first of two instants, and as much later in a gap. */
async function compareSlots(
  sql: Sql,
  zone: string,
  start: string,
  lastYear: number,
  note: (what: string, ours: string, server: string) => void,
): Promise<number> {
  const yearly = start.slice(5, 10) === '02-29';
  const rows = await sql.query(
    `with months as (
       select m, m + make_interval(days => least($3::int, extract(day from m + interval '1 month' - interval '1 day')::int) - 1) + $4::time as slot
       from generate_series(date_trunc('month', $2::timestamp), make_timestamp($5::int, 12, 1, 0, 0, 0), $6::interval) m
     ), said as (
       select slot, slot at time zone $1::text as at from months
     ), earlier as (
       -- Of two instants the server takes the second: the other is what the offset of the day before says.
       select slot, at, (slot - ((at - interval '30 hours') at time zone $1::text - (at - interval '30 hours') at time zone 'UTC')) at time zone 'UTC' as other
       from said
     )
     select to_char(slot, 'YYYY-MM-DD"T"HH24:MI:SS') as slot,
            (extract(epoch from case when other < at and other at time zone $1::text = slot then other else at end) * 1000)::bigint::text as at
     from earlier where slot >= $2::timestamp order by slot`,
    [zone, start, Number(start.slice(8, 10)), start.slice(11), lastYear, yearly ? '1 year' : '1 month'],
  );
  const table = new Timetable({ zone, start, rule: { frequency: yearly ? 'YEARLY' : 'MONTHLY' } });
  let slot = table.first();
  for (const row of rows) {
    note(
      `slot of ${start}`,
      slot ? `${formatLocal(slot.local)} at ${slot.at}` : 'none',
      `${String(row['slot'])} at ${String(row['at'])}`,
    );
    slot = slot && table.next(slot);
  }
  return rows.length;
}

/** The zones that both sides know. */
export async function commonZones(sql: Sql): Promise<string[]> {
  const rows = await sql.query(`select name from pg_timezone_names order by name`);
  const theirs = new Set(rows.map((row) => String(row['name'])));
  return Intl.supportedValuesOf('timeZone').filter((zone) => theirs.has(zone));
}
