// `usance upcoming`: the payments of schedules in the next days as a calendar: a heading for each day, a line for each payment, in the
// time zone of each schedule.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { CalendarRun, TenantHandle } from '../engine.ts';
import { MOST_IN_CALENDAR } from '../engine.ts';
import { formatAmount, toTypeId } from '../kernel/index.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, counted } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface UpcomingOptions extends CommonOptions, TenantOptions {
  readonly days: number;
  readonly account?: string;
}

const MOST_DAYS = 366;
export function addUpcoming(program: Command): void {
  program
    .command('upcoming')
    .description('show the payments of schedules in the next days as a calendar')
    .option(...TENANT_OPTION)
    .option('--days <count>', `number of days, up to ${MOST_DAYS}`, days, 14)
    .option('--account <ref>', 'only schedules of this payer or payee')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance upcoming --days 30 --account alice')
    .action((options: UpcomingOptions) => run('upcoming', options, (screen, config) => show(screen, config, options)));
}

function show(screen: Screen, config: Config, options: UpcomingOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const { days: count, account } = options;
    const runs = await tenant.calendar({ days: count, ...(account ? { account } : {}) });
    if (runs.length === 0) screen.line(`No schedule pays anything in the next ${counted(count, 'day')}.`);
    else await calendar(screen, tenant, runs);
    screen.document({ days: count, runs: runs.map(documentOf) });
    return EXIT.fine;
  });
}

function documentOf({ schedule, ...run }: CalendarRun): object {
  return { schedule: toTypeId('schedule', schedule.id), zone: schedule.timing.zone, asset: schedule.asset, ...run };
}

async function calendar(screen: Screen, tenant: TenantHandle, runs: readonly CalendarRun[]): Promise<void> {
  const refs = await refsOf(tenant, runs);
  const days = Map.groupBy(runs, (each) => each.local.slice(0, 10));
  for (const [day, own] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    screen.line(bold(heading(day)));
    const rows = own.map(({ local, at, amount, schedule, ordinal }) => [
      `${local.slice(11, 16)} ${schedule.timing.zone}`,
      // With its date: in UTC it may be another day than the one of the heading.
      `${at.toISOString().slice(0, 16)}Z`,
      formatAmount(amount, schedule.asset),
      `${refs.get(schedule.payerId)} → ${schedule.legs.map((leg) => refs.get(leg.accountId)).join(' + ')}`,
      schedule.reference ?? toTypeId('schedule', schedule.id),
      `#${ordinal}`,
    ]);
    for (const line of aligned(rows)) screen.line(line);
    screen.line();
  }
  screen.line(`${counted(runs.length, 'upcoming payment')}.`);
  const schedules = new Set(runs.map(({ schedule }) => schedule.id)).size;
  if (schedules >= MOST_IN_CALENDAR)
    screen.line(`Only the ${counted(schedules, 'schedule')} that run soonest are shown.`);
}

/** `Fri 30 Jan 2026`. */
function heading(day: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(`${day}T00:00:00Z`)).replace(',', '');
}

async function refsOf(tenant: TenantHandle, runs: readonly CalendarRun[]): Promise<Map<string, string>> {
  const ids = new Set(runs.flatMap(({ schedule }) => [schedule.payerId, ...schedule.legs.map((leg) => leg.accountId)]));
  return new Map(await Promise.all([...ids].map(async (id) => [id, (await tenant.account(id)).ref] as const)));
}

function days(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_DAYS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_DAYS}.`);
}
