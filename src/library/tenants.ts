// Tenants: created beside a tenant, not in one, so their methods are on top.
import type { DryRun, Tenant } from '../client/index.ts';
import type { Engine, TenantHandle as EngineTenant, Tenant as TenantRow } from '../engine.ts';
import { Refusal, toTypeId } from '../kernel/index.ts';
import { requireOptions } from './call.ts';
import { dryRunOf } from './imports.ts';
import type { DryRunOnly, RunOptions } from './options.ts';
import type { TenantHandle } from './usance.ts';

/** A new tenant. */
export interface TenantParams {
  /** 1 to 100 of a–z, 0–9, dot, dash and underscore. */
  readonly name: string;
  /** `test`: its time is a test clock that you advance. Default `live`. */
  readonly kind?: 'live' | 'test';
}

/** Isolated data sets in one database. */
export interface Tenants {
  /** Creates a tenant. */
  create(params: TenantParams, options?: RunOptions): Promise<TenantHandle>;
  /** Dry run: Creates a tenant. */
  create(params: TenantParams, options: DryRunOnly): Promise<DryRun<Tenant>>;
  /** Creates the tenant, or returns it if its name exists. Refused with `TENANT_EXISTS` if it is of another kind: live or test. */
  ensure(params: TenantParams, options?: RunOptions): Promise<TenantHandle>;
  /** Dry run: Creates the tenant, or returns it. */
  ensure(params: TenantParams, options: DryRunOnly): Promise<DryRun<Tenant>>;
  /** All tenants, oldest first. */
  list(): Promise<readonly Tenant[]>;
}

type Options = RunOptions | DryRunOnly;

export function tenantsResource(engine: Engine, handleOf: (tenant: EngineTenant) => TenantHandle): Tenants {
  const create = async (params: TenantParams, options: Options = {}): Promise<TenantHandle | DryRun<Tenant>> => {
    if (!requireOptions({ params, options }, ['dryRun'])) return handleOf(await engine.createTenant(params));
    const { result, ...journaled } = await engine.dryRunTenant(params, async (_verbs, made) => shown(made));
    return dryRunOf(result, journaled);
  };
  const ensure = async (params: TenantParams, options: Options = {}): Promise<TenantHandle | DryRun<Tenant>> => {
    try {
      return await create(params, options);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'TENANT_EXISTS')) throw error;
      const existing = (await engine.tenants()).find(({ name }) => name === params.name);
      if (!existing || existing.kind !== (params.kind ?? 'live')) throw error;
      if (!options.dryRun) return handleOf(await engine.tenant(existing.id));
      return dryRunOf(shown(existing), { postings: [], events: [], refs: new Map() });
    }
  };
  return {
    create: create as Tenants['create'],
    ensure: ensure as Tenants['ensure'],
    list: async () => (await engine.tenants()).map(shown),
  };
}

function shown({ id, name, kind, defaultAsset, createdAt }: TenantRow): Tenant {
  return { id: toTypeId('tenant', id), name, kind, defaultAsset, createdAt: createdAt.toISOString() };
}
