// The tenant that a command chose by itself, because none was named: what is not found there may be in another one.
import type { Engine, TenantHandle } from '../engine.ts';
import { Refusal } from '../kernel/index.ts';

const CHOSEN = new WeakMap<Engine | TenantHandle, string>();
/** Chains are those of the process, not of a tenant. */
const OF_NO_TENANT = new Set(['TENANT_NOT_FOUND', 'CHAIN_NOT_FOUND']);

/** Not called if there is no other tenant. */
export function rememberChosen(engine: Engine, tenant: TenantHandle): void {
  for (const key of [engine, tenant]) CHOSEN.set(key, `in the tenant ${tenant.name}; --tenant chooses another`);
}

/** "in the tenant demo", and that there are others if it was chosen. */
export const inTenant = (tenant: TenantHandle): string => CHOSEN.get(tenant) ?? `in the tenant ${tenant.name}`;

/** Appends the tenant to the message of a refusal that did not find something, if the command line named none. */
export function nameChosenTenant(engine: Engine, error: unknown): void {
  const where = CHOSEN.get(engine);
  if (where === undefined || !(error instanceof Refusal) || OF_NO_TENANT.has(error.code)) return;
  if (error.code.endsWith('_NOT_FOUND')) error.message = `${error.message} ${where}`;
}
