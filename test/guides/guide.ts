// The TypeScript of a guide: its blocks are one program, which uses the client or the library, except those that the page says to save as a
// file. Commands of the page that send no request (`npx usance …`) are steps of both the shell and the program, so they run between the blocks.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { TEST_KEY } from '../support/database.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/guides');
const CLIENT = join(ROOT, 'src/client/index.ts');
const LIBRARY = join(ROOT, 'src/index.ts');
const run = promisify(execFile);

export interface Block {
  readonly language: string;
  readonly text: string;
}

export interface World {
  /** The API. */
  readonly url: string;
  /** The database of the commands. */
  readonly databaseUrl: string;
  /** Where the commands and the program run. */
  readonly folder: string;
  /** Changes the program to fit what runs beside it. */
  readonly beside?: (program: string) => string;
}

export const guides = (): string[] => readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

export const pageOf = (guide: string): string => readFileSync(join(FOLDER, guide), 'utf8');

export function blocksOf(guide: string): Block[] {
  const page = pageOf(guide);
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));
}

export const textsOf = (guide: string, language: string): string[] =>
  blocksOf(guide).flatMap((block) => (block.language === language ? [block.text] : []));

/** The blocks that a page says to save as a file, by its name: modules beside the program. */
export function filesOf(guide: string): ReadonlyMap<string, string> {
  const page = pageOf(guide);
  const saved = page.matchAll(/(?:^Save|^[^\n]*, save) this as `([\w.-]+)`.*?^```[jt]s\n(.*?)^```$/gms);
  return new Map([...saved].map(([, name = '', text = '']) => [name, text]));
}

/** Whether a block of commands sends a request, itself or by a function of the page. */
export const sendsRequest = ({ language, text }: Block): boolean =>
  language === 'sh' && /\bcurl\b|^(?:send|see|dry|until|pay|arrived)\b/m.test(text);

/** The TypeScript that is the program of a page. */
const isProgram = (guide: string) => {
  const files = new Set(filesOf(guide).values());
  return ({ language, text }: Block): boolean => language === 'ts' && !files.has(text);
};

/** Imports from the sources of this repository. */
export const fromSources = (program: string): string =>
  program.replaceAll(`'usance/client'`, `'${CLIENT}'`).replaceAll(`from 'usance'`, `from '${LIBRARY}'`);

/** The lines that the program prints, by the page: every comment of its TypeScript is one. */
export const printedBy = (guide: string): string[] =>
  [
    ...textsOf(guide, 'ts')
      .join('\n')
      .matchAll(/(?:^|\s)\/\/ (.*)$/gm),
  ].map(([, text = '']) => text);

/** Runs the program of a guide and returns the lines that it printed. */
export async function runProgram(
  guide: string,
  { url, databaseUrl, folder, beside }: World,
  /** The program by itself, after a run with the commands. */
  { again = false } = {},
): Promise<string[]> {
  const ofProgram = isProgram(guide);
  const steps = blocksOf(guide).flatMap((block) => {
    if (ofProgram(block)) return [block.text];
    return again ? [] : block.language === 'sh' && !sendsRequest(block) ? [commandStep(block.text)] : [];
  });
  const written = [`import { execFileSync } from 'node:child_process';`, ...steps].join('\n');
  const program = fromSources(beside?.(written) ?? written);
  writeFiles(guide, folder);
  const file = join(folder, guide.replace('.md', '.mts'));
  writeFileSync(file, program.replaceAll('http://127.0.0.1:3001', url));
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, DATABASE_URL: databaseUrl, USANCE_ENCRYPTION_KEY: TEST_KEY };
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
  return stdout.trimEnd().split('\n');
}

/** The files of a page, beside its program. */
function writeFiles(guide: string, folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of filesOf(guide)) writeFileSync(join(folder, name), fromSources(text));
}

function commandStep(text: string): string {
  const script = text.replaceAll('npx usance', `"${process.execPath}" "${join(ROOT, 'src/cli/main.ts')}"`);
  return `execFileSync('sh', ['-e', '-c', ${JSON.stringify(script)}], { stdio: ['ignore', 'ignore', 'inherit'] });`;
}

/** Checks the types of the programs of all guides, or of the given ones, as strictly as this repository. Returns the compiler's findings. */
export async function typeFindings(folder: string, programs = programsOfGuides()): Promise<string> {
  const files = Object.entries(programs).map(([guide, program]) => {
    const file = join(folder, guide.replace('.md', '.check.mts'));
    writeFileSync(file, fromSources(program));
    if (guides().includes(guide)) writeFiles(guide, folder);
    return file;
  });
  const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '--project', config]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

const programsOfGuides = (): Record<string, string> =>
  Object.fromEntries(
    guides().map((guide) => {
      const blocks = blocksOf(guide).filter(isProgram(guide));
      return [guide, blocks.map(({ text }) => text).join('\n')];
    }),
  );
