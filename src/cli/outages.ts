// `usance outages`: runs that were missed while no scheduler ran, and are held because they exceed the outage guard of the tenant. A
// person releases or discards them, audited under the name of the user that runs the command.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Outage, TenantVerbs } from '../engine.ts';
import { formatAmount, fromTypeId, isUuid, showIds, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, counted } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface OutageOptions extends CommonOptions, TenantOptions, DryRunOption {}

export function addOutages(program: Command): void {
  const outages = program
    .command('outages')
    .description('runs that were held after an outage of the scheduler; release or discard them')
    .addHelpText('after', '\nExample:\n  usance outages');
  const sub = (name: string, says: string, example: string, isDefault = false): Command =>
    outages
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance outages ${example}`);

  sub('list', 'list held outages, and the decisions on earlier ones', 'list', true).action((options: OutageOptions) =>
    run('outages', options, (screen, config) => list(screen, config, options)),
  );
  sub('release', 'release the runs; each schedule follows its own policies', 'release out_01jd…')
    .argument('<id>', 'id of the outage, such as out_01jd…')
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: OutageOptions & { reason?: string }) =>
      run('outages', options, (screen, config) =>
        decide(screen, config, options, 'released', (tenant) => tenant.releaseOutage(uuidOf(id), reasonOf(options))),
      ),
    );
  sub(
    'discard',
    'skip the runs; schedules continue with their next slot',
    'discard out_01jd… --reason "paid by other means"',
  )
    .argument('<id>', 'id of the outage, such as out_01jd…')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: OutageOptions & { reason: string }) =>
      run('outages', options, (screen, config) =>
        decide(screen, config, options, 'discarded', (tenant) => tenant.discardOutage(uuidOf(id), options)),
      ),
    );
}

function list(screen: Screen, config: Config, options: OutageOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const found = await (await chosenTenant(engine, options)).outages();
    if (found.length === 0) screen.line('No outage was ever held.');
    for (const line of aligned(found.map(rowOf), '')) screen.line(line);
    screen.document({ outages: found.map(documentOf) });
    return EXIT.fine;
  });
}

function decide(
  screen: Screen,
  config: Config,
  options: OutageOptions,
  word: string,
  act: (tenant: TenantVerbs) => Promise<Outage>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    await change(screen, await chosenTenant(engine, options), options, act, (decided) => ({
      line: `${howMuch(decided)} ${word}.`,
      document: documentOf(decided),
    }));
    return EXIT.fine;
  });
}

function rowOf(outage: Outage): string[] {
  const { id, status, since, through } = outage;
  return [
    toTypeId('outage', id),
    status,
    `due ${since.toISOString()} to ${through.toISOString()}`,
    howMuch(outage),
    outage.reason ?? '',
  ];
}

/** `1,260 schedules, 18,900.00 USD`. */
function howMuch({ overdue }: Outage): string {
  const schedules = overdue.reduce((sum, { count }) => sum + count, 0);
  return [counted(schedules, 'schedule'), ...overdue.map(({ asset, amount }) => formatAmount(amount, asset))].join(
    ', ',
  );
}

const documentOf = (outage: Outage): object => ({ ...(showIds(outage) as object), id: toTypeId('outage', outage.id) });
const reasonOf = ({ reason }: { reason?: string }): { reason?: string } => (reason === undefined ? {} : { reason });

/** Both forms of an id: the one people see, and the one in the database. */
function uuidOf(id: string): string {
  return isUuid(id) ? id : fromTypeId('outage', id);
}
