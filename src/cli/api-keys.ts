// `usance api-keys`: the API keys of a tenant. A secret is shown once, here; only its digest is stored. A command may grant every
// scope; over HTTP a key grants at most its own scopes.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { ApiKey, DryRun, MadeKey, Role, Scope, TenantHandle, Engine } from '../engine.ts';
import { ROLES, SCOPES, isScope, parseDelayMs, parseInstant } from '../engine.ts';
import { Refusal, fromTypeId, isUuid, refuse, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, printDryRun } from './dry-run.ts';
import { actorText } from './payment-lines.ts';
import type { CommonOptions } from './run.ts';
import { commandCaller, run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, dim } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface KeysOptions extends CommonOptions, TenantOptions, DryRunOption {}

interface CreateOptions extends KeysOptions {
  readonly name: string;
  readonly createTenant?: boolean;
  readonly role?: Role;
  readonly scope?: readonly Scope[];
  readonly expires?: string;
  readonly person?: string;
}

export function addApiKeys(program: Command): void {
  const keys = program
    .command('api-keys')
    .description('API keys of a tenant')
    .addHelpText('after', '\nExample:\n  usance api-keys create --tenant shop --name backend --role operator');
  keys
    .command('create')
    .description('create a key, and show its secret once')
    .option(...TENANT_OPTION)
    .requiredOption('--name <text>', 'a name that says the use of the key')
    .addOption(new Option('--role <role>', 'a named set of scopes; give this, --scope or both').choices(roles()))
    .option('--scope <scope>', 'one of the scopes below; repeatable', oneMoreScope)
    .option('--expires <instant>', 'expiry, such as 2027-01-01T00:00:00Z; default: none')
    .option(
      '--person <name>',
      'the person that holds the key: two keys of one person cannot approve each other’s payments; case and spacing make no difference',
    )
    .option('--create-tenant', 'create the tenant if there is none of that name')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nScopes:\n${scopeLines()}\n\nExample:\n  usance api-keys create --tenant shop --create-tenant --name backend --role operator`,
    )
    .action((options: CreateOptions) => run('api-keys', options, (screen, config) => create(screen, config, options)));
  keys
    .command('list')
    .description('list keys with their scopes, last use and expiry, newest first')
    .option(...TENANT_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance api-keys list --tenant shop')
    .action((options: KeysOptions) => run('api-keys', options, (screen, config) => list(screen, config, options)));
  keys
    .command('revoke')
    .description('revoke a key permanently; every process applies it within five seconds')
    .argument('<id>', 'id of the key, such as key_01jd…')
    .option(...TENANT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance api-keys revoke key_01jd…')
    .action((id: string, options: KeysOptions) =>
      run('api-keys', options, (screen, config) => revoke(screen, config, id, options)),
    );
  keys
    .command('rotate')
    .description('create a key that replaces another; the old key works until the overlap ends')
    .argument('<id>', 'id of the key, such as key_01jd…')
    .option(...TENANT_OPTION)
    .option('--overlap <duration>', 'how long the old key still works, at most 30d', '24h')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance api-keys rotate key_01jd… --overlap 1h')
    .action((id: string, options: KeysOptions & { overlap: string }) =>
      run('api-keys', options, (screen, config) => rotate(screen, config, id, options)),
    );
}

async function create(screen: Screen, config: Config, options: CreateOptions): Promise<number> {
  const { role, scope, expires, person } = options;
  if (!role && !scope) {
    throw new UsageError(
      `give the scopes of the key: --role ${roles().join(', ')}, or --scope (see "api-keys create --help")`,
    );
  }
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const isNew = options.createTenant === true && (await isMissing(engine, options));
    const order = {
      name: options.name,
      ...(role ? { role } : {}),
      ...(scope ? { scopes: scope } : {}),
      ...(expires === undefined ? {} : { expiresAt: parseInstant(expires, 'expires') }),
      ...(person === undefined ? {} : { person }),
    };
    const { tenant: name = '' } = options;
    if (options.dryRun && isNew) {
      const dry = await engine.dryRunTenant({ name }, (verbs) => verbs.createApiKey(order), commandCaller());
      return printMade(screen, name, dry);
    }
    if (isNew) await engine.createTenant({ name });
    const tenant = await chosenTenant(engine, options).catch(suggestCreating);
    if (options.dryRun)
      return printMade(screen, tenant.name, await tenant.dryRun((verbs) => verbs.createApiKey(order)));
    return showSecret(screen, tenant, await tenant.createApiKey(order));
  });
}

function list(screen: Screen, config: Config, options: KeysOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const found = await (await chosenTenant(engine, options)).apiKeys();
    if (found.length === 0) screen.line('There is no key.');
    for (const line of aligned(found.map(rowOf))) screen.line(line);
    screen.document({ keys: found.map(documentOf) });
    return EXIT.fine;
  });
}

function revoke(screen: Screen, config: Config, id: string, options: KeysOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    if (options.dryRun) {
      const dry = await tenant.dryRun((verbs) => verbs.revokeApiKey(uuidOf(id)));
      const { name, prefix } = dry.result;
      printDryRun(screen, dry, { line: `key ${name} (${prefix}…) is revoked.`, document: documentOf(dry.result) });
      return EXIT.fine;
    }
    const key = await tenant.revokeApiKey(uuidOf(id));
    screen.line(`Key ${bold(key.name)} (${key.prefix}…) is revoked; a running API refuses it within five seconds.`);
    screen.document(documentOf(key));
    return EXIT.fine;
  });
}

function rotate(
  screen: Screen,
  config: Config,
  id: string,
  options: KeysOptions & { readonly overlap: string },
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const overlapMs = parseDelayMs(options.overlap, 'overlap');
    if (options.dryRun) {
      const dry = await tenant.dryRun((verbs) => verbs.rotateApiKey(uuidOf(id), { overlapMs }));
      return printMade(screen, tenant.name, dry);
    }
    const made = await tenant.rotateApiKey(uuidOf(id), { overlapMs });
    showSecret(screen, tenant, made);
    screen.line(dim(`The old key, ${made.replaced.prefix}…, works until ${made.replaced.expiresAt?.toISOString()}.`));
    return EXIT.fine;
  });
}

/** Without its secret, which belongs to no key. */
function printMade(screen: Screen, tenant: string, dry: DryRun<MadeKey>): number {
  const { key } = dry.result;
  const document = { ...documentOf(key), tenant, secret: null };
  printDryRun(screen, dry, { line: `key ${key.name} of tenant ${tenant} is created.`, document });
  return EXIT.fine;
}

function showSecret(screen: Screen, tenant: TenantHandle, { key, secret }: MadeKey): number {
  screen.line(`Key ${bold(key.name)} of tenant ${bold(tenant.name)}, shown only once:`);
  screen.line();
  screen.line(`  ${secret}`);
  screen.line();
  screen.line(dim(`Send it as "Authorization: Bearer …". Lists show it as ${key.prefix}…`));
  screen.document({ ...documentOf(key), tenant: tenant.name, secret });
  return EXIT.fine;
}

function rowOf(key: ApiKey): string[] {
  const state = key.revokedAt
    ? `revoked ${key.revokedAt.toISOString()}`
    : key.expiresAt
      ? `until ${key.expiresAt.toISOString()}`
      : 'no end';
  const used = key.lastUsedAt ? `used ${key.lastUsedAt.toISOString()}` : 'not used yet';
  return [
    toTypeId('apiKey', key.id),
    `${key.prefix}…`,
    key.name,
    [key.role ?? [], key.scopes].flat().join(' '),
    state,
    used,
    key.person === null ? '' : `person ${key.person}`,
    key.lineageId === key.id ? '' : `lineage ${toTypeId('apiKey', key.lineageId)}`,
    `by ${actorText(key.createdBy)}`,
  ];
}

function documentOf(key: ApiKey): object {
  const { id, tenantId, replaces, lineageId, parentId } = key;
  return {
    ...key,
    id: toTypeId('apiKey', id),
    tenantId: toTypeId('tenant', tenantId),
    replaces: replaces && toTypeId('apiKey', replaces),
    lineageId: toTypeId('apiKey', lineageId),
    parentId: parentId && toTypeId('apiKey', parentId),
  };
}

const uuidOf = (id: string): string => (isUuid(id) ? id : fromTypeId('apiKey', id));
const roles = (): Role[] => Object.keys(ROLES) as Role[];
const scopeLines = (): string => aligned(Object.entries(SCOPES)).join('\n');

function oneMoreScope(text: string, before: readonly Scope[] = []): Scope[] {
  if (isScope(text)) return [...before, text];
  throw new InvalidArgumentError(`It must be one of ${Object.keys(SCOPES).join(', ')}.`);
}

async function isMissing(engine: Engine, { tenant }: CreateOptions): Promise<boolean> {
  if (tenant === undefined) throw new UsageError('--create-tenant requires a name: --tenant shop');
  return !(await engine.tenants()).some(({ id, name }) => tenant === name || tenant === id);
}

function suggestCreating(error: unknown): never {
  if (!(error instanceof Refusal && error.code === 'TENANT_NOT_FOUND')) throw error;
  const { tenant } = error.fields;
  refuse('TENANT_NOT_FOUND/creatable', { tenant: typeof tenant === 'string' ? tenant : '' });
}
