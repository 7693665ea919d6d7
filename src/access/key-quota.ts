// How many keys there may be. Approval thresholds count each payment under every name of its key (counts-for.ts), so the names of a key
// are few; and a key with `keys:write` cannot fill the tenant's list. Checked after the key was inserted: a refusal undoes it.
import type { Transaction } from '../db/index.ts';
import { refuse } from '../kernel/index.ts';
import type { ApiKey } from './api-key.ts';
import { sizeOfFamily } from './api-key-store.ts';

/** Keys of one tenant that work. */
export const MAX_LIVE_KEYS = 1_000;
/** A key and its ancestors without admin, each with all its rotations as one. */
export const MAX_KIN = 50;

export async function requireQuota(tx: Transaction, { tenantId, lineageId }: ApiKey): Promise<void> {
  const { live, kin } = await sizeOfFamily(tx, tenantId, lineageId, MAX_LIVE_KEYS);
  if (live > MAX_LIVE_KEYS) {
    refuse('API_KEYS_TOO_MANY/active', { max: MAX_LIVE_KEYS });
  }
  if (kin > MAX_KIN) {
    refuse('API_KEYS_TOO_MANY/ancestors', { max: MAX_KIN - 1 });
  }
}
