// `usance dev`, which is `npm start`: the store, the schema, HTTP and every loop in one process, until Ctrl-C. Then the
// other way round: HTTP first, so that nothing new comes while what is in flight finishes, then the loops, then the store.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { isProduction } from '../config.ts';
import type { TenantHandle, Engine } from '../engine.ts';
import { patiently } from '../engine.ts';
import { wirePresenterOf } from '../library/present.ts';
import { openApi, runApi } from './api.ts';
import type { BootstrapKey } from './bootstrap.ts';
import { ensureBootstrapKey } from './bootstrap.ts';
import { describeDemo, ensureDemo } from './demo.ts';
import { createLog, logAnchor, observeLoops } from './log.ts';
import { openMonitor } from './monitor.ts';
import { aborted } from './reside.ts';
import type { CommonOptions, ProcessorModule } from './run.ts';
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
    .option('--json', 'print one JSON document when everything runs')
    .addHelpText('after', '\nExample:\n  usance dev\n  usance dev --processors ./processors.ts')
    .action((options: DevOptions) => runDev(options, version));
  program
    .command('start')
    .description('the command of "npm start": dev, or api if NODE_ENV is production')
    .option('--json', 'print one JSON document when it runs')
    .addHelpText('after', '\nExample:\n  NODE_ENV=production DATABASE_URL=postgres://app@db/app usance start')
    .action((options: CommonOptions) => (isProduction() ? runApi(options) : runDev(options, version)));
}

interface DevOptions extends CommonOptions {
  readonly processors?: string;
}

function runDev(options: DevOptions, version: string): Promise<void> {
  return run('dev', options, (screen, config) => dev(screen, config, version, processorModule(options.processors)));
}

async function dev(
  screen: Screen,
  config: Config,
  version: string,
  processors: ProcessorModule | undefined,
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
      processors,
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
      try {
        if (first && !stop.aborted) {
          const { url } = await server.listen();
          engine.start();
          await welcome(screen, engine, { ...first, version, url, loopback: config.outbound.loopback });
        }
        await aborted(stop);
        screen.line();
        screen.line('Stopping …');
      } finally {
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

async function welcome(
  screen: Screen,
  engine: Engine,
  { demo, key, version, url, loopback }: First & { version: string; url: string; loopback: boolean },
): Promise<void> {
  const patience = { onNotice: screen.notice };
  const results = await patiently(() => engine.verify(), patience);
  const books = summary(results);
  const link = key && (await patiently(() => signInLink(engine, url, key), patience));
  const described = demo && (await patiently(() => describeDemo(demo), patience));
  showWelcome(screen, engine, { version, url, link, key, demo: described, books, loopback });
  screen.document({
    ready: true,
    version,
    url,
    link,
    key: key?.secret ?? null,
    store: engine.store,
    migrated: engine.migrated,
    demo: demo?.id ?? null,
    ok: results.every(({ offenders }) => offenders.length === 0),
  });
}

/** Opens the dashboard once, signed in with the bootstrap key. In the fragment, which no browser sends to a server or puts in a referrer. */
async function signInLink(engine: Engine, url: string, { secret }: BootstrapKey): Promise<string | null> {
  const found = await engine.authenticate(secret);
  return found?.key ? `${url}/#link=${await engine.sessions.createLink([found.key])}` : null;
}
