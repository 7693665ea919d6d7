// The embedded server: a real PostgreSQL in the data folder that every program of the project shares, that nobody has
// to start, and that runs only while somebody uses it.
//
// What a program can find when it opens the folder, and what it does:
//
//   no cluster         builds one and renames it into place; one of several builders wins         (cluster.ts)
//   nobody serving     starts a server; several starters take turns, and the others join it       (start-lock.ts)
//   a server, ready    joins it: takes a share of the presence lock                               (presence.ts)
//   starting           waits: it may be recovering from a crash
//   stopping           waits until it is gone, then starts it
//   killed             starts it: PostgreSQL recovers by itself; waits while children of the dead one still leave
//
// Every arrow leads back to "look again", so no step has to know which race it lost. A program counts as here while it
// holds its share of the presence lock; the one that gets the whole lock when leaving is the last, and stops the server
// while holding it. A newcomer then waits for its share until the shutdown ends its connection, looks again, and starts
// the server. A program killed between starting a server and joining it leaves a server that nobody uses; the next one
// joins it.
//
// While a program is here it watches its presence. If that is lost (somebody killed the server, or PostgreSQL restarted
// itself after one of its processes died) it looks again, and takes the same port if it has to start a server, so that
// addresses given out stay valid. Several programs do so at once; it is the same race as at the beginning. It gives up
// after a few times in a short while: a server that keeps dying needs a person.
import { realpath } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SetupError } from '../../kernel/index.ts';
import type { ServerBinaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { OWNER, openCluster } from './cluster.ts';
import { reason } from './files.ts';
import { isServing, readPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import type { Presence } from './presence.ts';
import { DATABASE, RUNTIME_USER, enter } from './presence.ts';

export interface EmbeddedOptions {
  /** Made if it is missing. */
  readonly dataDir: string;
  /** Default: the bundled ones. A cluster belongs to the major version that made it. */
  readonly binaries?: ServerBinaries;
  /** Over the defaults below. The program that starts the server decides; one that joins it changes nothing. */
  readonly settings?: Readonly<Record<string, string>>;
  /** One line at a time that an operator should see. */
  readonly onNotice?: (line: string) => void;
}

export interface EmbeddedServer {
  /** Superuser, for migrations. */
  readonly ownerUrl: string;
  /** The login role usance_app, a member of usance_runtime, for everything else. */
  readonly runtimeUrl: string;
  /** Another database of the same server; it is not made here. */
  databaseUrl(name: string, as?: 'owner' | 'runtime'): string;
  readonly port: number;
  readonly pid: number;
  readonly logFile: string;
  /** A running server was found rather than started. */
  readonly adopted: boolean;
  /** Leaves. The last program out stops the server, and this returns when it is gone. */
  release(): Promise<void>;
}

/** Whether a server of this folder runs, and, where no program uses it, stops it. */
export async function stopEmbedded(options: EmbeddedOptions): Promise<'not running' | 'stopped' | 'in use'> {
  const pgdata = await realpath(join(resolve(options.dataDir), 'cluster', 'pgdata')).catch(() => null);
  const isRunning = async (): Promise<boolean> => {
    const found = pgdata === null ? null : await readPostmaster(pgdata);
    return found !== null && pgdata !== null && (await isServing(found.pid, pgdata));
  };
  if (!(await isRunning())) return 'not running';
  const server = await openEmbedded(options);
  await server.release();
  return (await isRunning()) ? 'in use' : 'stopped';
}

/** How long to look again, in all. */
const WAIT_MS = 60_000;
/** The same while the server says that it is starting: a crash recovery replays up to max_wal_size. */
const RECOVERY_MS = 600_000;
const LOOK_AGAIN_MS = 25;
const PATIENCE_MS = 5_000;

const MOST_RETURNS = 10;
const RETURNS_WITHIN_MS = 600_000;

// Given on the command line, where no file in the cluster can take the durable ones back.
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // None: the path of a socket is limited to about a hundred characters, and data folders are not.
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMb(Math.min(totalmem(), process.constrainedMemory() || Infinity))}MB`,
  max_wal_size: '2GB',
  // Statements here are short; compiling them costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The process number tells the lines of programs that start at the same moment apart.
  log_line_prefix: '%m [%p] ',
};

/** An eighth of the memory: the machine is not the server's alone. What is not touched is not taken. */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.min(1_024, Math.max(128, Math.floor(memoryBytes / 8 / 1_048_576)));
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  const notice = options.onNotice ?? (() => undefined);
  const settings = { ...SETTINGS, ...options.settings };
  const cluster = await openCluster({ ...options, dataDir, unsynced: settings['fsync'] === 'off', notice });
  const place: Place = { cluster, dataDir, logFile: join(dataDir, 'server.log'), settings, notice };

  let here = await findPresence(place, undefined);
  const { adopted } = here;
  const returnedAtMs: number[] = [];
  let returning: Promise<void> = Promise.resolve();
  let leaving: Promise<void> | null = null;

  const watch = ({ presence }: Here): void => {
    void presence.lost.then(() => {
      if (leaving === null) returning = comeBack();
    });
  };
  const comeBack = async (): Promise<void> => {
    const nowMs = Date.now();
    returnedAtMs.push(nowMs);
    if (returnedAtMs.filter((atMs) => atMs > nowMs - RETURNS_WITHIN_MS).length > MOST_RETURNS) {
      notice(`PostgreSQL keeps going away: giving up on it; see ${place.logFile}, then start this program again`);
      return;
    }
    notice('PostgreSQL went away: bringing it back');
    const lastPort = here.port;
    try {
      here = await findPresence(place, lastPort);
    } catch (error) {
      notice(`PostgreSQL could not be brought back: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    notice(
      here.port === lastPort
        ? `PostgreSQL is back on port ${here.port}`
        : `PostgreSQL is back, but on port ${here.port} instead of ${lastPort}: start this program again`,
    );
    watch(here);
  };
  const leave = async (): Promise<void> => {
    await returning;
    // An error means that the server went away at the same moment: what was to be left is gone.
    const last = await here.presence.giveUpShare().catch(() => false);
    try {
      if (last) await stopPostmaster(here.pid, cluster.pgdata);
    } finally {
      await here.presence.close();
    }
  };
  watch(here);

  const databaseUrl = (name: string, as: 'owner' | 'runtime' = 'owner'): string => {
    const login = as === 'owner' ? `${OWNER}:${cluster.ownerPassword}` : `${RUNTIME_USER}:${cluster.runtimePassword}`;
    // Said in the address, because a PGSSLMODE meant for another server would break it otherwise.
    return `postgres://${login}@127.0.0.1:${here.port}/${encodeURIComponent(name)}?sslmode=disable`;
  };
  return {
    get ownerUrl() {
      return databaseUrl(DATABASE, 'owner');
    },
    get runtimeUrl() {
      return databaseUrl(DATABASE, 'runtime');
    },
    databaseUrl,
    get port() {
      return here.port;
    },
    get pid() {
      return here.pid;
    },
    logFile: place.logFile,
    adopted,
    release: () => (leaving ??= leave()),
  };
}

interface Place {
  readonly cluster: Cluster;
  readonly dataDir: string;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly notice: (line: string) => void;
}

interface Here {
  readonly presence: Presence;
  readonly pid: number;
  readonly port: number;
  readonly adopted: boolean;
}

async function findPresence(place: Place, preferredPort: number | undefined): Promise<Here> {
  // For the person who wonders why nothing happens: a recovery can take minutes.
  const say = (): void => place.notice(`PostgreSQL is still starting; its log is ${place.logFile}`);
  const patience = setTimeout(say, PATIENCE_MS);
  try {
    return await lookUntilPresent(place, preferredPort);
  } finally {
    clearTimeout(patience);
  }
}

/** Looks, acts, looks again, until this program is present at a server of this folder. */
async function lookUntilPresent(place: Place, preferredPort: number | undefined): Promise<Here> {
  const { cluster } = place;
  const beganMs = Date.now();
  let startedPid: number | null = null;
  let trouble = 'no server answered';
  for (;;) {
    const found = await readPostmaster(cluster.pgdata);
    const serving = found !== null && (await isServing(found.pid, cluster.pgdata));
    if (serving && found.status === 'ready') {
      try {
        const presence = await enter(cluster, found.port);
        return { presence, pid: found.pid, port: found.port, adopted: found.pid !== startedPid };
      } catch (error) {
        // Refused, reset, shutting down, starting up: all of these pass. A wrong password does not.
        if (error instanceof SetupError) throw error;
        trouble = error instanceof Error ? error.message || reason(error) : String(error);
      }
    } else if (!serving) {
      const start = { ...place, preferredPort, limitMs: RECOVERY_MS };
      startedPid = await startPostmaster(start);
    }
    const limitMs = serving && found.status === 'starting' ? RECOVERY_MS : WAIT_MS;
    if (Date.now() - beganMs > limitMs) {
      const seconds = limitMs / 1000;
      throw new SetupError(`PostgreSQL did not answer within ${seconds} s: ${trouble} (log: ${place.logFile})`);
    }
    if (serving || startedPid === null) await pause(LOOK_AGAIN_MS);
  }
}
