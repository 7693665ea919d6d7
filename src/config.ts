// Options and environment, validated once and frozen. This table is the reference of variables: every variable the
// program reads is a row here, and nothing else in the project looks at process.env.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { SetupError } from './kernel/index.ts';

interface Variable {
  readonly name: string;
  /** Who needs it. */
  readonly for: string;
  readonly default: string | null;
  readonly says: string;
}

export const VARIABLES = [
  {
    name: 'DATABASE_URL',
    for: 'every command',
    default: null,
    says: 'Your own PostgreSQL, 15 or newer. Unset: an embedded server in USANCE_DATA_DIR.',
  },
  {
    name: 'DATABASE_OWNER_URL',
    for: 'migrate',
    default: null,
    says: 'The same database as the owner of the schema, so that DATABASE_URL can be a role that cannot rewrite history. Unset: DATABASE_URL.',
  },
  {
    name: 'USANCE_DATA_DIR',
    for: 'the embedded server',
    default: '.usance',
    says: 'Folder of the embedded server: its data, password and log.',
  },
  {
    name: 'USANCE_SCHEMA',
    for: 'every command',
    default: 'usance',
    says: 'Schema that holds everything. One database can hold several.',
  },
  {
    name: 'USANCE_POOL_SIZE',
    for: 'every command',
    default: '10',
    says: 'Connections at most per process.',
  },
  {
    name: 'PORT',
    for: 'doctor',
    default: '3001',
    says: 'Port kept for HTTP.',
  },
  {
    name: 'HOST',
    for: 'doctor',
    default: '127.0.0.1',
    says: 'Address the port is opened on. 0.0.0.0: every address of this machine.',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof VARIABLES)[number]['name'];

export interface Config {
  readonly databaseUrl: string | null;
  /** Only where it is set: see databaseUrl otherwise. */
  readonly ownerUrl: string | null;
  readonly dataDir: string;
  readonly schema: string;
  readonly poolSize: number;
  readonly port: number;
  readonly host: string;
}

/** The environment, with a `.env` file of the working folder under it. */
export function readEnvironment(folder = process.cwd()): NodeJS.ProcessEnv {
  let file: NodeJS.Dict<string> = {};
  try {
    file = parseEnv(readFileSync(resolve(folder, '.env'), 'utf8'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return { ...file, ...process.env };
}

export function loadConfig(environment: NodeJS.ProcessEnv = readEnvironment()): Config {
  const text = (name: VariableName): string | null => environment[name]?.trim() || defaultOf(name);
  return Object.freeze({
    databaseUrl: checkedUrl('DATABASE_URL', text('DATABASE_URL')),
    ownerUrl: checkedUrl('DATABASE_OWNER_URL', text('DATABASE_OWNER_URL')),
    dataDir: resolve(text('USANCE_DATA_DIR') ?? '.usance'),
    schema: checkedSchema(text('USANCE_SCHEMA') ?? 'usance'),
    poolSize: wholeNumber('USANCE_POOL_SIZE', text('USANCE_POOL_SIZE'), 1, 1000),
    port: wholeNumber('PORT', text('PORT'), 1, 65_535),
    host: text('HOST') ?? '127.0.0.1',
  });
}

function defaultOf(name: VariableName): string | null {
  return VARIABLES.find((variable) => variable.name === name)?.default ?? null;
}

function checkedUrl(name: VariableName, value: string | null): string | null {
  if (value === null) return null;
  if (!/^postgres(ql)?:\/\//.test(value)) throw new SetupError(`${name} must start with postgres://`);
  // The value stays out of the message: there is a password in it.
  if (URL.canParse(value)) return value;
  throw new SetupError(
    `${name} cannot be read: it is postgres://user:password@host:port/database, and a character such as / # ? or @ in ` +
      'the password is written %2F %23 %3F %40',
  );
}

function checkedSchema(value: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(value) && !value.startsWith('pg_')) return value;
  throw new SetupError('USANCE_SCHEMA must be a lower-case name of letters, digits and underscores');
}

function wholeNumber(name: VariableName, value: string | null, min: number, max: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new SetupError(`${name} must be a whole number from ${min} to ${max}`);
}
