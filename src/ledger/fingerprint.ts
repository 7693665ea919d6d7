import { createHash } from 'node:crypto';
import { refuse } from '../kernel/index.ts';

/** What was asked, whatever the order of its fields: the same key for anything else is a mistake worth refusing. */
export function fingerprint(verb: string, order: object): string {
  const fields = Object.entries(order)
    .filter(([name, value]) => name !== 'idempotencyKey' && value !== undefined)
    .map(([name, value]) => [name, typeof value === 'object' ? textOf(name, value as object) : String(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([verb, fields]))
    .digest('hex');
}

function textOf(name: string, value: object | null): string {
  try {
    return JSON.stringify(value, withBigInts) ?? '';
  } catch {
    return refuse('FIELD_INVALID/circular', { param: name });
  }
}

const withBigInts = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
