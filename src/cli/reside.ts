// A resident command: it runs some loops until it is asked to stop. Then /ready fails and running work finishes. Claims that were not
// processed end with their transaction, so that another process takes them.
import type { Config } from '../config.ts';
import { createLog, logAnchor, observeLoops } from './log.ts';
import { openMonitor } from './monitor.ts';
import type { StoreOptions } from './run.ts';
import { withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { EXIT } from './trouble.ts';

export async function reside(
  screen: Screen,
  config: Config,
  loops: readonly string[],
  { readsSecrets = false, ...more }: Pick<StoreOptions, 'processors' | 'readsSecrets' | 'webhookPresenter'> = {},
): Promise<number> {
  const log = createLog(screen, config);
  await withUsance(
    screen,
    config,
    { resident: true, readsSecrets, loops: observeLoops(log), onAnchor: logAnchor(log), ...more },
    async (engine, stop) => {
      const monitor = await openMonitor(engine, config, log);
      const { place, serverVersion } = engine.store;
      log.info(`running ${loops.join(', ')} on ${place} (PostgreSQL ${serverVersion})`, { loops: loops.join(',') });
      if (more.processors) log.info(`processors: ${engine.jobWorker.processors.join(', ')}`);
      screen.document({ ready: true, loops, store: engine.store });
      if (!stop.aborted) engine.start(loops);
      await aborted(stop);
      log.info('stopping');
      await monitor.turnRed();
      // Keeps answering while work is running: a monitor sees it end and not vanish.
      await Promise.all(engine.loops.map((loop) => loop.stop()));
      await monitor.close();
    },
  );
  log.info('stopped');
  return EXIT.fine;
}

/** Resolves when the command is asked to stop. */
export async function aborted(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
}
