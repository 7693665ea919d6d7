#!/usr/bin/env node
// The commands. Each is a file of its own that adds itself here; what they share is in run.ts.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addApi } from './api.ts';
import { addAudit } from './audit.ts';
import { addClocks } from './clocks.ts';
import { addDev } from './dev.ts';
import { addDlq } from './dlq.ts';
import { addDoctor } from './doctor.ts';
import { addFreezes } from './freezes.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addMigrate } from './migrate.ts';
import { addPayments } from './payments.ts';
import { addProcessor } from './processor.ts';
import { addScheduler } from './scheduler.ts';
import { createScreen } from './screen.ts';
import { EXIT, report } from './trouble.ts';
import { addUpcoming } from './upcoming.ts';
import { addVerify } from './verify.ts';
import { addWorker } from './worker.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('usance')
  .description('Moves money later, exactly once: payments that wait, on PostgreSQL.')
  .version(version)
  .showSuggestionAfterError()
  .showHelpAfterError('Add --help to see what there is.')
  // Before the commands are added: they inherit it. Ending the process is left to the last line, so that output is whole.
  .exitOverride()
  .addHelpText(
    'after',
    `
The store is the folder .usance of the working folder, on an embedded PostgreSQL that commands share, or the database
in DATABASE_URL. Commands print for people, and with --json one JSON document.

Exit codes: 0 fine · 1 something is wrong with the books, or the request was refused · 2 wrong usage ·
            3 the set-up is broken (database, folder, port, schema) · 4 a bug`,
  );

const COMMANDS = [
  addDev,
  addApi,
  addScheduler,
  addProcessor,
  addWorker,
  addPayments,
  addDlq,
  addUpcoming,
  addKeys,
  addClocks,
  addVerify,
  addAudit,
  addDoctor,
  addMigrate,
  addImport,
];
for (const add of [...COMMANDS, addFreezes]) add(program, version);

try {
  // Commander would print it on stderr, as a mistake. Somebody who types the name alone is asking.
  if (process.argv.length <= 2) program.help();
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error, createScreen(process.argv.includes('--json')), null);
}

// A login that pg could not complete (no password to give) keeps its socket until the server loses patience, a minute later.
if (process.exitCode === EXIT.setup) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
