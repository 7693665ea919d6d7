// Two calls at once on one caller's transaction, and the same two one after the other.
import type { Sql } from '../../src/db/index.ts';
import type { TenantVerbs } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { summaryOf } from '../faults/state.ts';
import type { Ground, WithinVerb } from './within-verbs.ts';
import { ACCEPTED, REFUSED } from './within-verbs.ts';

export interface WithinPair {
  readonly name: string;
  readonly first: WithinVerb;
  readonly second: WithinVerb;
}

const VERBS = [
  ...Object.entries(ACCEPTED).map(([name, verb]) => ({ name, verb })),
  ...Object.entries(REFUSED).map(([name, verb]) => ({ name: `${name} (refused)`, verb })),
];

/** Every ordered pair; a sample takes one in 53, spread over all verbs. */
export function pairsWithin(size: 'sample' | 'all'): WithinPair[] {
  const all = VERBS.flatMap((one) =>
    VERBS.map((other) => ({ name: `${one.name}, ${other.name}`, first: one.verb, second: other.verb })),
  );
  return size === 'all' ? all : all.filter((_, n) => n % 53 === 1);
}

export async function outcomeInTurn(
  verbs: TenantVerbs,
  sql: Sql,
  ground: Ground,
  { first, second }: WithinPair,
): Promise<unknown> {
  const answers = [await codeOf(first(verbs, ground, 'one')), await codeOf(second(verbs, ground, 'two'))];
  return { answers, state: await summaryOf(sql) };
}

export async function outcomeAtOnce(
  verbs: TenantVerbs,
  sql: Sql,
  ground: Ground,
  { first, second }: WithinPair,
): Promise<unknown> {
  const answers = await Promise.all([codeOf(first(verbs, ground, 'one')), codeOf(second(verbs, ground, 'two'))]);
  return { answers, state: await summaryOf(sql) };
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
}
