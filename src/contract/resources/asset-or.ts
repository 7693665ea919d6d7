import type { TenantVerbs } from '../../engine.ts';
import { refuse } from '../../kernel/index.ts';

/** The asset that was named, or the tenant's default. */
export async function assetOr(tenant: TenantVerbs, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  return (await tenant.defaultAsset()) ?? refuse('FIELD_INVALID/asset_required', { param: 'asset' });
}
