// `usance migrate`: brings the schema to the version of this program. Run it before the new version of the program starts; programs of
// the old version can keep running meanwhile. DATABASE_OWNER_URL is enough, without DATABASE_URL.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { MigrationReport } from '../engine.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { bold, counted, green } from './screen.ts';
import { EXIT } from './trouble.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema up to date, as the owner in DATABASE_OWNER_URL if it is set')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  DATABASE_OWNER_URL=postgres://owner@db/app usance migrate')
    .action((options: CommonOptions) => run('migrate', options, migrate));
}

async function migrate(screen: Screen, config: Config): Promise<number> {
  const reachable = { ...config, databaseUrl: config.databaseUrl ?? config.ownerUrl };
  return withUsance(screen, reachable, { migrate: true }, async ({ migrated, store }) => {
    const { from, to, applied } = migrated ?? { from: store.schemaVersion, to: store.schemaVersion, applied: [] };
    screen.line(`Schema ${config.schema} of ${bold(store.place)}, PostgreSQL ${store.serverVersion}`);
    for (const name of applied) screen.line(`  ${green('applied')}  ${name}`);
    screen.line(describeMigration({ from, to, applied }));
    screen.document({ from, to, applied });
    return EXIT.fine;
  });
}

export function describeMigration({ from, to, applied }: MigrationReport): string {
  if (applied.length > 0) return `Migrated from version ${from} to ${to}: ${counted(applied.length, 'file')}.`;
  return from === to
    ? `Nothing to do: the schema is at version ${to}.`
    : `Another program migrated the schema from version ${from} to ${to} meanwhile.`;
}
