// Import of subscriptions: checked whole before anything is written, each once whatever happens, charged from their next due date on.
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SubscriptionImport, SubscriptionImportReport, TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { held, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy } from '../support/digest.ts';
import { advance, testTenant } from '../support/test-clock.ts';
import { refusalOf } from '../support/refusal.ts';

const HEADER = 'reference,plan,payer,next_due_at,started_at,charges_made,paid,status';
const MONTHLY = { price: 1_000, asset: 'USD', receiver: 'club', period: { frequency: 'MONTHLY' } } as const;
const LATER = '2099-01-31T09:00:00Z';

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(lines);
}
const csv = (...rows: string[]): Pick<SubscriptionImport, 'format' | 'open'> => ({
  format: 'csv',
  open: () => linesOf([HEADER, ...rows]),
});
const jsonl = (...rows: object[]): Pick<SubscriptionImport, 'format' | 'open'> => ({
  format: 'jsonl',
  open: () => linesOf(rows.map((row) => JSON.stringify(row))),
});
const byReference = async (tenant: TenantHandle, reference: string) => {
  const found = (await tenant.subscriptions({}, { limit: 1_000 })).filter((one) => one.reference === reference);
  expect(found, reference).toHaveLength(1);
  return found[0];
};

describe('an import of subscriptions', () => {
  const store = useUsance();
  const load = (given: Pick<SubscriptionImport, 'format' | 'open'>, options: object = {}) =>
    store.tenant.importSubscriptions({ ...given, ...options });

  beforeAll(async () => {
    await open(store.tenant, { ann: 100_000, ben: 100_000, club: 0, asleep: 0 });
    await store.tenant.suspendAccount('asleep', 'x');
    await store.tenant.createPlan({ ...MONTHLY, name: 'Year', months: 12 });
    await store.tenant.createPlan({ ...MONTHLY, name: 'Open' });
    for (let n = 0; n < 2; n += 1) await store.tenant.createPlan({ ...MONTHLY, name: 'Twin' });
    await store.tenant.createSchedule({
      from: 'ann',
      to: 'club',
      asset: 'USD',
      amount: 1,
      rule: { frequency: 'DAILY' },
      reference: 'taken',
      idempotencyKey: 'taken',
    });
  });

  test('tells every problem of every line, and writes nothing', async () => {
    const given = csv(
      `ok,Year,ann,${LATER},,3,,ACTIVE`,
      `,Year,ann,${LATER},,,,`,
      `b,Nothing,ann,${LATER},,,,`,
      `c,Twin,ann,${LATER},,,,`,
      `d,Year,nobody,${LATER},,,,`,
      `e,Year,asleep,${LATER},,,,`,
      `f,Year,club,${LATER},,,,`,
      'g,Year,ann,tomorrow,,,,',
      'h,Year,ann,,,,,ACTIVE',
      `i,Year,ann,${LATER},,12,,`,
      `j,Year,ann,${LATER},,-1,,`,
      `k,Year,ann,${LATER},,,1.5,`,
      `l,Year,ann,${LATER},,,,SOON`,
      `m,Year,ann,${LATER},2099-02-01T00:00:00Z,,,`,
      `ok,Year,ann,${LATER},,3,,ACTIVE`,
      `taken,Year,ann,${LATER},,,,`,
      'n,Year',
      `o,Year,ann,${LATER},,,,`,
    );
    let report: SubscriptionImportReport | undefined;
    const changed = await changedBy(store.owner, store.tenant.id, async () => (report = await load(given)));
    expect(changed).toEqual([]);
    expect(report).toMatchObject({ lines: 18, created: 0, skipped: 0, refused: 16 });
    expect(report?.problems.map(({ line, detail }) => `${line}: ${detail}`)).toEqual([
      '3: reference is missing',
      '4: there is no plan "Nothing"',
      '5: several plans have the name "Twin"; give the id',
      '6: there is no account "nobody"',
      '7: the account "asleep" is suspended',
      '8: the payer is the receiver of the plan',
      expect.stringMatching(/^9: next_due_at must be an instant/),
      '10: next_due_at is missing',
      '11: charges_made is 12, and the plan has 12 charges',
      '12: charges_made must be a whole number from 0 to 1000000',
      expect.stringMatching(/^13: paid must be/),
      '14: status must be ACTIVE, PAST_DUE, PAUSED or CANCELLED',
      '15: started_at is after next_due_at',
      '16: line 2 has the reference "ok" too',
      '17: another schedule has the reference "taken"',
      '18: 2 cells under 8 columns',
    ]);
    const header = await load({ format: 'csv', open: () => linesOf(['reference,plan', 'a,Year']) });
    expect(header.problems).toEqual([{ line: 1, detail: 'the header has no column "payer"' }]);
    const typo = await load(jsonl({ reference: 'p', plan: 'Year', payer: 'ann', next_due: LATER }));
    expect(typo.problems[0]?.detail).toMatch(/^there is no column "next_due"/);
  });

  test('is made once, counts what was charged before, and reports totals; again it changes nothing', async () => {
    const given = jsonl(
      { reference: 'j1', plan: 'Year', payer: 'ann', next_due_at: LATER, charges_made: 3 },
      { reference: 'j2', plan: 'Open', payer: 'ben', next_due_at: LATER, charges_made: 40, paid: '39000' },
      { reference: 'j3', plan: 'Year', payer: 'ben', next_due_at: LATER, status: 'past_due', charges_made: 1 },
      { reference: 'j4', plan: 'Year', payer: 'ben', next_due_at: LATER, status: 'PAUSED' },
      { reference: 'j5', plan: 'Year', payer: 'ben', status: 'CANCELLED', charges_made: 5 },
    );
    const { journaled, ...dry } = await load(given, { dryRun: true });
    expect(dry).toMatchObject({ lines: 5, created: 0, skipped: 0, refused: 0 });
    expect(journaled?.events.filter((type) => type === 'subscription.created')).toHaveLength(5);
    const report = await load(given);
    expect(report).toEqual({
      ...dry,
      created: 5,
      statuses: { ACTIVE: 2, PAST_DUE: 1, PAUSED: 1, CANCELLED: 1 },
      totals: [
        {
          asset: 'USD/2',
          subscriptions: 5,
          perPeriod: 2_000n,
          overdue: 0,
          overdueCharges: 0,
          overdueAmount: 0n,
          paidBefore: 48_000n,
        },
      ],
    });
    expect(report.file).toMatch(/^[0-9a-f]{64}$/);
    expect(await byReference(store.tenant, 'j1')).toMatchObject({
      status: 'active',
      charges: 12,
      chargesMade: 3,
      chargesPaid: 3,
      approved: 12_000n,
      paid: 3_000n,
      nextDueAt: new Date(LATER),
      lastPaymentId: null,
    });
    expect(await byReference(store.tenant, 'j2')).toMatchObject({
      status: 'active',
      charges: null,
      approved: null,
      chargesMade: 40,
      paid: 39_000n,
    });
    expect(await byReference(store.tenant, 'j3')).toMatchObject({ status: 'past_due', chargesMade: 1 });
    expect(await byReference(store.tenant, 'j4')).toMatchObject({ status: 'paused' });
    expect(await byReference(store.tenant, 'j5')).toMatchObject({ status: 'cancelled', chargesMade: 5 });
    const again = await changedBy(store.owner, store.tenant.id, async () =>
      expect(await load(given)).toEqual({ ...report, created: 0, skipped: 5 }),
    );
    expect(again).toEqual([]);
    const other = await load(jsonl({ reference: 'j1', plan: 'Year', payer: 'ben', next_due_at: LATER }));
    expect(other.problems).toEqual([{ line: 1, detail: '"j1" was imported with other values before' }]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('by two at once is made once', async () => {
    const given = csv(...Array.from({ length: 30 }, (_, n) => `both${n},Open,ann,${LATER},,,,`));
    const both = await Promise.all([load(given, { batchSize: 7 }), load(given, { batchSize: 4 })]);
    expect(both.reduce((sum, { created }) => sum + created, 0)).toBe(30);
    expect(await load(given)).toMatchObject({ created: 0, skipped: 30 });
  });

  test('that is killed at any statement and run again makes each subscription exactly once', async () => {
    let kill: (text: string) => boolean = () => false;
    const dying = await createEngine({
      databaseUrl: store.runtimeUrl,
      onStatement: (text) => {
        if (kill(text)) throw new Error('the process died here');
      },
    });
    onTestFinished(() => dying.close());
    const victim = await dying.tenant('shop');
    let files = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }),
        async (rows, batchSize, deaths) => {
          files += 1;
          const references = Array.from({ length: rows }, (_, n) => `f${files}-${n}`);
          const given = csv(...references.map((reference, n) => `${reference},Year,ann,${LATER},,${n % 3},,`));
          for (const death of deaths) {
            let statements = 0;
            kill = () => (statements += 1) > death;
            await victim.importSubscriptions({ ...given, batchSize }).catch((error: unknown) => {
              expect(String(error)).toMatch(/the process died here|the outcome is unknown/);
            });
          }
          kill = () => false;
          const before = (await store.tenant.subscriptions({}, { limit: 1_000 })).length;
          const report = await load(given, { batchSize });
          const after = (await store.tenant.subscriptions({}, { limit: 1_000 })).length;
          expect(report).toMatchObject({ lines: rows, refused: 0, created: after - before });
          for (const reference of references) await byReference(store.tenant, reference);
        },
      ),
      { numRuns: 12 },
    );
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('takes 1 to 1,000 lines a transaction', async () => {
    expect(await refusalOf(load(csv(), { batchSize: 0 }))).toBe('FIELD_INVALID');
    expect(await refusalOf(load(csv(), { batchSize: 1_001 }))).toBe('FIELD_INVALID');
  });
});

describe('imported subscriptions, as time passes', () => {
  const store = useUsance();

  test('one that is past due is charged once by the next run, by the plan’s policy; later charges follow its due date', async () => {
    const world = await testTenant(store.usance, '2027-03-15T12:00:00Z');
    const { tenant } = world;
    await open(tenant, { ann: 100_000, last: 0, all: 0, skip: 0, end: 0 });
    for (const missed of ['last', 'all', 'skip'] as const)
      await tenant.createPlan({ ...MONTHLY, receiver: missed, name: missed, charges: 12, missed });
    await tenant.createPlan({ ...MONTHLY, receiver: 'end', name: 'end', charges: 12 });
    const overdue = '2027-01-10T09:00:00Z';
    const report = await tenant.importSubscriptions(
      csv(
        `a,last,ann,${overdue},,2,,ACTIVE`,
        `b,all,ann,${overdue},,2,,ACTIVE`,
        `c,skip,ann,${overdue},,2,,ACTIVE`,
        'd,end,ann,2027-04-30T09:00:00Z,2026-12-31T09:00:00Z,4,,ACTIVE',
        `e,end,ann,${overdue},,2,,PAST_DUE`,
      ),
    );
    expect(report).toMatchObject({ created: 5, totals: [{ overdue: 2, overdueCharges: 4, overdueAmount: 4_000n }] });
    await advance(store.usance, world, '2027-03-15T12:30:00Z');
    const paid = async (ref: string): Promise<bigint> => (await held(tenant, ref))[0];
    // Slots of 10 January, February and March: the newest alone, each, none.
    expect([await paid('last'), await paid('all'), await paid('skip'), await paid('end')]).toEqual([
      1_000n,
      3_000n,
      0n,
      0n,
    ]);
    expect(await byReference(tenant, 'a')).toMatchObject({
      nextDueAt: new Date('2027-04-10T09:00:00Z'),
      chargesMade: 3,
    });
    await advance(store.usance, world, '2027-07-01T00:00:00Z');
    expect([await paid('last'), await paid('all'), await paid('skip')]).toEqual([4_000n, 6_000n, 3_000n]);
    // It began on the 31st: 30 April, 31 May, 30 June, and 31 July next.
    expect(await byReference(tenant, 'd')).toMatchObject({
      chargesMade: 7,
      nextDueAt: new Date('2027-07-31T09:00:00Z'),
    });
    await advance(store.usance, world, '2028-07-01T00:00:00Z');
    // Twelve charges in all, of which four were made before.
    expect(await byReference(tenant, 'd')).toMatchObject({ status: 'expired', chargesMade: 12, paid: 12_000n });
    expect(await byReference(tenant, 'e')).toMatchObject({ status: 'past_due', chargesMade: 2 });
    expect(await paid('end')).toBe(8_000n);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('charges a yearly subscription that began on 29 February on the 29th of leap years', async () => {
    const world = await testTenant(store.usance, '2027-02-01T00:00:00Z');
    const { tenant } = world;
    await open(tenant, { ann: 100_000, club: 0 });
    const yearly = { frequency: 'YEARLY' } as const;
    await tenant.createPlan({ name: 'Yearly', asset: 'USD', receiver: 'club', price: 1_000, period: yearly });
    await tenant.importSubscriptions(
      csv(
        'leap,Yearly,ann,2027-02-28T09:00:00Z,2024-02-29T09:00:00Z,3,,ACTIVE',
        'plain,Yearly,ann,2027-02-28T09:00:00Z,2023-02-28T09:00:00Z,4,,ACTIVE',
      ),
    );
    const nextOf = async (reference: string): Promise<string | undefined> =>
      (await byReference(tenant, reference))?.nextDueAt?.toISOString().slice(0, 10);
    const seen: unknown[] = [];
    for (const to of ['2027-02-15', '2027-03-01', '2028-03-01']) {
      await advance(store.usance, world, `${to}T00:00:00Z`);
      seen.push([await nextOf('leap'), await nextOf('plain')]);
    }
    expect(seen).toEqual([
      ['2027-02-28', '2027-02-28'],
      ['2028-02-29', '2028-02-28'],
      ['2029-02-28', '2029-02-28'],
    ]);
  });
});
