import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { ApiKeyOrder, MadeKey } from './api-key.ts';
import { digestOf, newSecret, prefixOf, prefixOfChosen, requireSecret } from './api-key.ts';
import { insertApiKey, lockKeys } from './api-key-store.ts';
import type { Maker } from './grant.ts';
import { grantedUntil, requireMayGrant } from './grant.ts';
import { requireQuota } from './key-quota.ts';
import { allowedBy, isRole, isScope } from './scope.ts';

export interface KeyContext {
  readonly tenantId: Uuid;
  readonly actor: string;
  readonly maker: Maker;
}

/** A key of another tenant is no parent: it made the tenant's first key. */
export const parentOf = ({ tenantId, maker }: KeyContext): Uuid | null =>
  maker?.key.tenantId === tenantId ? maker.key.id : null;

const LONGEST_PERSON = 200;
/** Control characters, invisible ones, and line breaks: a list would show another name than the one that is compared. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Making a key whose secret exists returns that one, which is not new. */
export async function createKey(
  tx: Transaction,
  context: KeyContext,
  order: ApiKeyOrder,
): Promise<MadeKey & { readonly isNew: boolean }> {
  const { name, role = null, scopes = [], secret = newSecret(), person = null } = order;
  if (name.trim() === '' || name.length > 100 || UNSEEN.test(name)) {
    refuse('FIELD_INVALID', 'a key has a name of 1 to 100 characters, all of them visible', { param: 'name' });
  }
  if (role !== null && !isRole(role)) refuse('FIELD_INVALID', `there is no role "${String(role)}"`, { param: 'role' });
  const unknown = (scopes as readonly string[]).find((scope) => !isScope(scope));
  if (unknown !== undefined) refuse('FIELD_INVALID', `there is no scope "${unknown}"`, { param: 'scopes' });
  if (role === null && scopes.length === 0) {
    refuse('FIELD_INVALID', 'a key has a role, scopes, or both', { param: 'scopes' });
  }
  if (person !== null && (UNSEEN.test(person) || !/^\S(.*\S)?$/u.test(person) || person.length > LONGEST_PERSON)) {
    refuse('FIELD_INVALID', `a person is 1 to ${LONGEST_PERSON} visible characters, without spaces around them`, {
      param: 'person',
    });
  }
  requireSecret(secret);
  requireMayGrant(context.maker, allowedBy(role, scopes));
  await lockKeys(tx, context.tenantId);
  const id = newId();
  const key = await insertApiKey(tx, {
    tenantId: context.tenantId,
    id,
    name,
    prefix: order.secret === undefined ? prefixOf(secret) : prefixOfChosen(secret),
    digest: digestOf(secret),
    role,
    scopes: [...new Set(scopes)],
    createdBy: context.actor,
    expiresAt: grantedUntil(context.maker, order.expiresAt ?? null),
    replaces: null,
    lineageId: id,
    parentId: parentOf(context),
    person,
  });
  if (!key) refuse('FIELD_INVALID', 'a key expires after now', { param: 'expiresAt' });
  const isNew = key.id === id;
  if (isNew) await requireQuota(tx, key);
  return { key, secret, isNew };
}
