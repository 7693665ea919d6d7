// Turns an error into a line and an exit code. The codes are for scripts: 1 is about the books or the request, 2 about the command
// line, 3 about the machine, 4 is a bug of usance.
import { CommanderError } from 'commander';
import type { Config } from '../config.ts';
import { explainUnreachable } from '../engine.ts';
import { Refusal, SetupError } from '../kernel/index.ts';
import type { Screen } from './screen.ts';

export const EXIT = { fine: 0, wrong: 1, usage: 2, setup: 3, unexpected: 4, interrupted: 130 } as const;

/** A wrong command line that commander does not detect. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A refusal of an API that a command asked over HTTP. */
export class RemoteRefusal extends Error {
  override readonly name = 'RemoteRefusal';
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

const REMEDIES = new WeakMap<Error, string>();

/** Adds a line below a refusal that says what to do on the command line. */
export function suggest(error: Refusal, remedy: string): void {
  REMEDIES.set(error, remedy);
}

interface Trouble {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  /** Printed on stderr for people; empty when it was printed already. */
  readonly lines: readonly string[];
}

/** Prints the error and returns the exit code. */
export function report(error: unknown, screen: Screen, config: Config | null): number {
  const trouble = judge(error, config);
  if (trouble.exit === EXIT.fine) return trouble.exit;
  const hide = hiding(config);
  screen.progress(null);
  if (screen.json) screen.document({ error: { code: trouble.code, message: hide(trouble.message) } });
  // The stack of a bug goes to stderr even if stdout is JSON.
  if (!screen.json || trouble.exit === EXIT.unexpected) for (const line of trouble.lines) screen.notice(hide(line));
  return trouble.exit;
}

function judge(thrown: unknown, config: Config | null): Trouble {
  const port = thrown instanceof Error ? explainPort(thrown, config) : null;
  if (port !== null) return { exit: EXIT.setup, code: 'SETUP', message: port, lines: [`usance: ${port}`] };
  const url = config?.databaseUrl ?? null;
  const error = url === null ? thrown : (explainUnreachable(thrown, url) ?? thrown);
  if (!(error instanceof Error)) return unexpected(String(error), String(error));
  const { message } = error;
  if (error instanceof CommanderError) {
    // Help and version come as errors too, with exit code 0. Commander has written its line by itself.
    const helped = error.exitCode === 0 || error.code === 'commander.help';
    const said = message.replace(/^error: /, '');
    return { exit: helped ? EXIT.fine : EXIT.usage, code: 'USAGE', message: said, lines: [] };
  }
  if (error instanceof UsageError) return { exit: EXIT.usage, code: 'USAGE', message, lines: [`usance: ${message}`] };
  if (error instanceof Refusal || error instanceof RemoteRefusal) {
    const remedy = REMEDIES.get(error);
    const lines = [`usance: ${message} (${error.code})`, ...(remedy === undefined ? [] : [`usance: ${remedy}`])];
    return { exit: EXIT.wrong, code: error.code, message, lines };
  }
  if (error instanceof SetupError) {
    // Several problems of the configuration are a line each.
    return { exit: EXIT.setup, code: 'SETUP', message, lines: `usance: ${message}`.split('\n') };
  }
  if (error.name === 'AbortError') {
    return {
      exit: EXIT.interrupted,
      code: 'INTERRUPTED',
      message: 'stopped before the end',
      lines: ['usance: stopped before the end'],
    };
  }
  return unexpected(message, error.stack ?? message);
}

/** A port that cannot be opened; null for anything else. */
function explainPort(error: Error, config: Config | null): string | null {
  if (config === null || !('syscall' in error) || !('code' in error)) return null;
  if (error.syscall === 'getaddrinfo' && 'hostname' in error && error.hostname === config.host) {
    return `the address ${config.host} does not exist (${String(error.code)}): set HOST to an address of this machine`;
  }
  if (error.syscall !== 'listen') return null;
  const ofMetrics = 'port' in error && error.port === config.metricsPort;
  const [port, host] = ofMetrics ? [config.metricsPort, config.metricsHost] : [config.port, config.host];
  const name = ofMetrics ? 'METRICS_' : '';
  if (error.code === 'EADDRINUSE') {
    return `another program uses port ${port} on ${host}: stop it, or set ${name}PORT to another port`;
  }
  if (error.code === 'EACCES') return `this user may not open port ${port}: set ${name}PORT above 1023`;
  return `port ${port} cannot be opened on ${host} (${String(error.code)}): set ${name}HOST to an address of this machine`;
}

function unexpected(message: string, stack: string): Trouble {
  const lines = ['usance: internal error, please report it.', ...stack.split('\n')];
  return { exit: EXIT.unexpected, code: 'UNEXPECTED', message, lines };
}

/** No message should contain a password. This removes one that does. */
function hiding(config: Config | null): (text: string) => string {
  const passwords = [config?.databaseUrl, config?.ownerUrl]
    .map((url) => (url ? new URL(url).password : ''))
    .flatMap((password) => [password, decodeURIComponent(password)])
    .filter((password) => password.length > 3);
  return (text) => passwords.reduce((hidden, password) => hidden.replaceAll(password, '…'), text);
}
