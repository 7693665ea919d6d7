// Somebody leaves a transaction open on something that one payer's payments need, as happens with psql on a Friday. Whose
// payments those are waits; everybody else's go on, in the same batches, and those that wait lose no attempt by it.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

const OTHERS = ['ann', 'ben', 'cem'] as const;
/** Far more than a batch takes, and half of a minute. */
const NOT_DELAYED_MS = 30_000;

/** `openForMs`: how long it stays open; two waves of other payments come in any case. */
export function openTransactionSuite(openForMs: number): void {
  const store = useUsance();
  let round = 0;

  beforeAll(async () => {
    for (const ref of ['held', 'payee', ...OTHERS]) {
      await store.tenant.openAccount({ ref });
      await store.tenant.deposit({ account: ref, asset: 'USD', amount: 1_000_000, idempotencyKey: ref });
    }
    store.usance.start(['processor']);
  });
  beforeEach(() => {
    round += 1;
  });

  async function order(name: string, from: string, count: number): Promise<string[]> {
    const orders = Array.from({ length: count }, () => ({ from, to: 'payee', asset: 'USD', amount: 1 }));
    const created = await store.tenant.createPayments(orders, { idempotencyKey: `${round} ${name}`, atomic: true });
    store.usance.loops.find((loop) => loop.name === 'processor')?.wake();
    return created.flatMap((result) => ('payment' in result ? [result.payment.id] : []));
  }

  async function settled(ids: readonly string[]): Promise<void> {
    for (;;) {
      const rows = await store.db.query(
        `select 1 from usance.payments where id = any ($1::uuid[]) and status <> 'settled'`,
        [ids],
      );
      if (rows.length === 0) return;
      await pause(20);
    }
  }

  describe('a transaction left open', () => {
    const one = `(select id from usance.accounts where ref = 'held')`;
    const ways: readonly (readonly [string, (client: pg.Client) => Promise<unknown>])[] = [
      [
        "on a payer's balance",
        (client) => client.query(`select from usance.balances where account_id = ${one} for update`),
      ],
      ["on a payer's account", (client) => client.query(`select from usance.accounts where id = ${one} for update`)],
      [
        "on a payer's payments",
        (client) => client.query(`select from usance.payments where payer_id = ${one} for update`),
      ],
      [
        'by an application that created a payment in it',
        (client) =>
          store.tenant.within(client).createPayment({
            from: 'held',
            to: 'payee',
            asset: 'USD',
            amount: 1,
            delay: '1h',
            idempotencyKey: `${round} left open`,
          }),
      ],
    ];

    test.each(ways)('%s delays nobody else', async (_where, hold) => {
      const heldUp = await order('held', 'held', 30);
      const client = new pg.Client({ connectionString: store.ownerUrl });
      await client.connect();
      await client.query('begin');
      await hold(client);
      try {
        // Those that came with it, and those that come while it is open.
        const untilMs = performance.now() + openForMs;
        for (let wave = 1; wave <= 2 || performance.now() < untilMs; wave += 1) {
          const startedMs = performance.now();
          const ids = await Promise.all(OTHERS.map((from) => order(`${wave} ${from}`, from, 20)));
          await settled(ids.flat());
          expect(performance.now() - startedMs).toBeLessThan(NOT_DELAYED_MS);
        }
      } finally {
        await client.query('rollback');
        await client.end();
      }
      await settled(heldUp);
      expect(await troubles(store.usance)).toEqual([]);
      for (const id of heldUp) expect(await store.tenant.payment(id)).toMatchObject({ attempts: 1, lastCode: null });
    });
  });
}
