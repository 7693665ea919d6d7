// Imports of other systems' data, from files. They are not operations of the contract: a file is read where the program runs.
import type { DryRun } from '../client/index.ts';
import { fromWire } from '../client/inner.ts';
import { showDryRun } from '../contract/index.ts';
import type { Journaled, TenantHandle } from '../engine.ts';
import { parseAmount } from '../kernel/index.ts';
import { requireOptions } from './call.ts';
import type { DryRunOnly, RunOptions } from './options.ts';
import type { ImportReport, SubscriptionImportReport } from './reports.ts';
import { shownImport, shownSubscriptionImport } from './reports.ts';

/** A file with opening balances. */
export interface BalanceImportParams {
  /** The name of the import, 1 to 100 characters: the same file under the same name is booked once. */
  readonly name: string;
  /** The format of the file. */
  readonly format: 'csv' | 'jsonl';
  /** Opens the lines of the file; called twice. */
  readonly open: () => AsyncIterable<string>;
  /** The expected total of each asset in minor units: `{ 'USD/2': 125000 }`. Default: not compared. */
  readonly expect?: Readonly<Record<string, bigint | number | string>>;
  /** Assets to create first, if the tenant has none of the name. Default: none. */
  readonly createAssets?: readonly string[];
  /** Called with the number of lines of every batch. Default: none. */
  readonly onProgress?: (lines: number) => void;
}

/** A file with subscriptions of another system. */
export interface SubscriptionImportParams {
  /** The format of the file. */
  readonly format: 'csv' | 'jsonl';
  /** Opens the lines of the file; called twice. */
  readonly open: () => AsyncIterable<string>;
  /** Subscriptions in one transaction, 1 to 1,000. Default 200. */
  readonly batchSize?: number;
  /** Called with the number of lines of every batch. Default: none. */
  readonly onProgress?: (lines: number) => void;
}

/** Imports opening balances. A dry run reports the first 1,000 postings and events. */
export interface ImportBalances {
  /** Imports the file. Run it again after a crash: imported lines are skipped. */
  (params: BalanceImportParams, options?: RunOptions): Promise<ImportReport>;
  /** Dry run. */
  (params: BalanceImportParams, options: DryRunOnly): Promise<DryRun<ImportReport>>;
}

/** Imports subscriptions. A dry run reports the first 1,000 events. */
export interface ImportSubscriptions {
  /** Imports the file. Run it again after a crash: imported lines are skipped. */
  (params: SubscriptionImportParams, options?: RunOptions): Promise<SubscriptionImportReport>;
  /** Dry run. */
  (params: SubscriptionImportParams, options: DryRunOnly): Promise<DryRun<SubscriptionImportReport>>;
}

type Options = RunOptions | DryRunOnly;

export function importBalances(tenant: TenantHandle): ImportBalances {
  const run = async ({ expect, ...params }: BalanceImportParams, options: Options = {}): Promise<unknown> => {
    const dryRun = requireOptions({ params, options }, ['dryRun']);
    const totals = Object.entries(expect ?? {}).map(([asset, total]) => [asset, parseAmount(total, 'expect')] as const);
    const report = await tenant.importOpeningBalances({ ...params, expect: new Map(totals), dryRun });
    return dryRunOr(shownImport(report), report);
  };
  return run as ImportBalances;
}

export function importSubscriptions(tenant: TenantHandle): ImportSubscriptions {
  const run = async (params: SubscriptionImportParams, options: Options = {}): Promise<unknown> => {
    const dryRun = requireOptions({ params, options }, ['dryRun']);
    const report = await tenant.importSubscriptions({ ...params, dryRun });
    const shown = shownSubscriptionImport(report);
    const { lines, skipped, refused } = report;
    // A dry run returns what the real one would: with a wrong line, nothing is created.
    return dryRunOr(dryRun && refused === 0 ? { ...shown, created: lines - skipped } : shown, report);
  };
  return run as ImportSubscriptions;
}

const dryRunOr = <T>(shown: T, { journaled }: { readonly journaled?: Journaled }): T | DryRun<T> =>
  journaled === undefined ? shown : dryRunOf(shown, journaled);

/** A dry run as the library returns it. */
export function dryRunOf<T>(result: T, journaled: Journaled): DryRun<T> {
  return { ...(fromWire(showDryRun({ ...journaled, result: null })) as DryRun<null>), result };
}
