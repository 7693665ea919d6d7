// Daily limits set at tenant level: the default of every account without a daily limit of its own, and the total of all accounts. Read
// before anything is locked, with what a verb reads anyway.
import type { Uuid } from '../kernel/index.ts';

/** A tenant's money of one asset. */
export interface TenantKey {
  readonly tenantId: Uuid;
  readonly asset: string;
}

export interface DailyLimits extends TenantKey {
  readonly defaultDailyAmount: bigint | null;
  /** When the default was set: it counts from then on. */
  readonly defaultDailySince: Date | null;
  readonly tenantDailyAmount: bigint | null;
}

export class TenantLimits {
  readonly #limits = new Map<string, DailyLimits>();

  constructor(limits: readonly DailyLimits[]) {
    for (const limit of limits)
      if (limit.defaultDailyAmount !== null || limit.tenantDailyAmount !== null) this.#limits.set(nameOf(limit), limit);
  }

  /** True for nearly every tenant: then nothing is looked up. */
  get isEmpty(): boolean {
    return this.#limits.size === 0;
  }

  /** Whether sending this asset is counted, for every sender. */
  covers(key: TenantKey): boolean {
    return !this.isEmpty && this.#limits.has(nameOf(key));
  }

  defaultOf(key: TenantKey): { readonly most: bigint; readonly since: Date | null } | null {
    const limit = this.#limits.get(nameOf(key));
    if (!limit || limit.defaultDailyAmount === null) return null;
    return { most: limit.defaultDailyAmount, since: limit.defaultDailySince };
  }

  totalOf(key: TenantKey): bigint | null {
    return this.#limits.get(nameOf(key))?.tenantDailyAmount ?? null;
  }
}

const nameOf = ({ tenantId, asset }: TenantKey): string => `${tenantId} ${asset}`;

export const NO_TENANT_LIMITS = new TenantLimits([]);
