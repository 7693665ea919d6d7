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
    refuse('FIELD_INVALID/not_visible', { param: 'name', min: 1, max: 100 });
  }
  if (role !== null && !isRole(role)) refuse('FIELD_INVALID/not_a_role', { param: 'role', role: String(role) });
  const unknown = (scopes as readonly string[]).find((scope) => !isScope(scope));
  if (unknown !== undefined) refuse('FIELD_INVALID/not_a_scope', { param: 'scopes', scope: unknown });
  if (role === null && scopes.length === 0) {
    refuse('FIELD_INVALID/role_or_scopes', { role: 'role', param: 'scopes' });
  }
  if (person !== null && (UNSEEN.test(person) || !/^\S(.*\S)?$/u.test(person) || person.length > LONGEST_PERSON)) {
    refuse('FIELD_INVALID/not_visible', { param: 'person', min: 1, max: LONGEST_PERSON });
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
  if (!key) refuse('FIELD_INVALID/in_the_past', { param: 'expiresAt' });
  const isNew = key.id === id;
  if (isNew) await requireQuota(tx, key);
  return { key, secret, isNew };
}
