// Turns on a caller's connection. Verbs that a caller sends at once would interleave their savepoints: the refusal of one
// would roll back the writes of another that has already answered, and the caller's own statements with them. So the verbs
// on one connection run one after the other, through whichever handle or tenant they came, and a statement that the caller
// sends meanwhile waits until the verbs before it have ended. Everything runs in the order of the calls. Each driver has its own way to
// hold statements back: turns-pg.ts and turns-postgres-js.ts.
import type { PgLike } from './pool.ts';
import { queueOfPg } from './turns-pg.ts';
import type { PostgresJsLike } from './turns-postgres-js.ts';
import { inTurnOnPostgresJs } from './turns-postgres-js.ts';

/** Your transaction: a client of pg after `begin`, or the `sql` of postgres.js. */
export type ForeignTransaction = PgLike | PostgresJsLike;

export function isPostgresJs(foreign: ForeignTransaction): foreign is PostgresJsLike {
  return 'unsafe' in foreign && typeof foreign.unsafe === 'function';
}

/** Runs the work when it has its turn on the caller's connection. Work that has its turn must not ask for another one: deadlock. */
export async function inTurn<T>(foreign: ForeignTransaction, work: () => Promise<T>): Promise<T> {
  return await (isPostgresJs(foreign) ? inTurnOnPostgresJs(foreign, work) : queueOfPg(foreign).take(work));
}
