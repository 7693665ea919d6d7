// Days on which money moves, and where a slot goes that falls on another.
import { refuse } from '../../kernel/index.ts';
import { DAY, parseLocal, weekdayOf } from './local.ts';
import { parseWeekday } from './rrule.ts';

export const SHIFTS = ['skip', 'next', 'previous'] as const;
export type Shift = (typeof SHIFTS)[number];

export interface BusinessDaysInput {
  readonly shift: Shift;
  /** Dates: `2026-12-25`. At most 1,000. */
  readonly holidays?: readonly string[];
  /** Default: SA and SU. */
  readonly weekend?: readonly string[];
}

/** What a slot of a day becomes: another day, the same, or nothing. */
export interface BusinessDays {
  readonly shift: Shift;
  dayFor(day: number): number | null;
}

const HOLIDAYS = 'businessDays.holidays';
const WEEKEND = 'businessDays.weekend';
const MOST_HOLIDAYS = 1_000;
/** Nobody's holidays last longer; and it bounds how far a slot can be moved. */
export const LONGEST_SHIFT_DAYS = 30;

export function businessDays(input: BusinessDaysInput): BusinessDays {
  const { shift, holidays = [], weekend = ['SA', 'SU'] } = input;

  if (!SHIFTS.includes(shift)) refuse('RULE_INVALID/one_of', { param: 'businessDays.shift', allowed: SHIFTS });
  if (holidays.length > MOST_HOLIDAYS) refuse('RULE_INVALID/too_many', { param: HOLIDAYS, max: MOST_HOLIDAYS });
  const closedWeekdays = new Set(weekend.map((name) => parseWeekday(name, WEEKEND).weekday));
  if (closedWeekdays.size > 6) refuse('RULE_NEVER_FIRES/no_weekday', { param: WEEKEND });
  const closed = new Set(holidays.map((text) => Math.floor(parseLocal(text, HOLIDAYS) / DAY)));
  const open = (day: number): boolean => !closedWeekdays.has(weekdayOf(day)) && !closed.has(day);
  const search = (day: number, step: 1 | -1): number | null => {
    for (let moved = 0; moved <= LONGEST_SHIFT_DAYS; moved += 1)
      if (open(day + moved * step)) return day + moved * step;
    return null;
  };
  for (const day of closed) {
    if (search(day, 1) === null || search(day, -1) === null) {
      refuse('RULE_INVALID/holidays_too_long', { param: HOLIDAYS, max: LONGEST_SHIFT_DAYS });
    }
  }
  return {
    shift,
    dayFor: (day) => (shift === 'skip' ? (open(day) ? day : null) : search(day, shift === 'next' ? 1 : -1)),
  };
}
