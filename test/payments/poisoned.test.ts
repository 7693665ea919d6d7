// A payment that cannot be executed because its rows, or somebody's, are broken. It alone suffers, and is reported.
import { describe, expect, test } from 'vitest';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, testProcessor } from '../support/processor.ts';

describe('a poisoned payment', () => {
  const store = useUsance();
  let count = 0;
  const pay = async (from: string, amount = 10) => {
    const order = { from, to: 'payee', asset: 'USD', amount, retry: { maxAttempts: 3, initialDelayMs: 1_000 } };
    return (await store.tenant.createPayment({ ...order, idempotencyKey: key() })).id;
  };
  /** Five payments of five payers, of which the third is the victim. */
  const five = async () => {
    const payers = Array.from({ length: 5 }, (_, n) => `payer-${count}-${n}`);
    count += 1;
    await open(store.tenant, Object.fromEntries([...payers.map((ref) => [ref, 100]), [`payee-${count}`, 0]]));
    if (count === 1) await open(store.tenant, { payee: 0 });
    const ids: string[] = [];
    for (const payer of payers) ids.push(await pay(payer));
    const victim = { id: ids[2] ?? '', payer: payers[2] ?? '' };
    return { ids, victim, others: ids.filter((id) => id !== victim.id) };
  };
  const statuses = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await store.tenant.payment(id)).status));
  const SETTLED = ['settled', 'settled', 'settled', 'settled'];
  /** As the owner, past every guard. */
  const corrupt = async (table: string, statement: string, values: string[]): Promise<void> => {
    await store.owner.query(`alter table usance.${table} disable trigger user`);
    await store.owner.query(statement, values);
    await store.owner.query(`alter table usance.${table} enable trigger user`);
  };

  test('fails after its attempts, while the others of its batch settle', async () => {
    const { victim, others } = await five();
    await store.owner.query(
      `create function public.poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$`,
    );
    await store.owner.query(
      `create trigger poison before insert on usance.transfers for each row
       when (new.payment_id = '${victim.id}') execute function public.poison()`,
    );
    const reported: string[] = [];
    const processor = testProcessor(store.db, { onPoisoned: (id) => reported.push(id) });
    await processor.drain();
    expect(await statuses(others)).toEqual(SETTLED);
    expect(await store.tenant.payment(victim.id)).toMatchObject({ status: 'scheduled', attempts: 1 });
    await processor.drainAfter(MINUTE);
    await processor.drainAfter(MINUTE);
    expect(reported).toEqual([victim.id, victim.id, victim.id]);
    expect(await store.tenant.payment(victim.id)).toMatchObject({
      status: 'failed',
      attempts: 3,
      released: 10n,
      lastCode: 'UNEXPECTED',
      lastDetail: 'poison',
    });
    expect(await store.tenant.deadLetters()).toMatchObject([{ id: victim.id, code: 'UNEXPECTED' }]);
    expect(await held(store.tenant, victim.payer)).toEqual([100n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('whose funds are not what the books say is tried until a person mends them', async () => {
    const { victim, others } = await five();
    const { id } = await store.tenant.account(victim.payer);
    const reserve = (reserved: number) =>
      store.owner.query(
        `update usance.balances set reserved = $2::int, available = 100 - $2::int where account_id = $1::uuid`,
        [id, reserved],
      );
    await reserve(3);
    const processor = testProcessor(store.db);
    await processor.drain();
    expect(await statuses(others)).toEqual(SETTLED);
    for (let n = 0; n < 3; n += 1) await processor.drainAfter(MINUTE);
    expect(await store.tenant.payment(victim.id)).toMatchObject({ status: 'scheduled', captured: 0n });
    await reserve(10);
    await processor.drainAfter(HOUR);
    expect(await store.tenant.payment(victim.id)).toMatchObject({ status: 'settled', captured: 10n });
  });

  test('that cannot even be read is set aside and reported, while the others settle, also later ones', async () => {
    const { victim, others } = await five();
    await corrupt('payments', `update usance.payments set legs = '[{"account":"x"}]' where id = $1::uuid`, [victim.id]);
    const reported: string[] = [];
    const processor = testProcessor(store.db, { onPoisoned: (id) => reported.push(id) });
    await processor.drain();
    expect(await statuses(others)).toEqual(SETTLED);
    expect(reported).toEqual([victim.id]);
    const later = await five();
    await processor.drainAfter(MINUTE);
    expect(await statuses(later.others)).toEqual(SETTLED);
    await corrupt('payments', `update usance.payments set legs = null where id = $1::uuid`, [victim.id]);
    await processor.drainAfter(HOUR);
    expect(await statuses([victim.id])).toEqual(['settled']);
  });

  test('with a policy that makes no sense is set aside and reported', async () => {
    const { victim, others } = await five();
    await corrupt('payments', `update usance.payments set retry = '{}', amount = 11 where id = $1::uuid`, [victim.id]);
    const { id } = await store.tenant.account(victim.payer);
    const [before] = await store.owner.query(`select * from usance.balances where account_id = $1::uuid`, [id]);
    const reported: string[] = [];
    await testProcessor(store.db, { onPoisoned: (poisoned) => reported.push(poisoned) }).drain();
    expect(await statuses(others)).toEqual(SETTLED);
    expect(reported).toEqual([victim.id]);
    expect(await store.owner.query(`select * from usance.balances where account_id = $1::uuid`, [id])).toEqual([
      before,
    ]);
  });

  test("beside one whose balance is held elsewhere: that one's attempt is not counted", async () => {
    const { victim, others } = await five();
    await corrupt('payments', `update usance.payments set legs = '[{"account":"x"}]' where id = $1::uuid`, [victim.id]);
    const [blocked = '', ...free] = others;
    const { payerId } = await store.tenant.payment(blocked);
    const processor = testProcessor(store.db);
    await store.owner.transaction(async (tx) => {
      await tx.query('select 1 from usance.balances where account_id = $1::uuid for no key update', [payerId]);
      await processor.drain();
      expect(await statuses(free)).toEqual(SETTLED.slice(1));
    });
    expect(await store.tenant.payment(blocked)).toMatchObject({ status: 'scheduled', attempts: 0, lastCode: null });
    await processor.drainAfter(MINUTE);
    expect(await statuses([blocked])).toEqual(['settled']);
  });

  test('never moves money', async () => {
    const sums = await store.owner.query(
      `select sum(available + reserved) as inside, (select -sum(case when credit_account_id = a.id then amount else -amount end)
         from usance.transfers where a.id in (debit_account_id, credit_account_id)) as outside
       from usance.balances b, usance.accounts a where a.ref = 'world' group by a.id`,
    );
    for (const { inside, outside } of sums) expect(inside).toBe(outside);
    expect((await held(store.tenant, 'payee'))[1]).toBe(0n);
  });
});
