// `usance processor`: settles due payments, and orders their events. Any number may run at once. With --once it is a tick for a cron:
// it processes everything that is due now, prints a summary and exits.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Tried } from '../engine.ts';
import type { Counts, Loop } from '../kernel/index.ts';
import { createLog, observeLoops } from './log.ts';
import { reside } from './reside.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { counted } from './screen.ts';
import { sayTried, summaryOf, tellerOf } from './tick-lines.ts';
import { loopOf, runOut } from './tick.ts';
import { EXIT } from './trouble.ts';

interface ProcessorCommandOptions extends CommonOptions {
  readonly once?: boolean;
}

export function addProcessor(program: Command): void {
  program
    .command('processor')
    .description('run payments when they are due; any number of processors may run at once')
    .option('--once', 'run the payments that are due now, print a summary, and exit')
    .option('--json', 'print one JSON document: when it runs, or with --once the summary')
    .addHelpText('after', '\nExample:\n  usance processor --once')
    .action((options: ProcessorCommandOptions) =>
      run('processor', options, (screen, config) => (options.once ? settleOnce(screen, config) : stay(screen, config))),
    );
}

function stay(screen: Screen, config: Config): Promise<number> {
  return reside(screen, config, ['processor', 'sequencer', 'metrics']);
}

const NEVER = new AbortController().signal;

async function settleOnce(screen: Screen, config: Config): Promise<number> {
  const say = tellerOf(screen, config);
  const tried: Tried[] = [];
  const { failed } = observeLoops(createLog(screen, config));
  const options = {
    resident: true,
    once: 'processor',
    loops: failed ? { failed } : {},
    processor: { onTried: (some: readonly Tried[]): void => void tried.push(...some) },
  } as const;
  return withUsance(screen, config, options, async (engine, stop) => {
    say('🔄', 'Worker started - processing all pending jobs...');
    say('📊', `Found ${counted((await engine.backlog()).due, 'pending job')} to process`);
    const processor = loopOf(engine, 'processor');
    const told: Pick<Loop, 'runOnce'> = {
      async runOnce() {
        const done = await processor.runOnce();
        sayTried(say, tried.splice(0));
        return done;
      },
    };
    // Until nothing is due, or nothing that is due can be claimed.
    const gotAt = (counts: Counts): boolean => (counts['claimed'] ?? 0) > (counts['deferred'] ?? 0);
    const done = await runOut(told, stop, gotAt);
    // Orders the events too, so that `GET /events` has them although no other process runs.
    const { placed = 0 } = await runOut(loopOf(engine, 'sequencer'), NEVER);
    await loopOf(engine, 'metrics').runOnce();
    const { due } = await engine.backlog();
    if (due > 0)
      say(
        '⏸️',
        `${counted(due, 'payment')} still due: paused, or waiting for other transactions on their accounts.`,
        {},
        'warn',
      );
    say('📊', `Worker completed - ${summaryOf(done)}`, { counts: done });
    screen.document({ ...done, events: placed, due });
    return EXIT.fine;
  });
}
