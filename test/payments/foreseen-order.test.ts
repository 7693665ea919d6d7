// The processor writes what it foresees before it locks a balance. What it then waits for comes before it in the order of events.
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { testProcessor } from '../support/processor.ts';

describe('a settlement that waited for a balance', () => {
  const store = useUsance();

  test.each([
    ['unreserved payments', ['at_execution', 'at_execution']],
    ['holds', ['reserve', 'reserve']],
    ['holds and a payment by fees', ['reserve', 'reserve', 'fees']],
  ] as const)('comes after what it waited for: %s', async (title, funding) => {
    const [payer, payee] = ['payer', 'payee'].map((side) => `${side}-${title.replaceAll(' ', '-')}`) as [
      string,
      string,
    ];
    await open(store.tenant, { [payer]: 200, [payee]: 5 });
    await store.tenant.transfer({ from: 'world', to: 'fees', asset: 'USD', amount: 100, idempotencyKey: key() });
    for (const kind of funding) {
      const by = kind === 'fees' ? { from: 'fees', funding: 'at_execution' as const } : { from: payer, funding: kind };
      await store.tenant.createPayment({ ...by, to: payee, asset: 'USD', amount: 100, idempotencyKey: key() });
    }
    // Nothing settles until the payer is active again, and has its funds.
    const isDrawn = funding[0] === 'at_execution';
    if (isDrawn) await store.tenant.withdraw({ account: payer, asset: 'USD', amount: 60, idempotencyKey: key() });
    await store.tenant.suspendAccount(payer, 'a question');
    await orderAll(store.db);
    const after = await store.tenant.lastEventSeq();

    const client = new pg.Client(store.runtimeUrl);
    await client.connect();
    onTestFinished(() => client.end());
    const [{ id }, caller] = [await store.tenant.account(payer), store.tenant.within(client)];
    await client.query('begin');
    await client.query('select from usance.balances where account_id = $1::uuid for update', [id]);
    const settling = testProcessor(store.db).run();
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while ((await store.owner.query(waits)).length === 0) await pause(1);
    await caller.reactivateAccount(payer, 'answered');
    if (isDrawn) await caller.deposit({ account: payer, asset: 'USD', amount: 60, idempotencyKey: key() });
    await client.query('commit');
    await settling;

    await orderAll(store.db);
    const types = (await store.tenant.events({}, { after })).map(({ type }) => type);
    const causes = ['account.reactivated', ...(isDrawn ? ['transfer.posted'] : [])];
    expect(types).toEqual([...causes, ...funding.map(() => 'payment.settled')]);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
