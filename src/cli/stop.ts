// `usance stop`: stops the embedded PostgreSQL that a program left behind. One that is in use stays.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { stopEmbedded } from '../engine.ts';
import type { CommonOptions } from './run.ts';
import { run } from './run.ts';
import type { Screen } from './screen.ts';
import { EXIT, UsageError } from './trouble.ts';

export function addStop(program: Command): void {
  program
    .command('stop')
    .description('stop an embedded PostgreSQL that a program left running; a server in use keeps running')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance stop\n\nExits with 1 if another program uses the server.')
    .action((options: CommonOptions) => run('stop', options, stop));
}

async function stop(screen: Screen, { databaseUrl, dataDir }: Config): Promise<number> {
  if (databaseUrl !== null) throw new UsageError('DATABASE_URL is set: there is no embedded PostgreSQL to stop');
  const outcome = await stopEmbedded({ dataDir, onNotice: screen.notice });
  const says = {
    'not running': `No embedded PostgreSQL runs in ${dataDir}.`,
    stopped: `Stopped the embedded PostgreSQL in ${dataDir}.`,
    'in use': `Another program uses the embedded PostgreSQL in ${dataDir}: it stops when that program ends.`,
  };
  screen.line(says[outcome]);
  screen.document({ dataDir, outcome: outcome.replace(' ', '_') });
  return outcome === 'in use' ? EXIT.wrong : EXIT.fine;
}
