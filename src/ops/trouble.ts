// An error for readers without access to the log: a code and a sentence. The text of an exception may quote a row, an address or a
// statement, so it is only logged.
import { isConnectionTrouble, isContention } from '../db/index.ts';
import { CATALOGUE, Refusal } from '../kernel/index.ts';
import type { Code } from '../kernel/index.ts';

function codeOf(error: unknown): Code {
  if (error instanceof Refusal) return error.code;
  if (isConnectionTrouble(error)) return 'SERVICE_UNAVAILABLE';
  return isContention(error) ? 'BUSY' : 'INTERNAL_ERROR';
}

/** `SERVICE_UNAVAILABLE: The service is temporarily unavailable`. */
export function codedMessage(error: unknown): string {
  const code = codeOf(error);
  return `${code}: ${CATALOGUE[code].title}`;
}
