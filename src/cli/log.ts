// What a running command says of its work, a line each: for people with the time of day, or one JSON object a line for
// whatever collects logs. Nothing that comes from a request is written here, so nothing secret can be.
import type { Config } from '../config.ts';
import type { Counts, LoopObserver } from '../kernel/index.ts';
import type { Screen } from './screen.ts';
import { dim, red, yellow } from './screen.ts';

type Fields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export function createLog(screen: Screen, config: Pick<Config, 'logFormat'>): Log {
  const write = (level: keyof Log, message: string, fields: Fields = {}): void => {
    const line =
      config.logFormat === 'json'
        ? JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })
        : `${dim(timeOfDay())}  ${PAINT[level](message)}`;
    // Where stdout is one JSON document, it stays one.
    if (screen.json) screen.notice(line);
    else screen.line(line);
  };
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

const PAINT = { info: (text: string): string => text, warn: yellow, error: red };

function timeOfDay(): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format();
}

/** Tells of runs that did something an operator wants to know, and of all that failed. */
export function observeLoops(log: Log): LoopObserver {
  return {
    ran(name, counts, durationMs) {
      const fields = { loop: name, ...counts, duration_ms: Math.round(durationMs) };
      if ((counts['violations'] ?? 0) > 0) {
        const frozen = `${counts['violations']} found, ${counts['frozen']} newly frozen`;
        log.error(`${name}: the books do not add up (${frozen}). Run "usance verify"`, fields);
      } else if (name === 'processor' && (counts['claimed'] ?? 0) > 0) {
        log.info(`${name}: ${describeCounts(counts)} (${Math.round(durationMs)} ms)`, fields);
      }
    },
    failed(name, error) {
      const message = error instanceof Error ? error.message : String(error);
      log.warn(`${name}: ${message}; trying again`, { loop: name, error: message });
    },
  };
}

const HOW_PAYMENTS_WENT = ['settled', 'retrying', 'failed', 'expired', 'blocked', 'deferred'];

/** "settled 4, retrying 1". */
export function describeCounts(counts: Counts): string {
  const parts = HOW_PAYMENTS_WENT.filter((name) => (counts[name] ?? 0) > 0).map((name) => `${name} ${counts[name]}`);
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}
