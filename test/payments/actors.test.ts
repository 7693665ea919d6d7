// Names of actors: the library's callers choose theirs, and none of them can be mistaken for what the engine names, or disturb
// a check.
import { describe, expect, test } from 'vitest';
import { callerOf, newId } from '../../src/kernel/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();
const RESERVED = ['key:0199', 'user:ann', 'schedule:nightly', `schedule:${newId()}`, 'system'];

describe('an actor of the library', () => {
  test.each(RESERVED)('cannot be called %s', async (actor) => {
    const { usance } = store;
    expect(await refusalOf(usance.tenant('shop', { actor }))).toBe('FIELD_INVALID');
    expect(await refusalOf(usance.createTenant({ name: 'another' }, { actor }))).toBe('FIELD_INVALID');
    const caller = callerOf({ actor });
    expect(await refusalOf(usance.archive({ olderThanMs: 1, caller }))).toBe('FIELD_INVALID');
  });
});

test('verify and the continuous check do not depend on the name of an actor', async () => {
  const { tenant, usance, owner } = store;
  await open(tenant, { ann: 10_000, ben: 0 });
  const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 5 };
  for (const actor of RESERVED) {
    const { id } = await tenant.createPayment({ ...order, delay: '1h', idempotencyKey: key() });
    // As a row of before those names were reserved.
    await owner.query(
      `begin; set local session_replication_role = replica;
       update usance.payments set created_by = '${actor}' where id = '${id}'; commit`,
    );
  }
  expect(await troubles(usance)).toEqual([]);
  const integrity = usance.loops.find((loop) => loop.name === 'integrity');
  for (let more = true; more;) more = (await integrity?.runOnce())?.more ?? false;
  expect(await usance.freezes()).toEqual([]);
});
