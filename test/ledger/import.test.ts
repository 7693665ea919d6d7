import { describe, expect, onTestFinished, test } from 'vitest';
import type { ImportOrder } from '../../src/ledger/index.ts';
import { createEngine } from '../../src/engine.ts';
import { held, open, refusedWhole, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

type Order = Omit<ImportOrder, 'tenantId' | 'caller'>;

let names = 0;

function order(lines: readonly string[], more: Partial<Order> = {}): Order {
  return {
    name: `import-${(names += 1)}`,
    format: 'csv',
    open: async function* () {
      yield* lines;
    },
    ...more,
  };
}

const csv = (...rows: string[]): string[] => ['account,asset,amount', ...rows];

describe('an import of opening balances', () => {
  const store = useUsance();
  const load = (given: Order) => store.tenant.importOpeningBalances(given);

  test('books each line as a deposit, and opens the accounts it does not know', async () => {
    await open(store.tenant, { known: 5 });
    const report = await load(order(csv('known,USD,100', 'new,USD/2,250', 'empty,USD,0')));
    expect(report).toEqual({
      lines: 3,
      booked: 2,
      skipped: 0,
      accountsOpened: 2,
      totals: [{ asset: 'USD/2', file: 350n, booked: 350n }],
    });
    expect(await held(store.tenant, 'known')).toEqual([105n, 0n]);
    expect(await held(store.tenant, 'new')).toEqual([250n, 0n]);
    expect(await held(store.tenant, 'empty')).toEqual([0n, 0n]);
    expect(await store.tenant.transfers('new')).toMatchObject([{ kind: 'opening_balance', amount: 250n }]);
  });

  test('is refused where the file changed after it was checked, and books no line that was not checked', async () => {
    const swapped = (first: string[], second: string[]): Order => {
      let readings = 0;
      return order(first, {
        open: async function* () {
          yield* (readings += 1) === 1 ? first : second;
        },
      });
    };
    const lines = csv('early,USD,1', 'late,USD,2');
    const expected = 'the file changed after it was checked: nothing from line 2 on was imported; import it again';
    await expect(load(swapped(lines, csv('early,USD,1', 'late,USD,2000')))).rejects.toThrow(expected);
    await expect(load(swapped(lines, csv('early,USD,1')))).rejects.toThrow(expected);
    await expect(load(swapped(lines, [...lines, '']))).rejects.toThrow(expected);
    expect(await refusalOf(store.tenant.account('late'))).toBe('ACCOUNT_NOT_FOUND');
    expect(await load(order(lines))).toMatchObject({ booked: 2, skipped: 0 });
  });

  test('reads CSV as spreadsheets write it', async () => {
    const lines = [
      '\uFEFF"Amount", ASSET ,account,note',
      '1,USD,plain,',
      '"2","USD/2","quoted","a ""note"", with a comma"',
      '',
      ' 3 , USD , padded , x',
    ];
    expect(await load(order(lines))).toMatchObject({ lines: 3, booked: 3 });
    expect(await held(store.tenant, 'quoted')).toEqual([2n, 0n]);
    expect(await held(store.tenant, 'padded')).toEqual([3n, 0n]);
  });

  test('reads a JSON object a line', async () => {
    const lines = [
      '\uFEFF{"account":"j1","asset":"USD","amount":"9007199254740993"}',
      '{"account":"j2","asset":"USD","amount":7,"note":"a number that lost nothing"}',
      '',
    ];
    expect(await load(order(lines, { format: 'jsonl' }))).toMatchObject({ lines: 2, booked: 2 });
    expect(await held(store.tenant, 'j1')).toEqual([9007199254740993n, 0n]);
  });

  test.each<[string, ImportOrder['format'], string[], RegExp]>([
    ['a missing column', 'csv', ['account,amount', 'a,1'], /line 1: the header has no column "asset"/],
    ['a column twice', 'csv', ['account,asset,amount,amount', 'a,USD,1,2'], /line 1: the header has a column twice/],
    ['too few cells', 'csv', csv('a,USD,1', 'b,USD'), /line 3: 2 cells under 3 columns/],
    ['too many cells', 'csv', csv('a,USD,1,000'), /line 2: 4 cells under 3 columns/],
    ['an open quote', 'csv', csv('a,USD,1', '"b,USD,1'), /line 3: a quote is not closed/],
    ['text after a quote', 'csv', csv('"a"b,USD,1'), /line 2: text after a closing quote/],
    ['a fraction', 'csv', csv('a,USD,1', '', 'b,USD,12.50'), /line 4: amount must be a whole number/],
    ['a negative amount', 'csv', csv('a,USD,-5'), /line 2: amount/],
    ['an amount beyond a bigint', 'csv', csv('a,USD,9223372036854775808'), /line 2: amount is larger/],
    ['no account', 'csv', csv(',USD,5'), /line 2: account is missing/],
    ['no asset', 'csv', csv('a,,5'), /line 2: asset is missing/],
    ['an account that cannot be', 'csv', csv('a,USD,1', 'a b,USD,5'), /line 3: account must have 1 to 200 printable/],
    [
      'an account twice',
      'csv',
      csv('a,USD,1', 'b,USD,1', 'a,USD/2,2'),
      /line 4: account "a" has USD\/2 on an earlier line too/,
    ],
    ['no JSON', 'jsonl', ['{"account":"a","asset":"USD","amount":"1"}', 'nonsense'], /line 2: the text is not JSON/],
    ['a JSON array', 'jsonl', ['["a","USD","1"]'], /line 1: a JSON array; write one object per line/],
    [
      'a rounded number',
      'jsonl',
      ['{"account":"a","asset":"USD","amount":9007199254740993}'],
      /line 1: amount is a number that JSON parsers round/,
    ],
    [
      'a fraction rounded away',
      'jsonl',
      ['{"account":"a","asset":"USD","amount":4503599627370497.1}'],
      /line 1: amount is a number that JSON parsers round/,
    ],
    ['a fraction', 'jsonl', ['{"account":"a","asset":"USD","amount":1.5}'], /line 1: amount must be/],
    [
      'an amount twice',
      'jsonl',
      ['{"account":"a","asset":"USD","amount":"1","amount":"2"}'],
      /line 1: "amount" is given twice/,
    ],
    ['a number for an account', 'jsonl', ['{"account":7,"asset":"USD","amount":"1"}'], /line 1: account is missing/],
  ])('with %s is refused whole, and the line is named', async (_what, format, lines, says) => {
    const given = order(lines, { format });
    expect(await refusedWhole(store.owner, () => load(given))).toBe('IMPORT_INVALID');
    await expect(load(given)).rejects.toThrow(says);
  });

  test('in an unknown asset is refused whole', async () => {
    expect(await refusedWhole(store.owner, () => load(order(csv('a,USD,1', 'b,XYZ,1'))))).toBe('IMPORT_INVALID');
    await expect(load(order(csv('a,USD,1', 'b,XYZ,1')))).rejects.toThrow('line 3: there is no asset "XYZ"');
  });

  test.each(['', 'x'.repeat(101)])('cannot be called %o', async (name) => {
    expect(await refusedWhole(store.owner, () => load(order(csv('a,USD,1'), { name })))).toBe('FIELD_INVALID');
  });

  test('run again under its name books nothing', async () => {
    const given = order(csv('again,USD,10', 'again2,USD,20'));
    expect(await load(given)).toMatchObject({ booked: 2, skipped: 0 });
    expect(await load(given)).toMatchObject({
      booked: 0,
      skipped: 2,
      accountsOpened: 0,
      totals: [{ file: 30n, booked: 30n }],
    });
    expect(await held(store.tenant, 'again')).toEqual([10n, 0n]);
    // Lines added to the file are booked, the others are not booked again.
    const longer = { ...order(csv('again,USD,10', 'again2,USD,20', 'again3,USD,30')), name: given.name };
    expect(await load(longer)).toMatchObject({ booked: 1, skipped: 2, totals: [{ file: 60n, booked: 60n }] });
  });

  test('with an amount that changed since is refused', async () => {
    const given = order(csv('changing,USD,10'));
    await load(given);
    const changed = { ...order(csv('other,USD,1', 'changing,USD,11')), name: given.name };
    expect(await refusedWhole(store.owner, () => load(changed))).toBe('IMPORT_CONFLICT');
    await expect(load(changed)).rejects.toThrow(
      'line 3: account "changing" was imported with another amount of USD/2 before',
    );
  });

  test('that does not add up to what is expected books nothing', async () => {
    const lines = csv('e1,USD,10', 'e2,USD,20');
    const expecting = (asset: string, total: bigint): Order => order(lines, { expect: new Map([[asset, total]]) });
    expect(await refusedWhole(store.owner, () => load(expecting('USD/2', 31n)))).toBe('IMPORT_TOTAL_MISMATCH');
    expect(await refusedWhole(store.owner, () => load(expecting('USD', 29n)))).toBe('IMPORT_TOTAL_MISMATCH');
    expect(await refusedWhole(store.owner, () => load(expecting('EUR', 30n)))).toBe('ASSET_NOT_FOUND');
    expect(await load(expecting('USD', 30n))).toMatchObject({ booked: 2 });
    expect(await load(expecting('USD/2', 30n))).toMatchObject({ booked: 2 });
  });

  test('to a suspended account stops there; what was booked before stays and is skipped next time', async () => {
    await open(store.tenant, { asleep: 0 });
    await store.tenant.suspendAccount('asleep', 'x');
    const lines = csv(...Array.from({ length: 1_000 }, (_, n) => `s${n},USD,1`), 'asleep,USD,1');
    const given = order(lines);
    const refusal: unknown = await load(given).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE', param: 'line 1002' });
    expect(String(refusal)).toContain('is suspended');
    await store.tenant.reactivateAccount('asleep', 'x');
    expect(await load(given)).toMatchObject({ booked: 1, skipped: 1_000, totals: [{ file: 1_001n, booked: 1_001n }] });
  });

  test('of 5,000 lines that is cut off in the middle is finished by running it again', async () => {
    const lines = csv(...Array.from({ length: 5_000 }, (_, n) => `bulk${n},USD,${n + 1}`));
    let commits = 0;
    let progress = 0;
    const dying = await createEngine({
      databaseUrl: store.runtimeUrl,
      onStatement: (text) => {
        if (text.includes('insert into usance.transfers') && (commits += 1) === 3)
          throw new Error('the process died here');
      },
    });
    onTestFinished(() => dying.close());
    const given = order(lines, { onProgress: (n) => (progress += n) });
    const tenant = await dying.tenant('shop');
    await expect(tenant.importOpeningBalances(given)).rejects.toThrow('the process died here');
    expect(progress).toBe(2_000);
    expect(await troubles(store.usance)).toEqual([]);

    // A new process, as after a crash.
    const next = await createEngine({ databaseUrl: store.runtimeUrl });
    onTestFinished(() => next.close());
    const total = (5_000n * 5_001n) / 2n;
    expect(await (await next.tenant('shop')).importOpeningBalances(given)).toMatchObject({
      lines: 5_000,
      booked: 3_000,
      skipped: 2_000,
      accountsOpened: 3_000,
      totals: [{ asset: 'USD/2', file: total, booked: total }],
    });
    expect(await held(store.tenant, 'bulk4999')).toEqual([5_000n, 0n]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('run by two at once books once', async () => {
    const given = order(csv(...Array.from({ length: 50 }, (_, n) => `both${n},USD,1`)));
    const outcomes = await Promise.all([refusalOf(load(given)), refusalOf(load(given))]);
    // Whoever comes second finds the accounts just opened; run again, it finds everything booked.
    expect(outcomes).toContain('not refused');
    expect(await load(given)).toMatchObject({ booked: 0, skipped: 50 });
    expect(await held(store.tenant, 'both7')).toEqual([1n, 0n]);
  });
});
