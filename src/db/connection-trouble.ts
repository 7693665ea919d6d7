// The wire or the server, and no row in particular. A loop that looks for the one to blame must not blame anybody for it.
import { sqlState } from './sql.ts';
import { isContention } from './transaction.ts';

/**
 * 08 connection, 53 resources, 57 cancelled or shut down, 58 the system below the server; a session that was idle for too long;
 * a server that is read-only for now, as managed ones are while their disk is full or a failover runs.
 */
const SERVER_TROUBLE = /^(08|53|57|58|25P03|25006)/;

export function isConnectionTrouble(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return SERVER_TROUBLE.test(state);
  // No SQLSTATE: a socket's error (its code is ECONNRESET and the like), the driver's words for the same, or a bug of ours.
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^E(?!RR_)/.test(code) ||
    error.name === 'CommitUnknown' ||
    /Connection terminated|not queryable|when trying to connect|after calling end/.test(error.message)
  );
}

/**
 * An error that the same work would meet again, of a row or of the program: not of the connection, of a lock that was held for
 * too long, or of a race that was lost. A loop sets the row to blame aside and goes on with the others.
 */
export function isLastingError(error: unknown): boolean {
  return !isConnectionTrouble(error) && !isContention(error);
}
