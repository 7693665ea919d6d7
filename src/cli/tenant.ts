// Which tenant a command is about: the one it names, or the only one there is.
import type { TenantHandle, Engine } from '../engine.ts';
import { commandCaller } from './run.ts';
import { UsageError } from './trouble.ts';

export const TENANT_OPTION = [
  '--tenant <name>',
  'name or id of the tenant; not needed where there is only one',
] as const;

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
      ? `say which tenant: --tenant ${tenants.map(({ name }) => name).join(' or ')}`
      : 'there is no tenant yet: usance api-keys create --tenant shop --create-tenant --name first --role admin makes one with its first key',
  );
}
