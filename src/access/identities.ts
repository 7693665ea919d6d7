// Which callers are the same caller, and which are the same person: the answers that modules below this one ask for through their
// verb context.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Identities } from '../ledger/index.ts';
import { makersOfSchedules } from '../schedules/index.ts';
import { lineageKeys, relatedKeys } from './api-key-store.ts';
import { issuerKeyers } from './issuer-store.ts';
import { isUser, keyActor, keyOf } from './key-actor.ts';
import { samePersonAmong } from './same-person.ts';

export const IDENTITIES: Identities = {
  async lineageOf(sql: Sql, tenantId: Uuid, actor: string) {
    const id = keyOf(actor);
    const keys = id === null ? [] : await lineageKeys(sql, tenantId, id);
    return keys.length === 0 ? [actor] : keys.map(keyActor);
  },

  async samePerson(sql: Sql, tenantId: Uuid, actor: string, others: readonly string[]) {
    // A schedule stands for its authors: everyone who decided what it pays.
    const schedules = await makersOfSchedules(sql, tenantId, others);
    const persons = (other: string): readonly string[] => schedules.get(other) ?? [other];
    const actors = [actor, ...others.flatMap(persons)];
    const keyers = actors.some(isUser) ? await issuerKeyers(sql, tenantId) : [];
    const keys = [...actors, ...keyers].flatMap((each) => keyOf(each) ?? []);
    const isSame = samePersonAmong(keys.length === 0 ? [] : await relatedKeys(sql, tenantId, keys), keyers);
    return (other) => persons(other).some((each) => isSame(actor, each));
  },
};
