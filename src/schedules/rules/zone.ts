// A time zone: from local time to instants and back. The facts are those of Node's own zone data (ICU), read through
// `Intl`, which is slow (microseconds an answer) and says only what the clocks show at an instant. So each year of a zone
// is explored once, by bisection between probes, and kept as the short list of its transitions.
import { refuse } from '../../kernel/index.ts';
import type { Local } from './local.ts';
import { DAY } from './local.ts';

/** From `at` on the clocks show UTC plus `offset`. */
interface Transition {
  readonly at: number;
  readonly offset: number;
}

/** A time without a turn, no longer than a year of UTC. */
interface Stretch extends Transition {
  readonly ends: number;
}

/** Clocks that go forward: the local times from `from` to `to` do not exist. */
export interface Gap {
  readonly from: Local;
  readonly to: Local;
}

/** No two transitions of any zone lie closer together (Morocco's Ramadan, the closest, is a month). */
const PROBE_MS = 4 * DAY;
/** Offsets lie between −12 and +14 hours; and whole days were left out where the date line moved. */
const REACH_MS = 38 * 60 * 60 * 1_000;

/**
 * Zones by the name that the runtime has for them, and spellings of those names: `europe/berlin` and `Europe/Berlin` are one zone.
 * Both are bounded, and the oldest go first: a formatter takes some 30 KB, and names come from outside.
 */
const zones = new Map<string, Zone>();
const spellings = new Map<string, string>();
/** All zones there are (some 450) fit. */
export const MOST_ZONES = 500;
export const MOST_SPELLINGS = 2_000;

/** How many zones and spellings are kept at the moment. */
export const zonesKept = (): { zones: number; spellings: number } => ({ zones: zones.size, spellings: spellings.size });

function touch<T>(kept: Map<string, T>, name: string, value: T, most: number): T {
  kept.delete(name);
  kept.set(name, value);
  if (kept.size > most) kept.delete(kept.keys().next().value ?? '');
  return value;
}

/** The zone of an IANA name: `Europe/Berlin`, `UTC`. */
export function zoneOf(name: string, param = 'zone'): Zone {
  const canonical = spellings.get(name);
  const known = canonical === undefined ? undefined : zones.get(canonical);
  if (known) return known;
  // An offset such as +01:00 is none: it does not know when its clocks change.
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) return unknownZone(name, param);
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return unknownZone(name, param);
  }
  const { timeZone } = clock.resolvedOptions();
  touch(spellings, name, timeZone, MOST_SPELLINGS);
  return touch(zones, timeZone, zones.get(timeZone) ?? new Zone(timeZone, clock), MOST_ZONES);
}

function unknownZone(name: unknown, param: string): never {
  return refuse('ZONE_UNKNOWN', { param, zone: String(name) });
}

export class Zone {
  readonly name: string;
  readonly #clock: Intl.DateTimeFormat;
  /** By year of UTC: the offset it begins with, then its transitions. */
  readonly #years = new Map<number, readonly Transition[]>();
  /** Whoever asks next mostly asks about the same season. */
  #asked: Stretch = { at: 0, ends: 0, offset: 0 };

  constructor(name: string, clock: Intl.DateTimeFormat) {
    this.name = name;
    this.#clock = clock;
  }

  toLocal(instant: number): Local {
    return instant + this.#stretchAt(instant).offset;
  }

  /**
   * When the clocks show this. A time that comes twice is the first of the two; one that is left out (the clocks went
   * forward over it) is as long after the transition as it would have been: 02:30 becomes 03:30.
   */
  toInstant(local: Local): { readonly at: number; readonly gap: Gap | null } {
    const { offset: before, ends } = this.#stretchAt(local - REACH_MS);
    if (local + REACH_MS < ends) return { at: local - before, gap: null };
    let offset = before;
    for (const turn of this.#between(local - REACH_MS, local + REACH_MS)) {
      const at = local - offset;
      if (at < turn.at) return { at, gap: null };
      if (local < turn.at + turn.offset) return { at, gap: { from: turn.at + offset, to: turn.at + turn.offset } };
      offset = turn.offset;
    }
    return { at: local - offset, gap: null };
  }

  #stretchAt(instant: number): Stretch {
    if (instant >= this.#asked.at && instant < this.#asked.ends) return this.#asked;
    const year = yearOf(instant);
    const turns = this.#year(year);
    const next = turns.findIndex((turn) => turn.at > instant);
    const last = turns.at(next === -1 ? -1 : next - 1) as Transition;
    this.#asked = { ...last, ends: turns[next]?.at ?? Date.UTC(year + 1, 0, 1) };
    return this.#asked;
  }

  #between(after: number, before: number): Transition[] {
    const found: Transition[] = [];
    for (let year = yearOf(after); year <= yearOf(before); year += 1) {
      for (const turn of this.#year(year).slice(1)) if (turn.at > after && turn.at <= before) found.push(turn);
    }
    return found;
  }

  #year(year: number): readonly Transition[] {
    const known = this.#years.get(year);
    if (known) return known;
    const begins = Date.UTC(year, 0, 1);
    const ends = Date.UTC(year + 1, 0, 1);
    const turns: Transition[] = [{ at: begins, offset: this.#observe(begins) }];
    let last = turns[0] as Transition;
    // What changes at the very beginning of a year is told by the year before, which looks that far.
    for (let probe = begins; probe < ends;) {
      const next = Math.min(probe + PROBE_MS, ends);
      const offset = this.#observe(next);
      if (offset !== last.offset) {
        last = { at: this.#turnsBetween(probe, next, last.offset), offset };
        turns.push(last);
      }
      probe = next;
    }
    this.#years.set(year, turns);
    return turns;
  }

  /** The first second in (from, to] whose offset is another than that of `from`. */
  #turnsBetween(from: number, to: number, offset: number): number {
    let [low, high] = [from / 1_000, to / 1_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#observe(middle * 1_000) === offset) low = middle;
      else high = middle;
    }
    return high * 1_000;
  }

  /** `1/31/2026, 09:00:00`, compared with what UTC would show. */
  #observe(instant: number): number {
    const [month, day, year, hour, minute, second] = this.#clock.format(instant).split(/\D+/).map(Number);
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
  }
}

function yearOf(instant: number): number {
  return new Date(instant).getUTCFullYear();
}
