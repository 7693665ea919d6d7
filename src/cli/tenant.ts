// The tenant of a command: the named one, or the only live one. Test tenants, such as the demo world, are named.
import type { TenantHandle, Engine } from '../engine.ts';
import { rememberChosen } from './chosen-tenant.ts';
import { commandCaller } from './run.ts';
import { UsageError } from './trouble.ts';

export const TENANT_OPTION = [
  '--tenant <name>',
  'name or id of the tenant; optional if there is only one live tenant',
] as const;

export interface TenantOptions {
  readonly tenant?: string;
}

/** Changes through the handle are audited under the name of the user that runs the command. */
export async function chosenTenant(engine: Engine, options: TenantOptions): Promise<TenantHandle> {
  if (options.tenant !== undefined) return engine.tenant(options.tenant, commandCaller());
  const tenants = await engine.tenants();
  const live = tenants.filter(({ kind }) => kind === 'live');
  const [only, ...others] = live.length > 0 ? live : tenants;
  if (only && others.length === 0) {
    const tenant = await engine.tenant(only.id, commandCaller());
    if (tenants.length > 1) rememberChosen(engine, tenant);
    return tenant;
  }
  throw new UsageError(
    only
      ? `name the tenant: --tenant ${tenants.map(({ name }) => name).join(' or ')}`
      : 'there is no tenant: create one and its first key with usance api-keys create --tenant shop --create-tenant --name first --role admin',
  );
}
