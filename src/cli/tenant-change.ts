// Commands about a resource of a tenant: read all of a list, change one, print its new secret once, send a test to it.
import type { Config } from '../config.ts';
import type { TenantHandle, TenantVerbs } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { change } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { bold } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

export interface TenantCommandOptions extends CommonOptions, TenantOptions {}
export interface ChangeOptions extends TenantCommandOptions, DryRunOption {}

const MOST_LISTED = 1_000;
const PAGE = 100;

export function withTenant(
  screen: Screen,
  config: Config,
  options: TenantCommandOptions,
  work: (tenant: TenantHandle) => Promise<number>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => work(await chosenTenant(engine, options)));
}

/** The first thousand of a list, newest first. */
export async function listed<R extends { readonly id: Uuid }>(
  read: (page: { readonly limit: number; readonly before?: Uuid }) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = [];
  for (let size = PAGE; size === PAGE && found.length < MOST_LISTED;) {
    const before = found.at(-1)?.id;
    const page = await read({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    found.push(...page);
    size = page.length;
  }
  return found;
}

/** The verb of a command, the line that it prints and its document with --json. */
export interface Outcome<T> {
  act(verbs: TenantVerbs): Promise<T>;
  line(done: T): string;
  document(done: T): object;
}

export function changed<T>(
  screen: Screen,
  config: Config,
  options: ChangeOptions,
  { act, line, document }: Outcome<T>,
): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    await change(screen, tenant, options, act, (done) => ({ line: line(done), document: document(done) }));
    return EXIT.fine;
  });
}

/** Prints the secret, which nothing shows again; a dry run prints none, because it belongs to nothing. */
export function withSecret<T extends { readonly secret: string | null }>(
  screen: Screen,
  config: Config,
  options: ChangeOptions,
  { act, line, document }: Outcome<T>,
): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const { secret } = await change(screen, tenant, options, act, (made) => ({
      line: line(made),
      document: { ...document(made), secret: options.dryRun ? null : made.secret },
    }));
    if (options.dryRun || secret === null) return EXIT.fine;
    screen.line(`Secret: ${bold(secret)}`);
    screen.line('It is not shown again: configure it in the receiver now.');
    return EXIT.fine;
  });
}
