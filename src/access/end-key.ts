// The two ways a key ends by hand. Both lock its row first, so that of two at once the second sees what the first did.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { isUuid, newId, refuse } from '../kernel/index.ts';
import type { ApiKey, MadeKey } from './api-key.ts';
import { allowedTo, digestOf, newSecret, prefixOf } from './api-key.ts';
import { endApiKey, insertApiKey, lockApiKey, lockKeys, revokeApiKey } from './api-key-store.ts';
import type { KeyContext } from './create-key.ts';
import { parentOf } from './create-key.ts';
import { grantedUntil, requireMayEnd, requireMayGrant } from './grant.ts';
import { requireQuota } from './key-quota.ts';

const LONGEST_OVERLAP_MS = 30 * 86_400_000;

/** At once here, and within five seconds wherever it is believed. Revoking a revoked key changes nothing. */
export async function revokeKey(
  tx: Transaction,
  { tenantId, actor, maker }: KeyContext,
  id: Uuid,
): Promise<{ readonly key: ApiKey; readonly isNew: boolean }> {
  const key = await locked(tx, tenantId, id);
  requireMayEnd(maker, allowedTo(key));
  return key.revokedAt ? { key, isNew: false } : { key: await revokeApiKey(tx, key, actor), isNew: true };
}

/**
 * A new secret for the same caller: name, role, scopes, expiry, lineage and person are the old key's. The old key works for
 * `overlapMs` more, so that its user can change over without a gap. A key is rotated once; the next rotation is of the new key.
 */
export async function rotateKey(
  tx: Transaction,
  context: KeyContext,
  id: Uuid,
  overlapMs: number,
): Promise<MadeKey & { readonly replaced: ApiKey }> {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > LONGEST_OVERLAP_MS) {
    refuse('FIELD_INVALID/overlap_too_long', { param: 'overlap', max: 30 });
  }
  await lockKeys(tx, context.tenantId);
  const old = await locked(tx, context.tenantId, id);
  // Whoever rotates a key gets to know a secret with all its scopes: that is granting them.
  requireMayGrant(context.maker, allowedTo(old));
  const secret = newSecret();
  const key = old.isLive
    ? await insertApiKey(tx, {
        tenantId: old.tenantId,
        id: newId(),
        name: old.name,
        prefix: prefixOf(secret),
        digest: digestOf(secret),
        role: old.role,
        scopes: old.scopes,
        createdBy: context.actor,
        expiresAt: grantedUntil(context.maker, old.expiresAt),
        replaces: old.id,
        lineageId: old.lineageId,
        parentId: parentOf(context),
        person: old.person,
      })
    : null;
  if (!key) {
    return refuse('API_KEY_STATE_CONFLICT');
  }
  // Without an overlap the old key ends here, and there are as many keys as before.
  const replaced = await endApiKey(tx, old, overlapMs);
  await requireQuota(tx, key);
  return { key, secret, replaced };
}

async function locked(tx: Transaction, tenantId: Uuid, id: Uuid): Promise<ApiKey & { readonly isLive: boolean }> {
  const key = isUuid(id) ? await lockApiKey(tx, tenantId, id) : null;
  return key ?? refuse('API_KEY_NOT_FOUND');
}
