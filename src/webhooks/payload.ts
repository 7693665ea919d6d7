// The body of a delivery: the event as the API shows it, or the same without its data.
import { toJson } from '../kernel/index.ts';
import type { Payload } from './endpoint.ts';

export function bodyOf(event: unknown, payload: Payload): string {
  if (payload === 'full' || typeof event !== 'object' || event === null) return toJson(event);
  return toJson(Object.fromEntries(Object.entries(event).filter(([field]) => field !== 'data')));
}
