// Creates a resource, or returns the existing one: for programs that set themselves up at every start.
import type { Account, AccountCreateParams, Asset, AssetCreateParams, DryRun } from '../client/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { DryRunOptions, KeyOptions } from './options.ts';
import type { AccountsResource, AssetsResource } from './resources.ts';

/** Creates the asset, or returns the existing one. Refused with `ASSET_EXISTS` if the code exists with another scale. */
export interface EnsureAsset {
  /** Creates the asset, or returns it. */
  (params: AssetCreateParams, options?: KeyOptions): Promise<Asset>;
  /** Dry run. */
  (params: AssetCreateParams, options: DryRunOptions): Promise<DryRun<Asset>>;
}

/** Creates the account, or returns the existing one unchanged. Refused with `ACCOUNT_EXISTS` if it is of another kind. */
export interface EnsureAccount {
  /** Creates the account, or returns it. */
  (params: AccountCreateParams, options?: KeyOptions): Promise<Account>;
  /** Dry run. */
  (params: AccountCreateParams, options: DryRunOptions): Promise<DryRun<Account>>;
}

/** Creating an asset that exists returns it; another scale of the same code is refused with ASSET_EXISTS. */
export const ensureAsset = (assets: AssetsResource): EnsureAsset => assets.create;

export function ensureAccount(accounts: AccountsResource): EnsureAccount {
  const ensure = async (
    params: AccountCreateParams,
    options: KeyOptions | DryRunOptions = {},
  ): Promise<Account | DryRun<Account>> => {
    try {
      return await accounts.create(params, options as KeyOptions);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'ACCOUNT_EXISTS')) throw error;
      const existing = await accounts.get(params.ref);
      if (params.kind !== undefined && existing.kind !== params.kind) throw error;
      return options.dryRun ? { dryRun: true, result: existing, postings: [], events: [] } : existing;
    }
  };
  return ensure as EnsureAccount;
}
