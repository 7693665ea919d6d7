// `usance keys`: who may speak HTTP for a tenant. A secret is shown once, here, and kept nowhere: only its digest is.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Usance } from '../engine.ts';
import { ALL_SCOPES } from './bootstrap.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { bold, dim } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface CreateOptions extends CommonOptions, TenantOptions {
  readonly name: string;
  readonly createTenant?: boolean;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('API keys: who may speak HTTP for a tenant')
    .addHelpText('after', '\nExample:\n  usance keys create --tenant shop --name backend');
  keys
    .command('create')
    .description('make a key, and show its secret once')
    .option(...TENANT_OPTION)
    .requiredOption('--name <text>', 'what the key is for')
    .option('--create-tenant', 'make the tenant if there is none of that name')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance keys create --tenant shop --create-tenant --name backend')
    .action((options: CreateOptions) => run('keys', options, (screen, config) => create(screen, config, options)));
}

function create(screen: Screen, config: Config, options: CreateOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    if (options.createTenant) await ensureTenant(engine, options);
    const tenant = await chosenTenant(engine, options);
    const { key, secret } = await tenant.createApiKey({ name: options.name, scopes: ALL_SCOPES });
    screen.line(`Key ${bold(options.name)} of tenant ${bold(tenant.name)}, shown this once:`);
    screen.line();
    screen.line(`  ${secret}`);
    screen.line();
    screen.line(dim(`Send it as "Authorization: Bearer …". In lists it is ${key.prefix}…`));
    screen.document({ id: key.id, tenant: tenant.name, name: key.name, prefix: key.prefix, secret });
    return EXIT.fine;
  });
}

async function ensureTenant(engine: Usance, { tenant }: CreateOptions): Promise<void> {
  if (tenant === undefined) throw new UsageError('--create-tenant needs a name: --tenant shop');
  const found = (await engine.tenants()).some(({ id, name }) => tenant === name || tenant === id);
  if (!found) await engine.createTenant({ name: tenant });
}
