import type { Transaction } from '../db/index.ts';
import type { Asset, Uuid } from '../kernel/index.ts';
import { parseAsset, refuse } from '../kernel/index.ts';
import { insertAsset } from './account-store.ts';

/** Making the same asset again changes nothing; the same code at another scale is refused. */
export async function createAsset(tx: Transaction, tenantId: Uuid, name: string): Promise<Asset> {
  const asset = parseAsset(name);
  if (await insertAsset(tx, tenantId, asset)) return asset;
  return refuse('ASSET_EXISTS', `the tenant has ${asset.code} at another scale`, { param: 'asset' });
}
