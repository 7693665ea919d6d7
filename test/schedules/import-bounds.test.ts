// Imports of subscriptions at their limits: numbers, plans, and a file that changes while it is imported.
import { beforeAll, describe, expect, test } from 'vitest';
import type { SubscriptionImport, SubscriptionImportReport } from '../../src/engine.ts';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from '../access/tokens.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { held, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const MONTHLY = { price: 1_000, asset: 'USD', receiver: 'club', period: { frequency: 'MONTHLY' } } as const;
const LATER = '2099-01-31T09:00:00Z';

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(lines);
}
const row = (reference: string, more: object = {}): string =>
  JSON.stringify({ reference, plan: 'Open', payer: 'ann', next_due_at: LATER, ...more });
const file = (...lines: string[]): Pick<SubscriptionImport, 'format' | 'open'> => ({
  format: 'jsonl',
  open: () => linesOf(lines),
});

describe('an import of subscriptions', () => {
  const store = useUsance();
  const load = (given: Pick<SubscriptionImport, 'format' | 'open'>, options: object = {}) =>
    store.tenant.importSubscriptions({ ...given, ...options });
  const references = async (): Promise<(string | null)[]> =>
    (await store.tenant.subscriptions({}, { limit: 1_000 })).map(({ reference }) => reference);

  beforeAll(async () => {
    await open(store.tenant, { ann: 100_000, club: 0 });
    await store.tenant.createPlan({ ...MONTHLY, name: 'Open' });
    await store.tenant.createPlan({ ...MONTHLY, name: 'Dear', price: 10n ** 13n });
  });

  test('refuses a number that cannot be stored before it writes any line', async () => {
    const given = file(
      row('before'),
      row('many', { charges_made: 3_000_000_000 }),
      row('over', { charges_made: 1_000_001 }),
      row('dear', { plan: 'Dear', charges_made: 1_000_000 }),
      row('dear and paid', { plan: 'Dear', charges_made: 1_000_000, paid: '1' }),
      row('paid', { paid: '9223372036854775808' }),
    );
    let report: SubscriptionImportReport | undefined;
    const work = async (): Promise<unknown> => (report = await load(given, { batchSize: 1 }));
    expect(await changedBy(store.owner, store.tenant.id, work)).toEqual([]);
    expect(report?.problems.map(({ line, detail }) => `${line}: ${detail}`)).toEqual([
      '2: charges_made must be a whole number from 0 to 1000000',
      '3: charges_made must be a whole number from 0 to 1000000',
      '4: charges_made times the price is more than can be stored, which is 9223372036854775807 minor units',
      '5: charges_made times the price is more than can be stored, which is 9223372036854775807 minor units',
      '6: paid is larger than 9223372036854775807',
    ]);
  });

  test('stores the largest numbers, and no price of a stored row breaks a reader', async () => {
    await store.tenant.createPlan({ ...MONTHLY, name: 'Largest', price: 9_223_372_036_854n });
    const most = { plan: 'Largest', charges_made: 1_000_000, paid: '9223372036854775807' };
    expect(await load(file(row('most', most)))).toMatchObject({ created: 1, refused: 0 });
    const shown = (await store.tenant.subscriptions({})).find(({ reference }) => reference === 'most');
    expect(shown).toMatchObject({ chargesMade: 1_000_000, paid: 9_223_372_036_854_775_807n });
    await store.owner.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('update usance.subscriptions set price = 9223372036854775807 where schedule_id = $1', [
        shown?.id ?? null,
      ]);
    });
    expect((await store.tenant.subscriptions({})).map(({ reference }) => reference)).toContain('most');
    expect((await store.owner.query('select * from usance_docs.subscriptions')).length).toBeGreaterThan(0);
  });

  test('is refused where the file changed after it was checked, and makes no line that was not checked', async () => {
    const swapped = (first: string[], second: string[]): Pick<SubscriptionImport, 'format' | 'open'> => {
      let readings = 0;
      return { format: 'jsonl', open: () => linesOf((readings += 1) === 1 ? first : second) };
    };
    const [a, b, c] = ['a', 'b', 'c'].map((name) => row(`changed ${name}`));
    const lines = [a, b, c].map(String);
    const other = row('changed c', { charges_made: 7 });
    const options = { batchSize: 2 };
    expect(await refusalOf(load(swapped(lines, [...lines.slice(0, 2), other]), options))).toBe('IMPORT_INVALID');
    expect(await refusalOf(load(swapped(lines, lines.slice(0, 2)), options))).toBe('IMPORT_INVALID');
    expect(await refusalOf(load(swapped(lines, [...lines, row('changed d')]), options))).toBe('IMPORT_INVALID');
    const made = (await references()).filter((reference) => reference?.startsWith('changed'));
    expect(made.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual(['changed a', 'changed b']);
    await expect(load(swapped(lines, [other, b, c].map(String)), options)).rejects.toThrow(
      'the file changed after it was checked: nothing from line 1 on was imported; import it again',
    );
    expect(await load(file(...lines), options)).toMatchObject({ created: 1, skipped: 2 });
  });

  test('finds each of more than 10,000 plans by id and by name', async () => {
    const first = await store.tenant.createPlan({ ...MONTHLY, name: 'Oldest' });
    await store.owner.query(
      `insert into usance.plans (tenant_id, id, name, payee_id, asset, price, period, zone, after_failure, created_by, counts_for, created_at,
         updated_at)
       select tenant_id, overlay(gen_random_uuid()::text placing 'ffffffff' from 1 for 8)::uuid, 'Plan ' || n, payee_id, asset, price, period, zone,
         after_failure, created_by, counts_for, created_at, updated_at
       from usance.plans cross join generate_series(1, 10_001) n where id = $1`,
      [first.id],
    );
    const given = file(
      row('by name', { plan: 'Oldest' }),
      row('by id', { plan: first.id }),
      row('other', { plan: 'Plan 9000' }),
      row('none', { plan: 'Plan 20000' }),
    );
    const report = await load(given, { dryRun: true });
    expect(report).toMatchObject({
      lines: 4,
      refused: 1,
      problems: [{ line: 4, detail: 'there is no plan "Plan 20000"' }],
    });
  });

  test('takes every reference that a subscription can have, and finds it by that', async () => {
    const reference = 'r'.repeat(255);
    expect(await load(file(row(reference), row('r'.repeat(256))))).toMatchObject({ created: 0, refused: 1 });
    expect(await load(file(row(reference)))).toMatchObject({ created: 1, refused: 0 });
    expect(await store.tenant.subscriptions({ reference })).toMatchObject([{ reference }]);
    expect(await store.tenant.subscriptions({ reference: 'r' })).toEqual([]);
  });

  test('knows what it imported by text or by value, also when its plan’s name became another’s too', async () => {
    const plan = await store.tenant.createPlan({ ...MONTHLY, name: 'Gym' });
    const lines = [row('gym 1', { plan: 'Gym' }), row('gym 2', { plan: 'Gym' })];
    expect(await load(file(...lines))).toMatchObject({ created: 2 });
    const other = await store.tenant.createPlan({ ...MONTHLY, name: 'Gym', price: 5 });
    expect(await load(file(...lines))).toMatchObject({ created: 0, skipped: 2, refused: 0 });
    // With the id, the account's id and the same instant in another zone, as the refusal of a new line advises.
    const { id: payer } = await store.tenant.account('ann');
    const same = { plan: toTypeId('plan', plan.id), payer, next_due_at: '2099-01-31T10:00:00+01:00' };
    const resumed = file(row('gym 1', same), row('gym 3', same));
    expect(await load(resumed)).toMatchObject({ created: 1, skipped: 1, refused: 0 });
    const changed = await load(file(row('gym 1', { ...same, plan: other.id }), row('gym 4', { plan: 'Gym' })));
    expect(changed.problems.map(({ detail }) => detail)).toEqual([
      '"gym 1" was imported with other values before',
      'several plans have the name "Gym"; give the id',
    ]);
  });

  test.each([
    ['all', 1, 123, 123],
    ['last', 1, 1, 123],
    ['skip', 0, 0, 123],
    ['all', 1, 1, 1],
    ['last', 1, 1, 1],
    ['skip', 1, 1, 1],
  ] as const)('reports what will be charged at once by missed: %s', async (missed, overdue, charges, days) => {
    const now = '2027-05-03T12:00:00Z';
    const world = await testTenant(store.usance, now);
    await open(world.tenant, { ann: 10_000_000, club: 0 });
    const daily = { ...MONTHLY, period: { frequency: 'DAILY' } } as const;
    await world.tenant.createPlan({ ...daily, name: 'Open', missed });
    const next_due_at = new Date(Date.parse(now) - (days - 1) * 86_400_000 - 3_600_000).toISOString();
    const { totals } = await world.tenant.importSubscriptions(file(row('late', { next_due_at })));
    expect(totals).toMatchObject([{ overdue, overdueCharges: charges, overdueAmount: BigInt(charges) * 1_000n }]);
    await advance(store.usance, world, '2027-05-03T20:00:00Z');
    expect((await held(world.tenant, 'club'))[0]).toBe(BigInt(charges) * 1_000n);
  });

  test('is not for end users', async () => {
    const ed = pair('EdDSA', 'one');
    await store.tenant.createTokenIssuer({ issuer: ISSUER, audience: AUDIENCE, algorithm: 'EdDSA', publicKey: ed.pem });
    const ann = await store.usance.authenticate(token(ed.signer, claimsOf('ann')));
    const work = async (): Promise<unknown> =>
      expect(await refusalOf(ann?.handle.importSubscriptions(file(row('mine'))) ?? Promise.resolve())).toBe(
        'AUTH_FORBIDDEN',
      );
    expect(await refusalOf(ann?.handle.subscriptions({ reference: 'most' }) ?? Promise.resolve())).toBe(
      'AUTH_FORBIDDEN',
    );
    expect(await changedBy(store.owner, store.tenant.id, work)).toEqual([]);
  });
});
