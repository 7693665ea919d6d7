// Why a payment has not been paid yet: every reason is brought about, and doing what its `changes` say lets the payment be paid, or
// leads to the next reason.
import { describe, expect, test } from 'vitest';
import type { TenantHandle, Why } from '../../src/engine.ts';
import { ROUTES } from '../../src/contract/index.ts';
import { LIBRARY, liveAt } from '../../src/kernel/index.ts';
import { liftFreeze } from '../../src/ledger/index.ts';
import { WHY_CODES } from '../../src/ops/index.ts';
import { freeze, key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { usePayouts } from '../payouts/world.ts';
import { DAY, HOUR, MINUTE, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { cronOf } from '../support/schedules.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import type { TestTenant } from '../support/test-clock.ts';

const daily = cronOf(60);
const store = usePayouts();
const paced = useUsance({ subscriptionCrons: { processor: daily.cron } });

let count = 0;
const seen = new Set<string>();
const operations = new Set<string>();

/** A tenant of its own for every row: "alice" with 50.00 USD, "bob" with nothing. */
async function shop(): Promise<TenantHandle> {
  const tenant = await store.usance.createTenant({ name: `why-${(count += 1)}` });
  await tenant.createAsset('USD/2');
  await open(tenant, { alice: 50_00, bob: 0 });
  return tenant;
}

async function pay(tenant: TenantHandle, fields: object = {}): Promise<string> {
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 10_00, funding: 'at_execution', ...fields } as const;
  return (await tenant.createPayment({ ...order, idempotencyKey: key() })).id;
}

async function why(tenant: TenantHandle, id: string): Promise<Why> {
  const found = await tenant.whyPayment(id);
  for (const each of [found, ...found.also]) {
    seen.add(each.code);
    for (const { operation } of each.changes) if (operation !== null) operations.add(operation);
    expect(each.sentence).toMatch(/^[a-z0-9]/i);
    expect(each.sentence).not.toMatch(/undefined|null|[0-9a-f]{8}-[0-9a-f]{4}/);
  }
  return found;
}

const run = async (name: string): Promise<void> => {
  await store.usance.loops.find((loop) => loop.name === name)?.runOnce();
};
/** A processor that runs, and has reported it. */
const runProcessor = async (): Promise<void> => {
  await run('processor');
  await run('metrics');
};

interface Row {
  readonly tenant: TenantHandle;
  readonly id: string;
  /** Does what `changes` says. */
  readonly remove: () => Promise<unknown>;
}

const lift = ({ id: tenantId }: TenantHandle): Promise<void> =>
  store.db.transaction((tx) =>
    liftFreeze(tx, liveAt(new Date()), { tenantId, asset: 'USD/2', caller: LIBRARY, reason: 'the books are right' }),
  );

type Case = readonly [code: string, sentence: RegExp, next: string, arrange: () => Promise<Row>];

const failedOnce = async (tenant: TenantHandle, fields: object = {}): Promise<string> => {
  const id = await pay(tenant, fields);
  await runProcessor();
  return id;
};

const LIVE: readonly Case[] = [
  [
    'approval_awaited',
    /^the payment awaits approval, which payments above 5\.00 USD need; without it the payment expires at 2/,
    'due',
    async () => {
      const tenant = await shop();
      await tenant.setLimit({ asset: 'USD', approvalAbove: 5_00 });
      const id = await pay(tenant);
      const second = await store.usance.tenant(tenant.id, { actor: 'second' });
      return { tenant, id, remove: () => second.approvePayment(id, { termsVersion: 1 }) };
    },
  ],
  [
    'not_due',
    /^the payment runs at 2/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant, { delay: '1h' });
      return { tenant, id, remove: () => tenant.runPaymentNow(id) };
    },
  ],
  [
    'processor_idle',
    /^the payment has been due since 2.*Z, and no processor has run for 3 hours$/,
    'settled',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await store.owner.query(`update usance.loop_runs set last_run_at = clock_timestamp() - interval '3 hours'`);
      return { tenant, id, remove: runProcessor };
    },
  ],
  [
    'processor_idle',
    /^the payment has been due since 2.*Z, and no processor has run yet$/,
    'settled',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await store.owner.query('delete from usance.loop_runs');
      return { tenant, id, remove: runProcessor };
    },
  ],
  [
    'rate_capped',
    /^the tenant executes at most 1 payment per second, and 2 payments are due before this one$/,
    'due',
    async () => {
      const tenant = await shop();
      await tenant.setExecutionCap(1);
      await pay(tenant, { amount: 1 });
      await pay(tenant, { amount: 1 });
      const id = await pay(tenant, { amount: 1 });
      return { tenant, id, remove: () => tenant.setExecutionCap(null) };
    },
  ],
  [
    'paused',
    /^payments of the tenant have been paused since 2.*Z: the bank is down$/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await tenant.pause('tenant', '', 'the bank is down');
      return { tenant, id, remove: () => tenant.liftPause('tenant', '') };
    },
  ],
  [
    'paused',
    /^payments of the asset USD\/2 have been paused since 2.*Z: peg lost$/,
    'set_aside',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await tenant.pause('asset', 'USD', 'peg lost');
      await runProcessor();
      return { tenant, id, remove: () => tenant.liftPause('asset', 'USD') };
    },
  ],
  [
    'paused',
    /^payments of the rail ledger have been paused since 2/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant, { funding: 'reserve' });
      await tenant.pause('rail', 'ledger', 'maintenance');
      return { tenant, id, remove: () => tenant.liftPause('rail', 'ledger') };
    },
  ],
  [
    'set_aside',
    /^the payment was set aside without an attempt and is tried at 2/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await store.owner.query(
        `update usance.due set due_at = clock_timestamp() + interval '15 min' where payment_id = '${id}'`,
      );
      return { tenant, id, remove: () => tenant.runPaymentNow(id) };
    },
  ],
  [
    'daily_limit',
    /^the daily limit of account "alice" is 15\.00 USD, and 10\.00 USD of it is used; 10\.00 USD more would exceed it; there is room at 2/,
    'retrying',
    async () => {
      const tenant = await shop();
      await tenant.setLimit({ account: 'alice', asset: 'USD', dailyAmount: 15_00 });
      await failedOnce(tenant);
      const id = await failedOnce(tenant);
      return { tenant, id, remove: () => tenant.setLimit({ account: 'alice', asset: 'USD', dailyAmount: 20_00 }) };
    },
  ],
  [
    'daily_limit',
    /^the default daily limit of account "alice" is 9\.00 USD, and 0\.00 USD of it is used; 10\.00 USD more would exceed it$/,
    'due',
    async () => {
      const tenant = await shop();
      await tenant.setLimit({ asset: 'USD', defaultDailyAmount: 9_00 });
      const id = await pay(tenant);
      return { tenant, id, remove: () => tenant.setLimit({ asset: 'USD', defaultDailyAmount: null }) };
    },
  ],
  [
    'daily_limit',
    /^the daily total of the tenant is 15\.00 USD, and 10\.00 USD of it is used; 10\.00 USD more/,
    'due',
    async () => {
      const tenant = await shop();
      await tenant.setLimit({ asset: 'USD', tenantDailyAmount: 15_00 });
      await failedOnce(tenant);
      const id = await pay(tenant);
      return { tenant, id, remove: () => tenant.setLimit({ asset: 'USD', tenantDailyAmount: 30_00 }) };
    },
  ],
  [
    'frozen',
    /^outgoing USD\/2 has been frozen since 2.*Z: the check "planted" failed$/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await freeze(store.db, tenant.id, 'USD/2');
      return { tenant, id, remove: () => lift(tenant) };
    },
  ],
  [
    'account_suspended',
    /^account "alice" is suspended \(stolen card\)$/,
    'retrying',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await tenant.suspendAccount('alice', 'stolen card');
      await runProcessor();
      return { tenant, id, remove: () => tenant.reactivateAccount('alice', 'a new card') };
    },
  ],
  [
    'account_suspended',
    /^account "bob" is suspended/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await tenant.suspendAccount('bob', 'a question');
      return { tenant, id, remove: () => tenant.reactivateAccount('bob', 'answered') };
    },
  ],
  [
    'account_closed',
    /^account "bob" is closed.*, so the payment fails when it is tried$/,
    'cancelled',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await tenant.closeAccount('bob', 'left');
      return { tenant, id, remove: () => tenant.cancelPayment(id, { reason: 'bob left' }) };
    },
  ],
  [
    'funds_insufficient',
    /^account "alice" has 50\.00 USD available; 1000\.00 USD is required$/,
    'settled',
    async () => {
      const tenant = await shop();
      const id = await failedOnce(tenant, { amount: 1000_00 });
      const credit = { account: 'alice', asset: 'USD', amount: 950_00, idempotencyKey: key() };
      return {
        tenant,
        id,
        remove: async () => [await tenant.deposit(credit), await runProcessor(), await runProcessor()],
      };
    },
  ],
  [
    'retrying',
    /^attempt 1 of 5 failed with FUNDS_INSUFFICIENT; the next attempt is at 2/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await failedOnce(tenant, { amount: 60_00 });
      await tenant.deposit({ account: 'alice', asset: 'USD', amount: 50_00, idempotencyKey: key() });
      return { tenant, id, remove: () => tenant.runPaymentNow(id) };
    },
  ],
  [
    'due',
    /^the payment is due and is about to be tried$/,
    'settled',
    async () => {
      const tenant = await shop();
      return { tenant, id: await pay(tenant), remove: runProcessor };
    },
  ],
  [
    'settled',
    /^the payment was paid at 2/,
    'settled',
    async () => {
      const tenant = await shop();
      return { tenant, id: await failedOnce(tenant), remove: runProcessor };
    },
  ],
  [
    'failed',
    /^the payment failed at 2.*Z with FAILED_BY_OPERATOR: wrong payee$/,
    'due',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant);
      await tenant.failPayment(id, 'wrong payee');
      return { tenant, id, remove: () => tenant.retryPayment(id, { reason: 'right after all' }) };
    },
  ],
  [
    'cancelled',
    /^the payment was cancelled at 2.*Z: changed their mind$/,
    'cancelled',
    async () => {
      const tenant = await shop();
      const id = await pay(tenant, { delay: '1h' });
      await tenant.cancelPayment(id, { reason: 'changed their mind' });
      return { tenant, id, remove: runProcessor };
    },
  ],
];

describe('why a payment has not been paid', () => {
  test.each(LIVE)('%s: %s', async (code, sentence, next, arrange) => {
    await runProcessor();
    const { tenant, id, remove } = await arrange();
    const found = await why(tenant, id);
    expect([found.code, found.sentence]).toEqual([code, expect.stringMatching(sentence)]);
    if (code !== 'settled') expect(found.changes.length).toBeGreaterThan(0);
    await remove();
    expect((await why(tenant, id)).code).toBe(next);
    if (next === 'cancelled') return;
    // Whatever is left is time, which run-now does not wait for.
    if (next !== 'settled') await tenant.runPaymentNow(id);
    await runProcessor();
    expect(await tenant.payment(id)).toMatchObject({ status: 'settled' });
  });

  test('locked: another transaction holds a balance', async () => {
    await runProcessor();
    const tenant = await shop();
    const id = await pay(tenant);
    const [locked, done] = [gate(), gate()];
    const holder = store.owner.transaction(
      async (tx) => {
        const { id: alice } = await tenant.account('alice');
        await tx.query(`select from usance.balances where account_id = '${alice}' for update`);
        locked.open();
        await done.passed;
      },
      { idleLimitMs: 60_000 },
    );
    await locked.passed;
    await runProcessor();
    const found = await why(tenant, id);
    expect(found).toMatchObject({
      code: 'locked',
      sentence: expect.stringMatching(/^another transaction held the balance that the payment needs/),
    });
    done.open();
    await holder;
    await tenant.runPaymentNow(id);
    await runProcessor();
    expect((await why(tenant, id)).code).toBe('settled');
  });

  test('expired: before and after a processor has ended it', async () => {
    const tenant = await shop();
    const id = await pay(tenant, { delay: '1h', expiresAt: new Date(Date.now() + 2 * HOUR) });
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.payments set execute_at = date_trunc('second', now()) - interval '2 s', expires_at = date_trunc('second', now()) - interval '1 s' where id = '${id}';
       update usance.due set due_at = clock_timestamp() - interval '1 s' where payment_id = '${id}'; commit`,
    );
    expect((await why(tenant, id)).sentence).toMatch(
      /^the payment expired at 2.*, and the next run of a processor ends it$/,
    );
    await testProcessor(store.db).drain();
    expect(await why(tenant, id)).toMatchObject({
      code: 'expired',
      status: 'expired',
      sentence: expect.stringMatching(/^the payment expired at 2/),
    });
  });

  test('charges by cron: until the next run of the processor', async () => {
    const { tenant, usance, db } = paced;
    await open(tenant, { alice: 50_00, gym: 0 });
    const plan = await tenant.createPlan({
      name: 'Gym',
      price: 10_00,
      asset: 'USD',
      receiver: 'gym',
      period: { frequency: 'MONTHLY' },
      months: 12,
    });
    const { lastPaymentId } = await tenant.subscribe({ plan: plan.id, payer: 'alice', idempotencyKey: key() });
    const id = lastPaymentId ?? '';
    for (const name of ['processor', 'metrics']) {
      await usance.loops.find((loop) => loop.name === name)?.runOnce();
      expect(await why(tenant, id)).toMatchObject({
        until: daily.next,
        ...(name === 'metrics' ? { code: 'charges_by_cron' } : {}),
      });
    }
    await testProcessor(db).drainAfter(DAY);
    expect((await why(tenant, id)).code).toBe('settled');
  });

  test('several reasons: one is primary, the others are listed in the order the processor meets them', async () => {
    await runProcessor();
    const tenant = await shop();
    const id = await pay(tenant, { amount: 80_00, delay: '1h' });
    await tenant.pause('tenant', '', 'maintenance');
    await tenant.pause('asset', 'USD', 'peg lost');
    await tenant.setLimit({ account: 'alice', asset: 'USD', dailyAmount: 70_00 });
    await tenant.suspendAccount('alice', 'a question');
    const found = await why(tenant, id);
    expect([found, ...found.also].map(({ code }) => code)).toEqual([
      'not_due',
      'paused',
      'paused',
      'daily_limit',
      'account_suspended',
      'funds_insufficient',
    ]);
    expect(found.also.at(-1)).toMatchObject({ missing: 30_00n });
    expect(found.also[0]).toMatchObject({ by: 'library' });
  });

  describe('says when a payment that lacks funds is tried with them', () => {
    const credited = async (tenant: TenantHandle, id: string): Promise<string> => {
      const found = await why(tenant, id);
      const short = [found, ...found.also].find(({ code }) => code === 'funds_insufficient');
      return short?.changes[0]?.sentence ?? expect.fail('it has the funds');
    };
    const credit = { account: 'alice', asset: 'USD', amount: 50_00 };

    test('at its instant, and not with the credit, if that is later', async () => {
      const tenant = await shop();
      const id = await pay(tenant, { amount: 80_00, delay: '1h' });
      const { executeAt } = await tenant.payment(id);
      expect(await credited(tenant, id)).toBe(
        `A credit of 30.00 USD or more to account "alice" lets the payment be paid: it is tried at ${executeAt.toISOString()}.`,
      );
      await tenant.deposit({ ...credit, idempotencyKey: key() });
      await runProcessor();
      await runProcessor();
      expect(await tenant.payment(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    });

    test('as soon as the credit commits, if it lacked them when it was tried', async () => {
      const tenant = await shop();
      const id = await failedOnce(tenant, { amount: 80_00 });
      expect(await credited(tenant, id)).toMatch(/: it is tried as soon as the credit commits\.$/);
    });

    test('once it is approved, if it awaits that', async () => {
      const tenant = await shop();
      await tenant.setLimit({ asset: 'USD', approvalAbove: 5_00 });
      expect(await credited(tenant, await pay(tenant, { amount: 80_00 }))).toMatch(
        /: it can be paid once it is approved\.$/,
      );
    });

    test('when the clock of a test tenant advances', async () => {
      const own = await testTenant(store.usance);
      await open(own.tenant, { alice: 50_00, bob: 0 });
      const due = await pay(own.tenant, { amount: 80_00 });
      expect(await credited(own.tenant, due)).toMatch(/: it is tried when the test clock advances\.$/);
      const later = await pay(own.tenant, { amount: 80_00, delay: '1h' });
      expect(await credited(own.tenant, later)).toMatch(
        /: it is tried when the test clock reaches 2027-01-01T01:00:00/,
      );
      await own.tenant.deposit({ ...credit, idempotencyKey: key() });
      expect(await own.tenant.payment(due)).toMatchObject({ status: 'scheduled' });
      await advance(store.usance, own, after(0));
      expect(await own.tenant.payment(due)).toMatchObject({ status: 'settled' });
    });
  });

  describe('names a retry of a failed payment only where it is not refused', () => {
    const operations = async (tenant: TenantHandle, id: string) =>
      (await why(tenant, id)).changes.map(({ operation }) => operation);

    test('not past its end', async () => {
      const own = await testTenant(store.usance);
      await open(own.tenant, { alice: 50_00, bob: 0 });
      const id = await pay(own.tenant, { delay: '1h', expiresAt: after(2 * HOUR) });
      await own.tenant.failPayment(id, 'wrong payee');
      expect(await operations(own.tenant, id)).toEqual(['payments.retry']);
      await advance(store.usance, own, after(3 * HOUR));
      expect(await operations(own.tenant, id)).toEqual(['payments.create']);
      expect(await refusalOf(own.tenant.retryPayment(id))).toBe('PAYMENT_STATE_CONFLICT');
    });

    test('not of a charge whose subscription was cancelled', async () => {
      const tenant = await shop();
      const terms = { name: 'Gym', price: 10_00, asset: 'USD', receiver: 'bob', months: 12 } as const;
      const plan = await tenant.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
      const made = await tenant.subscribe({ plan: plan.id, payer: 'alice', idempotencyKey: key() });
      const id = made.lastPaymentId ?? '';
      await tenant.failPayment(id, 'wrong payee');
      expect(await operations(tenant, id)).toEqual(['payments.retry']);
      await tenant.cancelSubscription(made.id);
      expect(await operations(tenant, id)).toEqual(['payments.create']);
      expect(await refusalOf(tenant.retryPayment(id))).toBe('PAYMENT_OWNED');
    });
  });

  test('asking changes nothing, and another payment is not found', async () => {
    const tenant = await shop();
    const id = await pay(tenant);
    const rows = () =>
      store.owner.query(
        `select d.xmin::text, p.xmin::text as of from usance.due d, usance.payments p where d.payment_id = '${id}' and p.id = '${id}'`,
      );
    const before = await rows();
    await why(tenant, id);
    expect(await rows()).toEqual(before);
    const other = await shop();
    expect(await refusalOf(other.whyPayment(id))).toBe('PAYMENT_NOT_FOUND');
    expect(await refusalOf(other.whyPayment('none'))).toBe('PAYMENT_NOT_FOUND');
  });
});

describe('why a payment of a test tenant has not been paid', () => {
  const world = async (): Promise<TestTenant & { id: (fields?: object) => Promise<string> }> => {
    const made = await testTenant(store.usance);
    await open(made.tenant, { alice: 50_00, bob: 0 });
    return { ...made, id: (fields) => pay(made.tenant, fields) };
  };

  test('not due, advancing, paid', async () => {
    const of = await world();
    const id = await of.id({ delay: '1h' });
    const found = await why(of.tenant, id);
    expect(found).toMatchObject({ code: 'not_due', until: after(HOUR), at: after(0) });
    expect(found.changes.map(({ operation }) => operation)).toContain('testClocks.advance');
    await of.tenant.advanceTestClock(of.clock, after(30 * MINUTE));
    expect((await why(of.tenant, id)).code).toBe('not_due');
    await of.tenant.cancelAdvance(of.clock);
    await of.tenant.advanceTestClock(of.clock, after(2 * HOUR));
    expect([await why(of.tenant, id)].flatMap(({ code, also }) => [code, ...also.map((each) => each.code)])).toEqual([
      'not_due',
      'clock_advancing',
    ]);
    while (
      await store.usance.loops
        .find((loop) => loop.name === 'clocks')
        ?.runOnce()
        .then((done) => done.more)
    );
    expect((await why(of.tenant, id)).code).toBe('settled');
  });

  test('due while the clock stands', async () => {
    const of = await world();
    const id = await of.id();
    expect(await why(of.tenant, id)).toMatchObject({
      code: 'clock_standing',
      sentence: `the test clock is at ${after(0).toISOString()}: due payments run when it advances`,
    });
    await advance(store.usance, of, after(0));
    expect((await why(of.tenant, id)).code).toBe('settled');
  });

  test('no clock', async () => {
    const of = await world();
    const id = await of.id();
    await of.tenant.deleteTestClock(of.clock);
    expect((await why(of.tenant, id)).code).toBe('clock_missing');
    const { id: clock } = await of.tenant.createTestClock({ name: 'second', now: after(0) });
    expect((await why(of.tenant, id)).code).toBe('clock_standing');
    await advance(store.usance, { ...of, clock }, after(0));
    expect((await why(of.tenant, id)).code).toBe('settled');
  });
});

test('a payout says whether it waits, is with its chain, or is in review', async () => {
  const world = await store.world();
  const { tenant } = world;
  await world.faults({ error: 1 });
  const { id } = await world.pay();
  await world.pass(1);
  expect(await why(tenant, id)).toMatchObject({
    code: 'payout_waits',
    sentence: expect.stringMatching(/^the payout waits: no chain can take the payout now: sandbox: /) as string,
    changes: [{ operation: 'testClocks.advance' }, { operation: 'payments.cancel' }],
  });
  await world.faults({});
  await store.owner.query(
    `create function public.die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
     create trigger die before update on usance.payout_attempts for each row when (new.state = 'sent') execute function public.die()`,
  );
  await world.pass(20);
  expect(await why(tenant, id)).toMatchObject({ code: 'processing' });
  await store.owner.query('drop trigger die on usance.payout_attempts; drop function public.die()');
  await world.pass(70);
  await world.faults({ silent: 1 });
  expect(await why(tenant, id)).toMatchObject({ code: 'submitted' });
  await world.pass(700);
  expect(await why(tenant, id)).toMatchObject({
    code: 'review',
    sentence: expect.stringMatching(/was not final 10 minutes after it was sent$/) as string,
    changes: [{ operation: 'testClocks.advance' }, { operation: 'payments.resolve' }],
  });
  await world.faults({});
  await world.pass(30);
  expect(await why(tenant, id)).toMatchObject({ code: 'settled' });
});

test('a payout over the cap of 24 hours says so, and that the cap can be raised', async () => {
  const world = await store.world();
  await world.tenant.setPayoutCap({ asset: 'USDC/6', dailyAmount: 10_000_000n });
  await world.pay({ amount: 8_000_000n });
  await world.pass(1);
  const { id } = await world.pay({ amount: 8_000_000n });
  await world.pass(1);
  expect(await why(world.tenant, id)).toMatchObject({
    code: 'payout_waits',
    sentence: expect.stringMatching(
      /^the payout waits: payouts over .* in 24 hours; 8.000000 USDC are signed/,
    ) as string,
    changes: [{ operation: 'testClocks.advance' }, { operation: 'payoutCaps.set' }, { operation: 'payments.cancel' }],
  });
});

test('every reason was brought about, and every operation that changes one exists', () => {
  expect([...seen].toSorted()).toEqual([...WHY_CODES].toSorted());
  expect([...operations].filter((name) => !(name in ROUTES))).toEqual([]);
});
