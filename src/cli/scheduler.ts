// `usance scheduler`: makes the payments of schedules at their hour. As many as wanted may run at once. With --once it is a
// tick for a cron: everything that is due now, then it ends and says what it did.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Visited } from '../engine.ts';
import { reside } from './reside.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { sayVisited, tellerOf } from './tick-lines.ts';
import { loopOf, runOut } from './tick.ts';
import { EXIT } from './trouble.ts';

interface SchedulerCommandOptions extends CommonOptions {
  readonly once?: boolean;
}

export function addScheduler(program: Command): void {
  program
    .command('scheduler')
    .description('make the payments of schedules at their hour; any number may run at once')
    .option('--once', 'make what is due now, say what was done, and end')
    .option('--json', 'print one JSON document: when it runs, or with --once what it did')
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
  const visited: Visited[] = [];
  const onVisited = (some: readonly Visited[]): void => void visited.push(...some);
  return withUsance(screen, config, { resident: true, once: true, scheduler: { onVisited } }, async (engine, stop) => {
    say('⏰', 'Starting scheduler...');
    const { claimed = 0, ...done } = await runOut(loopOf(engine, 'scheduler'), stop);
    const { placed = 0 } = await runOut(loopOf(engine, 'sequencer'), NEVER);
    await loopOf(engine, 'metrics').runOnce();
    await sayVisited(say, engine, visited);
    say('🎉', 'Scheduler executed successfully', { counts: { claimed, ...done } });
    screen.document({ claimed, ...done, events: placed });
    return EXIT.fine;
  });
}
