// Instants and delays as people write them.
import { refuse } from '../kernel/index.ts';

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;
/** Beyond the year 9999 an instant is written in a way that PostgreSQL does not read. */
const FIRST_MS = Date.UTC(1970, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);

/** With `isFilter` it is no time of a payment: one out of range is refused as a field, and not as a delay. */
export function parseInstant(input: Date | string, param: string, { isFilter = false } = {}): Date {
  const instant = input instanceof Date ? input : isCalendarDay(RFC_3339.exec(input)?.[1]) ? new Date(input) : null;
  if (instant && instant.getTime() >= FIRST_MS && instant.getTime() <= LAST_MS) return instant;
  if (isFilter && instant && !Number.isNaN(instant.getTime()))
    refuse('FIELD_INVALID/instant_out_of_range', { param, min: new Date(FIRST_MS), max: new Date(LAST_MS) });
  return refuse('DELAY_INVALID/not_an_instant', { param });
}

/** JavaScript reads the 30th of February as the 2nd of March; a payment should not move by itself. */
function isCalendarDay(day: string | undefined): boolean {
  if (day === undefined) return false;
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

const SHORT = /^(\d{1,9})(s|m|h|d)$/;
const SHORT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
// Days and smaller: a month has no fixed length, and a delay is a length of time.
const ISO =
  /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$/;

/** Whole seconds as a number or its digits, `48h`, or an ISO 8601 duration of weeks and smaller. In milliseconds. */
export function parseDelayMs(input: string | number, param = 'delay'): number {
  if (typeof input === 'number') {
    if (Number.isSafeInteger(input) && input < 0) refuse('DELAY_OUT_OF_RANGE/negative', { param });
    if (Number.isSafeInteger(input)) return input * 1_000;
  } else {
    if (/^\d{1,9}$/.test(input)) return Number(input) * 1_000;
    const short = SHORT.exec(input);
    if (short) return Number(short[1]) * SHORT_SECONDS[short[2] as keyof typeof SHORT_SECONDS] * 1_000;
    const iso = ISO.exec(input);
    if (iso) {
      const [weeks, days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0));
      return Math.round(
        ((weeks ?? 0) * 604_800 + (days ?? 0) * 86_400 + (hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0)) *
          1_000,
      );
    }
  }
  return refuse('DELAY_INVALID/not_a_duration', { param });
}

/** A range of `created_at`, of a list's filter. */
export function createdWithin(filter: {
  readonly createdFrom?: Date | string;
  readonly createdBefore?: Date | string;
}): { createdFrom?: Date; createdBefore?: Date } {
  const { createdFrom, createdBefore } = filter;
  return {
    ...(createdFrom === undefined ? {} : { createdFrom: parseInstant(createdFrom, 'createdFrom') }),
    ...(createdBefore === undefined ? {} : { createdBefore: parseInstant(createdBefore, 'createdBefore') }),
  };
}
