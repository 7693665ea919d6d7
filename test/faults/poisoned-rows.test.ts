// One row that cannot be read or written, planted by the owner of the database, in each of the engine's loops: it is named in a
// notice, and the work of another tenant is done in the same run.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { wirePresenterOf } from '../../src/library/present.ts';
import { walletKey } from '../../src/rails/index.ts';
import type { ScheduleOrder } from '../../src/schedules/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { treasuryLoop } from '../../src/payouts/index.ts';
import { invocationIdOf } from '../../src/jobs/execution.ts';
import { fakeRail } from '../rails/fake-rail.ts';
import { addWorker, claim } from '../jobs/worker-rows.ts';
import { openMailServer, useMailServers } from '../notifications/mail.fixture.ts';
import { PROCESSOR, addExecution, addJob } from '../support/jobs.ts';

useMailServers();
const mail = await openMailServer();
const smtp = {
  url: `smtp://127.0.0.1:${mail.port}?tls=none`,
  from: 'payments@example.com',
  publicUrl: 'https://pay.example.com',
};
const notices: string[] = [];
const store = useUsance({
  onNotice: (notice) => void notices.push(notice),
  retention: { paymentsMs: 1 },
  webhooks: { presenter: wirePresenterOf },
  outbound: { loopback: true },
  chains: { sandbox: true },
  notifications: { smtp },
});
beforeEach(() => void (notices.length = 0));

let count = 0;
async function newTenant(): Promise<TenantHandle> {
  const tenant = await store.usance.createTenant({ name: `poison-${(count += 1)}` });
  await tenant.createAsset('USD/2');
  await open(tenant, { payer: 1_000, payee: 0 });
  return tenant;
}

const run = async (name: string): Promise<void> => {
  await store.usance.loops.find((loop) => loop.name === name)?.runOnce();
};

const order = { from: 'payer', to: 'payee', asset: 'USD', amount: 10 } as const;
const HOURLY = { everySeconds: 3_600 } as const;

async function schedule(tenant: TenantHandle, more: Partial<ScheduleOrder> = {}): Promise<string> {
  const { id } = await tenant.createSchedule({ ...order, rule: HOURLY, idempotencyKey: key(), ...more });
  return id;
}

/** Due at once. */
async function payout(tenant: TenantHandle): Promise<string> {
  await tenant.createAsset('USDC/6');
  await tenant.deposit({ account: 'payer', asset: 'USDC', amount: 10, idempotencyKey: key() });
  const to = { rail: 'sandbox', destination: walletKey('payee').address };
  return (await tenant.createPayment({ from: 'payer', asset: 'USDC', amount: 10, ...to, idempotencyKey: key() })).id;
}

/** As if no scheduler had come for some minutes. */
async function overdue(...ids: string[]): Promise<void> {
  await store.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `update usance.schedule_due set due_at = now() - interval '10 minutes', passed_slot = passed_slot - interval '70 minutes'
       where schedule_id = any ($1::uuid[])`,
      [ids],
    );
    await tx.query(
      `update usance.schedules set timing = jsonb_set(timing - 'countedFrom', '{start}', to_jsonb(to_char(now() at time zone 'UTC' - interval '10 minutes', 'YYYY-MM-DD"T"HH24:MI:SS')))
       where id = any ($1::uuid[])`,
      [ids],
    );
  });
}

/** What no program of ours writes, past every trigger. */
const plant = (text: string, values: readonly string[]): Promise<void> =>
  store.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(text, values);
  });

/** Ways in which a schedule's row can be beyond reading. */
const SCHEDULES = {
  'a timing without a rule': `timing = '{"zone": "UTC", "start": "2027-01-01"}'`,
  'a zone that does not exist': `timing = jsonb_set(timing, '{zone}', '"Nowhere/Land"')`,
  'steps that are no numbers': `steps = '[{"from": "soon", "amount": "much"}]'`,
  'steps that are no list': `steps = '{"from": 2}'`,
  'legs that are no list': `legs = '7'`,
  'metadata that is no object': `metadata = '[1]'`,
} as const;

const LOOPS: Record<string, () => void> = {
  scheduler: () => {
    test.each(Object.entries(SCHEDULES))('%s', async (_, change) => {
      const [ill, well] = [await newTenant(), await newTenant()];
      await ill.setOutageGuard({ count: 1_000, amounts: [{ asset: 'USD', amount: 1_000_000 }] });
      const [bad, good] = [await schedule(ill), await schedule(well)];
      await overdue(bad, good);
      await plant(`update usance.schedules set ${change} where id = $1::uuid`, [bad]);
      await run('scheduler');
      expect(await well.occurrences(good)).toMatchObject([{ status: 'made' }]);
      expect(notices.join('\n')).toContain(bad);
    });

    test('a step from beyond the largest integer, with an outage guard, is harmless', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      await ill.setOutageGuard({ count: 1_000 });
      const [bad, good] = [await schedule(ill), await schedule(well)];
      await overdue(bad, good);
      await plant(
        `update usance.schedules set steps = '[{"from": 9007199254740991, "amount": "1"}]' where id = $1::uuid`,
        [bad],
      );
      await run('scheduler');
      expect(await well.occurrences(good)).toMatchObject([{ status: 'made' }]);
      expect(await ill.occurrences(bad)).toMatchObject([{ status: 'made' }]);
    });

    test('a step from beyond the largest integer is refused when it is given', async () => {
      const steps = [{ from: 2 ** 31, amount: 1 }];
      await expect(schedule(await newTenant(), { steps })).rejects.toThrow('steps[0].from must be a whole number');
    });

    test('an instant that no program can read is refused by the database', async () => {
      const id = await schedule(await newTenant());
      for (const change of ["due_at = '-infinity'", "due_at = 'infinity'", "passed_slot = 'infinity'"])
        await expect(
          plant(`update usance.schedule_due set ${change} where schedule_id = $1::uuid`, [id]),
        ).rejects.toThrow('schedule_due_readable');
    });
  },

  processor: () => {
    test.each([
      ['metadata that is no object', `metadata = '[1]'`],
      ['a retry policy that is none', `retry = '"soon"'`],
    ])('%s', async (_, change) => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const bad = await ill.createPayment({ ...order, funding: 'at_execution', delay: '1h', idempotencyKey: key() });
      const good = await well.createPayment({ ...order, delay: '1h', idempotencyKey: key() });
      await plant(`update usance.payments set ${change}, attempts = 1 where id = $1::uuid`, [bad.id]);
      await plant(
        `update usance.due set due_at = now() - interval '1 minute' where payment_id = any (string_to_array($1, ',')::uuid[])`,
        [`${bad.id},${good.id}`],
      );
      await plant(`update usance.balances set available = 0 where account_id = $1::uuid`, [bad.payerId]);
      await run('processor');
      expect(await well.payment(good.id)).toMatchObject({ status: 'settled' });
      expect(notices.join('\n')).toContain(toTypeId('payment', bad.id));
    });

    test('an instant that no program can read is refused by the database', async () => {
      const { id } = await (await newTenant()).createPayment({ ...order, delay: '1h', idempotencyKey: key() });
      await expect(
        plant(`update usance.due set due_at = 'infinity' where payment_id = $1::uuid`, [id]),
      ).rejects.toThrow('due_readable');
    });
  },

  clocks: () => {
    const withPeople = async (): Promise<TestTenant> => {
      const of = await testTenant(store.usance);
      await open(of.tenant, { payer: 1_000, payee: 0 });
      return of;
    };

    test.each(Object.entries(SCHEDULES))('%s', async (_, change) => {
      const [ill, well] = [await withPeople(), await withPeople()];
      const daily = { rule: { frequency: 'DAILY', time: '09:00' } } as const;
      const [bad, beside, good] = [
        await schedule(ill.tenant, daily),
        await schedule(ill.tenant, daily),
        await schedule(well.tenant, daily),
      ];
      await plant(`update usance.schedules set ${change} where id = $1::uuid`, [bad]);
      await ill.tenant.advanceTestClock(ill.clock, after(2 * 86_400_000));
      expect(await advance(store.usance, well, after(2 * 86_400_000))).toMatchObject({ status: 'ready' });
      expect(await well.tenant.occurrences(good)).toHaveLength(2);
      expect(await ill.tenant.testClock(ill.clock)).toMatchObject({ status: 'ready' });
      expect(await ill.tenant.occurrences(beside)).toHaveLength(2);
      expect(notices.join('\n')).toContain(bad);
    });

    test('an instant that no program can read is refused by the database', async () => {
      const { clock } = await withPeople();
      await expect(
        plant(`update usance.test_clocks set stands_at = 'infinity' where id = $1::uuid`, [clock]),
      ).rejects.toThrow('test_clocks_readable');
    });
  },

  forecast: () => {
    test.each(Object.entries(SCHEDULES))('%s', async (_, change) => {
      const [ill, well] = [await newTenant(), await newTenant()];
      await open(ill, { other: 5 });
      const bad = await schedule(ill, { amount: 700 });
      await schedule(ill, { from: 'other' });
      await schedule(well, { amount: 700 });
      await plant(`update usance.schedules set ${change} where id = $1::uuid`, [bad]);
      await run('forecast');
      await run('forecast');
      await run('sequencer');
      for (const tenant of [ill, well])
        expect(await tenant.events({ type: 'account.shortfall_expected' })).toHaveLength(1);
      expect(notices.join('\n')).toContain(bad);
    });
  },

  sequencer: () => {
    const BLOCKS = 'array[usance.block_of($1::uuid)]';
    const DIGEST = `'\\x${'00'.repeat(32)}'::bytea`;
    test.each([
      ['no block at all', `'{}', '{}', '{}', ''`],
      ['a tenant without a block', `array[$1, $1]::uuid[], ${BLOCKS}, '{1,1}', ${DIGEST} || ${DIGEST}`],
      ['a digest cut off', `array[$1]::uuid[], ${BLOCKS}, '{1}', '\\x00'::bytea`],
      ['no events', `array[$1]::uuid[], ${BLOCKS}, '{0}', ${DIGEST}`],
      ['more events than a block has', `array[$1]::uuid[], ${BLOCKS}, '{8193}', ${DIGEST}`],
      ['the id of no block', `array[$1]::uuid[], array[$1]::uuid[], '{1}', ${DIGEST}`],
      ['nothing in the place of a tenant', `'{NULL}', ${BLOCKS}, '{1}', ${DIGEST}`],
      ['nothing in the place of a count', `array[$1]::uuid[], ${BLOCKS}, '{NULL}', ${DIGEST}`],
    ])('a call that cannot be ordered is refused by the database: %s', async (_, values) => {
      const columns = 'recorded_at, tenant_ids, block_ids, counts, digests';
      const planting = plant(
        `insert into usance.event_inbox (${columns}) select now(), ${values} from (select $1::uuid) x`,
        [(await newTenant()).id],
      );
      await expect(planting).rejects.toThrow(/event_inbox_/);
    });

    test('a block of events that do not exist is ordered and found by verify, and the others are ordered', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      await run('sequencer');
      await plant(
        `insert into usance.event_inbox (recorded_at, tenant_ids, block_ids, counts, digests)
         values (now(), array[$1]::uuid[], array[usance.block_of($1::uuid)], '{1}', ${DIGEST})`,
        [ill.id],
      );
      const before = await well.lastEventSeq();
      await open(well, { late: 1 });
      await run('sequencer');
      expect(await well.lastEventSeq()).toBeGreaterThan(before);
      const found = (await store.usance.verify()).find(({ name }) => name === 'events-are-as-sealed')?.offenders;
      expect(found).toMatchObject([{ tenantId: ill.id, details: { found: 'the event is gone' } }]);
      await plant('delete from usance.event_blocks where tenant_id = $1::uuid', [ill.id]);
    });
  },

  'seal-check': () => {
    test('an instant that no program can read is refused by the database', async () => {
      const tenant = await newTenant();
      await run('sequencer');
      for (const column of ['occurred_at', 'recorded_at'])
        await expect(
          plant(`update usance.events set ${column} = 'infinity' where tenant_id = $1::uuid`, [tenant.id]),
        ).rejects.toThrow('events_readable');
    });
  },

  integrity: () => {
    test('a row that a check cannot read does not hide the violation of another tenant', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const terms = { name: 'plan', receiver: 'payee', asset: 'USD', price: 10, charges: 3 } as const;
      const plan = await ill.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
      const { id } = await ill.subscribe({ plan: plan.id, payer: 'payer', idempotencyKey: key() });
      await plant(`update usance.schedules set timing = jsonb_set(timing, '{count}', '"many"') where id = $1::uuid`, [
        id,
      ]);
      await plant(`update usance.balances set available = available + 1 where tenant_id = $1::uuid`, [well.id]);
      await run('integrity');
      expect((await store.usance.freezes()).map(({ tenantId }) => tenantId)).toContain(well.id);
      const { id: payer } = await ill.account('payer');
      expect(notices.join('\n')).toContain(toTypeId('account', payer));
      await plant(`update usance.schedules set timing = jsonb_set(timing, '{count}', '3') where id = $1::uuid`, [id]);
    });
  },

  matcher: () => {
    test('a pattern that no program writes matches nothing, and the events of another tenant are matched', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const bad = await addJob(store.owner, ill, { eventPattern: 'account.*' });
      const good = await addJob(store.owner, well, { eventPattern: 'account.*' });
      await plant(`update usance.jobs set event_pattern = '**.(' where id = $1::uuid`, [bad.id]);
      for (const tenant of [ill, well]) await open(tenant, { late: 1 });
      for (const loop of ['sequencer', 'matcher', 'matcher']) await run(loop);
      expect((await well.executions({ jobId: good.id })).executions.length).toBeGreaterThan(0);
      expect((await ill.executions({ jobId: bad.id })).executions).toEqual([]);
      for (const tenant of [ill, well]) for (const { id } of await tenant.jobs()) await tenant.deleteJob(id);
    });
  },

  jobs: () => {
    test('an execution whose event is gone fails alone', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const once = { eventPattern: 'account.created', processorName: PROCESSOR, retryConfig: { maxAttempts: 1 } };
      const [bad, good] = [await addJob(store.owner, ill, once), await addJob(store.owner, well, once)];
      const lost = await addExecution(store.owner, bad, 'pending');
      await open(well, { late: 1 });
      for (const loop of ['sequencer', 'matcher', 'matcher']) await run(loop);
      const ran: string[] = [];
      const remove = store.usance.jobWorker.add({
        name: PROCESSOR,
        description: '',
        run: (_event, _execution, _context, { jobId, executionId }) => void ran.push(jobId, executionId),
      });
      await run('jobs');
      remove();
      expect(ran).toContain(good.id);
      expect(ran).not.toContain(lost);
      expect((await ill.execution(lost)).status).toBe('failed');
      for (const tenant of [ill, well]) for (const { id } of await tenant.jobs()) await tenant.deleteJob(id);
    });
  },

  webhooks: () => {
    test('an endpoint whose secret cannot be decrypted gets nothing, and that of another tenant is called', async () => {
      const called: string[] = [];
      const receiver = createServer((request, response) => {
        called.push(request.url ?? '');
        response.end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address() as AddressInfo;
      const [ill, well] = [await newTenant(), await newTenant()];
      const endpointOf = async (tenant: TenantHandle, path: string): Promise<string> => {
        const url = `http://127.0.0.1:${port}/${path}`;
        return (await tenant.createWebhookEndpoint({ url, eventPattern: 'payment.settled' })).endpoint.id;
      };
      const [bad, good] = [await endpointOf(ill, 'ill'), await endpointOf(well, 'well')];
      await plant(
        `update usance.webhook_endpoints
         set secret = set_byte(secret, octet_length(secret) - 1, 255 - get_byte(secret, octet_length(secret) - 1)) where id = $1::uuid`,
        [bad],
      );
      await ill.testWebhookEndpoint(bad);
      await well.testWebhookEndpoint(good);
      for (const loop of ['sequencer', 'matcher', 'matcher', 'webhooks']) await run(loop);
      expect(called).toEqual(['/well']);
      const { deliveries } = await ill.deliveries();
      expect(deliveries).toMatchObject([{ endpointId: bad, status: 'pending', attemptNumber: 1, sent: null }]);
      await ill.deleteWebhookEndpoint(bad);
      await well.deleteWebhookEndpoint(good);
      receiver.close();
    });
  },

  notifications: () => {
    test('a channel whose URL cannot be decrypted sends nothing, and that of another tenant does', async () => {
      const called: string[] = [];
      const receiver = createServer((request, response) => {
        called.push(request.url ?? '');
        response.end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address() as AddressInfo;
      const [ill, well] = [await newTenant(), await newTenant()];
      const channelOf = async (tenant: TenantHandle, path: string): Promise<string> => {
        const params = { name: 'on call', kind: 'slack', url: `http://127.0.0.1:${port}/${path}` } as const;
        return (await tenant.createNotificationChannel(params)).channel.id;
      };
      const [bad, good] = [await channelOf(ill, 'ill'), await channelOf(well, 'well')];
      await plant(
        `update usance.notification_channels
         set target = set_byte(target, octet_length(target) - 1, 255 - get_byte(target, octet_length(target) - 1)) where id = $1::uuid`,
        [bad],
      );
      const { executionId } = await ill.testNotificationChannel(bad);
      await well.testNotificationChannel(good);
      for (const loop of ['sequencer', 'matcher', 'matcher', 'notifications']) await run(loop);
      expect(called).toEqual(['/well']);
      expect(await ill.execution(executionId)).toMatchObject({ status: 'pending' });
      await ill.deleteNotificationChannel(bad);
      await well.deleteNotificationChannel(good);
      receiver.close();
    });
  },

  payouts: () => {
    test('a payout whose payees cannot be read is set aside, and that of another tenant is sent', async () => {
      const [bad, good] = [await payout(await newTenant()), await payout(await newTenant())];
      await plant(`update usance.payments set legs = '7' where id = $1::uuid`, [bad]);
      for (const loop of ['health', 'payouts']) await run(loop);
      expect(await store.db.query('select payment_id, state from usance.payout_attempts')).toEqual([
        { payment_id: good, state: 'sent' },
      ]);
      expect(notices.join('\n')).toContain(toTypeId('payment', bad));
    });
  },

  confirmations: () => {
    test('an attempt that cannot be read is named, and that of another tenant is looked at', async () => {
      const [bad, good] = [await payout(await newTenant()), await payout(await newTenant())];
      for (const loop of ['health', 'payouts']) await run(loop);
      await plant(
        `alter table usance.payout_attempts drop constraint payout_attempts_signed_whole;
         update usance.payout_attempts set address = null, check_at = now() where payment_id = '${bad}';
         update usance.payout_attempts set check_at = now() where payment_id = '${good}'`,
        [],
      );
      await run('confirmations');
      const looked = `select checks from usance.payout_attempts where payment_id = $1::uuid and last_seen <> 'accepted'`;
      expect(await store.db.query(looked, [good])).toEqual([{ checks: 1 }]);
      expect(notices.join('\n')).toContain(toTypeId('payment', bad));
    });
  },

  emails: () => {
    test('an account whose contact cannot be decrypted gets nothing, and one of another tenant is written to', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const sent: string[] = [];
      for (const tenant of [ill, well]) {
        await tenant.updateEmailSettings({ enabled: true, kinds: ['payment_cancelled'] });
        await tenant.editAccount('payer', { contact: { email: `${tenant.name}@example.com` } });
      }
      await plant(
        `update usance.accounts set contact_encrypted = set_byte(contact_encrypted, octet_length(contact_encrypted) - 1,
           255 - get_byte(contact_encrypted, octet_length(contact_encrypted) - 1)) where tenant_id = $1::uuid and contact_encrypted is not null`,
        [ill.id],
      );
      for (const tenant of [ill, well]) {
        const { id } = await tenant.createPayment({
          from: 'payer',
          to: 'payee',
          asset: 'USD',
          amount: 1,
          funding: 'at_execution',
          delay: '1h',
          idempotencyKey: key(),
        });
        await tenant.cancelPayment(id);
      }
      for (const loop of ['sequencer', 'matcher', 'matcher', 'emails']) await run(loop);
      for (const { to } of mail.mails) sent.push(...to);
      expect(sent).toEqual([`${well.name}@example.com`]);
      expect((await ill.executions({})).executions).toMatchObject([{ status: 'pending' }]);
      for (const tenant of [ill, well]) await tenant.updateEmailSettings({ enabled: false });
    });
  },

  rescuer: () => {
    test('an execution whose attempt is recorded already is set aside, and that of another tenant waits again', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const [bad, good] = [await addJob(store.owner, ill), await addJob(store.owner, well)];
      const [lost, found] = [
        await addExecution(store.owner, bad, 'pending'),
        await addExecution(store.owner, good, 'pending'),
      ];
      const worker = await addWorker(store.owner, { leasedFor: -1 });
      for (const { id } of [bad, good]) await claim(store.owner, id, worker);
      await plant(
        `insert into usance.invocations (tenant_id, id, execution_id, attempt, started_at, ended_at, code, error)
         values ($1::uuid, $2::uuid, $3::uuid, 1, now(), now(), 'WORKER_LOST', '')`,
        [ill.id, invocationIdOf(lost, 1), lost],
      );
      await run('rescuer');
      expect((await well.execution(found)).status).toBe('pending');
      expect(notices.join('\n')).toContain(toTypeId('execution', lost));
      await plant('delete from usance.invocations where execution_id = $1::uuid', [lost]);
    });
  },

  retention: () => {
    test('a payment that is already archived is set aside, and the others are archived', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const pay = async (tenant: TenantHandle): Promise<string> =>
        (await tenant.createPayment({ ...order, delay: '0s', idempotencyKey: key() })).id;
      const [before, bad, behind, good] = [await pay(ill), await pay(ill), await pay(ill), await pay(well)];
      await run('processor');
      await plant(`insert into usance.archived_payments select * from usance.payments where id = $1::uuid`, [bad]);
      // One slice a run, of one tenant.
      for (let runs = 0; runs < 200 && !(await isArchived(good)); runs += 1) await run('retention');
      for (const id of [before, behind, good]) expect(await isArchived(id)).toBe(true);
      expect(notices.join('\n')).toContain(toTypeId('payment', bad));
    });

    const isArchived = async (id: string): Promise<boolean> =>
      (await store.owner.query('select from usance.payments where id = $1::uuid', [id])).length === 0;
  },

  treasury: () => {
    test('a wallet that cannot be compared is set aside, and the others are compared', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const heights = { height: 2n, finalizedHeight: 1n };
      const rail = fakeRail('fake', {
        getBalance: async () => ({ outcome: 'known', value: { units: 0n, finalizedUnits: 0n, ...heights } }),
      });
      for (const [tenant, asset] of [
        [ill, 'nonsense'],
        [well, 'USD/2'],
      ] as const) {
        const { id } = await tenant.openAccount({ ref: 'wallet:fake' });
        await plant(
          `with wallet as (insert into usance.payout_wallets (tenant_id, chain, account_id, address, fee_asset, created_at)
             values ($1::uuid, 'fake', $2::uuid, $4::text, 'GAS/9', now()) returning tenant_id, chain)
           insert into usance.payout_wallet_assets (tenant_id, chain, asset, opening, height, opened_at)
           select tenant_id, chain, $3::text, 0, 0, now() from wallet`,
          [tenant.id, id, asset, rail.wallet],
        );
      }
      const troubled: string[] = [];
      const rails = { chains: ['fake'], of: () => rail };
      const loop = treasuryLoop(store.db, { rails, onTrouble: (tenantId) => troubled.push(tenantId) });
      expect((await loop.runOnce(new AbortController().signal, false)).counts).toMatchObject({
        compared: 1,
        frozen: 0,
      });
      expect(troubled).toEqual([ill.id]);
      expect((await well.treasuryWallets())[0]?.balances).toMatchObject([{ asset: 'USD/2', verdict: 'even' }]);
    });
  },

  alerts: () => {
    test('a tenant that cannot be measured is set aside alone, and comes again later', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const bad = await payout(ill);
      await plant(`update usance.payments set payout = '{"destinations": 7}' where id = $1::uuid`, [bad]);
      // Ten payouts of the other tenant have failed.
      const good = await payout(well);
      await well.failPayment(good, 'copied by a test');
      await plant(
        `with copied as (
           insert into usance.payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
           from usance.payments p cross join generate_series(1, 10) where p.id = $1::uuid returning tenant_id, id, payer_id)
         insert into usance.payout_attempts (tenant_id, payment_id, number, id, state, payer_id, asset, amount, claimed_at, ended_at)
         select tenant_id, id, 1, id, 'abandoned', payer_id, 'USDC/6', 10, now(), now() from copied`,
        [good],
      );
      await run('alerts');
      expect(await well.alerts()).toMatchObject([{ kind: 'payout_success', chain: 'sandbox', count: 10, value: '0' }]);
      expect(await ill.alerts()).toEqual([]);
      expect(notices.join('\n')).toContain(`the alerts of tenant ${toTypeId('tenant', ill.id)} was set aside`);
      const late = await store.owner.query(
        `select from usance.alert_checks where tenant_id = $1::uuid and next_at > now() + interval '4 minutes'`,
        [ill.id],
      );
      expect(late).toHaveLength(1);
    });
  },

  encrypt: () => {
    test('a contact that the database does not let be written', async () => {
      const [ill, well] = [await newTenant(), await newTenant()];
      const [bad, good] = [(await ill.account('payer')).id, (await well.account('payer')).id];
      await plant(
        `update usance.accounts set contact = '{"email":"a@example.com"}' where id = any (array[$1, $2]::uuid[])`,
        [bad, good],
      );
      await store.owner.query(`create function usance.refuse_one() returns trigger language plpgsql as $$
        begin raise exception 'not this one'; end $$`);
      await store.owner.query(`create trigger refuse_one before update on usance.accounts
        for each row when (new.id = '${bad}' and new.contact is null) execute function usance.refuse_one()`);
      await run('encrypt');
      const rows = await store.owner.query(`select id from usance.accounts where contact is not null`);
      await store.owner.query('drop trigger refuse_one on usance.accounts');
      expect(rows).toEqual([{ id: bad }]);
      expect((await well.account('payer')).contact).toEqual({ email: 'a@example.com' });
      expect(notices.join('\n')).toContain(bad);
    });
  },
};

/** They read no row of a tenant. */
const WITHOUT_ROWS = ['partitions', 'metrics', 'anchors', 'health'];

for (const [name, tests] of Object.entries(LOOPS)) {
  describe(`the loop ${name}`, () => {
    tests();
  });
}

test('every loop of the engine is listed', () => {
  const listed = [...Object.keys(LOOPS), ...WITHOUT_ROWS];
  expect(listed.toSorted()).toEqual(store.usance.loops.map((loop) => loop.name).toSorted());
});
