// Log lines of running commands: text with the time of day for people, or one JSON object per line (pino) for log collectors. Fields are an
// allow-list: a line has the fields named here and no others, and its message is built from the same. Headers, bodies, queries and paths
// of requests are not among them, and errors are logged only as describeError describes them.
import { createRequire } from 'node:module';
import type * as Pino from 'pino';
import type { Config, LogLevel } from '../config.ts';
import { LOG_LEVELS } from '../config.ts';
import type { Anchor } from '../engine.ts';
import type { Counts, LoopObserver } from '../kernel/index.ts';
import { describeError, framesOf } from '../kernel/index.ts';
import type { Screen } from './screen.ts';
import { dim, red, yellow } from './screen.ts';

export interface Fields {
  readonly loop?: string;
  readonly loops?: string;
  /** Counters of a loop's run. */
  readonly counts?: Counts;
  readonly url?: string;
  readonly method?: string;
  /** The template of the route, never a path. */
  readonly route?: string;
  readonly status?: number;
  /** The id of the caller's key. */
  readonly actor?: string | null;
  /** The address of a request that was refused because of its credentials. */
  readonly ip?: string;
  readonly request_id?: string;
  readonly duration_ms?: number;
  /** Only of a request that was a dry run. */
  readonly dry_run?: true;
  /** The tenant of an anchor, its number of links, and the hash of the last. */
  readonly tenant?: string;
  readonly seq?: string;
  readonly hash?: string;
  /** The payment of a tick, the resource that created it, the attempt, and the next attempt. */
  readonly job?: string;
  readonly subscription?: string;
  readonly schedule?: string;
  readonly attempt?: number;
  readonly retry?: number;
  readonly next_retry_at?: string;
  readonly code?: string;
  readonly error?: string;
  readonly stack?: string;
}

const FIELDS: Readonly<Record<keyof Fields, true>> = {
  loop: true,
  loops: true,
  counts: true,
  url: true,
  method: true,
  route: true,
  status: true,
  actor: true,
  ip: true,
  request_id: true,
  duration_ms: true,
  dry_run: true,
  tenant: true,
  seq: true,
  hash: true,
  job: true,
  subscription: true,
  schedule: true,
  attempt: true,
  retry: true,
  next_retry_at: true,
  code: true,
  error: true,
  stack: true,
};

export type Log = Readonly<Record<LogLevel, (message: string, fields?: Fields) => void>>;

/** `bare`: text without the time of day. */
export function createLog(
  screen: Screen,
  config: Pick<Config, 'logFormat' | 'logLevel'>,
  { bare = false }: { bare?: boolean } = {},
): Log {
  // If stdout is one JSON document, it stays one.
  const print = (line: string): void => (screen.json ? screen.notice(line) : screen.line(line));
  const write =
    config.logFormat === 'json' ? jsonLines(config.logLevel, print) : textLines(config.logLevel, print, bare);
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

type Write = (level: LogLevel, message: string, fields?: Fields) => void;

/** Loaded only for JSON: it would slow the start of commands that print text. */
const load = createRequire(import.meta.url);

function jsonLines(lowest: LogLevel, print: (line: string) => void): Write {
  const { pino, stdTimeFunctions } = load('pino') as typeof Pino;
  const options: Pino.LoggerOptions = {
    level: lowest,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  };
  const logger = pino(options, { write: (line) => print(line.trimEnd()) });
  return (level, message, fields = {}) => logger[level](allowed(fields), message);
}

function textLines(lowest: LogLevel, print: (line: string) => void, bare: boolean): Write {
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return;
    print(`${bare ? '' : `${dim(timeOfDay())}  `}${PAINT[level](message)}`);
    for (const frame of fields.stack ? fields.stack.split('\n') : []) print(dim(frame));
  };
}

function allowed(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in FIELDS));
}

const PAINT = { debug: dim, info: (text: string): string => text, warn: yellow, error: red };

let clock: Intl.DateTimeFormat | null = null;

/** Created on first use: it costs a tenth of the start of a command that logs nothing. */
function timeOfDay(): string {
  return (clock ??= new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })).format();
}

/** Logs runs with counts that matter to an operator, and all failed runs. */
export function observeLoops(log: Log): LoopObserver {
  return {
    ran(name, counts, durationMs) {
      const fields = { loop: name, counts, duration_ms: Math.round(durationMs) };
      if ((counts['violations'] ?? 0) > 0) {
        const frozen = `${counts['violations']} found, ${counts['frozen']} newly frozen`;
        log.error(`${name}: the books do not add up (${frozen}). Run "usance verify"`, fields);
      } else if (isWorthALine(name, counts)) {
        log.info(`${name}: ${describeCounts(counts, name)} (${Math.round(durationMs)} ms)`, fields);
      }
    },
    failed(name, error) {
      const said = describeError(error);
      log.warn(`${name}: ${said}; retrying`, { loop: name, error: said });
    },
  };
}

/** The head of an audit log's hash chain: in the log, an intruder of the database cannot change it. */
export function logAnchor(log: Log): (anchor: Anchor) => void {
  return ({ tenant, seq, hash }) =>
    log.info(`anchor: the audit log of ${tenant} has ${seq} links and ends with ${hash}`, {
      tenant,
      seq: String(seq),
      hash,
    });
}

/** The counts of a loop that matter to an operator. */
const HOW_IT_WENT: Readonly<Record<string, readonly string[]>> = {
  processor: ['settled', 'retrying', 'failed', 'expired', 'blocked', 'deferred'],
  scheduler: ['made', 'late', 'skipped', 'failed', 'waiting', 'held', 'paused', 'completed', 'expired'],
  jobs: ['completed', 'retrying', 'failed', 'cancelled'],
};

/** Executions end in a later run than that which claimed them. */
const isWorthALine = (loop: string, counts: Counts): boolean =>
  loop === 'jobs' ? describeCounts(counts, loop) !== NOTHING : loop in HOW_IT_WENT && (counts['claimed'] ?? 0) > 0;

const NOTHING = 'nothing';

/** "settled 4, retrying 1". */
export function describeCounts(counts: Counts, loop = 'processor'): string {
  const names = HOW_IT_WENT[loop] ?? [];
  const parts = names.filter((name) => (counts[name] ?? 0) > 0).map((name) => `${name} ${counts[name]}`);
  return parts.length > 0 ? parts.join(', ') : NOTHING;
}

export interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly isDryRun: boolean;
  readonly actor: string | null;
  /** The address of the client; null if it must not be logged. */
  readonly ip: string | null;
}

/** Requested every few seconds by machines, so logged only at debug level. */
const ASKED_BY_MACHINES = ['/health', '/ready', '/metrics'];

/** A line for every request that was answered. */
export function logAnswer(log: Log, answered: Answered): void {
  const { method, route, status, actor, requestId, ip, isDryRun } = answered;
  const ms = Math.round(answered.durationMs * 10) / 10;
  const write = ASKED_BY_MACHINES.includes(route) ? log.debug : log.info;
  const as = isDryRun ? ' dry run' : '';
  write(`${method} ${route} ${status}${as} (${ms} ms)${ip === null ? '' : ` from ${ip}`}`, {
    method,
    route,
    status,
    duration_ms: ms,
    ...(isDryRun ? { dry_run: true } : {}),
    actor,
    request_id: requestId,
    ...(ip === null ? {} : { ip }),
  });
}

/** An internal error, with the request id that the caller received. */
export function logTrouble(
  log: Log,
  error: unknown,
  { requestId, method, route }: Pick<Answered, 'requestId' | 'method' | 'route'>,
): void {
  const said = describeError(error);
  const fields = { method, route, request_id: requestId, error: said, stack: framesOf(error) };
  log.error(`${method} ${route}: ${said} (${requestId})`, fields);
}
