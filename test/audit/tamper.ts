// What somebody could do who has the database itself: a superuser, past every trigger. All of it is undone afterwards.
import type { Anchor } from '../../src/audit/index.ts';
import { verifyChains } from '../../src/audit/index.ts';
import { sealBehind } from '../../src/audit/seal.ts';
import { insertSeals } from '../../src/audit/store.ts';
import type { Database, Transaction } from '../../src/db/index.ts';
import { EVENT_CHECKS, readPlacedAfter } from '../../src/events/index.ts';
import { verify } from '../../src/ledger/index.ts';

class Undone extends Error {}

/** What `verify` finds after the deed, as "check: found". */
export async function foundAfter(
  owner: Database,
  deed: (tx: Transaction) => Promise<unknown>,
  anchors: readonly Anchor[] | null = null,
): Promise<string[]> {
  let found: string[] = [];
  const undone = owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await deed(tx);
    const here: Database = { ...owner, ...tx, transaction: (work) => work(tx) };
    const results = [...(await verify(here, EVENT_CHECKS)), ...(await verifyChains(here, { anchors }))];
    found = results.flatMap(({ name, offenders }) =>
      offenders.map(({ details }) => `${name}: ${JSON.stringify(details)}`),
    );
    throw new Undone();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return found;
}

/** Makes every chain anew over the events as they are now. */
export async function sealAnew(tx: Transaction): Promise<void> {
  await tx.query('delete from usance.seals');
  await insertSeals(tx, sealBehind(new Map(), await readPlacedAfter(tx, 0n, 100_000)));
}
