// `usance demo`: fills the test tenant `demo-world` without a running `usance dev`, in an embedded store or in your own database, and prints how
// to open it.
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { Engine, TenantHandle } from '../../engine.ts';
import { presenterOf, wirePresenterOf } from '../../library/present.ts';
import { libraryOf } from '../../library/usance.ts';
import { localUrl, readUrl } from '../remote.ts';
import type { CommonOptions } from '../run.ts';
import { run, withUsance } from '../run.ts';
import type { Screen } from '../screen.ts';
import { bold, dim } from '../screen.ts';
import { EXIT, UsageError } from '../trouble.ts';
import { ensureWorldKey } from './key.ts';
import { openReceiver } from './receiver.ts';
import { Stopped } from './stage.ts';
import { DEMO_WORLD, ensureDemoWorld, fillDemoWorld } from './world.ts';

/** Everything that happens in a test tenant. Payments of other tenants are left to their processors. */
const LOOPS = ['clocks', 'sequencer', 'matcher', 'jobs', 'webhooks', 'rescuer', 'health'];

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'fill the test tenant demo-world with four weeks of data, as "usance dev" does by itself, and print its key and a link that opens it',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance demo && usance payments --tenant demo-world')
    // With the settings of dev, among them the simulated chain.
    .action((options: CommonOptions) => run('dev', options, demo));
}

function demo(screen: Screen, config: Config): Promise<number> {
  const options = {
    resident: true,
    readsSecrets: true,
    makesKey: true,
    presenter: presenterOf,
    webhookPresenter: wirePresenterOf,
  };
  return withUsance(screen, config, options, async (engine, stop) => {
    const world = await ensureDemoWorld(engine);
    if (!world) throw new UsageError(`the tenant ${DEMO_WORLD} is not a test tenant: it is left as it is`);
    const library = libraryOf(engine, { closes: false });
    library.start(LOOPS);
    screen.progress(`Filling ${DEMO_WORLD} …`);
    const receiver = await openReceiver();
    const beganMs = performance.now();
    try {
      const filled = await fillDemoWorld(engine, library, world, { receiver, stop });
      screen.progress(null);
      screen.line(
        filled
          ? `Filled the test tenant ${DEMO_WORLD} in ${secondsSince(beganMs)}.`
          : `The test tenant ${DEMO_WORLD} is filled already.`,
      );
      await showHowToOpen(screen, { engine, config, tenant: world.tenant, filled });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      screen.notice(`usance: stopped; "usance demo" completes it`);
      return EXIT.interrupted;
    } finally {
      await receiver.close();
    }
    return EXIT.fine;
  });
}

interface ToOpen {
  readonly engine: Engine;
  readonly config: Config;
  readonly tenant: TenantHandle;
  readonly filled: boolean;
}

/** By a command, and in the dashboard of a running `usance dev` by a link or the key. */
async function showHowToOpen(screen: Screen, { engine, config, tenant, filled }: ToOpen): Promise<void> {
  const key = await ensureWorldKey(engine, config, tenant);
  const url = dashboardUrl(config);
  const link = key && url && `${url}#link=${await engine.sessions.createLink([key.key])}`;
  screen.line();
  if (link !== null)
    screen.line(
      `  open  ${bold(link)} ${dim('(the dashboard of a running "usance dev"; works once, within an hour)')}`,
    );
  if (key) {
    screen.line(`  key   ${bold(key.secret)} ${dim(`(kept in ${key.file})`)}`);
    screen.line();
  }
  screen.line(dim(`In a terminal: usance payments --tenant ${DEMO_WORLD}`));
  screen.document({ tenant: DEMO_WORLD, filled, link, key: key?.secret ?? null });
}

/** Null if the port is free to choose: the address of a running process is not known then. */
function dashboardUrl(config: Config): string | null {
  if (config.apiUrl !== null) return readUrl('USANCE_URL', config.apiUrl, 'http://127.0.0.1:3001').href;
  return config.port === 0 ? null : localUrl(config).href;
}

const secondsSince = (beganMs: number): string => `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
