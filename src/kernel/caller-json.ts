// A caller's own JSON object: metadata of a payment, data of an event. It is kept as it was given, or refused: a value that JSON cannot
// write, or that another reader of the same JSON would round, is never changed silently.
import { isStorable } from './text.ts';

/** Deeper, the server might run out of stack while it reads it, and take a whole bulk request with it. */
export const MAX_CALLER_JSON_LEVELS = 100;

/** The JSON of a value. `null` for what refers to itself, is nested beyond measure or holds a bigint: `keptJson` refuses it. */
export function callerJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}

/** The object as it will be read again; null where it is no object, or where storing it would change it. `text` is its JSON. */
export function keptJson(value: unknown, text = callerJsonText(value)): Record<string, unknown> | null {
  const kept: unknown = JSON.parse(text);
  return isRecord(kept) && fits(kept, MAX_CALLER_JSON_LEVELS) && !losesNumbers(text, value) ? kept : null;
}

/** JSON writes NaN and the infinities as null, which was not what was meant. */
function losesNumbers(text: string, value: unknown): boolean {
  if (!text.includes('null')) return false;
  let lost = false;
  JSON.stringify(value, (_name, part: unknown) => {
    lost ||= typeof part === 'number' && !Number.isFinite(part);
    return part;
  });
  return lost;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fits(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  // Beyond, other readers of the same JSON round it.
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.entries(value).every(([name, part]) => isStorable(name) && fits(part, levels - 1));
}
