// Creates a resource, or returns the existing one: for programs that set themselves up at every start.
import type { Account, AccountCreateParams, Asset, AssetCreateParams } from '../client/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { KeyOptions } from './options.ts';
import type { AccountsResource, AssetsResource } from './resources.ts';

/** Creates the asset, or returns the existing one. Refused with `ASSET_EXISTS` if the code exists with another scale. */
export type EnsureAsset = (params: AssetCreateParams, options?: KeyOptions) => Promise<Asset>;
/** Creates the account, or returns the existing one unchanged. Refused with `ACCOUNT_EXISTS` if it is of another kind. */
export type EnsureAccount = (params: AccountCreateParams) => Promise<Account>;

/** Creating an asset that exists returns it; another scale of the same code is refused with ASSET_EXISTS. */
export function ensureAsset(assets: AssetsResource): EnsureAsset {
  return (params, options): Promise<Asset> => assets.create(params, options);
}

export function ensureAccount(accounts: AccountsResource): EnsureAccount {
  return async (params) => {
    try {
      return await accounts.create(params);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'ACCOUNT_EXISTS')) throw error;
      const existing = await accounts.get(params.ref);
      if (params.kind !== undefined && existing.kind !== params.kind) throw error;
      return existing;
    }
  };
}
