// Effects of `npm run usance` on a command line: npm keeps the flags before `--` for itself, and writes two extra lines to stdout.
// Both are silent, so the command reports them.
import type { Command } from 'commander';
import { UsageError } from './trouble.ts';

/** Flags of usance that users also set in .npmrc for npm: they prove nothing. */
const OF_NPM = new Set(['scope', 'version']);

/** Throws if npm kept a flag that was meant for usance. */
export function refuseKeptFlags(program: Command, environment: NodeJS.ProcessEnv, args: readonly string[]): void {
  if (environment['npm_lifecycle_event'] !== 'usance') return;
  const kept = flagsOf(program).find(
    (name) =>
      !OF_NPM.has(name) &&
      environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined &&
      !args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`)),
  );
  if (kept !== undefined)
    throw new UsageError(
      `npm kept --${kept} for itself: write \`npx usance …\`, or put -- before the command: \`npm run usance -- …\``,
    );
}

/** A line for stderr if npm has written its lines into a document that goes to a file or a pipe; null otherwise. */
export function bannerNotice(
  environment: NodeJS.ProcessEnv,
  { json, isTerminal }: { json: boolean; isTerminal: boolean },
): string | null {
  const isSilent = environment['npm_config_loglevel'] === 'silent';
  if (environment['npm_lifecycle_event'] !== 'usance' || isSilent || isTerminal || !json) return null;
  return 'usance: npm writes two lines before the JSON document; `npx usance …` and `npm run --silent usance -- …` write none';
}

function flagsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long }) => (long ? [long.replace(/^--(no-)?/, '')] : []));
  return [...new Set([...own, ...command.commands.flatMap(flagsOf)])];
}
