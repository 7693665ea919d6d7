// When a schedule runs: its rule, in its zone, from its start to its end, without what is excluded, moved to business days.
//
// A *slot* is a nominal local date and time (of a fixed period: of UTC). It is known by that alone: the nth one is
// computed from the anchor, never from the one before, so Jan 31 → Feb 28 → Mar 31, and a restart changes nothing. The
// instant it runs at follows: the first of two where the clocks go back; as long after the transition where they went
// forward over it, unless a later slot runs at or before that, which then stands for it. A later slot that `count`, `until`,
// an exclusion or a business day removed stands for nothing. So slots are in the order of their instants, and an hourly rule
// runs once an hour.
import { refuse, together, unlessRefused } from '../../kernel/index.ts';
import type { BusinessDays, BusinessDaysInput } from './business-days.ts';
import { LONGEST_SHIFT_DAYS, businessDays } from './business-days.ts';
import type { Local } from './local.ts';
import { DAY, HORIZON, SECOND, countUpTo, dayOf, formatLocal, hasTime, parseLocal } from './local.ts';
import type { MonthEnd, Rule, RuleInput } from './rule.ts';
import { parseRule } from './rule.ts';
import type { Zone } from './zone.ts';
import { zoneOf } from './zone.ts';

export interface TimingInput {
  readonly rule: RuleInput;
  /** IANA name, default `UTC`. */
  readonly zone?: string;
  /** Local date or date and time: the anchor that everything is counted from. Default: now. */
  readonly start?: string;
  /** Local date (its whole day counts) or date and time: no slot after it. */
  readonly until?: string;
  /**
   * No slot after this many, counted from the start; what is excluded counts too. Without a start, counted from the first slot that
   * will run: `count: 12` is twelve runs.
   */
  readonly count?: number;
  /** Local dates, or dates and times. */
  readonly exclude?: readonly string[];
  /** A 31st in a month without: its last day, or none. Default: `clamp`, of an RRULE `skip`. */
  readonly monthEnd?: MonthEnd;
  readonly businessDays?: BusinessDaysInput;
}

/** Everything that says when; kept as it was given, with the start filled in. */
export interface Timing extends TimingInput {
  readonly zone: string;
  readonly start: string;
  /** Where no start was given: the nominal time of the first slot that runs, which is ordinal 1. There is none before it. */
  readonly countedFrom?: string;
}

export interface Slot {
  readonly local: Local;
  /** 1 is the first slot from the start on. */
  readonly ordinal: number;
  /** When it runs, in milliseconds. */
  readonly at: number;
}

/** How far behind its nominal time the clocks may put a slot; the date line once took a whole day. */
const LONGEST_GAP = 26 * 60 * 60 * 1_000;
/** How much the clocks of a zone may go forward within a day that is left out; the date line aside. */
const LONGEST_TURN = 3 * 60 * 60 * 1_000;
const MOST_EXCLUDED = 1_000;
const MOST_COUNT = 1_000_000;

/** Fills in what was left out. A rule without a start is anchored to now, and counted from its first slot after that. */
export function fillTiming(input: TimingInput, now: Date): Timing {
  requireReadable(input, now);
  const zone = input.zone ?? 'UTC';
  if (input.start !== undefined) return { ...input, zone, start: input.start };
  const local = zoneOf(zone).toLocal(now.getTime());
  // A rule of days begins with a day; a period begins now.
  const start = 'everySeconds' in input.rule ? Math.floor(local / SECOND) * SECOND : dayOf(local) * DAY;
  const anchored = { ...input, zone, start: formatLocal(start) };
  const first = new Timetable(anchored, { uncounted: true }).after(now.getTime());
  return first ? { ...anchored, countedFrom: formatLocal(first.local) } : anchored;
}

/** Refuses the fields that cannot be read, all at once. How they fit together is checked by the timetable. */
function requireReadable(input: TimingInput, now: Date): void {
  const { start, monthEnd } = input;
  const readZone = (): Zone => zoneOf(input.zone ?? 'UTC');
  const readStart = (): Local | null => (start === undefined ? null : parseLocal(start, 'start'));
  const zone = unlessRefused(readZone);
  const anchor = unlessRefused(readStart) ?? now.getTime();
  together({
    zone: readZone,
    start: readStart,
    // An RRULE names instants of its zone, and is not read without it; other rules can be read in any.
    rule: () =>
      zone !== null || !('rrule' in input.rule)
        ? parseRule(input.rule, { zone: zone ?? zoneOf('UTC'), anchor, monthEnd })
        : null,
    until: () => (input.until === undefined ? null : parseLocal(input.until, 'until', 'ends')),
    count: () => parseCount(input.count),
    exclude: () => (input.exclude ?? []).slice(0, MOST_EXCLUDED).map((text) => parseLocal(text, 'exclude')),
    businessDays: () => (input.businessDays === undefined ? null : businessDays(input.businessDays)),
  });
}

export class Timetable {
  readonly zone: Zone;
  /** Nominal time of the start; of a fixed period in UTC. */
  readonly #anchor: Local;
  /** There is no slot before this one; it is the anchor, or the first slot that counts. */
  readonly #begin: Local;
  readonly #rule: Rule;
  readonly #last: Local;
  readonly #count: number;
  readonly #excluded: ReadonlySet<Local>;
  readonly #excludedDays: ReadonlySet<number>;
  readonly #business: BusinessDays | null;

  /** Refuses what cannot be read, and what would never run. `uncounted` leaves out `count`, and the rule's own. */
  constructor(timing: Timing, options: { readonly uncounted?: boolean } = {}) {
    this.zone = zoneOf(timing.zone);
    const start = parseLocal(timing.start, 'start');
    this.#rule = parseRule(timing.rule, { zone: this.zone, anchor: start, monthEnd: timing.monthEnd });
    this.#anchor = this.#nominal(start);
    this.#begin =
      timing.countedFrom === undefined
        ? this.#anchor
        : Math.max(this.#anchor, parseLocal(timing.countedFrom, 'countedFrom'));
    const own = this.#rule.kind === 'calendar' ? this.#rule : { until: null, count: null, excluded: [] };
    if ((own.until ?? own.count) !== null && (timing.until ?? timing.count) !== undefined) {
      refuse('RULE_INVALID/ends_twice', { param: timing.until === undefined ? 'count' : 'until' });
    }
    if (timing.until !== undefined && timing.count !== undefined) {
      refuse('RULE_INVALID/until_and_count', { param: 'count' });
    }
    const until = timing.until === undefined ? own.until : parseLocal(timing.until, 'until', 'ends');
    if (until !== null && until < start) {
      refuse('END_BEFORE_START', { end: formatLocal(until), start: formatLocal(start), param: 'until' });
    }
    this.#last = until === null ? HORIZON : this.#nominal(until);
    const counted = parseCount(timing.count) ?? own.count ?? Infinity;
    this.#count = options.uncounted ? Infinity : counted;
    const exclude = timing.exclude ?? [];
    if (exclude.length + own.excluded.length > MOST_EXCLUDED) {
      refuse('RULE_INVALID/too_many', { max: MOST_EXCLUDED, param: 'exclude' });
    }
    const given = exclude.map((text) => {
      const local = parseLocal(text, 'exclude');
      return hasTime(text) ? { local } : { day: dayOf(local) };
    });
    const excluded = [...given, ...own.excluded];
    this.#excluded = new Set(excluded.flatMap((each) => ('local' in each ? [each.local] : [])));
    this.#excludedDays = new Set(excluded.flatMap((each) => ('day' in each ? [each.day] : [])));
    this.#business = timing.businessDays === undefined ? null : businessDays(timing.businessDays);
    this.#requireMovable();
    if (this.first() === null) {
      refuse('RULE_NEVER_FIRES/no_date', { param: 'rule' });
    }
  }

  first(): Slot | null {
    return this.next({ local: this.#begin - 1, ordinal: 0 });
  }

  /** The slot after one. Where it would run after `until` it is not looked for any further, and may be null. */
  next(slot: Pick<Slot, 'local' | 'ordinal'>, until = Infinity): Slot | null {
    let { local, ordinal } = slot;
    // A slot runs at most so long before its nominal time, moved to a business day or put there by the clocks.
    const lastDay = until < HORIZON ? dayOf(until) + LONGEST_SHIFT_DAYS + 3 : undefined;
    for (;;) {
      const nominal = this.#nextNominal(local, lastDay);
      if (nominal === null || nominal > this.#last || ordinal >= this.#count) return null;
      local = nominal;
      ordinal += 1;
      const at = this.#instantOf(local, ordinal);
      if (at !== null) return { local, ordinal, at };
      const skipped = this.#restOfDay(local);
      if (skipped.slots === 0) continue;
      local = skipped.local;
      ordinal += skipped.slots;
    }
  }

  /**
   * Where the whole day of a slot is left out, the day's slots after it and the last of them: a day is looked at once, not once
   * for each of its minutes.
   */
  #restOfDay(local: Local): { readonly local: Local; readonly slots: number } {
    const rule = this.#rule;
    const shown = rule.kind === 'period' ? this.zone.toLocal(local) : local;
    const day = dayOf(shown);
    const isOut = this.#excludedDays.has(day) || this.#business?.dayFor(day) === null;
    if (!isOut) return { local, slots: 0 };
    if (rule.kind === 'period') {
      // A day has 23 hours at least; where it has more, the rest is looked at slot by slot.
      const slots = Math.max(0, Math.floor(((day + 1) * DAY - shown - LONGEST_TURN) / rule.periodMs));
      return { local: local + slots * rule.periodMs, slots };
    }
    const slots = rule.times.length - countUpTo(rule.times, local - day * DAY);
    return slots === 0 ? { local, slots } : { local: day * DAY + (rule.times.at(-1) ?? 0), slots };
  }

  /** The first slot that runs after an instant and whose nominal time is after `local`. */
  after(instant: number, local = -Infinity): Slot | null {
    const moved = this.#business?.shift === 'next' ? (LONGEST_SHIFT_DAYS + 1) * DAY : 0;
    const from = Math.max(this.localAt(instant) - LONGEST_GAP - moved, this.#begin - 1, local);
    let slot = this.next({ local: from, ordinal: this.#countThrough(from) });
    while (slot && slot.at <= instant) slot = this.next(slot);
    return slot;
  }

  /** The nominal time that is shown at an instant. */
  localAt(instant: number): Local {
    return this.#rule.kind === 'period' ? instant : this.zone.toLocal(instant);
  }

  /** A nominal time as a place to go on from. */
  placeAt(local: Local): Pick<Slot, 'local' | 'ordinal'> {
    return { local, ordinal: this.#countThrough(local) };
  }

  /** The slots from one nominal time to another, at most so many. */
  between(from: Local, to: Local, most: number): Slot[] {
    const found: Slot[] = [];
    const begins = Math.max(from, this.#begin) - 1;
    let slot = this.next({ local: begins, ordinal: this.#countThrough(begins) });
    for (; slot && slot.local <= to && found.length < most; slot = this.next(slot)) found.push(slot);
    return found;
  }

  /** What the rule counts in, of a local time. */
  #nominal(local: Local): Local {
    return this.#rule.kind === 'period' ? this.zone.toInstant(local).at : local;
  }

  #nextNominal(after: Local, lastDay?: number): Local | null {
    const rule = this.#rule;
    if (rule.kind === 'period') {
      const from = Math.max(after + 1, this.#begin);
      const next = this.#anchor + Math.ceil((from - this.#anchor) / rule.periodMs) * rule.periodMs;
      return next < HORIZON ? next : null;
    }
    const from = Math.max(after + 1, this.#begin);
    const today = dayOf(from);
    let day = rule.days.next(today, lastDay);
    if (day === today) {
      const time = rule.times[countUpTo(rule.times, from - today * DAY - 1)];
      if (time !== undefined) return today * DAY + time;
      day = rule.days.next(today + 1, lastDay);
    }
    return day === null ? null : day * DAY + (rule.times[0] ?? 0);
  }

  /** How many nominal slots there are from the anchor through a time. */
  #countThrough(local: Local): number {
    return this.#countBetween(this.#begin, local);
  }

  /** How many nominal slots there are from one time through another; the first is not before the begin. */
  #countBetween(from: Local, local: Local): number {
    if (local < from) return 0;
    const rule = this.#rule;
    if (rule.kind === 'period') {
      const before = Math.ceil((from - this.#anchor) / rule.periodMs);
      return Math.max(0, Math.floor((local - this.#anchor) / rule.periodMs) - before + 1);
    }
    const upTo = (time: number): number => countUpTo(rule.times, time);
    const [firstDay, lastDay] = [dayOf(from), dayOf(local)];
    let days = 0;
    let day = rule.days.next(firstDay);
    const beforeFirst = day === firstDay ? upTo(from - firstDay * DAY - 1) : 0;
    for (; day !== null && day < lastDay; day = rule.days.next(day + 1)) days += 1;
    const onLast = day === lastDay ? upTo(local - lastDay * DAY) : 0;
    return days * rule.times.length + onLast - beforeFirst;
  }

  /** Null where the slot does not run. */
  #instantOf(local: Local, ordinal: number): number | null {
    // Exclusions and business days are of the zone, also where the rule is not.
    const shown = this.#rule.kind === 'period' ? this.zone.toLocal(local) : local;
    if (this.#excluded.has(shown) || this.#excludedDays.has(dayOf(shown))) return null;
    const day = this.#business === null ? dayOf(shown) : this.#business.dayFor(dayOf(shown));
    if (day === null) return null;
    if (this.#rule.kind === 'period') return local;
    const { at, gap } = this.zone.toInstant(local + (day - dayOf(local)) * DAY);
    if (gap === null || day !== dayOf(local)) return at;
    return this.#givesWay({ local, ordinal, at }, gap.to) ? null : at;
  }

  /** Whether a slot after the gap runs at or before the instant of a slot in the gap. */
  #givesWay(slot: Slot, gapEnds: Local): boolean {
    let later = this.#nextNominal(gapEnds - 1);
    while (later !== null && later <= this.#last && this.zone.toInstant(later).at <= slot.at) {
      const ordinal = slot.ordinal + this.#countBetween(slot.local + 1, later);
      if (ordinal > this.#count) return false;
      const at = this.#instantOf(later, ordinal);
      if (at !== null && at <= slot.at) return true;
      later = this.#nextNominal(this.#restOfDay(later).local);
    }
    return false;
  }

  /** Several times on one day, moved to another that has its own, would be out of order. */
  #requireMovable(): void {
    const shift = this.#business?.shift;
    if (shift === undefined || shift === 'skip') return;
    if (this.#rule.kind === 'period' || this.#rule.times.length > 1) {
      const param = 'businessDays.shift';
      refuse('RULE_INVALID/shift_several_times', { shift: param, param });
    }
  }
}

function parseCount(count: number | undefined): number | undefined {
  if (count === undefined || (Number.isSafeInteger(count) && count >= 1 && count <= MOST_COUNT)) return count;
  return refuse('RULE_INVALID/not_whole_number', { param: 'count', min: 1, max: MOST_COUNT });
}
