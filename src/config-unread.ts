// Variables that are set and that nothing reads: a mistyped name, or one of the documents for a part that does not exist yet.
import { VARIABLES } from './config-variables.ts';
import { nearestName } from './kernel/index.ts';

/** Variables of the documents that usance does not read, each with what applies instead. One warning names those that are set. */
const UNREAD_VARIABLES: Readonly<Record<string, string>> = {
  SOLANA_NETWORK: 'payouts are over the simulated chain only; adapters of real chains are planned',
  RABBITMQ_URL: 'allowances are queued in PostgreSQL; there is no broker yet',
  ALLOWANCE_QUEUE_NAME: 'allowances are queued in PostgreSQL; there is no broker yet',
  REDIS_URL: 'locks and delays are kept in PostgreSQL',
};

/** A line for each mistyped name, and one for all the others. */
export function unreadVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>(VARIABLES.map(({ name }) => name));
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? '') !== '';
  const mistyped = Object.keys(environment)
    .filter((name) => name.startsWith('USANCE_') && !known.has(name) && isSet(name))
    .map((name) => `${name} is not a variable of usance and is ignored${suggestion(name, [...known])}`);
  const unread = Object.keys(UNREAD_VARIABLES).filter(isSet);
  if (unread.length === 0) return mistyped;
  const because = unread.map((name) => `${name} (${UNREAD_VARIABLES[name]})`).join(', ');
  return [...mistyped, `set, but read by nothing: ${because}`];
}

const MOST_TYPOS = 3;

function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known, MOST_TYPOS);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}
