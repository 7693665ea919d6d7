// The server process: started, recognised, stopped. PostgreSQL's own postmaster.pid is the only record of it.
import { execFile, spawn } from 'node:child_process';
import { open, readFile, readlink, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SetupError } from '../../kernel/index.ts';
import { serverEnvironment } from './account.ts';
import type { Cluster } from './cluster.ts';
import { reason, unwritable } from './files.ts';
import { tryStartLock } from './start-lock.ts';

const POLL_MS = 15;
const STOP_LIMIT_MS = 60_000;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** PostgreSQL's word: starting, ready, stopping. Empty while the file is being written. */
  readonly status: string;
}

/** What postmaster.pid says, whether true or left behind. */
export async function readPostmaster(pgdata: string): Promise<Postmaster | null> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, port: Number(lines[3] ?? 0), status: lines[7] ?? '' } : null;
}

/**
 * Whether a process is the server of this folder. That a process has the number does not say so: after a reboot, and
 * in a restarted container nearly always, it is somebody else's; and a killed server that nobody reaps keeps it.
 */
export async function isServing(pid: number, pgdata: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    // Not there, or of an account that is not the server's.
    return false;
  }
  if (process.platform !== 'linux') {
    const asked = promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]);
    return (await asked.catch(() => ({ stdout: '' }))).stdout.trim().endsWith('postgres');
  }
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')) ?? [];
  if (name !== 'postgres' || state === 'Z') return false;
  // A server works in its data folder. Root in a container may be kept from looking; the name has to do then.
  return readlink(`/proc/${pid}/cwd`).then(
    (folder) => folder === pgdata,
    (error: unknown) => reason(error) === 'EACCES',
  );
}

export interface StartOptions {
  readonly cluster: Cluster;
  readonly dataDir: string;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Taken if it is free: addresses that were handed out stay valid. */
  readonly preferredPort: number | undefined;
  /** How long to wait for it to be ready. */
  readonly limitMs: number;
}

/** What passes by itself: another program was quicker, the port is taken, children of a killed server are left. */
const PASSING = /lock file .*(already exists|No such file)|could not bind|pre-existing shared memory block/;

/** The process id once the server is ready, or null to look again. A server that will not start is a SetupError. */
export async function startPostmaster(options: StartOptions): Promise<number | null> {
  const { pgdata } = options.cluster;
  const lock = await tryStartLock(pgdata);
  if (lock === null) return null;
  try {
    // What was seen before the lock was ours may have changed.
    const left = await readPostmaster(pgdata);
    return left !== null && (await isServing(left.pid, pgdata)) ? null : await launch(options, left);
  } finally {
    await lock.release();
  }
}

async function launch(options: StartOptions, left: Postmaster | null): Promise<number | null> {
  const { cluster, logFile } = options;
  const port = await freePort(options.preferredPort);
  const log = await openLog(options);
  try {
    const settings = Object.entries({ ...options.settings, port: String(port) });
    const child = spawn(
      join(cluster.binDir, 'postgres'),
      ['-D', cluster.pgdata, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...cluster.account,
        cwd: '/',
        // A session of its own: an interrupt typed at the terminal is the program's to handle, not the server's.
        detached: true,
        // A process number that is known to be somebody else's now. PostgreSQL has this for pg_ctl: it disregards a
        // postmaster.pid of that number and keeps every other check, so that no file has to be removed by us.
        env: { ...serverEnvironment(), ...(left && { PG_GRANDPARENT_PID: String(left.pid) }) },
        stdio: ['ignore', log.handle.fd, log.handle.fd],
      },
    );
    child.unref();
    let ended: string | null = null;
    child.once('error', (error) => (ended = error.message));
    child.once('exit', (code, signal) => (ended ??= `it ended with ${signal ?? `code ${code}`}`));

    for (const beganMs = Date.now(); Date.now() - beganMs < options.limitMs; await pause(POLL_MS)) {
      if (ended !== null) {
        const lines = await linesOf(child.pid, logFile, log.size);
        if (lines.some((line) => PASSING.test(line))) return null;
        const said = lines.find((line) => /^(FATAL|PANIC):/.test(line)) ?? lines.at(-1) ?? ended;
        throw new SetupError(`PostgreSQL did not start: ${said} (log: ${logFile})`);
      }
      const written = await readPostmaster(cluster.pgdata);
      if (written && written.pid === child.pid && written.status === 'ready') return written.pid;
    }
    throw new SetupError(`PostgreSQL was not ready within ${options.limitMs / 1000} s (log: ${logFile})`);
  } finally {
    await log.handle.close();
  }
}

/** How long sessions that are being closed have to end by themselves: a pool of pg closes its sockets after `end()` has resolved. */
const SESSIONS_LEAVE_MS = 300;

/** Waits for sessions that end by themselves, ends the others, writes everything out, and returns when the process is gone. */
export async function stopPostmaster(pid: number, pgdata: string): Promise<void> {
  // Smart shutdown: no new sessions, the present ones may finish. Then fast: they are ended.
  signal(pid, 'SIGTERM');
  let isFast = false;
  for (const beganMs = Date.now(); await isServing(pid, pgdata); await pause(POLL_MS)) {
    const waitedMs = Date.now() - beganMs;
    if (!isFast && waitedMs > SESSIONS_LEAVE_MS) {
      signal(pid, 'SIGINT');
      isFast = true;
    }
    if (waitedMs > STOP_LIMIT_MS) throw new SetupError(`PostgreSQL (process ${pid}) is still stopping`);
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGTERM'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (reason(error) !== 'ESRCH') throw error;
  }
}

/** Free at this moment. It may be taken by the time the server asks for it, and then another is chosen. */
async function freePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await probePort(preferred)) !== null) return preferred;
  const port = await probePort(0);
  if (port === null) throw new SetupError('no free port on 127.0.0.1');
  return port;
}

function probePort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}

/** Opened here and handed over, because the server's account may not be allowed to. */
async function openLog({ logFile, dataDir, cluster }: StartOptions) {
  try {
    const size = await stat(logFile).then(
      (found) => found.size,
      () => 0,
    );
    if (size > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
    const handle = await open(logFile, 'a', 0o600);
    // An owner who once runs as root must be able to write it the next day.
    if (cluster.account !== null) await handle.chown(cluster.account.uid, cluster.account.gid);
    return { handle, size: (await handle.stat()).size };
  } catch (error) {
    return unwritable(dataDir, error);
  }
}

/** What one process wrote to the log since, without the time in front. Others may write at the same moment. */
async function linesOf(pid: number | undefined, logFile: string, from: number): Promise<string[]> {
  const bytes = await readFile(logFile).catch(() => Buffer.alloc(0));
  const lines = bytes
    .subarray(from)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const mark = `[${pid}] `;
  const own = lines.filter((line) => line.includes(mark)).map((line) => line.slice(line.indexOf(mark) + mark.length));
  // A program that could not even be loaded says so without a mark.
  return own.length > 0 ? own : lines;
}
