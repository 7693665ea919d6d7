// A caller's own transaction takes locks in the order of its calls: a cancel gives back to the hourly bucket of the tenant's daily total,
// and a create after it needs the lock of the total, which a create elsewhere takes first. The server ends one of the two that wait for
// each other. Neither caller sees the server's error: in a caller's transaction the call is refused as busy and the rest stands, and a
// transaction of the engine's own is tried again.
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();
const order = (from: string) => ({ from, to: 'payee', asset: 'USD', amount: 10, delay: '1h', idempotencyKey: key() });

beforeAll(async () => {
  await open(store.tenant, { ann: 1_000, ben: 1_000, cem: 1_000, payee: 0 });
  await store.tenant.setLimit({ asset: 'USD', tenantDailyAmount: 1_000 });
});

async function untilOneWaits(): Promise<void> {
  for (;;) {
    const waiting = await store.owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
  }
}

describe('a cancel and then a create in one transaction, against a create elsewhere', () => {
  // The session that looks for a deadlock first is the one that is ended.
  test.each([
    ['the call in the caller’s transaction', '20ms', 'BUSY'],
    ['the create elsewhere', '1min', 'not refused'],
  ])('never show a deadlock where the server ends %s', async (_, looksAfter, expected) => {
    const { id } = await store.tenant.createPayment(order('ann'));
    const client = new pg.Client(store.ownerUrl);
    await client.connect();
    try {
      await client.query(`set deadlock_timeout = '${looksAfter}'`);
      await client.query('begin');
      const within = store.tenant.within(client);
      await within.cancelPayment(id);
      const elsewhere = refusalOf(store.tenant.createPayment(order('ben')));
      await untilOneWaits();
      expect(await refusalOf(within.createPayment(order('cem')))).toBe(expected);
      expect(await within.payment(id)).toMatchObject({ status: 'cancelled' });
      await client.query('commit');
      expect(await elsewhere).toBe('not refused');
    } finally {
      await client.end();
    }
    expect(await store.tenant.payment(id)).toMatchObject({ status: 'cancelled' });
    expect(await troubles(store.usance)).toEqual([]);
  });
});
