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
  const date = value instanceof Date ? value : typeof value === 'string' ? new Date(value) : null;
  return date && !Number.isNaN(date.getTime()) ? date : wrong('an instant', value);
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
