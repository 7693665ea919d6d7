// Which tenant a command is about: the one it names, or the only one there is.
import type { TenantHandle, Engine } from '../engine.ts';
import { commandCaller } from './run.ts';
import { UsageError } from './trouble.ts';

export const TENANT_OPTION = ['--tenant <name>', 'name or id of the tenant; optional if there is only one'] as const;

export interface TenantOptions {
  readonly tenant?: string;
}

/** What is done through the handle is on record for whoever is logged in here. */
export async function chosenTenant(engine: Engine, options: TenantOptions): Promise<TenantHandle> {
  if (options.tenant !== undefined) return engine.tenant(options.tenant, commandCaller());
  const tenants = await engine.tenants();
  const [only] = tenants;
  if (only && tenants.length === 1) return engine.tenant(only.id, commandCaller());
  throw new UsageError(
    only
      ? `name the tenant: --tenant ${tenants.map(({ name }) => name).join(' or ')}`
      : 'there is no tenant: create one and its first key with usance api-keys create --tenant shop --create-tenant --name first --role admin',
  );
}
