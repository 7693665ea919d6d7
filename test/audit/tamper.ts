// What somebody could do who has the database itself: a superuser, past every trigger. All of it is undone afterwards.
import type { Anchor } from '../../src/audit/index.ts';
import { verifyChains } from '../../src/audit/index.ts';
import type { Database, Transaction } from '../../src/db/index.ts';
import {
  EVENT_CHECKS,
  chainedTenants,
  digestBlock,
  linkBlock,
  readBlockEvents,
  readLinks,
} from '../../src/events/index.ts';
import type { ChainPath } from '../../src/events/index.ts';
import { leafOf } from '../../src/audit/check-block.ts';
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

/** Makes every digest and every chain anew over the events as they are now. */
export async function sealAnew(tx: Transaction): Promise<void> {
  for (const tenantId of await chainedTenants(tx)) {
    let path: ChainPath = [];
    for (const old of await readLinks(tx, tenantId, 0n, 100_000)) {
      const [events = []] = await readBlockEvents(tx, [old]);
      const digest = digestBlock(events.map(leafOf));
      const made = linkBlock(path, { ...old, digest });
      path = made.path;
      await tx.query(
        `update usance.event_blocks set digest = decode($3::text, 'hex'), hash = decode($4::text, 'hex')
         where tenant_id = $1::uuid and number = $2::bigint`,
        [tenantId, old.number, digest.toString('hex'), made.link.hash.toString('hex')],
      );
    }
  }
}
