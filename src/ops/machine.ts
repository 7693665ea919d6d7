// Checks of this machine that need no database.
import { constants } from 'node:fs';
import { access, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { bundledBinaries } from '../db/index.ts';
import { OLDEST_NODE, tooOldNode } from '../kernel/index.ts';
import { fetchForOperator } from '../outbound/index.ts';
import type { Finding } from './finding.ts';
import { fail, ok, warn } from './finding.ts';

export function examineNode(version: string): Finding {
  return tooOldNode(version) === null
    ? ok('node', version)
    : fail('node', `${version} is too old`, `install Node ${OLDEST_NODE} or newer`);
}

/** Instants of schedules follow these rules: two processes with different versions may run one slot at different instants. */
export function examineZones(version: string | undefined): Finding {
  return version === undefined
    ? warn('time zones', 'this Node does not say which tz version it has', 'use a Node with its own ICU data')
    : ok('time zones', `tz ${version}, from Node`);
}

/** Writes in it rather than asking about rights: a full disk or a read-only mount shows in no mode. */
export async function examineFolder(folder: string): Promise<Finding> {
  const name = 'data folder';
  const found = await stat(folder).catch(() => null);
  if (found === null) {
    const parent = await nearestFolder(folder);
    const reachable = await access(parent, constants.W_OK).then(
      () => true,
      () => false,
    );
    return reachable
      ? ok(name, `the first start will create ${folder}`)
      : fail(name, `${folder} cannot be created: ${parent} is not writable`, 'set USANCE_DATA_DIR to another folder');
  }
  if (!found.isDirectory()) return fail(name, `${folder} is a file`, 'set USANCE_DATA_DIR to another folder');
  try {
    await rmdir(await mkdtemp(join(folder, 'doctor-')));
    return ok(name, `${folder} is writable`);
  } catch (error) {
    return fail(name, `${folder} is not writable (${codeOf(error)})`, 'set USANCE_DATA_DIR to another folder');
  }
}

const GIGABYTE = 1024 ** 3;

export async function examineSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestFolder(folder));
  const free = bavail * bsize;
  const says = `${(free / GIGABYTE).toFixed(1)} GB free`;
  if (free < GIGABYTE / 4) return fail('disk', says, 'make room: PostgreSQL stops when it cannot write');
  if (free < 2 * GIGABYTE) return warn('disk', says, 'make room soon: PostgreSQL stops when it cannot write');
  return ok('disk', says);
}

export async function examineBinaries(): Promise<Finding> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    await bundledBinaries();
    return ok('embedded server', `PostgreSQL is bundled for ${platform}`);
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return fail('embedded server', says, 'or set DATABASE_URL to your own PostgreSQL');
  }
}

export interface PortName {
  readonly name: string;
  readonly variable: 'METRICS_' | '';
  /** The path and answer by which usance identifies itself. */
  readonly path: string;
  readonly says: RegExp;
}

const HTTP: PortName = { name: 'port', variable: '', path: '/openapi.json', says: /"title":"usance"/ };
export const METRICS: PortName = {
  name: 'metrics port',
  variable: 'METRICS_',
  path: '/metrics',
  says: /^usance_database_up /m,
};

/** Opens it for a moment: the only answer that counts. */
export async function examinePort(host: string, port: number, what: PortName = HTTP): Promise<Finding> {
  const { name, variable } = what;
  const trouble = await new Promise<string | null>((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(codeOf(error)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
  if (trouble === null) return ok(name, port === 0 ? 'any that is free' : `${port} on ${host} is free`);
  if (trouble === 'EADDRINUSE' && (await isUsance(host, port, what)))
    return ok(name, `usance already serves ${port} on ${host}`);
  if (trouble === 'EADDRINUSE') {
    const todo = `stop that program, or set ${variable}PORT to another`;
    return fail(name, `another program uses ${port} on ${host}`, todo);
  }
  if (trouble === 'EACCES') return fail(name, `this user may not open port ${port}`, `set ${variable}PORT above 1023`);
  const todo = `set ${variable}HOST to an address of this machine`;
  return fail(name, `${port} cannot be opened on ${host} (${trouble})`, todo);
}

/** Whether the program that has a port is one of ours, serving HTTP. */
export const servesUsance = (host: string, port: number): Promise<boolean> => isUsance(host, port, HTTP);

/** Asks the program that listens on the port whether it is usance. */
async function isUsance(host: string, port: number, { path, says }: PortName): Promise<boolean> {
  const address = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetchForOperator(`http://${address}:${port}${path}`, { signal: AbortSignal.timeout(3_000) });
    return says.test(await answer.text());
  } catch {
    return false;
  }
}

async function nearestFolder(path: string): Promise<string> {
  let nearest = path;
  while (
    dirname(nearest) !== nearest &&
    !(await stat(nearest).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  ) {
    nearest = dirname(nearest);
  }
  return nearest;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
}
