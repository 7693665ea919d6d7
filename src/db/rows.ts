// Decoders for what comes back. Drivers and their settings differ (a bigint may be a string, a number or a bigint; an
// instant a Date or text), so a store reads every such column through one of these. A value of another kind is a bug
// in a statement, never something to paper over.
import { BrokenInvariant } from '../kernel/index.ts';

export function asBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))) return BigInt(value);
  return wrong('a bigint', value);
}

export function asNumber(value: unknown): number {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' || typeof value === 'bigint' ? Number(value) : NaN;
  return Number.isFinite(number) ? number : wrong('a number', value);
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : wrong('text', value);
}

export function asTextOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : asText(value);
}

export function asBoolean(value: unknown): boolean {
  return typeof value === 'boolean' ? value : wrong('a boolean', value);
}

export function asDate(value: unknown): Date {
  const date = value instanceof Date ? value : typeof value === 'string' ? readInstant(value) : null;
  return date && !Number.isNaN(date.getTime()) ? date : wrong('an instant', value);
}

// `2026-11-15 09:31:10.123456+00`, as PostgreSQL writes an instant in UTC. Five of them come with every payment of a batch, and
// the driver's own parser took as long as everything else about a row. Digits are read in place: captured groups cost as
// much as the rest of this.
const INSTANT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00|Z)$/;

/** Most of a batch's are a few, read again and again: the last ones of each hundredth of a second are kept. */
const known = Array.from({ length: 128 }, () => ({ text: '', ms: NaN }));

function readInstant(text: string): Date {
  const place = digitAt(text, 20) * 10 + digitAt(text, 21);
  let kept = known[place];
  if (kept?.text !== text) known[place] = kept = { text, ms: parseInstantText(text) };
  return new Date(kept.ms);
}

function parseInstantText(text: string): number {
  // Another zone, another era: rare enough for the general parser.
  if (!INSTANT.test(text)) return Date.parse(text.replace(' ', 'T') + (/[+-]\d\d$/.test(text) ? ':00' : ''));
  const two = (at: number): number => digitAt(text, at) * 10 + digitAt(text, at + 1);
  // Milliseconds are cut, never rounded up.
  const ms = digitAt(text, 20) * 100 + digitAt(text, 21) * 10 + digitAt(text, 22);
  return Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms);
}

/** 0 where there is none: behind the last digit of a fraction come `+00`, `Z` or nothing. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : 0;
}

export function asNumberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : asNumber(value);
}

export function asDateOrNull(value: unknown): Date | null {
  return value === null || value === undefined ? null : asDate(value);
}

/** A jsonb object, parsed or not by the driver. */
export function asRecord(value: unknown): Record<string, unknown> {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Record<string, unknown>)
    : wrong('an object', value);
}

/** The one row of a statement that always returns one. */
export function only<R>(rows: readonly R[]): R {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new BrokenInvariant(`expected one row, got ${rows.length}`);
  return row;
}

function wrong(expected: string, value: unknown): never {
  throw new BrokenInvariant(`expected ${expected} from the database, got ${typeof value} ${String(value)}`);
}
