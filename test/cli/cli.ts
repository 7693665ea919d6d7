// The real command line, in a folder of its own and with nothing of this machine's configuration: as a process of its own, or, for what
// commands print and do, in this one. A process takes half a second of processor time to load its modules.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { start } from '../../src/cli/start.ts';
import { quickFolder } from '../support/folders.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
/** These tests start hundreds of processes, and without these each spends most of its time on reading the same files. */
const QUICK_START = '--min-semi-space-size=16';
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** What --json printed. */
  json<T = Record<string, unknown>>(): T;
}

type Variables = Readonly<Record<string, string>>;

/** A fresh folder that is removed after the file; commands run in it. Open to the account a server runs under for root. */
export function useFolder(root = quickFolder()): string {
  const folder = mkdtempSync(join(root, 'usance-cli-'));
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function usance(folder: string, args: readonly string[], variables: Variables = {}): Promise<Ended> {
  return launchUsance(folder, args, variables).ended;
}

/** Starts one that stays, and returns when it has printed the words. */
export async function startUsance(
  folder: string,
  args: readonly string[],
  words: string,
  variables: Variables = {},
): Promise<{ child: ChildProcess; screen: string; ended: Promise<Ended> }> {
  const { child, ended } = launchUsance(folder, args, variables);
  let screen = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      if (screen.includes(words)) resolve();
    });
    void ended.then(({ err }) => reject(new Error(`it ended before it said "${words}": ${screen}${err}`)));
  });
  return { child, screen, ended };
}

export function launchUsance(
  folder: string,
  args: readonly string[],
  variables: Variables = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const { PATH, HOME, USER } = process.env;
  const child = spawn(process.execPath, [QUICK_START, MAIN, ...args], {
    cwd: folder,
    env: { PATH, HOME, USER, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: finish(child) };
}

let before: Promise<unknown> = Promise.resolve();

/**
 * `usance` in this process, one command after the other. Not for commands that stay, and not where a test is about the process: its end,
 * signals, pipes, or a program that another one starts.
 */
export function usanceHere(folder: string, args: readonly string[], variables: Variables = {}): Promise<Ended> {
  const turn = before.then(() => runHere(folder, args, variables));
  before = turn.catch(() => undefined);
  return turn;
}

const exitCodeNow = (): number => Number(process.exitCode ?? 0);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function runHere(folder: string, args: readonly string[], variables: Variables): Promise<Ended> {
  const { argv, env, exitCode, exit } = process;
  const cwd = process.cwd();
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  const out = captured(process.stdout);
  const err = captured(process.stderr);
  const { PATH, HOME, USER } = env;
  try {
    process.argv = [process.execPath, MAIN, ...args];
    process.env = { PATH, HOME, USER, ...variables };
    process.exitCode = undefined;
    // A command that found no database ends its process, whatever is open.
    process.exit = (() => undefined) as unknown as typeof process.exit;
    process.chdir(folder);
    await start('0.0.0');
    const code = exitCodeNow();
    const printed = out.text();
    return { code, out: printed, err: err.text(), json: <T>() => JSON.parse(printed) as T };
  } finally {
    out.restore();
    err.restore();
    Object.assign(process, { argv, env, exitCode, exit });
    process.chdir(cwd);
    for (const [n, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[n]?.includes(listener)) process.off(signal, listener);
  }
}

function captured(stream: NodeJS.WriteStream): { readonly text: () => string; readonly restore: () => void } {
  const chunks: string[] = [];
  const { write } = stream;
  const errorListeners = stream.listeners('error');
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    for (const given of rest) if (typeof given === 'function') (given as () => void)();
    return true;
  };
  return {
    text: () => chunks.join(''),
    restore: () => {
      stream.write = write;
      for (const listener of stream.listeners('error'))
        if (!errorListeners.includes(listener)) stream.off('error', listener as () => void);
    },
  };
}

async function finish(child: ChildProcess): Promise<Ended> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const printed = Buffer.concat(out).toString();
  return { code, out: printed, err: Buffer.concat(err).toString(), json: <T>() => JSON.parse(printed) as T };
}
