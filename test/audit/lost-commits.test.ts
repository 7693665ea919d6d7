// Anchors and the seal check after a failover that lost commits: the new history is anchored and compared like any other.
import { expect, test } from 'vitest';
import { anchorLoop, readAnchors, sealCheckLoop } from '../../src/audit/index.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';

const store = useUsance();
const { signal } = new AbortController();
const tell = async (asset: string): Promise<void> => {
  await store.tenant.createAsset(`${asset}/2`);
  await orderAll(store.db);
};
const LAST = 'select block_id from usance.event_blocks order by first_position desc limit 1';
const asSuperuser = (statements: string): Promise<unknown> =>
  store.owner.query(`begin; set local session_replication_role = replica; ${statements}; commit`);
const loseLast = (): Promise<unknown> =>
  asSuperuser(`create temp table lost on commit drop as ${LAST};
    delete from usance.events where usance.block_of(id) in (select block_id from lost);
    delete from usance.event_blocks where block_id in (select block_id from lost)`);

test('an end that has the seq of a lost one is anchored', async () => {
  const anchored: string[] = [];
  const loop = anchorLoop(store.db, { onAnchor: ({ hash }) => anchored.push(hash) }, async () => new Date());
  await tell('AAA');
  await loop.runOnce(signal, false);
  await loop.runOnce(signal, false);
  await loseLast();
  await tell('AAB');
  await loop.runOnce(signal, false);
  const [end] = await readAnchors(store.db, new Date());
  expect(anchored).toEqual([expect.not.stringMatching(String(end?.hash)), end?.hash]);
});

test('blocks that took the place of lost ones are compared', async () => {
  const found: unknown[] = [];
  const loop = sealCheckLoop(store.db, async (_, details) => void found.push(details));
  await tell('BBA');
  await loop.runOnce(signal, false);
  await loseLast();
  await tell('BBB');
  await tell('BBC');
  await asSuperuser(`update usance.events set actor = 'mallory' where id = (
    select block_id from usance.event_blocks order by first_position desc offset 1 limit 1)`);
  await loop.runOnce(signal, false);
  expect(found).toHaveLength(1);
  // What was compared is not compared again.
  await tell('BBD');
  expect(await loop.runOnce(signal, false)).toMatchObject({ counts: { checked: 1, faults: 0 } });
});
