// What is counted, against what happened.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { asDate } from '../../src/db/index.ts';
import { createEngine } from '../../src/engine.ts';
import { key, open } from '../support/books.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { parseMetrics, totalOf, valueOf } from '../support/prometheus.ts';

const store = useUsance({ simulateFailures: 0 });
beforeAll(() => open(store.tenant, { alice: 100_000, bob: 0, poor: 0 }));

const metrics = (): Promise<string> => store.usance.monitoring.metrics();
const run = async (name: string) => (await store.usance.loops.find((loop) => loop.name === name)?.runOnce())?.counts;
const order = (more: object = {}) => ({ from: 'alice', to: 'bob', asset: 'USD/2', amount: 100, delay: '1h', ...more });
const pay = (more: object = {}) => store.tenant.createPayment({ ...order(more), idempotencyKey: key() });

test('everything that is exported is documented, and nothing else', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating/monitoring.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| ([a-z, ]*?) ?\|/gm)].map(
    ([, name, type, labels]) => ({ name, type, labels: labels?.trim() ?? '' }),
  );
  await run('processor');
  const exported = [...parseMetrics(await metrics()).values()].map(({ name, type, samples }) => {
    const { le: _le, ...labels } = samples[0]?.labels ?? {};
    return { name, type, labels: Object.keys(labels) };
  });
  expect(documented.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(
    exported.map(({ name, type }) => `${name} ${type}`).toSorted(),
  );
  for (const { name, labels } of exported.filter((one) => one.labels.length > 0)) {
    expect(documented.find((one) => one.name === name)?.labels, name).toBe(labels.join(', '));
  }
});

describe('payments are counted', () => {
  const NAMES = [
    'created',
    'completed',
    'attempt_failed',
    'failed',
    'expired',
    'cancelled',
    'captured',
    'refunded',
    'retried',
  ];
  const counts = async () => {
    const text = await metrics();
    return NAMES.map((name) => totalOf(text, `payments_${name}_total`) ?? NaN);
  };
  /** What was added, by name. */
  const added = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const before = await counts();
    await work();
    const after = await counts();
    const differences = NAMES.map((name, at) => [name, (after[at] ?? NaN) - (before[at] ?? NaN)] as const);
    return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
  };

  test('once each, however they are made', async () => {
    const idempotencyKey = key();
    const twice = async () => {
      await store.tenant.createPayment({ ...order(), idempotencyKey });
      await store.tenant.createPayment({ ...order(), idempotencyKey });
    };
    expect(await added(twice)).toEqual({ created: 1 });
    const orders = Array.from({ length: 7 }, () => order());
    expect(await added(() => store.tenant.createPayments(orders, { idempotencyKey: key() }))).toEqual({ created: 7 });
    const grouped = () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          store.tenant.createPaymentGrouped({ key: key(), fingerprint: 'x' }, order(), () => null),
        ),
      );
    expect(await added(grouped)).toEqual({ created: 20 });
  });

  test('not when they are refused', async () => {
    expect(await added(() => pay({ amount: 10_000_000 }).catch(() => undefined))).toEqual({});
    const orders = [order(), order({ from: 'nobody' })];
    const atomic = store.tenant.createPayments.bind(null, orders, { atomic: true, idempotencyKey: key() });
    expect(await added(() => atomic().catch(() => undefined))).toEqual({});
  });

  test('as they end', async () => {
    for (let n = 0; n < 3; n += 1) await pay({ delay: '0s' });
    await pay({ from: 'poor', funding: 'at_execution', delay: '0s', retry: { maxAttempts: 1 } });
    await pay({ from: 'poor', funding: 'at_execution', delay: '0s', retry: { maxAttempts: 3 } });
    expect(await added(() => run('processor'))).toEqual({ completed: 3, failed: 1, attempt_failed: 1 });
  });

  test('by what people do with them', async () => {
    const [cancelled, captured] = [await pay(), await pay()];
    expect(await added(() => store.tenant.cancelPayment(cancelled.id))).toEqual({ cancelled: 1 });
    const capture = (amount?: number) =>
      store.tenant.capturePayment(captured.id, { ...(amount ? { amount } : {}), idempotencyKey: key() });
    expect(await added(() => capture(40))).toEqual({ captured: 1 });
    expect(await added(() => capture())).toMatchObject({ completed: 1 });
    expect(await added(() => store.tenant.refundPayment(captured.id, { amount: 5, idempotencyKey: key() }))).toEqual({
      refunded: 1,
    });
    const [failed] = await store.tenant.payments({ status: 'failed' });
    expect(await added(() => store.tenant.retryPayment(failed?.id ?? ''))).toEqual({ retried: 1 });
  });
});

describe('the store is read', () => {
  // What is read is believed for three seconds, so each engine asks for the first time.
  const engines: Awaited<ReturnType<typeof createEngine>>[] = [];
  const read = async (): Promise<string> => {
    const encryption = { key: TEST_KEY };
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, encryption });
    engines.push(engine);
    return engine.monitoring.metrics();
  };
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
  });

  test('for what is due and since when, by every tenant and priority, and not for what is later', async () => {
    while ((await run('processor'))?.['claimed']);
    expect(valueOf(await read(), 'usance_due_payments')).toBe(0);
    expect(valueOf(await read(), 'usance_due_oldest_seconds')).toBe(0);
    const other = await store.usance.createTenant({ name: 'other' });
    await other.createAsset('USD/2');
    await open(other, { alice: 100, bob: 0 });
    await other.createPayment({ ...order({ delay: '0s' }), idempotencyKey: key() });
    for (const priority of ['high', 'normal', 'low'] as const) await pay({ delay: '0s', priority });
    await pay({ delay: '2h' });
    await store.owner.query(`update usance.due set due_at = due_at - interval '90 seconds' where due_at < now()`);
    const text = await read();
    expect(valueOf(text, 'usance_due_payments')).toBe(4);
    expect(valueOf(text, 'usance_due_oldest_seconds')).toBeGreaterThanOrEqual(90);
    while ((await run('processor'))?.['claimed']);
    expect(valueOf(await read(), 'usance_due_payments')).toBe(0);
  });

  test('for schedules with a slot that is due, of every tenant, until a scheduler comes by', async () => {
    const other = await store.usance.createTenant({ name: 'with-schedules' });
    await other.createAsset('USD/2');
    await open(other, { alice: 100, bob: 0 });
    const daily = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 1, rule: { frequency: 'DAILY' } } as const;
    for (const tenant of [store.tenant, other]) {
      await tenant.createSchedule({ ...daily, start: '2020-01-01T00:00', idempotencyKey: key() });
      await tenant.createSchedule({ ...daily, start: '2190-01-01T00:00', idempotencyKey: key() });
    }
    await store.owner.query(
      `update usance.schedule_due set due_at = now() - interval '90 seconds', next_at = now() - interval '90 seconds' where due_at < now() + interval '2 days'`,
    );
    const text = await read();
    expect(valueOf(text, 'usance_due_schedules')).toBe(2);
    expect(valueOf(text, 'usance_due_schedules_oldest_seconds')).toBeGreaterThanOrEqual(90);
    expect((await other.overview()).dueSchedules).toMatchObject({ count: 1, oldest: expect.any(Date) });
    while ((await run('scheduler'))?.['claimed']);
    expect(valueOf(await read(), 'usance_due_schedules')).toBe(0);
    expect((await other.overview()).dueSchedules).toEqual({ count: 0, oldest: null });
  });

  test('for events without a place, dead letters, who waits for funds, and frozen assets', async () => {
    await run('sequencer');
    expect(valueOf(await read(), 'usance_events_unordered')).toBe(0);
    const made = await pay({ from: 'poor', funding: 'at_execution', delay: '0s', retry: { maxAttempts: 1 } });
    expect(valueOf(await read(), 'usance_events_unordered')).toBe(1);
    await run('processor');
    await pay({ from: 'poor', funding: 'at_execution', delay: '0s' });
    await run('processor');
    const [letters] = await store.owner.query('select count(*)::int as n from usance.payment_dead_letters');
    const [waiting] = await store.owner.query('select count(*)::int as n from usance.waiting');
    await store.owner.query(
      `insert into usance.freezes (tenant_id, id, asset, violation, details)
       values ('${store.tenant.id}', '${made.id}', 'USD/2', 'tried out', '{}')`,
    );
    const text = await read();
    await store.owner.query(`delete from usance.freezes`);
    expect(valueOf(text, 'usance_dead_letters')).toBe(letters?.['n']);
    expect(valueOf(text, 'usance_underfunded_payments')).toBe(waiting?.['n']);
    expect(valueOf(text, 'usance_frozen_assets')).toBe(1);
    expect(valueOf(text, 'usance_events_unordered_oldest_seconds')).toBeGreaterThan(0);
  });

  test('for notification channels that fail, and those that were disabled for it, but not by a caller', async () => {
    const channels = await Promise.all(
      ['fine', 'failing', 'gone', 'off'].map(async (name) => {
        const url = 'https://hooks.slack.com/services/x';
        return (await store.tenant.createNotificationChannel({ name, kind: 'slack', url })).channel;
      }),
    );
    const [, failing = '', gone = '', off = ''] = channels.map(({ id }) => id);
    expect(valueOf(await read(), 'usance_notification_channels_failing')).toBe(0);
    await store.owner.query(
      `update usance.notification_channels set failing_since = now(), last_failed_at = now(), gone_at = case when id = $2::uuid then now() end
       where id = any(array[$1, $2, $3]::uuid[])`,
      [failing, gone, off],
    );
    await store.tenant.updateNotificationChannel(off, { enabled: false });
    expect(valueOf(await read(), 'usance_notification_channels_failing')).toBe(2);
    expect(valueOf(await read(), 'usance_notification_channels_disabled')).toBe(0);
    await run('notifications');
    expect(valueOf(await read(), 'usance_notification_channels_failing')).toBe(1);
    expect(valueOf(await read(), 'usance_notification_channels_disabled')).toBe(1);
    for (const { id } of channels) await store.tenant.deleteNotificationChannel(id);
    expect(valueOf(await read(), 'usance_notification_channels_disabled')).toBe(0);
  });

  test('once in a while, however many ask', async () => {
    let statements = 0;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      onStatement: () => void (statements += 1),
    });
    engines.push(engine);
    const before = statements;
    await Promise.all(Array.from({ length: 50 }, () => engine.monitoring.metrics()));
    expect(statements - before).toBeLessThanOrEqual(16);
  });

  test('and where it does not answer the rest is told all the same', async () => {
    let away = false;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      onStatement: () => {
        if (away) throw new Error('away');
      },
    });
    engines.push(engine);
    away = true;
    const text = await engine.monitoring.metrics();
    expect(valueOf(text, 'usance_database_up')).toBe(0);
    expect(valueOf(text, 'usance_due_payments')).toBeUndefined();
    expect(totalOf(text, 'payments_completed_total')).toBe(0);
    expect(await engine.monitoring.answers()).toBe(false);
    away = false;
    // The answer before is remembered for a second.
    await expect.poll(() => engine.monitoring.answers()).toBe(true);
  });
});

describe('loops are counted', () => {
  test('by runs, failures and what they did', async () => {
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      onStatement: (text) => {
        if (/ensure_partitions/.test(text)) throw new Error('no room');
      },
    });
    engine.start(['partitions']);
    await expect
      .poll(async () =>
        valueOf(await engine.monitoring.metrics(), 'usance_loop_failures_total', { loop: 'partitions' }),
      )
      .toBe(1);
    await engine.loops.find(({ name }) => name === 'integrity')?.runOnce();
    const text = await engine.monitoring.metrics();
    await engine.close();
    expect(valueOf(text, 'usance_loop_runs_total', { loop: 'integrity' })).toBe(1);
    expect(valueOf(text, 'usance_loop_seconds_count', { loop: 'integrity' })).toBe(1);
    expect(valueOf(text, 'usance_loop_items_total', { loop: 'integrity', kind: 'checked' })).toBeGreaterThan(0);
    expect(valueOf(text, 'usance_integrity_violations_total')).toBe(0);
    const now = Date.now() / 1_000;
    expect(valueOf(text, 'usance_integrity_last_pass_timestamp_seconds')).toBeGreaterThan(now - 600);
    expect(valueOf(text, 'usance_loop_last_run_timestamp_seconds', { loop: 'integrity' })).toBeLessThan(now + 60);
  });
});

test('batches are measured: their size, their time, and how late each payment of them was', async () => {
  while ((await run('processor'))?.['claimed']);
  const before = await metrics();
  for (let n = 0; n < 6; n += 1) await pay({ delay: '0s' });
  await store.owner.query(`update usance.due set due_at = due_at - interval '20 seconds' where due_at <= now()`);
  while ((await run('processor'))?.['claimed']);
  const after = await metrics();
  const added = (name: string, labels = {}): number =>
    (valueOf(after, name, labels) ?? NaN) - (valueOf(before, name, labels) ?? NaN);
  expect(added('usance_payment_lateness_seconds_count')).toBe(6);
  expect(added('usance_payment_lateness_seconds_bucket', { le: '10' })).toBe(0);
  expect(added('usance_payment_lateness_seconds_sum')).toBeGreaterThanOrEqual(120);
  expect(added('usance_batch_payments_sum')).toBe(6);
  expect(added('usance_batch_seconds_count')).toBe(added('usance_batch_payments_count'));
  expect(added('usance_batch_seconds_sum')).toBeGreaterThan(0);
});

describe('the table system_metrics', () => {
  const kept = async (name: string): Promise<number> => {
    const [row] = await store.owner.query(
      `select coalesce(sum(value), 0)::float8 as sum from usance.system_metrics where name = '${name}'`,
    );
    return Number(row?.['sum']);
  };

  test('is kept once by two rounds at once', async () => {
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
    onTestFinished(() => engine.close());
    const before = await kept('payments_created_total');
    await (await engine.tenant('shop')).createPayment({ ...order(), idempotencyKey: key() });
    const loop = engine.loops.find(({ name }) => name === 'metrics');
    await Promise.all([loop?.runOnce(), loop?.runOnce()]);
    expect((await kept('payments_created_total')) - before).toBe(1);
  });

  test('sums up to what was counted, over processes and restarts', async () => {
    const before = await kept('payments_created_total');
    for (let life = 0; life < 3; life += 1) {
      const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false });
      engine.start(['metrics']);
      const tenant = await engine.tenant('shop');
      await tenant.createPayment({ ...order(), idempotencyKey: key() });
      await engine.loops.find(({ name }) => name === 'metrics')?.runOnce();
      await tenant.createPayment({ ...order(), idempotencyKey: key() });
      // Closing keeps what the last round did not.
      await engine.close();
    }
    expect((await kept('payments_created_total')) - before).toBe(6);
  });

  test('answers the question of the documentation', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/operating/monitoring.md'), 'utf8');
    const [, question = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];
    const answer = await store.owner.query(question);
    expect(answer.map((row) => row['name'])).toContain('payments_created_total');
  });

  test('gets nothing from a process that does nothing, and the store’s own numbers from one at a time', async () => {
    const loops = await Promise.all([1, 2].map(() => createEngine({ databaseUrl: store.runtimeUrl, migrate: false })));
    await store.owner.query('delete from usance.system_metrics');
    for (const engine of loops) await engine.loops.find(({ name }) => name === 'metrics')?.runOnce();
    const rows = await store.owner.query('select name, count(*)::int as n from usance.system_metrics group by name');
    expect(rows).toHaveLength(20);
    expect(rows.every((row) => row['n'] === 1)).toBe(true);
    for (const engine of loops) await engine.close();
  });

  test('keeps what could not be written for the next time', async () => {
    let away = false;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      onStatement: (text) => {
        if (away && /insert into usance.system_metrics/.test(text)) throw new Error('away');
      },
    });
    const keep = async () => engine.loops.find(({ name }) => name === 'metrics')?.runOnce();
    const tenant = await engine.tenant('shop');
    const before = await kept('payments_created_total');
    await tenant.createPayment({ ...order(), idempotencyKey: key() });
    away = true;
    await expect(keep()).rejects.toThrow('away');
    away = false;
    await tenant.createPayment({ ...order(), idempotencyKey: key() });
    await keep();
    await keep();
    expect((await kept('payments_created_total')) - before).toBe(2);
    await engine.close();
  });

  test('loses what is past its time, and nothing younger', async () => {
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      metricsRetentionMs: 3_600_000,
    });
    await store.owner.query('delete from usance.system_metrics');
    await store.owner.query(
      `insert into usance.system_metrics (id, name, value, recorded_at)
       select usance.first_id_at(now() - make_interval(mins => m)), 'payments_completed_total', 1, now() - make_interval(mins => m)
       from generate_series(1, 120) m`,
    );
    await engine.loops.find(({ name }) => name === 'metrics')?.runOnce();
    const left = await kept('payments_completed_total');
    expect(left).toBeGreaterThanOrEqual(59);
    expect(left).toBeLessThanOrEqual(60);
    await engine.close();
  });
});

test('when each loop last ended well is kept for the doctor, and only moves forward', async () => {
  const lastRuns = async () =>
    new Map(
      (await store.owner.query('select name, last_run_at from usance.loop_runs')).map((row) => [
        row['name'],
        asDate(row['last_run_at']),
      ]),
    );
  await run('sequencer');
  await run('metrics');
  const first = await lastRuns();
  expect(first.get('sequencer')).toBeInstanceOf(Date);
  await run('metrics');
  const second = await lastRuns();
  // The sequencer has not run again.
  expect(second.get('sequencer')).toEqual(first.get('sequencer'));
  await run('sequencer');
  await run('metrics');
  expect((await lastRuns()).get('sequencer')?.getTime()).toBeGreaterThan(first.get('sequencer')?.getTime() ?? Infinity);
});
