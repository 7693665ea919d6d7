// The API that a command talks to over HTTP: its address and a key. Such a command opens no store, so that it runs on every machine that
// reaches the API.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { SetupError } from '../kernel/index.ts';
import { RemoteRefusal, UsageError } from './trouble.ts';

export const URL_OPTION = ['--url <url>', 'address of the API; default USANCE_URL, or HOST and PORT'] as const;

export interface RemoteOptions {
  readonly url?: string;
}

export interface Remote {
  readonly url: string;
  readonly key: string;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost|.+\.localhost)$/;

/** Whether a URL leads to this machine. The WHATWG parser has written every form of an IPv4 address as four numbers. */
export const isThisMachine = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

/** An `http` or `https` URL of an option; refused otherwise. */
export function readUrl(option: string, text: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${option} must be a URL such as ${example}`);
  return url;
}

export async function remoteOf(config: Config, options: RemoteOptions): Promise<Remote> {
  const [name, given] = options.url === undefined ? ['USANCE_URL', config.apiUrl] : ['--url', options.url];
  const url = given === null ? localUrl(config) : readUrl(name, given, 'http://127.0.0.1:3001');
  const key = config.apiKey ?? (isThisMachine(url) ? await keptKey(config) : null);
  if (key === null) throw new SetupError(`there is no API key for ${url.origin}: set USANCE_API_KEY`);
  return { url: url.href, key };
}

export function localUrl({ host, port }: Config): URL {
  if (port === 0) throw new UsageError('PORT is 0, so the port is not known: name the API with --url');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`);
}

/** The key that "usance dev" keeps. It is a key of this machine's store, so it is sent to this machine only. */
async function keptKey({ dataDir }: Config): Promise<string | null> {
  try {
    return (await readFile(join(dataDir, 'api-key'), 'utf8')).trim() || null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** No answer at the first request: the address is wrong, or nothing listens there. */
export const noAnswer = ({ url }: Remote, error: unknown): SetupError =>
  new SetupError(
    `no usance answers at ${new URL(url).origin} (${reasonOf(error)}): start one with "usance dev", or name it with --url`,
  );

/** The code of a failed request: fetch keeps it in a cause, or in the first of several that were tried. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (first instanceof Error) return 'code' in first && typeof first.code === 'string' ? first.code : first.message;
  return 'no answer';
}

interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Lets a problem of the API end the command as a refusal of a store does. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof Error && error.name === 'UsanceProblem' && 'code' in error
    ? new RemoteRefusal(error as Error & Problem)
    : error;
