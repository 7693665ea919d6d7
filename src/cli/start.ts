// Runs the command that was typed, and sets the exit code.
import { npmVariables } from '../config.ts';
import { bannerNotice, refuseKeptFlags } from './npm.ts';
import { createProgram } from './program.ts';
import { createScreen } from './screen.ts';
import { EXIT, report } from './trouble.ts';

export async function start(version: string): Promise<void> {
  const program = createProgram(version);
  try {
    // Commander would print it on stderr, as an error. The bare name is a request for help.
    if (process.argv.length <= 2) program.help();
    const args = process.argv.slice(2);
    const npm = npmVariables();
    refuseKeptFlags(program, npm, args);
    const isTerminal = process.stdout.isTTY;
    const notice = bannerNotice(npm, { json: args.includes('--json'), isTerminal });
    if (notice !== null) process.stderr.write(`${notice}\n`);
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error, createScreen(process.argv.includes('--json')), null);
  }
  // A login that pg could not complete (no password to give) keeps its socket until the server times out, a minute later.
  if (process.exitCode === EXIT.setup) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}
