// `usance demo`: fills the test tenant `demo-world` without a running `usance dev`, in an embedded store or in your own database.
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { presenterOf, wirePresenterOf } from '../../library/present.ts';
import { libraryOf } from '../../library/usance.ts';
import type { CommonOptions } from '../run.ts';
import { run, withUsance } from '../run.ts';
import type { Screen } from '../screen.ts';
import { dim } from '../screen.ts';
import { EXIT, UsageError } from '../trouble.ts';
import { openReceiver } from './receiver.ts';
import { Stopped } from './stage.ts';
import { DEMO_WORLD, ensureDemoWorld, fillDemoWorld } from './world.ts';

/** Everything that happens in a test tenant. Payments of other tenants are left to their processors. */
const LOOPS = ['clocks', 'sequencer', 'matcher', 'jobs', 'webhooks', 'rescuer', 'health'];

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('fill the test tenant demo-world with four weeks of data, as "usance dev" does by itself')
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
      screen.line(
        dim(`Look at it with "usance payments --tenant ${DEMO_WORLD}", or in the dashboard of "usance dev".`),
      );
      screen.document({ tenant: DEMO_WORLD, filled });
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

const secondsSince = (beganMs: number): string => `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
