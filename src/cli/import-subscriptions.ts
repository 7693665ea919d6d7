// `usance subscriptions import`: subscriptions of another system with their next due date. Every line is checked before anything is
// written; run again after an interruption, it skips what was imported.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import type { SubscriptionImportReport } from '../engine.ts';
import { formatAmount } from '../kernel/index.ts';
import type { Format } from './import-file.ts';
import { followed, formatOf, requireReadable } from './import-file.ts';
import type { CommonOptions } from './run.ts';
import { commandCaller, run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, counted, green, grouped, red } from './screen.ts';
import { EXIT } from './trouble.ts';

interface ImportOptions extends CommonOptions {
  readonly tenant: string;
  readonly format?: Format;
  readonly dryRun?: boolean;
}

const SHOWN_PROBLEMS = 100;

export function addSubscriptions(program: Command): void {
  program
    .command('subscriptions')
    .description('import subscriptions of another system')
    .addHelpText('after', '\nExample:\n  usance subscriptions import subscriptions.csv --tenant club --dry-run')
    .command('import')
    .description('import subscriptions with their next due date, each once; past-due ones too')
    .argument('<file>', 'CSV with a header, or one JSON object per line')
    .requiredOption('--tenant <name>', 'name or id of the tenant')
    .option('--dry-run', 'check the file, report what would be created, and change nothing')
    .addOption(
      new Option('--format <format>', 'format, if the file name does not end in .csv or .jsonl').choices([
        'csv',
        'jsonl',
      ]),
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Example:
  usance subscriptions import subscriptions.csv --tenant club --dry-run

  subscriptions.csv:  reference,plan,payer,next_due_at,started_at,charges_made,status
                      old-1041,Gym,ann,2027-03-31T09:00:00Z,2026-12-31T09:00:00Z,3,ACTIVE

  reference     the name in the old system; the same reference is imported once
  plan, payer   id or name of a plan, id or ref of an account: both must exist
  next_due_at   when the next charge is due; in the past: at the next run of the scheduler, by the plan's "missed"
  started_at    when it began (optional): keeps the 31st, and counts the charges of a plan with a number of months
  charges_made  charges made before (optional, default 0): they count towards the plan's number; paid (optional): their sum
  status        ACTIVE (default), PAST_DUE, PAUSED or CANCELLED; only ACTIVE ones are charged

All problems of all lines are printed and nothing is written while there is one. After an interruption run it again: imported subscriptions are skipped.`,
    )
    .action((file: string, options: ImportOptions) =>
      run('subscriptions', options, (screen, config) => importFile(screen, config, file, options)),
    );
}

async function importFile(screen: Screen, config: Config, file: string, options: ImportOptions): Promise<number> {
  const format = options.format ?? formatOf(file);
  await requireReadable(file);
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const tenant = await engine.tenant(options.tenant, commandCaller());
    screen.progress('Checking …');
    const report = await tenant.importSubscriptions({
      format,
      dryRun: options.dryRun === true,
      ...followed(screen, file, stop),
    });
    screen.progress(null);
    return showReport(screen, { path: file, tenant: tenant.name, dryRun: options.dryRun === true }, report);
  });
}

function showReport(
  screen: Screen,
  what: { readonly path: string; readonly tenant: string; readonly dryRun: boolean },
  report: SubscriptionImportReport,
): number {
  const { refused, problems } = report;
  for (const { line, detail } of problems.slice(0, SHOWN_PROBLEMS)) screen.line(`line ${line}: ${detail}`);
  if (refused > SHOWN_PROBLEMS) screen.line(`… and ${counted(refused - SHOWN_PROBLEMS, 'more line')} with a problem`);
  if (refused > 0) screen.line();
  screen.line(`Subscriptions for tenant ${bold(what.tenant)} from ${what.path} (file ${report.file.slice(0, 12)})`);
  screen.line();
  const facts = [
    ['lines', grouped(report.lines)],
    ['created', grouped(report.created)],
    ['imported before', grouped(report.skipped)],
    ['refused', grouped(refused)],
    ...Object.entries(report.statuses).flatMap(([status, count]) => (count > 0 ? [[status, grouped(count)]] : [])),
  ];
  for (const line of aligned(facts)) screen.line(line);
  screen.line();
  const totals = report.totals.map((total) => [
    total.asset,
    grouped(total.subscriptions),
    formatAmount(total.perPeriod, total.asset),
    `${formatAmount(total.overdueAmount, total.asset)} (${counted(total.overdueCharges, 'charge')})`,
    formatAmount(total.paidBefore, total.asset),
  ]);
  const header = ['asset', 'subscriptions', 'a period', 'due already', 'paid before'];
  if (totals.length > 0) for (const line of aligned([header, ...totals])) screen.line(line);
  if (totals.length > 0) screen.line();
  screen.line(resultOf(report, what.dryRun));
  const { journaled: _journaled, ...numbers } = report;
  screen.document({ ok: refused === 0, ...what, ...numbers });
  return refused === 0 ? EXIT.fine : EXIT.wrong;
}

function resultOf({ refused, created, lines, skipped }: SubscriptionImportReport, dryRun: boolean): string {
  if (refused > 0) return red(`${counted(refused, 'line')} with a problem; nothing was written.`);
  if (dryRun) return `${counted(lines - skipped, 'subscription')} would be created; nothing was written.`;
  return green(`${counted(created, 'subscription')} created.`);
}
