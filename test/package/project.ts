// Somebody else's project: an empty folder with its own Node and our package in it, as npm would have it after a release.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Project {
  readonly folder: string;
  /** Runs a command line there, as in a terminal, and returns what it printed. */
  run(command: string, ...args: string[]): Promise<string>;
}

/** Open to all, because the embedded server runs without rights where root starts it. */
export async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'usance-package-')));
  await chmod(folder, 0o755);
  return folder;
}

const NOT_SOURCE = new Set(['.git', 'node_modules', 'dist', '.usance', '.env']);

/** Packs a copy of the source, so that the working folder's own dist stays as it is. */
export async function pack(folder: string): Promise<string> {
  const copy = join(folder, 'source');
  await mkdir(copy);
  for (const name of await readdir(ROOT)) {
    await cp(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !NOT_SOURCE.has(basename(path)),
    });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await run(copy, 'npm', ['pack', '--pack-destination', folder]);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}`);
  return join(folder, tarball);
}

export async function createProject(
  folder: string,
  { node, tarball, allowScripts }: { node: string; tarball: string; allowScripts?: Readonly<Record<string, boolean>> },
): Promise<Project> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', allowScripts }));
  await run(folder, 'npm', ['install', '--prefer-offline', tarball, `node@${node}`]);
  return { folder, run: (command, ...args) => run(folder, command, args) };
}

/** Type-checks a file of the project with our compiler. Our types of Node are lent, those of pg are not. */
export function typeCheck(project: Project, file: string): Promise<string> {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const types = ['--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node'];
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--ignoreConfig', ...types];
  return run(project.folder, process.execPath, [compiler, ...options, file]);
}

export async function registryAnswers(): Promise<boolean> {
  try {
    await run(tmpdir(), 'npm', ['view', 'node@22.18.0', 'version', '--fetch-retries=0', '--fetch-timeout=15000']);
    return true;
  } catch {
    return false;
  }
}

export function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

async function run(cwd: string, file: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, args, { cwd, env: environment(), timeout: 120_000 });
    return stdout.trim();
  } catch (error) {
    const printed =
      error instanceof Error && 'stdout' in error && 'stderr' in error ? [error.stdout, error.stderr] : [];
    throw new Error([`${file} ${args.join(' ')} failed in ${cwd}`, ...printed, error].join('\n'), { cause: error });
  }
}

/** Ours, less what `npm test` adds to it: the other project must find its own Node and its own settings. */
export function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(package|lifecycle)_|npm_config_local_prefix$|NODE)/.test(name),
  );
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.endsWith(join('node_modules', '.bin')));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
}
