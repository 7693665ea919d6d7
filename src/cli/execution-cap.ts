// `usance execution-cap`: how many payments of a tenant are executed a second at most.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { ExecutionCap, TenantVerbs } from '../engine.ts';
import { MAX_EXECUTIONS_PER_SECOND } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { bold, grouped } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface CapOptions extends CommonOptions, TenantOptions, DryRunOption {}

export function addExecutionCap(program: Command): void {
  const cap = program
    .command('execution-cap')
    .description('limit how many payments of a tenant are executed per second')
    .addHelpText('after', '\nExample:\n  usance execution-cap set 50 --tenant shop');
  cap
    .command('get', { isDefault: true })
    .description('show the cap of a tenant, and the default of the deployment')
    .option(...TENANT_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance execution-cap get --tenant shop')
    .action((options: CapOptions) => run('execution-cap', options, (screen, config) => show(screen, config, options)));
  cap
    .command('set')
    .description('set the cap; payments beyond it wait, and the wait counts no attempt')
    .argument('<per-second>', `payments per second over all processors, 1 to ${MAX_EXECUTIONS_PER_SECOND}`, wholeNumber)
    .option(...TENANT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance execution-cap set 50 --tenant shop')
    .action((value: number, options: CapOptions) =>
      run('execution-cap', options, (screen, config) => set(screen, config, options, value)),
    );
  cap
    .command('remove')
    .description('remove the cap; the default of the deployment applies, if there is one')
    .option(...TENANT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance execution-cap remove --tenant shop')
    .action((options: CapOptions) =>
      run('execution-cap', options, (screen, config) => set(screen, config, options, null)),
    );
}

function show(screen: Screen, config: Config, options: CapOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const { line, document } = shown(tenant.name, await tenant.executionCap());
    screen.line(line);
    screen.document(document);
    return EXIT.fine;
  });
}

function set(screen: Screen, config: Config, options: CapOptions, perSecond: number | null): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const work = async (verbs: TenantVerbs): Promise<ExecutionCap> => {
      await verbs.setExecutionCap(perSecond);
      return verbs.executionCap();
    };
    await change(screen, tenant, options, work, (cap) => shown(tenant.name, cap));
    return EXIT.fine;
  });
}

const shown = (tenant: string, cap: ExecutionCap): { line: string; document: object } => ({
  line: `tenant ${bold(tenant)}: ${describe(cap)}`,
  document: { tenant, ...cap },
});

function describe({ perSecond: own, defaultPerSecond }: ExecutionCap): string {
  if (own !== null) return `at most ${grouped(own)} payments per second.`;
  return defaultPerSecond === null
    ? 'no cap on executions.'
    : `at most ${grouped(defaultPerSecond)} payments per second, the default of USANCE_EXECUTIONS_PER_SECOND.`;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MAX_EXECUTIONS_PER_SECOND) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_EXECUTIONS_PER_SECOND}.`);
}
