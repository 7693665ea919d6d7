// `usance processor`: settles what is due, and gives the events of it their places. As many as wanted may run at once.
// With --once it is a tick for a cron: everything that is due now, then it ends and says what it did.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Usance } from '../engine.ts';
import type { Counts } from '../kernel/index.ts';
import { createLog, describeCounts, observeLoops } from './log.ts';
import { reside } from './reside.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { counted } from './screen.ts';
import { EXIT } from './trouble.ts';

interface ProcessorCommandOptions extends CommonOptions {
  readonly once?: boolean;
}

export function addProcessor(program: Command): void {
  program
    .command('processor')
    .description('settle payments at their hour; any number may run at once')
    .option('--once', 'settle what is due now, say what was done, and end')
    .option('--json', 'print one JSON document: when it runs, or with --once what it did')
    .addHelpText('after', '\nExample:\n  usance processor --once')
    .action((options: ProcessorCommandOptions) =>
      run('processor', options, (screen, config) => (options.once ? tick(screen, config) : stay(screen, config))),
    );
}

function stay(screen: Screen, config: Config): Promise<number> {
  return reside(screen, config, ['processor', 'sequencer']);
}

async function tick(screen: Screen, config: Config): Promise<number> {
  const log = createLog(screen, config);
  const { failed } = observeLoops(log);
  return withUsance(screen, config, { resident: true, loops: failed ? { failed } : {} }, async (engine, stop) => {
    const done = await settleAllDue(engine, stop);
    const placed = await placeAllEvents(engine);
    const { due } = await engine.backlog();
    screen.line(`Processed ${counted(done['claimed'] ?? 0, 'payment')}: ${describeCounts(done)}.`);
    if (due > 0)
      screen.line(`${counted(due, 'payment')} still due: paused, or held up by other work on their accounts.`);
    screen.document({ ...done, events: placed, due });
    return EXIT.fine;
  });
}

/** Until nothing is due, or nothing that is due can be got at. */
async function settleAllDue(engine: Usance, stop: AbortSignal): Promise<Counts> {
  const total: Record<string, number> = {};
  while (!stop.aborted) {
    const { counts, more } = await loopOf(engine, 'processor').runOnce();
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
    const gotAt = (counts['claimed'] ?? 0) - (counts['deferred'] ?? 0);
    if (!more || gotAt === 0) break;
  }
  return total;
}

/** What was settled is then in `GET /events` too, although no other process runs. */
async function placeAllEvents(engine: Usance): Promise<number> {
  let placed = 0;
  for (;;) {
    const { counts, more } = await loopOf(engine, 'sequencer').runOnce();
    placed += counts['placed'] ?? 0;
    if (!more) return placed;
  }
}

function loopOf(engine: Usance, name: string): Usance['loops'][number] {
  const found = engine.loops.find((loop) => loop.name === name);
  if (!found) throw new Error(`expected a loop named ${name}`);
  return found;
}
