// `usance worker`: the loops except the processor, in any number of processes. Only one sequencer works at a time, and the checks take
// their slices in turns.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { LOOP_NAMES } from '../engine.ts';
import { presenterOf, wirePresenterOf } from '../library/present.ts';
import { reside } from './reside.ts';
import type { CommonOptions, ProcessorModule } from './run.ts';
import { run } from './run.ts';
import { tick } from './tick.ts';
import { UsageError } from './trouble.ts';

/** The processor has its own command, and usually its own machine. */
const USUAL = LOOP_NAMES.filter((name) => name !== 'processor');

/** For the commands that run processors. */
export const PROCESSORS_OPTION = new Option(
  '--processors <file>',
  'also run jobs: a JavaScript or TypeScript module that exports processors. It is loaded in a child process, with the environment of this one',
);

/** Processors in the module see events as the library shows them. */
export const processorModule = (file: string | undefined): ProcessorModule | undefined =>
  file === undefined ? undefined : { processorFile: file, presenter: presenterOf };

interface WorkerOptions extends CommonOptions {
  readonly processors?: string;
  readonly only: readonly string[];
  readonly once?: boolean;
}

export function addWorker(program: Command): void {
  program
    .command('worker')
    .description(
      'run the background loops: schedules, payouts, order and seals of events, jobs, checks of the books, test clocks, partitions of history',
    )
    .addOption(
      new Option(
        '--only <loops>',
        `one or more of ${LOOP_NAMES.join(', ')}, separated by commas; payouts includes confirmations`,
      )
        .argParser(loopNames)
        .default(USUAL, 'all but processor'),
    )
    .addOption(PROCESSORS_OPTION)
    .option(
      '--once',
      'run each loop until it has nothing to do, print a summary, and exit; exit code 1 if the books are wrong',
    )
    .option('--json', 'print one JSON document: when they run, or with --once the summary')
    .addHelpText(
      'after',
      '\nExample:\n  usance worker --processors ./processors.ts\n  usance worker --only sequencer,integrity --once',
    )
    .action((options: WorkerOptions) =>
      run('worker', options, (screen, config) => {
        if (options.processors !== undefined && !options.only.includes('jobs'))
          throw new UsageError('--processors needs the loop "jobs": add it to --only');
        const processors = processorModule(options.processors);
        return (options.once ? tick : reside)(screen, config, options.only, {
          processors,
          readsSecrets: true,
          webhookPresenter: wirePresenterOf,
        });
      }),
    );
}

function loopNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !LOOP_NAMES.includes(name));
  // The loop `confirmations` watches payouts that were sent: without it none would settle.
  if (unknown === undefined)
    return [...new Set(names.flatMap((name) => (name === 'payouts' ? [name, 'confirmations'] : name)))];
  throw new InvalidArgumentError(`There is no loop "${unknown}"; use one of ${LOOP_NAMES.join(', ')}.`);
}
