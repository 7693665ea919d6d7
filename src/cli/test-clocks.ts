// `usance test-clocks`: test tenants and their time. `create` makes one with a key to it; `advance` lets time pass and reports what
// happened. It does the work itself, together with any running worker, so that none has to run. `cancel` ends an advance that
// another process began; `delete` removes the clock.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { ClockReport, Engine, TenantHandle, TenantVerbs } from '../engine.ts';
import { parseDelayMs } from '../engine.ts';
import { refuse, showIds, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, printDryRun } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { commandCaller, run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, counted, dim, green, red } from './screen.ts';
import { loopOf, runOut } from './tick.ts';
import { EXIT, UsageError } from './trouble.ts';

interface CreateOptions extends CommonOptions, DryRunOption {
  readonly tenant: string;
  readonly now: string;
}

interface ChosenOptions extends CommonOptions, DryRunOption {
  readonly tenant?: string;
}

interface AdvanceOptions extends ChosenOptions {
  readonly to?: string;
  readonly by?: string;
}

export function addTestClocks(program: Command): void {
  const clocks = program
    .command('test-clocks')
    .description('test tenants: create one, show and advance its clock, delete its clock')
    .addHelpText('after', '\nExample:\n  usance test-clocks advance --tenant lab --by 30d');
  clocks
    .command('create')
    .description('create a test tenant with a clock and a key; the secret is shown once')
    .requiredOption('--tenant <name>', 'name of the test tenant; created if there is none')
    .requiredOption('--now <instant>', 'start time of the clock, such as 2027-01-01T00:00:00Z')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance test-clocks create --tenant lab --now 2027-01-01T00:00:00Z')
    .action((options: CreateOptions) =>
      run('test-clocks', options, (screen, config) => create(screen, config, options)),
    );
  clocks
    .command('list', { isDefault: true })
    .description('list test tenants and their current time')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance test-clocks list')
    .action((options: CommonOptions) => run('test-clocks', options, list));
  clocks
    .command('advance')
    .description('advance the clock of a test tenant: everything that falls due happens at its own instant')
    .option('--tenant <name>', 'name or id; optional if there is only one test tenant')
    .option('--to <instant>', 'advance to this instant, such as 2027-02-01T00:00:00Z')
    .option('--by <duration>', 'or advance by this duration, such as 30d or PT1H')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance test-clocks advance --tenant lab --by 30d')
    .action((options: AdvanceOptions) =>
      run('test-clocks', options, (screen, config) => advance(screen, config, options)),
    );
  clocks
    .command('cancel-advance')
    .description('cancel an advance at the time that it reached: everything that happened stays')
    .option('--tenant <name>', 'name or id; optional if there is only one test tenant')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance test-clocks cancel-advance --tenant lab')
    .action((options: ChosenOptions) =>
      run('test-clocks', options, (screen, config) => cancel(screen, config, options)),
    );
  clocks
    .command('delete')
    .description('delete the clock of a test tenant: its time stops, and its payments wait for the next clock')
    .option('--tenant <name>', 'name or id; optional if there is only one test tenant')
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance test-clocks delete --tenant lab')
    .action((options: ChosenOptions) =>
      run('test-clocks', options, (screen, config) => remove(screen, config, options)),
    );
}

function create(screen: Screen, config: Config, options: CreateOptions): Promise<number> {
  return withUsance(screen, config, { resident: true }, async (engine) => {
    const { tenant: name, now } = options;
    const isThere = (await engine.tenants()).some((tenant) => tenant.name === name);
    if (options.dryRun) {
      const work = (verbs: TenantVerbs): Promise<ClockReport> => makeClock(verbs, { name, now });
      const dry = isThere
        ? await (await engine.tenant(name, commandCaller())).dryRun(work)
        : await engine.dryRunTenant({ name, kind: 'test' }, work, commandCaller());
      const line = `the test tenant ${name} has the time ${dry.result.now.toISOString()}.`;
      printDryRun(screen, dry, { line, document: { tenant: name, clock: documentOf(dry.result) } });
      return EXIT.fine;
    }
    if (!isThere) await engine.createTenant({ name, kind: 'test' }, commandCaller());
    const tenant = await engine.tenant(name, commandCaller());
    const clock = await tenant.createTestClock({ name, now });
    const { key, secret } = await tenant.createApiKey({ name: 'clocks', role: 'admin' });
    screen.line(`The test tenant ${bold(name)} has the time ${clock.now.toISOString()}. Its key, shown only once:`);
    screen.line();
    screen.line(`  ${secret}`);
    screen.line();
    screen.line(dim(`Advance the clock with "usance test-clocks advance --tenant ${name} --by 30d".`));
    screen.document({ tenant: name, clock: documentOf(clock), key: { id: toTypeId('apiKey', key.id), secret } });
    return EXIT.fine;
  });
}

async function makeClock(verbs: TenantVerbs, order: { name: string; now: string }): Promise<ClockReport> {
  const clock = await verbs.createTestClock(order);
  await verbs.createApiKey({ name: 'clocks', role: 'admin' });
  return clock;
}

/** Prints what a verb would do with the clock of a test tenant. */
async function printChange(
  screen: Screen,
  tenant: TenantHandle,
  work: (verbs: TenantVerbs) => Promise<ClockReport>,
  says: (clock: ClockReport) => string,
): Promise<number> {
  const dry = await tenant.dryRun(work);
  const document = { tenant: tenant.name, ...documentOf(dry.result) };
  printDryRun(screen, dry, { line: `${says(dry.result)}.`, document });
  return EXIT.fine;
}

const list = (screen: Screen, config: Config): Promise<number> =>
  withUsance(screen, config, { existing: true }, async (engine) => {
    const found = await clocksOf(engine);
    const rows = found.map(({ tenant, clock }) => [tenant.name, clock.now.toISOString(), describe(clock)]);
    if (rows.length === 0) screen.line('No test clock. Create one with "usance test-clocks create".');
    for (const line of aligned(rows, '')) screen.line(line);
    screen.document({ clocks: found.map(({ tenant, clock }) => ({ tenant: tenant.name, ...documentOf(clock) })) });
    return EXIT.fine;
  });

function advance(screen: Screen, config: Config, options: AdvanceOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const { tenant, clock } = await chosen(engine, options);
    const to = instantOf(clock, options);
    if (options.dryRun) {
      const says = (advancing: ClockReport): string => `the clock of ${tenant.name} is ${describe(advancing)}`;
      return printChange(screen, tenant, (verbs) => verbs.advanceTestClock(clock.id, to), says);
    }
    await tenant.advanceTestClock(clock.id, to);
    const arrived = await untilArrived(engine, tenant, clock.id, screen, stop);
    screen.progress(null);
    const { happened } = arrived;
    const told = Object.entries(happened?.byType ?? {}).map(([type, count]) => [String(count), type]);
    const isThere = arrived.status === 'ready' && !arrived.advance?.cancelled;
    const head = isThere ? green('Arrived:') : red(arrived.advance?.cancelled ? 'Cancelled:' : `${describe(arrived)}:`);
    screen.line(
      `${head} it is ${arrived.now.toISOString()} in ${tenant.name}; ${counted(happened?.count ?? 0, 'event')}.`,
    );
    for (const line of aligned(told)) screen.line(line);
    screen.document({ tenant: tenant.name, ...documentOf(arrived) });
    return isThere ? EXIT.fine : EXIT.wrong;
  });
}

const cancel = (screen: Screen, config: Config, options: ChosenOptions): Promise<number> =>
  withUsance(screen, config, { existing: true }, async (engine) => {
    const { tenant, clock } = await chosen(engine, options);
    if (options.dryRun) {
      const says = ({ now }: ClockReport): string => `the clock of ${tenant.name} stays at ${now.toISOString()}`;
      return printChange(screen, tenant, (verbs) => verbs.cancelAdvance(clock.id), says);
    }
    const stopped = await tenant.cancelAdvance(clock.id);
    const head = clock.status === 'advancing' && stopped.advance?.cancelled ? 'Cancelled:' : 'No advance to cancel:';
    screen.line(`${head} it is ${stopped.now.toISOString()} in ${tenant.name}.`);
    screen.document({ tenant: tenant.name, ...documentOf(stopped) });
    return EXIT.fine;
  });

const remove = (screen: Screen, config: Config, options: ChosenOptions): Promise<number> =>
  withUsance(screen, config, { existing: true }, async (engine) => {
    const { tenant, clock } = await chosen(engine, options);
    if (options.dryRun) {
      const says = ({ now: at }: ClockReport): string =>
        `the clock of ${tenant.name} is deleted at ${at.toISOString()}`;
      return printChange(screen, tenant, (verbs) => verbs.deleteTestClock(clock.id), says);
    }
    const { now, ...deleted } = await tenant.deleteTestClock(clock.id);
    screen.line(`Deleted the clock of ${bold(tenant.name)} at ${now.toISOString()}.`);
    screen.line(
      dim('Its payments and schedules wait for the next clock: "usance test-clocks create", at that instant or later.'),
    );
    screen.document({ tenant: tenant.name, ...documentOf({ ...deleted, now }) });
    return EXIT.fine;
  });

/** This process or a worker advances it, whichever has the lock. Afterwards its events are ordered, so that they can be counted. */
async function untilArrived(
  engine: Engine,
  tenant: TenantHandle,
  id: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<ClockReport> {
  for (;;) {
    await loopOf(engine, 'clocks').runOnce();
    await runOut(loopOf(engine, 'sequencer'), stop);
    const clock = await tenant.testClock(id);
    if (stop.aborted || (clock.status !== 'advancing' && clock.happened !== null)) return clock;
    screen.progress(`${clock.now.toISOString()} …`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Found {
  readonly tenant: TenantHandle;
  readonly clock: ClockReport;
}

async function clocksOf(engine: Engine): Promise<Found[]> {
  const found: Found[] = [];
  for (const { id, kind } of await engine.tenants()) {
    if (kind !== 'test') continue;
    const tenant = await engine.tenant(id, commandCaller());
    for (const clock of await tenant.testClocks()) found.push({ tenant, clock });
  }
  return found;
}

async function chosen(engine: Engine, { tenant: name }: ChosenOptions): Promise<Found> {
  if (name !== undefined) {
    const tenant = await engine.tenant(name, commandCaller());
    const [clock] = await tenant.testClocks();
    return clock ? { tenant, clock } : refuse('CLOCK_NOT_FOUND/no_clock', { tenant: name });
  }
  const [only, ...others] = await clocksOf(engine);
  if (!only) throw new UsageError('there is no test clock: create one with "usance test-clocks create"');
  if (others.length === 0) return only;
  throw new UsageError(
    `name the test tenant: --tenant ${[only, ...others].map(({ tenant }) => tenant.name).join(' or ')}`,
  );
}

function instantOf(clock: ClockReport, { to, by }: AdvanceOptions): Date | string {
  if (to !== undefined && by === undefined) return to;
  if (by !== undefined && to === undefined) return new Date(clock.now.getTime() + parseDelayMs(by, 'by'));
  throw new UsageError('give the target: --to 2027-02-01T00:00:00Z, or --by 30d');
}

function describe({ status, advance: last }: ClockReport): string {
  if (status === 'advancing') return `advancing to ${last?.to.toISOString()}`;
  return status === 'failed' ? `failed: ${last?.code} ${last?.detail}` : 'ready';
}

function documentOf({ id, name, now, status, deletedAt, advance: last, happened }: ClockReport): object {
  return { id: toTypeId('testClock', id), name, now, status, deletedAt, advance: showIds(last), happened };
}
