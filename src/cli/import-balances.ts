// `usance accounts import-balances`: opening balances from another system, booked once under a name, and totals to reconcile with it. The file
// is read twice, first whole, so that a bad line is refused before anything is booked. Subscriptions are in import-subscriptions.ts.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { ImportReport, TenantHandle, Engine } from '../engine.ts';
import { Refusal, formatAmount, parseAmount, parseAsset, refuse } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION } from './dry-run.ts';
import type { Format } from './import-file.ts';
import { followed, formatOf, requireReadable } from './import-file.ts';
import type { CommonOptions } from './run.ts';
import { commandCaller, run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, green, grouped, red } from './screen.ts';
import { EXIT } from './trouble.ts';

interface ImportOptions extends CommonOptions, DryRunOption {
  readonly tenant: string;
  readonly name: string;
  readonly format?: Format;
  readonly expect: ReadonlyMap<string, bigint>;
  readonly createTenant?: boolean;
  readonly createAsset: readonly string[];
}

export function addAccounts(program: Command): void {
  program
    .command('accounts')
    .description('import the opening balances of accounts')
    .addHelpText(
      'after',
      '\nExample:\n  usance accounts import-balances balances.csv --tenant shop --name opening-2026',
    )
    .command('import-balances')
    .description('book opening balances from a file, once, and compare totals')
    .argument('<file>', 'CSV with the columns account, asset, amount; or one JSON object with these fields per line')
    .requiredOption('--tenant <name>', 'name or id of the tenant')
    .requiredOption('--name <import>', 'name of this import: the same name never books a balance twice')
    .addOption(
      new Option('--expect <asset=total>', 'expected total of an asset, in minor units; repeatable')
        .argParser(expectation)
        .default(new Map(), 'none'),
    )
    .addOption(
      new Option('--format <format>', 'format, if the file name does not end in .csv or .jsonl').choices([
        'csv',
        'jsonl',
      ]),
    )
    .option('--create-tenant', 'create the tenant if there is none')
    .addOption(
      new Option('--create-asset <asset>', 'create the asset if the tenant has none; repeatable')
        .argParser(assetName)
        .default([], 'none'),
    )
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Example:
  usance accounts import-balances balances.csv --tenant shop --name opening-2026 --expect USD/2=125000

  balances.csv:  account,asset,amount        amounts are whole minor units: 100000 of USD/2 is 1000.00
                 alice,USD/2,100000
                 bob,USD/2,25000

Missing accounts are created. After an interruption run it again: booked balances are skipped.`,
    )
    .action((file: string, options: ImportOptions) =>
      run('accounts', options, (screen, config) => importFile(screen, config, file, options)),
    );
}

async function importFile(screen: Screen, config: Config, file: string, options: ImportOptions): Promise<number> {
  const format = options.format ?? formatOf(file);
  await requireReadable(file);
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const dryRun = options.dryRun === true;
    const order = {
      name: options.name,
      format,
      expect: options.expect,
      createAssets: options.createAsset,
      dryRun,
      ...followed(screen, file, stop),
    };
    screen.progress('Reading …');
    const load = (tenant: Pick<TenantHandle, 'importOpeningBalances'>): Promise<ImportReport> =>
      tenant.importOpeningBalances(order);
    const tenant = await findTenant(engine, options);
    const report = tenant
      ? await load(tenant)
      : dryRun
        ? (await engine.dryRunTenant({ name: options.tenant }, load, commandCaller())).result
        : await load(await engine.createTenant({ name: options.tenant }, commandCaller()));
    screen.progress(null);
    const what = { file, tenant: tenant?.name ?? options.tenant, name: options.name, dryRun };
    return showReport(screen, what, report);
  });
}

function showReport(
  screen: Screen,
  what: { file: string; tenant: string; name: string; dryRun: boolean },
  { journaled: _journaled, ...report }: ImportReport,
): number {
  const agree = report.totals.every((total) => total.file === total.booked);
  screen.line(`Import ${bold(what.name)} of tenant ${bold(what.tenant)} from ${what.file}`);
  screen.line();
  const facts = [
    ['lines', grouped(report.lines)],
    ['booked now', grouped(report.booked)],
    ['booked before', grouped(report.skipped)],
    ['accounts opened', grouped(report.accountsOpened)],
  ];
  for (const line of aligned(facts)) screen.line(line);
  screen.line();
  const totals = report.totals.map((total) => [
    total.asset,
    formatAmount(total.file, total.asset),
    formatAmount(total.booked, total.asset),
    total.file === total.booked ? 'equal' : 'DIFFERENT',
  ]);
  for (const line of aligned([['asset', 'in the file', 'in the books', ''], ...totals])) screen.line(line);
  screen.line();
  if (what.dryRun) screen.line('Dry run, nothing was changed: these are the numbers that the import would print.');
  screen.line(
    agree
      ? green('File and books agree.')
      : red('File and books differ: another file was imported under this name before.'),
  );
  screen.document({ ok: agree, ...what, ...report });
  return agree ? EXIT.fine : EXIT.wrong;
}

/** Null if the tenant is to be created. */
async function findTenant(engine: Engine, options: ImportOptions): Promise<TenantHandle | null> {
  try {
    return await engine.tenant(options.tenant, commandCaller());
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'TENANT_NOT_FOUND')) throw error;
    if (options.createTenant !== true) refuse('TENANT_NOT_FOUND/creatable', { tenant: options.tenant });
    return null;
  }
}

function expectation(text: string, soFar: ReadonlyMap<string, bigint>): Map<string, bigint> {
  const at = text.lastIndexOf('=');
  try {
    return new Map(soFar).set(parseAsset(text.slice(0, at)).name, parseAmount(text.slice(at + 1)));
  } catch {
    throw new InvalidArgumentError('It must be an asset and a total in minor units, such as USD/2=125000.');
  }
}

function assetName(text: string, soFar: readonly string[]): string[] {
  try {
    return [...soFar, parseAsset(text).name];
  } catch {
    throw new InvalidArgumentError('It must be a code and a scale, such as USD/2.');
  }
}
