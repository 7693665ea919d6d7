import type { Transaction } from '../db/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Asset, Caller, Clock, Uuid } from '../kernel/index.ts';
import { parseAsset, refuse } from '../kernel/index.ts';
import { findAsset, insertAsset } from './account-store.ts';
import { assetCreated } from './facts.ts';

/** Making the same asset again changes nothing; the same code at another scale is refused. */
export async function createAsset(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  tenantId: Uuid,
  name: string,
): Promise<Asset> {
  const asset = parseAsset(name);
  if (await insertAsset(tx, tenantId, asset)) {
    await appendEvents(tx, [assetCreated(caller, clock, tenantId, asset)]);
    return asset;
  }
  const existing = await findAsset(tx, tenantId, asset.code);
  if (existing && existing.name !== asset.name)
    refuse('ASSET_EXISTS', { existing: existing.name, scale: asset.scale, param: 'asset' });
  return asset;
}
