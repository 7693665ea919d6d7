// `usance dev`, which is `npm start`: the store, the schema and every loop in one process, until Ctrl-C. The first screen is
// for somebody who has never seen usance: what runs, where its data is, whether the books add up, what to type next.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Usance } from '../engine.ts';
import type { LoopObserver } from '../kernel/index.ts';
import { describeDemo, ensureDemo } from './demo.ts';
import { describeMigration } from './migrate.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, dim } from './screen.ts';
import { EXIT } from './trouble.ts';
import { summary } from './verify.ts';

export function addDev(program: Command, version: string): void {
  program
    .command('dev')
    .description('run everything until Ctrl-C: an embedded PostgreSQL (or DATABASE_URL), migrations, background checks')
    .option('--json', 'print one JSON document when everything runs')
    .addHelpText('after', '\nExample:\n  usance dev')
    .action((options: CommonOptions) => run('dev', options, (screen, config) => dev(screen, config, version)));
  program
    .command('start')
    .description('what "npm start" runs')
    .option('--json', 'print one JSON document when it runs')
    .addHelpText('after', '\nExample:\n  usance start')
    .action((options: CommonOptions) => run('dev', options, (screen, config) => dev(screen, config, version)));
}

async function dev(screen: Screen, config: Config, version: string): Promise<number> {
  screen.progress('Starting PostgreSQL …');
  await withUsance(screen, config, { migrate: true, loops: observer(screen) }, async (engine, stop) => {
    screen.progress(null);
    if (!stop.aborted) await welcome(screen, engine, version);
    if (!stop.aborted) {
      engine.start();
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    }
    screen.line();
    screen.line('Stopping …');
  });
  screen.line('Stopped.');
  return EXIT.fine;
}

async function welcome(screen: Screen, engine: Usance, version: string): Promise<void> {
  const { store, migrated } = engine;
  const demo = await ensureDemo(engine);
  const results = await engine.verify();
  const balances = demo && (await describeDemo(demo));

  screen.line(`${bold(`usance ${version}`)}  double-entry books for payments, on PostgreSQL`);
  screen.line();
  screen.line(
    `  data    ${store.place} ${dim(`(${store.embedded ? 'embedded ' : ''}PostgreSQL ${store.serverVersion})`)}`,
  );
  if (migrated !== null && migrated.applied.length > 0) screen.line(`  schema  ${describeMigration(migrated)}`);
  if (balances !== null) screen.line(`  demo    ${balances}`);
  screen.line(`  books   ${summary(results)}`);
  screen.line();
  screen.line('In another terminal:');
  for (const line of aligned(nextSteps())) screen.line(line);
  screen.line();
  screen.line(dim('The books are checked in the background while this runs. Ctrl-C stops it; the data stays.'));
  screen.document({
    ready: true,
    version,
    store,
    migrated,
    demo: demo?.id ?? null,
    ok: results.every(({ offenders }) => offenders.length === 0),
  });
}

/** In a clone there is no `usance` to call yet; npm finds it, and the Node that came with `npm ci`. */
function nextSteps(): string[][] {
  const usance = import.meta.url.endsWith('.ts') ? 'npm run usance' : 'npx usance';
  return [
    [`${usance} verify`, 'check every balance against its history'],
    [`${usance} doctor`, 'look at this machine and the database'],
    [`${usance} help`, 'everything else'],
  ];
}

function observer(screen: Screen): LoopObserver {
  const notice = (text: string): void => screen.notice(`${dim(timeOfDay())} ${text}`);
  return {
    ran: (name, counts) => {
      if ((counts['violations'] ?? 0) === 0) return;
      notice(
        `${name}: the books do not add up (${counts['violations']} found, ${counts['frozen']} newly frozen). Run "usance verify"`,
      );
    },
    failed: (name, error) => notice(`${name}: ${error instanceof Error ? error.message : String(error)}; trying again`),
  };
}

function timeOfDay(): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format();
}
