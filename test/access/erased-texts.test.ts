// An end user writes free text in few places. After the account is erased, each is gone, or the route that erases says that it stays.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { inSeconds, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';

type Write = (eve: TenantHandle, text: string, subscriptions: readonly string[]) => Promise<unknown>;
const hold = { from: 'eve', to: 'shop', asset: 'USD', amount: 5, delay: '1h' } as const;
const held = async (eve: TenantHandle, more: object = {}): Promise<string> =>
  (await eve.createPayment({ ...hold, ...more, idempotencyKey: key() })).id;
const [OWN, SOURCE] = ['../../src/access/own.ts', '../../src/contract/resources/accounts.ts'].map((path) =>
  readFileSync(join(import.meta.dirname, path), 'utf8'),
);

/** By verb of an end user: the texts that it takes, and the tables that still have them after erasing. */
const WRITTEN: Readonly<Record<string, readonly { what: string; write: Write; stays?: readonly string[] }[]>> = {
  createPayment: [
    {
      what: 'metadata',
      write: async (eve, text) => eve.cancelPayment(await held(eve, { metadata: { note: text } })),
      stays: ['payments'],
    },
    {
      what: 'reference',
      write: async (eve, text) => eve.cancelPayment(await held(eve, { reference: text })),
      stays: ['payments'],
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
      stays: ['payments'],
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
    before = Object.fromEntries(await Promise.all(TEXTS.map(async ({ text }) => [text, await tablesWith(text)])));
    await tenant.cancelSubscription(subscriptions[1] ?? '');
    await tenant.withdraw({ account: 'eve', asset: 'USD', amount: 1_000, idempotencyKey: key() });
    await tenant.closeAccount('eve', 'left');
    await tenant.eraseAccount('eve', 'asked for');
  });

  test.each(TEXTS)(
    '$verb: $what is gone after erasing, or the route says that it stays',
    async ({ text, stays = [] }) => {
      expect(before[text]).not.toEqual([]);
      expect(await tablesWith(text)).toEqual(stays);
      if (stays.length > 0)
        expect(SOURCE).toContain(
          'metadata, references and reasons of payments and the descriptions of transfers are not erased',
        );
    },
  );

  test('and the reason on a subscription that it pays is gone, whoever gave it', async () => {
    expect((await store.tenant.subscription(subscription)).statusReason).toBeNull();
    expect(await tablesWith('Eve Smith called')).toEqual(['events']);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is looked for in every verb that an end user has', () => {
    const verbs = OWN?.matchAll(/^ {4}(?:async )?((?:create|cancel|capture|edit|extend|delete)\w+)(?=[:(])/gm) ?? [];
    expect([...verbs].map(([, verb = '']) => verb).toSorted()).toEqual(Object.keys(WRITTEN).toSorted());
  });
});
