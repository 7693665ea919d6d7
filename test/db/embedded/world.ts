// Folders, programs and questions for the tests of the embedded server. Whatever a test leaves behind is put away after
// it: programs and servers by the process numbers seen here, folders by name.
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { EmbeddedOptions, EmbeddedServer } from '../../../src/db/embedded/index.ts';
import { openEmbedded } from '../../../src/db/embedded/index.ts';
import { isServing, readPostmaster } from '../../../src/db/embedded/postmaster.ts';
import { quickFolder } from '../../support/folders.ts';

export const isRoot = process.getuid?.() === 0;

/** Nothing here is about power cuts: without flushing, and with a small cache, a server costs half as much. */
export const QUICK = { fsync: 'off', shared_buffers: '16MB' };

export async function emptyFolder(root = quickFolder()): Promise<string> {
  const folder = await realpath(await mkdtemp(join(root, 'usance-embedded-')));
  // Open to the account that runs the server when the tests run as root.
  await chmod(folder, 0o755);
  onTestFinished(async () => {
    await endServerOf(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}

/** Of this worker. */
let made: Promise<string> | null = null;

/** A folder with a cluster in it, for tests that are not about making one: a copy is much quicker. */
export async function madeFolder(): Promise<string> {
  made ??= makeOnce();
  const folder = await emptyFolder();
  await promisify(execFile)('cp', ['-a', join(await made, 'cluster'), folder]);
  return folder;
}

async function makeOnce(): Promise<string> {
  const folder = await mkdtemp(join(inject('testServer').folder, 'cluster-'));
  await chmod(folder, 0o755);
  await (await openEmbedded({ dataDir: folder, settings: QUICK })).release();
  return folder;
}

/** Opens, and leaves again after the test if the test has not. */
export async function open(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await openEmbedded({ settings: QUICK, ...options, dataDir });
  onTestFinished(() => server.release());
  return server;
}

export async function endServerOf(dataDir: string): Promise<void> {
  const pgdata = await realpath(join(dataDir, 'cluster', 'pgdata')).catch(() => null);
  const left = pgdata && (await readPostmaster(pgdata));
  // At once, but not outright: a server that is killed leaves its shared memory to the one after it, and there is none.
  if (left && (await isServing(left.pid, pgdata))) await killAndWait(left.pid, pgdata, 'SIGQUIT');
}

/** kill -9, and wait until the kernel has done it. */
export async function killAndWait(pid: number, pgdata: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  process.kill(pid, signal);
  while (await isServing(pid, pgdata)) await pause(5);
}

export async function ask<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

export interface Said {
  readonly port: number;
  readonly pid: number;
  readonly adopted: boolean;
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
  readonly notice?: string;
  readonly error?: string;
  readonly released?: boolean;
}

export interface ProgramOptions {
  readonly uid?: number;
  readonly settings?: Record<string, string>;
}

export interface Program {
  /** The next thing it says of the kind that is waited for. */
  hear(kind: 'port' | 'notice' | 'error' | 'released'): Promise<Said>;
  /** Ask it to leave, and wait until it has ended. */
  leave(): Promise<void>;
  /** kill -9, and wait until it has ended. */
  kill(): Promise<void>;
}

export function startProgram(dataDir: string, options: ProgramOptions = {}): Program {
  const file = fileURLToPath(new URL('program.ts', import.meta.url));
  const account = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const child = spawn(process.execPath, [file, dataDir, JSON.stringify(options.settings ?? QUICK)], {
    ...account,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const said: Said[] = [];
  let look = (): void => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line) as Said);
    look();
  });
  void ended.then(() => look());
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    hear: (kind) =>
      new Promise((resolve, reject) => {
        look = () => {
          const at = said.findIndex((message) => kind in message);
          const [message] = at < 0 ? [] : said.splice(at, 1);
          if (message) resolve(message);
          else if (child.exitCode !== null || child.signalCode !== null) reject(new Error(`it ended without ${kind}`));
        };
        look();
      }),
    async leave() {
      child.stdin.end();
      await ended;
    },
    kill,
  };
}
