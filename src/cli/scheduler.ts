// `usance scheduler`: creates the payments of schedules when they are due. Any number may run at once. With --once it is a tick for a
// cron: it processes everything that is due now, prints a summary and exits.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Engine } from '../engine.ts';
import { reside } from './reside.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { tellerOf, visitTeller } from './tick-lines.ts';
import { loopOf, runOut } from './tick.ts';
import { EXIT } from './trouble.ts';

interface SchedulerCommandOptions extends CommonOptions {
  readonly once?: boolean;
}

export function addScheduler(program: Command): void {
  program
    .command('scheduler')
    .description('create the payments of schedules when they are due; any number of schedulers may run at once')
    .option('--once', 'create the payments that are due now, print a summary, and exit')
    .option('--json', 'print one JSON document: when it runs, or with --once the summary')
    .addHelpText('after', '\nExample:\n  usance scheduler --once')
    .action((options: SchedulerCommandOptions) =>
      run('scheduler', options, (screen, config) =>
        options.once ? makeOnce(screen, config) : reside(screen, config, ['scheduler', 'sequencer', 'metrics']),
      ),
    );
}

const NEVER = new AbortController().signal;

function makeOnce(screen: Screen, config: Config): Promise<number> {
  const say = tellerOf(screen, config);
  let opened: Engine | null = null;
  const teller = visitTeller(say, () => opened ?? notOpen());
  const options = { resident: true, once: 'scheduler', scheduler: { onVisited: teller.visited } } as const;
  return withUsance(screen, config, options, async (engine, stop) => {
    opened = engine;
    say('⏰', 'Starting scheduler...');
    const { claimed = 0, ...done } = await runOut(loopOf(engine, 'scheduler'), stop);
    const { placed = 0 } = await runOut(loopOf(engine, 'sequencer'), NEVER);
    await loopOf(engine, 'metrics').runOnce();
    teller.end();
    say('🎉', 'Scheduler executed successfully', { counts: { claimed, ...done } });
    screen.document({ claimed, ...done, events: placed });
    return EXIT.fine;
  });
}

function notOpen(): never {
  throw new Error('schedules cannot be visited before the store is open');
}
