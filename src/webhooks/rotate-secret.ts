// Replaces the secret of an endpoint. Until the grace period ends deliveries have two signatures, so that the receiver can change its secret at
// any moment of it. A second rotation within the period ends the secret before the last one.
import type { Transaction } from '../db/index.ts';
import type { TenantCaller } from '../jobs/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { aboutRow, requireSecrets } from '../secrets/index.ts';
import type { WebhookEndpointWithSecret } from './endpoint.ts';
import { DAY_MS, DEFAULT_GRACE_MS, LONGEST_GRACE_MS, PREVIOUS_SECRET, SECRET } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { readSecret, replaceSecret } from './endpoint-store.ts';
import { parseSecret } from './parse-endpoint.ts';
import { newWebhookSecret } from './signature.ts';
import { holdEndpoint } from './update-endpoint.ts';

export interface RotateSecretParams {
  /** A secret of your own. Default: a new one. */
  readonly secret?: string;
  /** How long deliveries are signed with the previous secret too, in milliseconds; default a day, at most seven. 0: not at all. */
  readonly graceMs?: number;
}

export async function rotateSecret(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  id: Uuid,
  params: RotateSecretParams,
  secrets: Secrets,
): Promise<WebhookEndpointWithSecret> {
  requireSecrets(secrets);
  const { graceMs = DEFAULT_GRACE_MS } = params;
  if (!Number.isSafeInteger(graceMs) || graceMs < 0 || graceMs > LONGEST_GRACE_MS)
    refuse('FIELD_INVALID/overlap_too_long', { param: 'grace', max: LONGEST_GRACE_MS / DAY_MS });
  const secret = params.secret === undefined ? newWebhookSecret() : parseSecret(params.secret);
  const endpoint = await holdEndpoint(tx, by, id);
  // A value is encrypted for its column: as the previous secret it is encrypted again.
  const stored = graceMs === 0 ? null : await readSecret(tx, by.tenantId, id);
  const before = stored && secrets.decrypt(stored, aboutRow(SECRET, endpoint));
  const expiresAt = await replaceSecret(tx, by.tenantId, id, {
    secret: secrets.encrypt(secret, aboutRow(SECRET, endpoint)),
    previous: before && secrets.encrypt(before, aboutRow(PREVIOUS_SECRET, endpoint)),
    graceMs,
    at: clock.now,
  });
  await emitEndpointEvent(tx, clock, by.caller, endpoint, 'secret_rotated', {
    previousSecretExpiresAt: expiresAt?.toISOString() ?? null,
  });
  return { endpoint: { ...endpoint, previousSecretExpiresAt: expiresAt, updatedAt: clock.now }, secret };
}
