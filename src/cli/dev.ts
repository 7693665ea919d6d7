// `usance dev`, which is `npm start`: the store, the schema, HTTP and every loop in one process, until Ctrl-C. Then the
// other way round: HTTP first, so that nothing new comes while what is in flight finishes, then the loops, then the store.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { isProduction } from '../config.ts';
import type { ApiKey, TenantHandle, Engine } from '../engine.ts';
import { patiently } from '../engine.ts';
import { presenterOf, wirePresenterOf } from '../library/present.ts';
import { libraryOf } from '../library/usance.ts';
import { openApi, runApi } from './api.ts';
import type { BootstrapKey } from './bootstrap.ts';
import { ensureBootstrapKey } from './bootstrap.ts';
import type { PreparedWorld } from './demo-world/background.ts';
import { fillInBackground, prepareDemoWorld } from './demo-world/background.ts';
import { describeDemo, ensureDemo } from './demo.ts';
import { createLog, logAnchor, observeLoops } from './log.ts';
import { openMonitor } from './monitor.ts';
import { aborted } from './reside.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { EXIT } from './trouble.ts';
import { summary } from './verify.ts';
import { showWelcome } from './welcome.ts';
import { PROCESSORS_OPTION, processorModule } from './worker.ts';

export function addDev(program: Command, version: string): void {
  program
    .command('dev')
    .description('run everything until Ctrl-C: an embedded PostgreSQL (or DATABASE_URL), migrations, HTTP, all loops')
    .addOption(PROCESSORS_OPTION)
    .option(...NO_DEMO)
    .option('--json', 'print one JSON document when everything runs')
    .addHelpText('after', '\nExample:\n  usance dev\n  usance dev --processors ./processors.ts')
    .action((options: DevOptions) => runDev(options, version));
  program
    .command('start')
    .description('the command of "npm start": dev, or api if NODE_ENV is production')
    .option(...NO_DEMO)
    .option('--json', 'print one JSON document when it runs')
    .addHelpText('after', '\nExample:\n  NODE_ENV=production DATABASE_URL=postgres://app@db/app usance start')
    .action((options: DevOptions) => (isProduction() ? runApi(options) : runDev(options, version)));
}

const NO_DEMO = [
  '--no-demo',
  'without the test tenant demo-world, which has data for every page of the dashboard',
] as const;

interface DevOptions extends CommonOptions {
  readonly processors?: string;
  readonly demo: boolean;
}

function runDev(options: DevOptions, version: string): Promise<void> {
  return run('dev', options, (screen, config) => dev(screen, config, version, options));
}

async function dev(
  screen: Screen,
  config: Config,
  version: string,
  { processors, demo: wantsWorld }: DevOptions,
): Promise<number> {
  const log = createLog(screen, config);
  screen.progress('Starting PostgreSQL …');
  await withUsance(
    screen,
    config,
    {
      migrate: true,
      readsSecrets: true,
      makesKey: true,
      loops: observeLoops(log),
      onAnchor: logAnchor(log),
      processors: processorModule(processors),
      presenter: presenterOf,
      webhookPresenter: wirePresenterOf,
    },
    async (engine, stop) => {
      screen.progress(null);
      // Before the server listens: once /ready succeeds, there is a working key and money to move.
      const first = stop.aborted
        ? null
        : await patiently(() => ensureFirst(engine, config), { onNotice: screen.notice });
      const server = await openApi(engine, config, log);
      const monitor = await openMonitor(engine, config, log);
      let endFill = async (): Promise<void> => undefined;
      try {
        if (first && !stop.aborted) {
          const { url } = await server.listen();
          const library = libraryOf(engine, { closes: false });
          const hasWorld = wantsWorld && first.demo !== null && !config.production;
          const prepared = hasWorld ? await prepareDemoWorld(engine, config, screen) : null;
          library.start();
          await welcome(screen, engine, { ...first, prepared, version, url, loopback: config.outbound.loopback });
          if (prepared) endFill = fillInBackground(engine, library, prepared, { screen, stop });
        }
        await aborted(stop);
        screen.line();
        screen.line('Stopping …');
      } finally {
        await endFill();
        await Promise.all([monitor.turnRed(), server.close()]);
        await monitor.close();
      }
    },
  );
  screen.line('Stopped.');
  return EXIT.fine;
}

/** The folder has no database yet. If a file is in its place, there is no database either, but nothing is created. */
interface First {
  readonly demo: TenantHandle | null;
  readonly key: BootstrapKey | null;
}

async function ensureFirst(engine: Engine, config: Config): Promise<First> {
  const demo = await ensureDemo(engine);
  return { demo, key: await ensureBootstrapKey(engine, config, demo) };
}

interface Started {
  readonly prepared: PreparedWorld | null;
  readonly version: string;
  readonly url: string;
  readonly loopback: boolean;
}

async function welcome(
  screen: Screen,
  engine: Engine,
  { demo, key, prepared, version, url, loopback }: First & Started,
): Promise<void> {
  const patience = { onNotice: screen.notice };
  const results = await patiently(() => engine.verify(), patience);
  const books = summary(results);
  const link = key && (await patiently(() => signInLink(engine, url, key, prepared?.key?.key ?? null), patience));
  const described = demo && (await patiently(() => describeDemo(demo), patience));
  const world = prepared && { name: prepared.world.tenant.name, key: prepared.key };
  showWelcome(screen, engine, { version, url, link, key, demo: described, world, books, loopback });
  screen.document({
    ready: true,
    version,
    url,
    link,
    key: key?.secret ?? null,
    store: engine.store,
    migrated: engine.migrated,
    demo: demo?.id ?? null,
    world: world?.name ?? null,
    worldKey: world?.key?.secret ?? null,
    ok: results.every(({ offenders }) => offenders.length === 0),
  });
}

/**
 * Opens the dashboard once, signed in with the bootstrap key and that of the demo world. In the fragment, which no browser sends to a server
 * or puts in a referrer.
 */
async function signInLink(
  engine: Engine,
  url: string,
  { secret }: BootstrapKey,
  worldKey: ApiKey | null,
): Promise<string | null> {
  const found = await engine.authenticate(secret);
  if (!found?.key) return null;
  return `${url}/#link=${await engine.sessions.createLink([found.key, ...(worldKey ? [worldKey] : [])])}`;
}
