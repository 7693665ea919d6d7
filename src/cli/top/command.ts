// `usance top`: the state of a tenant and of the loops, drawn again every two seconds. On a terminal it uses the alternate screen; q or Ctrl-C ends
// it and restores the terminal. Without a terminal it prints one state after the other.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Config } from '../../config.ts';
import { describeError } from '../../kernel/index.ts';
import type { CommonOptions } from '../run.ts';
import { run, withUsance } from '../run.ts';
import type { Screen } from '../screen.ts';
import { dim, openFrames, yellow } from '../screen.ts';
import type { TenantOptions } from '../tenant.ts';
import { TENANT_OPTION, chosenTenant } from '../tenant.ts';
import { EXIT } from '../trouble.ts';
import { takeSample } from './sample.ts';
import { documentOf, linesOf } from './show.ts';

interface TopOptions extends CommonOptions, TenantOptions {
  readonly once?: boolean;
  readonly interval: number;
}

const MOST_SECONDS = 60;

export function addTop(program: Command): void {
  program
    .command('top')
    .description('watch a tenant: money that waits, what settled and failed, backlog, loops, integrity; q ends it')
    .option(...TENANT_OPTION)
    .option('--interval <seconds>', `seconds between two reads, 1 to ${MOST_SECONDS}`, seconds, 2)
    .option('--once', 'print the state once')
    .option('--json', 'print the state once, as one JSON document')
    .addHelpText('after', '\nExample:\n  usance top --interval 5')
    .action((options: TopOptions) => run('top', options, (screen, config) => top(screen, config, options)));
}

function top(screen: Screen, config: Config, options: TopOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const tenant = await chosenTenant(engine, options);
    if (options.once || screen.json) {
      const sample = await takeSample(engine, tenant);
      for (const line of linesOf(sample)) screen.line(line);
      screen.document(documentOf(sample));
      return EXIT.fine;
    }
    const ended = new AbortController();
    const end = (): void => ended.abort();
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    const frames = openFrames({ onQuit: end });
    try {
      while (!ended.signal.aborted) {
        // A database that is away comes back: the command waits for it.
        const lines = await takeSample(engine, tenant).then(linesOf, (error: unknown) => [
          yellow(`not read: ${describeError(error)}; it is tried again`),
        ]);
        // First, so that a low terminal shows it too.
        if (!ended.signal.aborted) frames.draw(frames.isLive ? [dim('q ends'), ...lines] : [...lines, '']);
        await pause(options.interval * 1_000, ended.signal);
      }
    } finally {
      frames.close();
    }
    return EXIT.fine;
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function seconds(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_SECONDS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_SECONDS}.`);
}
