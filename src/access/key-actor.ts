import type { Uuid } from '../kernel/index.ts';
import { isUuid } from '../kernel/index.ts';

/** The actor that an API key is. */
export const keyActor = (id: Uuid): string => `key:${id}`;

/** Whether an actor is an end user, whom a token of the tenant's issuers names. */
export const isUser = (actor: string): boolean => actor.startsWith('user:');

/** The id of the key that an actor is; null for every other actor. */
export function keyOf(actor: string): Uuid | null {
  const id = /^key:(.*)$/.exec(actor)?.[1] ?? '';
  return isUuid(id) ? id : null;
}
