#!/usr/bin/env node
// What "usance" starts.
import { readFileSync } from 'node:fs';
import { createProgram } from './program.ts';
import { createScreen } from './screen.ts';
import { EXIT, report } from './trouble.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = createProgram(version);

try {
  // Commander would print it on stderr, as a mistake. Somebody who types the name alone is asking.
  if (process.argv.length <= 2) program.help();
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error, createScreen(process.argv.includes('--json')), null);
}

// A login that pg could not complete (no password to give) keeps its socket until the server loses patience, a minute later.
if (process.exitCode === EXIT.setup) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
