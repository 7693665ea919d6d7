import { refuse } from './errors/index.ts';

/**
 * JSON for storing: amounts become decimal strings, as they are over HTTP, and a NUL, which PostgreSQL cannot keep in
 * JSON, is refused.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) => {
    if (typeof item === 'bigint') return item.toString();
    if (typeof item === 'string' && item.includes('\0')) refuse('FIELD_INVALID/has_nul');
    return item;
  });
}
