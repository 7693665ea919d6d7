// `usance freezes`: assets whose books did not add up, so that their payments are stopped. Lifting a freeze is a person's decision: it
// requires a reason, and is audited under the name of the user that runs the command.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Freeze } from '../engine.ts';
import { showIds, shownActor, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, printDryRun } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { commandCaller, run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { dim, green, red } from './screen.ts';
import { EXIT } from './trouble.ts';
import { shown } from './verify.ts';

interface ListOptions extends CommonOptions {
  readonly all?: boolean;
}

interface LiftOptions extends CommonOptions, DryRunOption {
  readonly tenant: string;
  readonly asset: string;
  readonly reason: string;
}

export function addFreezes(program: Command): void {
  const freezes = program
    .command('freezes')
    .description('assets that are frozen because their books did not add up')
    .addHelpText('after', '\nExample:\n  usance freezes');
  freezes
    .command('list', { isDefault: true })
    .description('list frozen assets and the failed checks')
    .option('--all', 'include lifted freezes')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance freezes list --all')
    .action((options: ListOptions) => run('freezes', options, (screen, config) => list(screen, config, options)));
  freezes
    .command('lift')
    .description('lift a freeze, so that payments of the asset run again')
    .requiredOption('--tenant <name>', 'name or id of the tenant')
    .requiredOption('--asset <asset>', 'the asset, such as USD/2')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  usance freezes lift --tenant shop --asset USD/2 --reason "restored row from backup"',
    )
    .action((options: LiftOptions) => run('freezes', options, (screen, config) => lift(screen, config, options)));
}

function list(screen: Screen, config: Config, options: ListOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const freezes = await engine.freezes({ activeOnly: options.all !== true });
    const names = new Map((await engine.tenants()).map((tenant) => [tenant.id, tenant.name]));
    if (freezes.length === 0) screen.line('No asset is frozen.');
    for (const freeze of freezes) {
      for (const line of describe(freeze, names.get(freeze.tenantId) ?? toTypeId('tenant', freeze.tenantId)))
        screen.line(line);
    }
    screen.document({
      freezes: freezes.map((freeze) => ({ tenant: names.get(freeze.tenantId) ?? null, ...documentOf(freeze) })),
    });
    return EXIT.fine;
  });
}

const shownDetails = ({ details }: Freeze): Record<string, unknown> => showIds(details) as Record<string, unknown>;

const documentOf = (freeze: Freeze): object => ({
  ...freeze,
  id: toTypeId('freeze', freeze.id),
  tenantId: toTypeId('tenant', freeze.tenantId),
  liftedBy: freeze.liftedBy && shownActor(freeze.liftedBy),
  details: shownDetails(freeze),
});

function describe(freeze: Freeze, tenant: string): string[] {
  const state =
    freeze.liftedAt === null
      ? red('frozen')
      : dim(`lifted ${freeze.liftedAt.toISOString()} by ${shownActor(freeze.liftedBy ?? '')}`);
  const details = Object.entries(shownDetails(freeze)).map(([name, value]) => `${name} ${shown(value)}`);
  return [
    `${tenant} ${freeze.asset}  ${state}`,
    `  since ${freeze.frozenAt.toISOString()}: ${freeze.violation}`,
    `  ${details.join(' · ')}`,
  ];
}

function lift(screen: Screen, config: Config, options: LiftOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const caller = commandCaller();
    const tenant = await engine.tenant(options.tenant, caller);
    const document = {
      lifted: { tenant: tenant.name, asset: options.asset, by: caller.actor, reason: options.reason },
    };
    if (options.dryRun) {
      const line = `the freeze of ${options.asset} of ${tenant.name} is lifted.`;
      printDryRun(screen, await tenant.dryRun((verbs) => verbs.unfreeze(options.asset, options.reason)), {
        line,
        document,
      });
      return EXIT.fine;
    }
    await tenant.unfreeze(options.asset, options.reason);
    screen.line(
      `${green('Lifted:')} payments of ${options.asset} of ${tenant.name} run again. Audited as ${caller.actor}.`,
    );
    screen.line(
      'If the books are still wrong, the next check freezes the asset again; "usance verify" shows the problem.',
    );
    screen.document(document);
    return EXIT.fine;
  });
}
