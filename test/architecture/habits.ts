// Small rules of the house: each once cost somebody an afternoon.
import { find, isCode } from './source.ts';
import type { Complaint, SourceFile } from './source.ts';

const MOST_LINES = 400;
const WRITTEN_BY_A_PROGRAM = /^\/\/ Written from .* by "npm run /;

export function checkLengths(files: readonly SourceFile[]): Complaint[] {
  return files
    .filter((file) => isCode(file) && !WRITTEN_BY_A_PROGRAM.test(file.text))
    .map((file) => ({ path: file.path, lines: file.text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${MOST_LINES}: which second idea moved in?`);
}

const SAYS_NOTHING = /\/(utils?|helpers?|common|types|interfaces)\//;

export function checkFolderNames(files: readonly SourceFile[]): Complaint[] {
  const folders = new Set(
    files.flatMap((file) => (SAYS_NOTHING.test(file.path) ? [file.path.slice(0, file.path.lastIndexOf('/'))] : [])),
  );
  return [...folders].map(
    (folder) => `${folder} is named after a kind of code: put each piece beside the noun it is about`,
  );
}

/** Ids, lines of a log, the header Date, and the timestamp and the age of a webhook are of real time, and the embedded server is waited for in real time. */
const OWN_CLOCK = [
  /^src\/kernel\/id\.ts$/,
  /^src\/db\/embedded\//,
  /^src\/cli\/log\.ts$/,
  /^src\/api\/client-error\.ts$/,
  /^src\/client\/verify-webhook\.ts$/,
  /^src\/webhooks\/deliver\.ts$/,
  /^src\/cli\/forward\.ts$/,
  /^src\/notifications\/post\.ts$/,
];

export function checkClock(files: readonly SourceFile[]): Complaint[] {
  return files
    .filter((file) => isCode(file) && !OWN_CLOCK.some((path) => path.test(file.path)))
    .flatMap((file) =>
      find(file, /\bDate\.now\(\)|\bnew Date(?:\(\)|(?=\s*[;,)]))|\bTemporal\.Now\b/g).map(
        ({ where, match }) =>
          `${where} reads the time by itself (${match[0]}): take a Clock, so that a test clock can be handed in`,
      ),
    );
}

/** The server's account hands the environment on to the programs it starts; it reads nothing from it. */
const KNOWS_ENVIRONMENT = ['src/config.ts', 'src/db/embedded/account.ts'];

export function checkEnvironment(files: readonly SourceFile[]): Complaint[] {
  return files
    .filter((file) => isCode(file) && !KNOWS_ENVIRONMENT.includes(file.path))
    .flatMap((file) =>
      find(file, /\bprocess\.env\b/g).map(
        ({ where }) =>
          `${where} reads process.env: add the variable to config.ts, which checks and documents it, and hand it in`,
      ),
    );
}

export function checkFocus(files: readonly SourceFile[]): Complaint[] {
  return files
    .filter(isCode)
    .flatMap((file) =>
      find(file, /\b(?:it|test|describe|suite)\.only\b/g).map(
        ({ where, match }) => `${where} has ${match[0]}: every other test of the file is silently left out`,
      ),
    );
}
