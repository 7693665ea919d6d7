// An end user writes free text in few places. After the account is erased, each is gone. Texts of the tenant stay.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { LIBRARY } from '../../src/kernel/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { inSeconds, shared, token } from './tokens.ts';

/** Everything that has ended is archived. */
const OLD = { olderThanMs: -60_000, caller: LIBRARY };
const SECRET = 'the-secret-of-the-environment-0123456789';

type Write = (eve: TenantHandle, text: string, subscriptions: readonly string[]) => Promise<unknown>;
const hold = { from: 'eve', to: 'shop', asset: 'USD', amount: 5, delay: '1h' } as const;
const held = async (eve: TenantHandle, more: object = {}): Promise<string> =>
  (await eve.createPayment({ ...hold, ...more, idempotencyKey: key() })).id;
const OWN = readFileSync(join(import.meta.dirname, '../../src/access/own.ts'), 'utf8');

/** By verb of an end user: the texts that it takes. */
const WRITTEN: Readonly<Record<string, readonly { what: string; write: Write }[]>> = {
  createPayment: [
    {
      what: 'metadata',
      write: async (eve, text) => eve.cancelPayment(await held(eve, { metadata: { note: text } })),
    },
    {
      what: 'reference',
      write: async (eve, text) => eve.cancelPayment(await held(eve, { reference: text })),
    },
    {
      what: 'reference and metadata of a payment that ran and was archived',
      async write(eve, text) {
        const id = await held(eve, { reference: text, metadata: { note: text } });
        await eve.capturePayment(id, { idempotencyKey: key() });
      },
    },
  ],
  cancelPayment: [{ what: 'reason', write: async (eve, text) => eve.cancelPayment(await held(eve), { reason: text }) }],
  capturePayment: [],
  editPayment: [
    {
      what: 'metadata',
      async write(eve, text) {
        const id = await held(eve);
        await eve.editPayment(id, { metadata: { note: text } });
        await eve.cancelPayment(id);
      },
    },
  ],
  extendPayment: [],
  cancelSubscription: [
    {
      what: 'reason, at once',
      write: (eve, text, subscriptions) => eve.cancelSubscription(subscriptions[0] ?? '', { reason: text }),
    },
    {
      what: 'reason, at the end of the period',
      write: (eve, text, subscriptions) =>
        eve.cancelSubscription(subscriptions[1] ?? '', { reason: text, at: 'period_end' }),
    },
  ],
  createAllowance: [],
  editAllowance: [],
  deleteAllowance: [],
};
const TEXTS = Object.entries(WRITTEN).flatMap(([verb, texts]) =>
  texts.map((each) => ({ ...each, verb, text: `12 High Street, ${verb} ${each.what}` })),
);

describe('a text that an end user wrote', () => {
  const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });
  const tablesWith = async (text: string): Promise<string[]> => {
    const tables = await store.owner.query(
      `select relname from pg_class where relnamespace = 'usance'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const found: string[] = [];
    for (const { relname } of tables)
      if (
        (
          await store.owner.query(`select from usance.${String(relname)} t where strpos(t::text, $1) > 0 limit 1`, [
            text,
          ])
        ).length > 0
      )
        found.push(String(relname));
    return found;
  };
  let before: Record<string, string[]> = {};
  let subscription = '';
  let settled = '';
  let ofTenant = '';
  let archived = 0;
  let byHand: PromiseSettledResult<unknown>[] = [];

  beforeAll(async () => {
    const { tenant } = store;
    await open(tenant, { eve: 1_000, shop: 0 });
    const period = { frequency: 'MONTHLY' } as const;
    const terms = { name: 'Club', price: 10, asset: 'USD', receiver: 'shop', months: 12, period, trialDays: 9 };
    const plan = (await tenant.createPlan(terms)).id;
    const subscribe = async (): Promise<string> =>
      (await tenant.subscribe({ plan, payer: 'eve', idempotencyKey: key() })).id;
    const subscriptions = [await subscribe(), await subscribe()];
    subscription = await subscribe();
    await tenant.cancelSubscription(subscription, { reason: 'Eve Smith called' });
    const shown = await store.usance.authenticate(
      token(shared(SECRET), { aud: 'usance', sub: 'eve', exp: inSeconds(600) }),
    );
    const eve = shown?.handle as TenantHandle;
    for (const { write, text } of TEXTS) await write(eve, text, subscriptions);
    settled = await held(eve, { reference: '13 High Street', metadata: { note: '13 High Street' } });
    await tenant.editPayment(settled, { metadata: { note: 'Eve wants it blue' } });
    await eve.capturePayment(settled, { idempotencyKey: key() });
    const own = { reference: 'order-1', metadata: { note: 'of the shop' }, idempotencyKey: key() };
    ofTenant = (await tenant.createPayment({ ...hold, ...own })).id;
    await tenant.cancelPayment(ofTenant);
    before = Object.fromEntries(await Promise.all(TEXTS.map(async ({ text }) => [text, await tablesWith(text)])));
    await tenant.cancelSubscription(subscriptions[1] ?? '');
    await tenant.withdraw({ account: 'eve', asset: 'USD', amount: 990, idempotencyKey: key() });
    await tenant.closeAccount('eve', 'left');
    byHand = await Promise.allSettled([
      store.db.query(`update usance.payments set reference = null, metadata = null where id = $1::uuid`, [settled]),
      // Only texts of an end user, and nothing but the texts.
      ...[
        `select usance.erase_payment_texts(tenant_id, payer_id, array[id]) from usance.payments where id = '${ofTenant}'`,
        `update usance.payments set reference = null, metadata = null where id = '${ofTenant}'`,
        `update usance.payments set reference = null, metadata = null, last_detail = 'x' where id = '${settled}'`,
      ].map((sql) => store.owner.query(sql)),
    ]);
    archived = await store.usance.archive(OLD);
    await tenant.eraseAccount('eve', 'asked for');
  });

  test.each(TEXTS)('$verb: $what is gone after erasing', async ({ text }) => {
    expect(before[text]).not.toEqual([]);
    expect(await tablesWith(text)).toEqual([]);
  });

  test('on a payment is gone too where the tenant edited it, and no later event brings it back', async () => {
    expect(await tablesWith('Eve wants it blue')).toEqual([]);
    await store.tenant.refundPayment(settled, { amount: 1, idempotencyKey: key() }).catch(() => null);
    expect(await store.tenant.payment(settled)).toMatchObject({ reference: null, metadata: null, status: 'settled' });
    expect(await tablesWith('High Street')).toEqual([]);
  });

  test('is erased from the archive too, and the payment is archived again', async () => {
    const count = (table: string) => store.owner.query(`select count(*)::int as n from usance.${table}`);
    expect(archived).toBeGreaterThan(3);
    const all = await count('all_payments');
    await store.usance.archive(OLD);
    expect(await count('archived_payments')).toEqual(await count('all_payments'));
    expect(await count('all_payments')).toEqual(all);
  });

  test('is not erased where the tenant created the payment', async () => {
    expect(await store.tenant.payment(ofTenant)).toMatchObject({
      reference: 'order-1',
      metadata: { note: 'of the shop' },
    });
    expect((await tablesWith('of the shop')).length).toBeGreaterThan(0);
  });

  test('is erased by the function of the eraser only, which leaves texts of the tenant', () => {
    const outcomes = byHand.map((each) =>
      each.status === 'fulfilled'
        ? Object.values((each.value as object[])[0] ?? {})
        : (each.reason as { code: string }).code,
    );
    expect(outcomes).toEqual(['23001', [0], '23001', '23001']);
  });

  test('is erased once: another request changes nothing', async () => {
    const count = () => store.owner.query(`select count(*)::int as n from usance.events where type like '%erased'`);
    const erasures = await count();
    await store.tenant.eraseAccount('eve', 'asked again');
    expect(await count()).toEqual(erasures);
  });

  test('and the reason on a subscription that it pays is gone, whoever gave it', async () => {
    expect((await store.tenant.subscription(subscription)).statusReason).toBeNull();
    expect(await tablesWith('Eve Smith called')).toEqual(['events']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is looked for in every verb that an end user has', () => {
    const verbs = OWN.matchAll(/^ {4}(?:async )?((?:create|cancel|capture|edit|extend|delete)\w+)(?=[:(])/gm);
    expect([...verbs].map(([, verb = '']) => verb).toSorted()).toEqual(Object.keys(WRITTEN).toSorted());
  });
});
