// Creates a resource, or returns the existing one: for programs that set themselves up at every start.
import type {
  Account,
  AccountCreateParams,
  Asset,
  AssetCreateParams,
  DryRun,
  Job,
  JobCreateParams,
} from '../client/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { DryRunOptions, KeyOptions } from './options.ts';
import type { AccountsResource, AssetsResource, JobsResource } from './resources.ts';

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

/**
 * Creates the job, or returns the existing one with its name, unchanged: terms that an operator has changed since stay. Refused with
 * `JOB_NAME_TAKEN` if that job has another pattern or processor.
 */
export interface EnsureJob {
  /** Creates the job, or returns it. */
  (params: JobCreateParams, options?: KeyOptions): Promise<Job>;
  /** Dry run. */
  (params: JobCreateParams, options: DryRunOptions): Promise<DryRun<Job>>;
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

export function ensureJob(jobs: JobsResource): EnsureJob {
  const ensure = async (
    params: JobCreateParams,
    options: KeyOptions | DryRunOptions = {},
  ): Promise<Job | DryRun<Job>> => {
    try {
      return await jobs.create(params, options as KeyOptions);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'JOB_NAME_TAKEN')) throw error;
      const existing = await jobs.get(params.name);
      const { eventPattern, processorName } = existing;
      if (eventPattern !== params.eventPattern || processorName !== params.processorName) throw error;
      return options.dryRun ? { dryRun: true, result: existing, postings: [], events: [] } : existing;
    }
  };
  return ensure as EnsureJob;
}
