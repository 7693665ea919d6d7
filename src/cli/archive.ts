// `usance payments archive`: puts ended payments aside now, of every tenant. The worker does the same by itself, a slice at a time.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { archiveAge } from '../config.ts';
import { SetupError } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { commandCaller, run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { counted } from './screen.ts';
import { EXIT } from './trouble.ts';

interface ArchiveOptions extends CommonOptions, DryRunOption {
  readonly olderThan?: number;
}

export function addArchive(payments: Command): void {
  payments
    .command('archive')
    .description('archive payments that ended long ago; they can be read as before')
    .option('--older-than <age>', 'minimum age, instead of USANCE_ARCHIVE_PAYMENTS_AFTER: 365d, P365D', age)
    .option('--dry-run', 'print how many payments would be archived, and change nothing')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance payments archive --older-than 365d')
    .action((options: ArchiveOptions) =>
      run('payments', options, (screen, config) => archive(screen, config, options)),
    );
}

function archive(screen: Screen, config: Config, options: ArchiveOptions): Promise<number> {
  const olderThanMs = options.olderThan ?? config.archivePaymentsMs;
  if (olderThanMs === null) {
    throw new SetupError('USANCE_ARCHIVE_PAYMENTS_AFTER is never: use --older-than to archive all the same');
  }
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const caller = commandCaller();
    // Thrown between two slices; archived payments stay archived.
    const { dryRun = false } = options;
    const archived = await engine.archive({ olderThanMs, caller, dryRun, onSlice: () => stop.throwIfAborted() });
    screen.line(
      archived === 0
        ? 'No payment ended that long ago.'
        : dryRun
          ? `Dry run, nothing was changed: ${counted(archived, 'payment')} would be archived.`
          : `${counted(archived, 'payment')} archived. Audited as ${caller.actor}.`,
    );
    screen.document({ ...(dryRun ? { dryRun } : {}), archived });
    return EXIT.fine;
  });
}

function age(text: string): number {
  try {
    const ms = archiveAge('--older-than', text);
    if (ms !== null) return ms;
  } catch {
    // The message follows below, in the words of this command.
  }
  throw new InvalidArgumentError('It must be a duration of at least a day, such as 365d or P365D.');
}
