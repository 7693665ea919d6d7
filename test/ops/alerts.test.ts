// Alerts: raised once when a measurement crosses its threshold, cleared once when it is back. Most measurements are planted; one world has real payouts.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Alert, AlertKind, TenantHandle } from '../../src/engine.ts';
import { alertsLoop } from '../../src/ops/index.ts';
import { readEndedAttempts } from '../../src/payouts/samples-store.ts';
import { order } from '../jobs/matcher.ts';
import { PAYEE, usePayouts } from '../payouts/world.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { addEndpoint } from '../support/webhooks.ts';
import {
  addAttempts,
  addDeliveries,
  addDeliveryAttempts,
  addSent,
  addWallet,
  endSent,
  failedPayout,
  plant,
  setHealth,
} from './alerts-store.fixture.ts';

const store = useUsance({ chains: { sandbox: true } });
const signal = new AbortController().signal;
const MINUTE_MS = 60_000;

const check = async (): Promise<Readonly<Record<string, number>>> =>
  (await alertsLoop(store.db).runOnce(signal, false)).counts;
const open = (tenant: TenantHandle): Promise<Alert[]> => tenant.alerts({ status: 'open' });
const openKinds = async (tenant: TenantHandle): Promise<AlertKind[]> => (await open(tenant)).map(({ kind }) => kind);

let count = 0;
interface World {
  readonly tenant: TenantHandle;
  readonly of: { readonly tenantId: string; readonly failed: string };
}
/** A live tenant that has a payout. */
async function world(): Promise<World> {
  const tenant = await store.usance.createTenant({ name: `alerts-${(count += 1)}` });
  return { tenant, of: { tenantId: tenant.id, failed: await failedPayout(tenant) } };
}
/** The tenants of earlier tests are not checked. */
beforeEach(async () => {
  await setHealth(store.owner, 'sandbox', ['healthy', 'healthy', 'healthy']);
  await check();
  await store.owner.query(`update usance.alert_checks set next_at = 'infinity'`);
});

const eventsOf = async (tenant: TenantHandle): Promise<{ type: string; data: unknown }[]> => {
  await order(store.usance);
  return (await tenant.events({ type: 'alert.*' })).map(({ type, data }) => ({ type, data }));
};

describe('the share of payouts that settle', () => {
  test.each([
    ['at the threshold', { settled: 19, failed: 1 }, []],
    ['below it', { settled: 18, failed: 1 }, ['payout_success']],
    ['below it, with as many samples as it takes', { settled: 9, failed: 1 }, ['payout_success']],
    ['below it, with fewer samples', { settled: 8, failed: 1 }, []],
    ['below it, before the window', { settled: 0, failed: 20, endedMsAgo: 16 * MINUTE_MS }, []],
  ] as const)('%s', async (_what, attempts, expected) => {
    const { tenant, of } = await world();
    await addAttempts(store, of, attempts);
    await check();
    expect(await openKinds(tenant)).toEqual(expected);
  });

  test('is raised once per crossing, cleared once, and raised again by the next crossing', async () => {
    const { tenant, of } = await world();
    await addAttempts(store, of, { settled: 9, failed: 1 });
    expect(await check()).toMatchObject({ raised: 1, cleared: 0 });
    expect(await check()).toMatchObject({ raised: 0, cleared: 0 });
    await addAttempts(store, of, { failed: 5 });
    expect(await check()).toMatchObject({ raised: 0, cleared: 0 });
    const [alert] = await open(tenant);
    expect(alert).toMatchObject({
      kind: 'payout_success',
      chain: 'sandbox',
      asset: null,
      unit: 'share',
      value: '0.9',
      threshold: '0.95',
      count: 10,
      windowMs: 15 * MINUTE_MS,
      clearedAt: null,
      clearedValue: null,
    });
    await addAttempts(store, of, { settled: 200 });
    expect(await check()).toMatchObject({ raised: 0, cleared: 1 });
    expect(await check()).toMatchObject({ raised: 0, cleared: 0 });
    expect(await open(tenant)).toEqual([]);
    await addAttempts(store, of, { failed: 50 });
    expect(await check()).toMatchObject({ raised: 1 });
    const crossed = { kind: 'payout_success', chain: 'sandbox', asset: null, unit: 'share', threshold: '0.95' };
    const first = { ...crossed, value: '0.9', count: 10, windowMs: 15 * MINUTE_MS };
    const raisedAt = alert?.raisedAt.toISOString();
    expect(await eventsOf(tenant)).toEqual([
      { type: 'alert.raised', data: first },
      { type: 'alert.cleared', data: { ...first, raisedAt, clearedValue: '0.972' } },
      { type: 'alert.raised', data: { ...first, value: '0.7886', count: 265 } },
    ]);
  });

  test('stays raised while fewer samples than it takes are left, and is cleared with the last', async () => {
    const { tenant, of } = await world();
    await addAttempts(store, of, { settled: 8, failed: 1, endedMsAgo: 14 * MINUTE_MS });
    await addAttempts(store, of, { failed: 1 });
    expect(await check()).toMatchObject({ raised: 1 });
    await plant(
      store.owner,
      `update usance.payout_attempts set ended_at = ended_at - interval '2 minutes' where tenant_id = $1::uuid and ended_at < now() - interval '10 minutes'`,
      [tenant.id],
    );
    expect(await check()).toMatchObject({ cleared: 0 });
    await plant(
      store.owner,
      `update usance.payout_attempts set ended_at = ended_at - interval '16 minutes' where tenant_id = $1::uuid`,
      [tenant.id],
    );
    expect(await check()).toMatchObject({ cleared: 1 });
    expect((await tenant.alerts({ status: 'cleared' }))[0]).toMatchObject({ clearedValue: null });
  });

  test('is measured for each chain, and by the last attempt of each payout', async () => {
    const { tenant, of } = await world();
    await addAttempts(store, of, { settled: 20 });
    await addAttempts(store, of, { chain: 'solana', settled: 5, failed: 6 });
    // Payouts that failed for good are counted, those that are tried again are not.
    await addSent(store, tenant.id, { chain: 'ethereum', count: 11, sentMsAgo: 1_000, isDead: true });
    await check();
    expect(await open(tenant)).toMatchObject([{ chain: 'solana', value: '0.4545', count: 11 }]);
  });
});

describe('the time to finality', () => {
  test('has the threshold of its chain, and needs five payouts', async () => {
    const { tenant, of } = await world();
    const minutes = { base: 15, ethereum: 15, sandbox: 2, solana: 5 };
    const thresholds = Object.entries(minutes).map(([chain, of]) => ({ chain, tookMs: of * MINUTE_MS }));
    for (const each of thresholds) await addAttempts(store, of, { ...each, settled: 4 });
    await check();
    for (const each of thresholds) await addAttempts(store, of, { ...each, settled: 1 });
    expect(await check()).toMatchObject({ raised: 0 });
    for (const each of thresholds) await addAttempts(store, of, { ...each, tookMs: each.tookMs + 1_000, settled: 1 });
    expect(await check()).toMatchObject({ raised: 4 });
    const raised = (await open(tenant)).toSorted((one, other) => String(one.chain).localeCompare(String(other.chain)));
    expect(raised).toMatchObject([
      { kind: 'settlement_time', chain: 'base', unit: 'seconds', value: '900.167', threshold: '900', count: 6 },
      { chain: 'ethereum', value: '900.167', threshold: '900' },
      { chain: 'sandbox', value: '120.167', threshold: '120' },
      { chain: 'solana', value: '300.167', threshold: '300' },
    ]);
  });

  test('above the threshold raises nothing for four payouts', async () => {
    const { tenant, of } = await world();
    await addAttempts(store, of, { settled: 4, tookMs: 60 * MINUTE_MS });
    await check();
    expect(await open(tenant)).toEqual([]);
  });

  test('counts payouts under way once they have passed the threshold', async () => {
    const { tenant } = await world();
    await addSent(store, tenant.id, { chain: 'solana', count: 10, sentMsAgo: 4 * MINUTE_MS });
    await check();
    expect(await open(tenant)).toEqual([]);
    await addSent(store, tenant.id, { chain: 'solana', count: 5, sentMsAgo: 6 * MINUTE_MS });
    // They passed it before the window: no sample for ever.
    await addSent(store, tenant.id, { chain: 'solana', count: 5, sentMsAgo: 25 * MINUTE_MS });
    await check();
    expect(await open(tenant)).toMatchObject([
      { kind: 'settlement_time', chain: 'solana', count: 5, threshold: '300' },
    ]);
  });
});

describe('the floor of a wallet', () => {
  test('is set and removed by an operator, and crossed by one unit', async () => {
    const { tenant } = await world();
    await addWallet(store, tenant, { chain: 'sandbox', asset: 'USDC/6', holds: 100n });
    expect(await refusalOf(tenant.setTreasuryFloor('solana', { asset: 'USDC', floor: 1 }))).toBe(
      'TREASURY_WALLET_NOT_FOUND',
    );
    expect(await refusalOf(tenant.setTreasuryFloor('sandbox', { asset: 'USD', floor: 1 }))).toBe('FIELD_INVALID');
    expect(await refusalOf(tenant.setTreasuryFloor('sandbox', { asset: 'USDC', floor: 0 }))).toBe(
      'AMOUNT_NOT_POSITIVE',
    );
    expect(await tenant.setTreasuryFloor('sandbox', { asset: 'USDC', floor: '100' })).toMatchObject({
      balances: [{ asset: 'USDC/6', floor: 100n }],
    });
    expect(await check()).toMatchObject({ raised: 0 });
    await tenant.setTreasuryFloor('sandbox', { asset: 'USDC/6', floor: 101n });
    expect(await check()).toMatchObject({ raised: 1 });
    expect(await open(tenant)).toMatchObject([
      {
        kind: 'treasury_floor',
        chain: 'sandbox',
        asset: 'USDC/6',
        unit: 'minor_units',
        value: '100',
        threshold: '101',
        windowMs: null,
      },
    ]);
    await tenant.deposit({
      account: 'holder-sandbox',
      asset: 'USDC/6',
      amount: 1n,
      idempotencyKey: `top-up ${tenant.id}`,
    });
    expect(await check()).toMatchObject({ cleared: 1 });
    await tenant.setTreasuryFloor('sandbox', { asset: 'USDC/6', floor: 500n });
    expect(await check()).toMatchObject({ raised: 1 });
    expect((await tenant.setTreasuryFloor('sandbox', { asset: 'USDC/6', floor: null })).balances).toMatchObject([
      { floor: null },
    ]);
    expect(await check()).toMatchObject({ cleared: 1 });
    await order(store.usance);
    expect((await tenant.events({ type: 'treasury_wallet.floor_set' })).map(({ data }) => data)).toEqual([
      { chain: 'sandbox', asset: 'USDC/6', old: { floor: null }, new: { floor: '100' } },
      { chain: 'sandbox', asset: 'USDC/6', old: { floor: '100' }, new: { floor: '101' } },
      { chain: 'sandbox', asset: 'USDC/6', old: { floor: '101' }, new: { floor: '500' } },
      { chain: 'sandbox', asset: 'USDC/6', old: { floor: '500' }, new: { floor: null } },
    ]);
  });

  test('that is only tried in a dry run is not set', async () => {
    const { tenant } = await world();
    await addWallet(store, tenant, { chain: 'sandbox', asset: 'USDC/6', holds: 100n });
    await tenant.dryRun((verbs) => verbs.setTreasuryFloor('sandbox', { asset: 'USDC/6', floor: 500n }));
    expect((await tenant.treasuryWallets())[0]?.balances).toMatchObject([{ floor: null }]);
  });
});

describe('the health of a chain', () => {
  test('raises an alert for each tenant with a wallet or an open payout there, until three snapshots are fine', async () => {
    const [payer, holder, other] = [await world(), await world(), await world()];
    await payer.tenant.createPayment({
      from: 'payer-sandbox',
      asset: 'USDC/6',
      amount: 1n,
      funding: 'at_execution',
      delay: '1h',
      rail: 'any',
      destinations: { sandbox: PAYEE },
      idempotencyKey: `open ${payer.tenant.id}`,
    });
    await addWallet(store, holder.tenant, { chain: 'sandbox', asset: 'USDC/6', holds: 1n });
    await setHealth(store.owner, 'sandbox', ['degraded', 'healthy']);
    expect(await check()).toMatchObject({ raised: 0 });
    await setHealth(store.owner, 'sandbox', ['unhealthy', 'unhealthy', 'degraded', 'healthy']);
    expect(await check()).toMatchObject({ raised: 2 });
    for (const { tenant } of [payer, holder])
      expect(await open(tenant)).toMatchObject([
        { kind: 'chain_health', chain: 'sandbox', unit: 'seconds', value: expect.stringMatching(/^2(\.|$)/), count: 4 },
      ]);
    expect(await open(other.tenant)).toEqual([]);
    // One that flickers stays one alert.
    await setHealth(store.owner, 'sandbox', ['healthy', 'healthy', 'unhealthy']);
    expect(await check()).toMatchObject({ raised: 0, cleared: 0 });
    await setHealth(store.owner, 'sandbox', ['unhealthy', 'healthy', 'healthy']);
    expect(await check()).toMatchObject({ raised: 0, cleared: 0 });
    await setHealth(store.owner, 'sandbox', ['healthy', 'healthy', 'degraded', 'unhealthy']);
    expect(await check()).toMatchObject({ raised: 0, cleared: 2 });
    // Nothing measures it any more.
    await setHealth(store.owner, 'sandbox', ['healthy', 'healthy', 'healthy'], { newestMsAgo: 46_000 });
    expect(await check()).toMatchObject({ raised: 2 });
  });
});

describe('the share of deliveries that arrive', () => {
  test.each([
    ['at the threshold', { delivered: 9, failed: 1 }, 0],
    ['below it', { delivered: 89, failed: 11 }, 1],
    ['below it, with fewer samples than it takes', { delivered: 0, failed: 9 }, 0],
    ['below it, before the window', { failed: 20, endedMsAgo: 16 * MINUTE_MS }, 0],
  ])('%s', async (_what, deliveries, alerts) => {
    const tenant = await store.usance.createTenant({ name: `alerts-${(count += 1)}` });
    const endpoint = await addEndpoint(tenant);
    await addDeliveries(store, { tenantId: tenant.id, endpointId: endpoint.id }, deliveries);
    await check();
    expect(await openKinds(tenant)).toEqual(alerts === 1 ? ['webhook_delivery'] : []);
  });

  test('leaves out disabled endpoints, and counts a delivery by its last attempt', async () => {
    const tenant = await store.usance.createTenant({ name: `alerts-${(count += 1)}` });
    const [one, other] = [await addEndpoint(tenant), await addEndpoint(tenant)];
    const of = { tenantId: tenant.id, endpointId: one.id };
    await addDeliveries(store, { tenantId: tenant.id, endpointId: other.id }, { delivered: 20 });
    const failed = await addDeliveries(store, of, { failed: 20, endedMsAgo: MINUTE_MS });
    await check();
    expect(await open(tenant)).toMatchObject([
      { kind: 'webhook_delivery', chain: null, value: '0.5', threshold: '0.9', count: 40 },
    ]);
    await tenant.updateWebhookEndpoint(one.id, { enabled: false });
    expect(await check()).toMatchObject({ cleared: 1 });
    await tenant.updateWebhookEndpoint(one.id, { enabled: true });
    expect(await check()).toMatchObject({ raised: 1 });
    await addDeliveryAttempts(store, of, failed, { delivered: 20 });
    expect(await check()).toMatchObject({ cleared: 1 });
  });
});

describe('payouts in review', () => {
  test('raise one alert for each chain, which is cleared with the last of them', async () => {
    const { tenant } = await world();
    const [first] = [await addSent(store, tenant.id, { count: 1, sentMsAgo: 60 * MINUTE_MS, inReview: true })];
    expect(await check()).toMatchObject({ raised: 1 });
    const more = await addSent(store, tenant.id, { count: 3, sentMsAgo: 60 * MINUTE_MS, inReview: true });
    expect(await check()).toMatchObject({ raised: 0 });
    expect(await open(tenant)).toMatchObject([
      { kind: 'manual_review', chain: 'sandbox', value: '1', threshold: '0', unit: 'payouts' },
    ]);
    await endSent(store.owner, more);
    expect(await check()).toMatchObject({ cleared: 0 });
    await endSent(store.owner, first);
    expect(await check()).toMatchObject({ cleared: 1 });
  });
});

describe('the loop', () => {
  test('raises a crossing once in 20 processes at once, and clears it once', async () => {
    const { tenant, of } = await world();
    const db = store.pool({ maxConnections: 20 });
    const race = async (): Promise<number[]> => {
      const runs = await Promise.all(Array.from({ length: 20 }, () => alertsLoop(db).runOnce(signal, false)));
      return ['raised', 'cleared'].map((name) => runs.reduce((sum, run) => sum + (run.counts[name] ?? 0), 0));
    };
    await addAttempts(store, of, { settled: 5, failed: 5 });
    expect(await race()).toEqual([1, 0]);
    await addAttempts(store, of, { settled: 500 });
    expect(await race()).toEqual([0, 1]);
    expect((await eventsOf(tenant)).map(({ type }) => type)).toEqual(['alert.raised', 'alert.cleared']);
  });

  test('of two tenants raises the alert of the one that crossed', async () => {
    const [one, other] = [await world(), await world()];
    await addAttempts(store, one.of, { failed: 10 });
    await addAttempts(store, other.of, { settled: 10 });
    await check();
    expect(await openKinds(one.tenant)).toEqual(['payout_success']);
    expect(await other.tenant.alerts()).toEqual([]);
    expect(await eventsOf(other.tenant)).toEqual([]);
  });

  test('checks a tenant that is due, and not again before its time', async () => {
    await check();
    const { of } = await world();
    await addAttempts(store, of, { failed: 10 });
    const resident = alertsLoop(store.db);
    expect((await resident.runOnce(signal, true)).counts).toMatchObject({ checked: 1, raised: 1 });
    expect((await resident.runOnce(signal, true)).counts).toMatchObject({ checked: 0 });
  });

  test('skips a tenant that another process checks, without waiting', async () => {
    const { tenant, of } = await world();
    await check();
    await addAttempts(store, of, { failed: 10 });
    await store.owner.transaction(async (tx) => {
      await tx.query('select from usance.alert_checks where tenant_id = $1::uuid for update', [tenant.id]);
      expect(await check()).toMatchObject({ raised: 0 });
    });
    expect(await check()).toMatchObject({ raised: 1 });
  });

  test('forgets alerts that were cleared 90 days ago', async () => {
    const { tenant } = await world();
    const raisedAndCleared = async (): Promise<void> => {
      await addSent(store, tenant.id, { count: 1, sentMsAgo: 60 * MINUTE_MS, inReview: true }).then(async (ids) => {
        expect(await check()).toMatchObject({ raised: 1 });
        await endSent(store.owner, ids);
      });
      expect(await check()).toMatchObject({ cleared: 1 });
    };
    await raisedAndCleared();
    await plant(
      store.owner,
      `update usance.alerts set ended_at = now() - interval '91 days' where tenant_id = $1::uuid`,
      [tenant.id],
    );
    await raisedAndCleared();
    expect(await tenant.alerts()).toHaveLength(1);
  });

  test('reads what is in the window, whatever the history', async () => {
    const { of } = await world();
    await addAttempts(store, of, { settled: 100 });
    const since = new Date(Date.now() - 15 * MINUTE_MS);
    // The counters of a connection can still have what it did before.
    const rowsRead = (): Promise<number> =>
      store.owner.transaction(async (tx) => {
        const counted = async (): Promise<number> => {
          const [row] = await tx.query(
            `select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_xact_user_tables where relname = 'payout_attempts'`,
          );
          return Number(row?.['rows'] ?? 0);
        };
        const before = await counted();
        await readEndedAttempts(tx, of.tenantId, since);
        return (await counted()) - before;
      });
    await addAttempts(store, of, { settled: 20_000, endedMsAgo: 60 * MINUTE_MS });
    await store.owner.query('analyze usance.payout_attempts');
    expect(await rowsRead()).toBe(100);
  });
});

describe('a test tenant', () => {
  const payouts = usePayouts();
  const measure = async (): Promise<Readonly<Record<string, number>>> =>
    (await alertsLoop(payouts.db).runOnce(signal, false)).counts;

  test('is measured by its clock, through real payouts', async () => {
    const own = await payouts.world();
    const stuck = await own.pay();
    await own.pass(1);
    await own.faults({ silent: 1 });
    await own.pass(9 * 60);
    expect(await measure()).toMatchObject({ raised: 0 });
    await own.pass(2 * 60);
    expect(await measure()).toMatchObject({ raised: 1 });
    // The clock stands, so the alert stays.
    expect(await measure()).toMatchObject({ raised: 0, cleared: 0 });
    const [alert] = await open(own.tenant);
    expect(alert).toMatchObject({ kind: 'manual_review', chain: 'sandbox', raisedAt: own.clock().now });
    await own.faults({});
    await own.pass(60);
    expect(await own.read(stuck)).toMatchObject({ status: 'settled' });
    expect(await measure()).toMatchObject({ cleared: 1 });
    expect((await own.tenant.alerts())[0]).toMatchObject({ clearedAt: own.clock().now, clearedValue: null });
  });
});
