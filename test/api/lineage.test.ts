// A rotation lineage is one caller: for idempotency keys, rate limits and the audit log.
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TenantHandle, TenantVerbs } from '../../src/engine.ts';
import { fromTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { changedBy } from '../support/digest.ts';
import type { TestApi } from './api.ts';
import { freshKey, useApi } from './api.ts';
import { problemIn } from './problem.ts';

const handleOf = async (store: TestApi, secret: string): Promise<TenantHandle> => {
  const found = await store.usance.authenticate(secret);
  if (!found) throw new Error('expected a key that works');
  return found.handle;
};

/** The secrets of a key, of the key that it was rotated into, and of the next one. */
async function rotated(store: TestApi): Promise<[string, string, string]> {
  const first = await store.tenant.createApiKey({ name: 'checkout', role: 'admin' });
  const second = await store.tenant.rotateApiKey(first.key.id);
  const third = await (await handleOf(store, second.secret)).rotateApiKey(second.key.id);
  return [first.secret, second.secret, third.secret];
}

describe('an idempotency key that is used again after a rotation', () => {
  const store = useApi();
  beforeAll(() => open(store.tenant, { alice: 100_000, bob: 10_000 }));
  const money = { asset: 'USD', amount: 5 } as const;
  const pay = { from: 'alice', to: 'bob', ...money } as const;

  test.each<[request: string, body: object]>([
    ['POST /payments', pay],
    ['POST /holds', { ...pay, delay: '1h' }],
    ['POST /payments/bulk', { payments: [pay, pay] }],
    ['POST /accounts/bob/deposit', money],
    ['POST /accounts/bob/withdraw', money],
    ['POST /api-keys', { name: 'till', role: 'viewer' }],
  ])('replays the first answer of %s', async (request, body) => {
    const [first, second, third] = await rotated(store);
    const once = { key: freshKey(), body };
    const made = await store.send(request, { ...once, secret: first });
    expect(made.status).toBeLessThan(300);
    const changed = await changedBy(store.owner, store.tenant.id, async () => {
      for (const secret of [second, third]) {
        const again = await store.send(request, { ...once, secret });
        expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([made.status, 'true']);
      }
    });
    expect(changed).toEqual([]);
    const other = await store.send(request, { ...once, body: { ...body, amount: 6, name: 'other' }, secret: third });
    expect(['IDEMPOTENCY_MISMATCH', 'FIELD_UNKNOWN']).toContain(problemIn(other).code);
  });

  const rule = { frequency: 'DAILY', time: '09:00' } as const;
  const VERBS: Readonly<
    Record<string, (verbs: TenantVerbs, ids: Readonly<Record<string, string>>, again: string) => Promise<unknown>>
  > = {
    createPayment: (verbs, _, again) => verbs.createPayment({ ...pay, idempotencyKey: again }),
    createPayments: (verbs, _, again) => verbs.createPayments([pay], { idempotencyKey: again }),
    capturePayment: (verbs, { hold = '' }, again) => verbs.capturePayment(hold, { amount: 1, idempotencyKey: again }),
    refundPayment: (verbs, { paid = '' }, again) => verbs.refundPayment(paid, { amount: 1, idempotencyKey: again }),
    deposit: (verbs, _, again) => verbs.deposit({ ...money, account: 'bob', idempotencyKey: again }),
    withdraw: (verbs, _, again) => verbs.withdraw({ ...money, account: 'bob', idempotencyKey: again }),
    transfer: (verbs, _, again) => verbs.transfer({ ...pay, idempotencyKey: again }),
    reserve: (verbs, _, again) => verbs.reserve({ ...money, account: 'bob', idempotencyKey: again }),
    capture: (verbs, { reservation = '' }, again) =>
      verbs.capture({ reservation, to: 'bob', amount: 1, idempotencyKey: again }),
    release: (verbs, { reservation = '' }, again) => verbs.release({ reservation, amount: 1, idempotencyKey: again }),
    createSchedule: (verbs, _, again) => verbs.createSchedule({ ...pay, rule, idempotencyKey: again }),
    triggerSchedule: (verbs, { schedule = '' }, again) => verbs.triggerSchedule(schedule, { idempotencyKey: again }),
    backfillSchedule: (verbs, { past = '' }, again) =>
      verbs.backfillSchedule(past, { start: '2026-02-01', end: '2026-02-02', idempotencyKey: again }),
    subscribe: (verbs, { plan = '' }, again) => verbs.subscribe({ plan, payer: 'alice', idempotencyKey: again }),
  };
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { tenant } = store;
    ids['hold'] = (await tenant.createPayment({ ...pay, amount: 50, delay: '1h', idempotencyKey: key() })).id;
    ids['paid'] = (await tenant.createPayment({ ...pay, amount: 50, idempotencyKey: key() })).id;
    ids['reservation'] = (
      await tenant.reserve({ ...money, amount: 50, account: 'alice', idempotencyKey: key() })
    ).reservation;
    ids['schedule'] = (await tenant.createSchedule({ ...pay, rule, idempotencyKey: key() })).id;
    ids['past'] = (await tenant.createSchedule({ ...pay, rule, start: '2026-01-01', idempotencyKey: key() })).id;
    ids['plan'] = (
      await tenant.createPlan({
        name: 'tea',
        receiver: 'bob',
        asset: 'USD',
        price: 5,
        period: { frequency: 'MONTHLY' },
        charges: 3,
      })
    ).id;
    await store.run('processor');
  });

  test.each(Object.keys(VERBS))(
    'moves nothing by the verb %s, also inside a transaction of the caller',
    async (name) => {
      const [first, second, third] = await rotated(store);
      const verb = VERBS[name] ?? (() => Promise.reject(new Error('no such verb')));
      const again = key();
      await verb(await handleOf(store, first), ids, again);
      const client = new pg.Client(store.runtimeUrl);
      await client.connect();
      onTestFinished(() => client.end());
      const changed = await changedBy(store.owner, store.tenant.id, async () => {
        await verb(await handleOf(store, second), ids, again);
        await client.query('begin');
        await verb((await handleOf(store, third)).within(client), ids, again);
        await client.query('commit');
      });
      expect(changed).toEqual([]);
    },
  );
});

describe('a rotation lineage', () => {
  const store = useApi({ api: { rateLimits: { perKey: 3, perUser: 2, perAddress: 0 } } });

  test('has one rate limit', async () => {
    const [first, second, third] = await rotated(store);
    const statuses: number[] = [];
    for (const secret of [first, second, third, first, second, third])
      statuses.push((await store.send('GET /assets', { secret })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    const { secret: other } = await store.tenant.createApiKey({ name: 'other', role: 'viewer' });
    expect((await store.send('GET /assets', { secret: other })).status).toBe(200);
  });

  test('is one actor of the audit log, while each event names its key', async () => {
    const { key: first, secret } = await store.tenant.createApiKey({ name: 'till', role: 'admin' });
    await (await handleOf(store, secret)).openAccount({ ref: 'anna' });
    const second = await store.tenant.rotateApiKey(first.id);
    await (await handleOf(store, second.secret)).openAccount({ ref: 'bert' });
    for (const { id } of [first, second.key]) {
      const events = await store.tenant.auditEvents({ actor: `key:${id}`, action: 'ACCOUNT_CREATED' });
      expect(events.map(({ actor }) => actor)).toEqual([`key:${second.key.id}`, `key:${first.id}`]);
    }
    expect(await store.tenant.auditEvents({ actor: 'key:nobody' })).toEqual([]);
  });

  test('shows its first key, who made it, and its person', async () => {
    const { secret: maker } = await store.tenant.createApiKey({ name: 'maker', role: 'admin' });
    const made = await store.send('POST /api-keys', {
      secret: maker,
      body: { name: 'till', role: 'viewer', person: 'Jo Miller' },
    });
    const parent = made.word('created_by');
    expect(made.body).toMatchObject({ lineage_id: made.word('id'), parent_id: parent, person: 'Jo Miller' });
    const next = await store.tenant.rotateApiKey(fromTypeId('apiKey', made.word('id')));
    expect(next.key).toMatchObject({
      lineageId: fromTypeId('apiKey', made.word('id')),
      parentId: null,
      person: 'Jo Miller',
    });
  });
});
