// Chains and their health as an application sees them. Chains are of the deployment: every tenant sees the same.
import type { Uuid } from '../../kernel/index.ts';
import { isUuid, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import type { ChainAsset } from '../rail.ts';
import type { TakenSnapshot } from './measure.ts';
import type { HealthStatus } from './status.ts';
import { STALE_AFTER_INTERVALS, statusAt } from './status.ts';
import type { ChainRow } from './store.ts';
import { listSnapshots, readChains } from './store.ts';

export interface Chain {
  readonly name: string;
  readonly assets: readonly ChainAsset[];
  /** By the newest snapshot and its age: what a choice of a route goes by. */
  readonly status: HealthStatus;
  /** The newest snapshot is missing, or older than three intervals. */
  readonly isStale: boolean;
  readonly intervalMs: number;
  readonly newest: TakenSnapshot | null;
}

export interface ChainHistoryPage {
  readonly limit?: number;
  readonly before?: Uuid;
}

export interface ChainVerbs {
  /** By name. */
  chains(): Promise<Chain[]>;
  /** The snapshots of a chain, newest first. */
  chainHistory(name: string, page?: ChainHistoryPage): Promise<TakenSnapshot[]>;
}

const PAGE = 100;

export function chainVerbs({ sql }: Pick<VerbContext, 'sql'>): ChainVerbs {
  return {
    chains: async () => (await readChains(sql)).map(chainOf),
    async chainHistory(name, { limit = PAGE, before } = {}) {
      if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
      const chains = await readChains(sql);
      if (!chains.some((chain) => chain.name === name)) {
        refuse('CHAIN_NOT_FOUND', { chain: name });
      }
      return listSnapshots(sql, name, { limit, before: before ?? null });
    },
  };
}

export function chainOf({ name, assets, intervalMs, newest, now }: ChainRow): Chain {
  const isStale = newest === null || now.getTime() - newest.takenAt.getTime() > STALE_AFTER_INTERVALS * intervalMs;
  return { name, assets, intervalMs, newest, isStale, status: statusAt(newest, now, intervalMs) };
}
