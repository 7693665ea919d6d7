// Every reachable cell of the matrix (test/matrix), and how many there are.
import { expect, test } from 'vitest';
import { useApi } from '../api/api.ts';
import type { Cell, Resource } from '../matrix/axes.ts';
import { RESOURCES } from '../matrix/axes.ts';
import { unreachable } from '../matrix/reachable.ts';
import { runCells } from '../matrix/run.ts';
import { cellsOf } from '../matrix/verbs.ts';
import { groundOf } from '../matrix/world.ts';
import { troubles } from '../support/books.ts';
import { banner } from './banner.ts';

/** Databases that cells run in at the same time: while one waits for its server, the others compute. */
const stores = [useApi(), useApi(), useApi()];
const total = { cells: 0, reachable: 0, allowed: 0, refused: 0, leftOut: 0 };
const reasons = new Map<string, number>();

/** `MATRIX=payment npm run proof matrix` runs one resource, with `VERB=runPaymentsNow` one verb of it. */
const { MATRIX: only, VERB: verb } = process.env;
const parts = (Object.keys(RESOURCES) as Resource[])
  .filter((name) => only === undefined || name === only)
  .flatMap((resource) => RESOURCES[resource].owners.map((owner) => ({ resource, owner })));

test.each(parts)('verbs on $resource rows that are $owner answer as the oracle says', async ({ resource, owner }) => {
  const reachable: Cell[] = [];
  for (const cell of cellsOf(resource)) {
    if (cell.owner !== owner || (verb !== undefined && cell.verb !== verb)) continue;
    total.cells += 1;
    const reason = unreachable(cell);
    if (reason === null) reachable.push(cell);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const began = performance.now();
  const { cells, allowed, refused, leftOut, differences } = await runCells(stores.map(groundOf), reachable);
  const seconds = Math.ceil((performance.now() - began) / 1_000);
  total.reachable += cells;
  total.allowed += allowed;
  total.refused += refused;
  total.leftOut += leftOut;
  const counts = { cells, allowed, refused, 'left out': leftOut, differences: differences.length };
  banner(`matrix of ${resource} (${owner})`, { ...counts, seconds });
  for (const difference of differences) process.stdout.write(`  ${JSON.stringify(difference)}\n`);
  expect(differences).toEqual([]);
});

test('the books verify, and the counts are told', async () => {
  for (const { usance } of stores) expect(await troubles(usance)).toEqual([]);
  const { cells, reachable, allowed, refused, leftOut } = total;
  banner('matrix', { cells, reachable, allowed, refused, 'left out': leftOut, unreachable: cells - reachable });
  for (const [reason, count] of [...reasons].toSorted(([, one], [, other]) => other - one))
    process.stdout.write(`  ${count} unreachable: ${reason}\n`);
});
