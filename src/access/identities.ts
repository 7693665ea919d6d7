// Which callers are the same caller: the answers that modules below this one ask for through their verb context.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid } from '../kernel/index.ts';
import type { Identities } from '../ledger/index.ts';
import { lineageKeys } from './api-key-store.ts';

export const keyActor = (id: Uuid): string => `key:${id}`;

/** The id of the key that an actor is; null for every other actor. */
export function keyOf(actor: string): Uuid | null {
  const id = /^key:(.*)$/.exec(actor)?.[1] ?? '';
  return isUuid(id) ? id : null;
}

export const IDENTITIES: Identities = {
  async lineageOf(sql: Sql, tenantId: Uuid, actor: string) {
    const id = keyOf(actor);
    const keys = id === null ? [] : await lineageKeys(sql, tenantId, id);
    return keys.length === 0 ? [actor] : keys.map(keyActor);
  },
};
