// Why a database cannot be used, in words: a driver's error speaks of sockets and states, and the person who reads it at
// night has to mend an address, a password or a right. Only the place is named, never what is secret in its address.
import { SetupError } from '../kernel/index.ts';
import { sqlState } from './sql.ts';

const INVALID_ADDRESS =
  'the address of the database cannot be read: it is postgres://user:password@host:port/database, and a character ' +
  'such as / # ? or @ in the password is written %2F %23 %3F %40';

/** Runs the work; what fails because the database cannot be reached or entered is thrown as a SetupError. */
export async function explaining<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainUnreachable(error, url) ?? error;
  }
}

/** Null when the error is about something else. */
export function explainUnreachable(error: unknown, url: string): SetupError | null {
  if (!(error instanceof Error) || error instanceof SetupError) return null;
  const says = byState(error, url) ?? byCode(error, url) ?? byMessage(error, url);
  return says === null ? null : new SetupError(says, { cause: error });
}

/** `app@db.example.com:5432/shop`: all of an address that may be shown. */
export function placeOf(url: string): string {
  const { user, host, database } = partsOf(url);
  return `${user === '' ? '' : `${user}@`}${host}/${database}`;
}

function partsOf(url: string): { user: string; host: string; hostname: string; database: string } {
  if (!URL.canParse(url)) return { user: '', host: '?', hostname: '?', database: '?' };
  const { username, hostname, port, pathname, searchParams } = new URL(url);
  const user = decoded(username);
  // A socket's folder is given as ?host=/run/postgresql.
  const server = searchParams.get('host') ?? `${hostname || 'localhost'}:${port || '5432'}`;
  return { user, hostname, host: server, database: decoded(pathname.slice(1)) || user };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function byState(error: Error, url: string): string | null {
  const { user, host, database } = partsOf(url);
  switch (sqlState(error)) {
    case '28P01':
      return `the database at ${host} does not accept the password of ${user}`;
    case '28000':
      return `the database at ${host} does not let ${user} in: ${error.message}`;
    case '3D000':
      return `there is no database "${database}" at ${host}: create it, or name another in the address`;
    case '42501':
      return (
        `${user} may not do this in ${database} at ${host}: ${error.message}. Run "usance migrate" as the owner of the ` +
        `schema (DATABASE_OWNER_URL), and let ${user} be a member of usance_runtime`
      );
    case '53300':
      return `the database at ${host} has no connection left: ${error.message}`;
    case '57P03':
      return `the database at ${host} is not ready: ${error.message}`;
    case undefined:
    default:
      return null;
  }
}

function byCode(error: Error, url: string): string | null {
  const { host, hostname } = partsOf(url);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  switch (code) {
    case 'ERR_INVALID_URL':
      return INVALID_ADDRESS;
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `cannot reach the database at ${host}: connection refused. Is PostgreSQL running there?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `cannot reach the database: the host "${hostname}" is not known`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `cannot reach the database at ${host}: no answer (${code})`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `the database at ${host} ended the connection (${code})`;
    default:
      // Of TLS there are dozens: SELF_SIGNED_CERT_IN_CHAIN, CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID …
      return /CERT|_TLS_|_SSL_/.test(code)
        ? `the certificate of the database at ${host} is not trusted (${code})`
        : null;
  }
}

/** pg gives some of its own errors no code. */
function byMessage(error: Error, url: string): string | null {
  const { user, host } = partsOf(url);
  if (/client password must be a (non-empty )?string/.test(error.message)) {
    return `the database at ${host} asks for the password of ${user}, and the address has none`;
  }
  if (/timeout expired|due to connection timeout|exceeded when trying to connect/.test(error.message)) {
    return `cannot reach the database at ${host}: no answer in time`;
  }
  if (/Connection terminated unexpectedly/.test(error.message)) return `the database at ${host} ended the connection`;
  if (/does not support SSL/.test(error.message)) {
    return `the database at ${host} does not speak TLS: add ?sslmode=disable to the address if that is meant`;
  }
  return null;
}
