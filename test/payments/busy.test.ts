// Somebody holds a balance and does not let go: who needs it is refused after some seconds, and everybody else is served.
import { beforeAll, describe, expect, test } from 'vitest';
import { held, key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { refusalOf } from '../support/refusal.ts';

/** The server would end a session that stands still before those who wait for it have had enough. */
const STANDING = { idleLimitMs: 120_000 };

describe('a balance that is held', () => {
  const store = useUsance({ poolSize: 4 });
  beforeAll(() => open(store.tenant, { stuck: 1_000, ann: 1_000, ben: 0 }));

  test('refuses waiting verbs as busy without changing anything, and accepts them once it is free', async () => {
    const [locked, done] = [gate(), gate()];
    const holder = store.owner.transaction(async (tx) => {
      await tx.query(
        `select from usance.balances where account_id = (select id from usance.accounts where ref = 'stuck') for update`,
      );
      locked.open();
      await done.passed;
    }, STANDING);
    await locked.passed;
    const transfer = (from: string) =>
      refusalOf(store.tenant.transfer({ from, to: 'ben', asset: 'USD', amount: 1, idempotencyKey: key() }));
    const hold = { from: 'stuck', to: 'ben', asset: 'USD', amount: 1, delay: '1h' };
    const create = () =>
      refusalOf(store.tenant.createPaymentGrouped({ key: key(), fingerprint: 'x' }, hold, ({ id }) => id));
    // As many as there are connections, and one more that needs nothing of what is held. Creates of one payer wait on one connection.
    const creates = Array.from({ length: 20 }, create);
    const waiting = [...creates, ...Array.from({ length: 3 }, () => transfer('stuck'))];
    const outcomes = await Promise.all([...waiting, transfer('ann')]);
    expect(outcomes).toEqual([...waiting.map(() => 'BUSY'), 'not refused']);
    done.open();
    await holder;
    expect(await held(store.tenant, 'stuck')).toEqual([1_000n, 0n]);
    expect(await transfer('stuck')).toBe('not refused');
  });
});
