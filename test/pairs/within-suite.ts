// Pairs of verbs at once on one transaction of a caller, with every driver: the outcome is that of one after the other, in the
// order of the calls.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptTransaction } from '../../src/db/index.ts';
import { useUsance } from '../support/database.ts';
import type { Driver } from '../support/drivers.ts';
import { DRIVERS, Undo } from '../support/drivers.ts';
import { outcomeAtOnce, outcomeInTurn, pairsWithin } from './within-pairs.ts';
import type { Ground } from './within-verbs.ts';
import { prepareGround } from './within-verbs.ts';

export function withinSuite(
  size: 'sample' | 'all',
  done?: (driver: string, counts: Readonly<Record<string, number>>) => void,
): void {
  describe.each(DRIVERS)('two verbs on one transaction of $name', (driver) => {
    const store = useUsance();
    let caller: Awaited<ReturnType<Driver['open']>>;
    let ground: Ground;
    beforeAll(async () => {
      ground = await prepareGround(store.tenant, async () => {
        await store.usance.loops.find(({ name }) => name === 'processor')?.runOnce();
      });
      caller = await driver.open(store.ownerUrl);
    });
    afterAll(() => caller.close());

    test('each pair at once has the outcome of one after the other', async () => {
      const pairs = pairsWithin(size);
      for (const pair of pairs) {
        const run = async (how: typeof outcomeInTurn): Promise<unknown> => {
          const outcomes: unknown[] = [];
          await caller.transaction(async (tx) => {
            outcomes.push(await how(store.tenant.within(tx), adoptTransaction(tx), ground, pair));
            throw new Undo();
          });
          return outcomes;
        };
        expect(await run(outcomeAtOnce), pair.name).toEqual(await run(outcomeInTurn));
      }
      done?.(driver.name, { pairs: pairs.length });
    });
  });
}
