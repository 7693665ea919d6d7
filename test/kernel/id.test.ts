import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { IdKind } from '../../src/kernel/index.ts';
import { ID_PREFIX, firstIdAt, fromTypeId, idInstant, isUuid, newId, toTypeId } from '../../src/kernel/index.ts';

const KINDS = Object.keys(ID_PREFIX) as IdKind[];

// These tests move the generator's own time ahead: the next file of the worker begins with a new one.
afterAll(() => void vi.resetModules());

describe('an id', () => {
  afterEach(() => vi.useRealTimers());

  test('is a UUIDv7 of the present instant', () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
    // It may run ahead of the clock by as many milliseconds as 4,096 ids were made in one.
    expect(idInstant(id).getTime()).toBeGreaterThanOrEqual(before);
  });

  test('is later than every id the process made before it', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is later also after the clock stepped back', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const noon = Date.now() + 60_000;
    vi.setSystemTime(noon);
    const before = newId();
    vi.setSystemTime(noon - 3_600_000);
    const stepped = Array.from({ length: 5_000 }, newId);
    vi.setSystemTime(noon + 1_000);
    const after = newId();
    expect([before, ...stepped, after].toSorted()).toEqual([before, ...stepped, after]);
    expect(idInstant(after).getTime()).toBe(noon + 1_000);
  });

  test('of an instant bounds what was made before it and after', () => {
    const id = newId();
    const instant = idInstant(id);
    expect(firstIdAt(instant) <= id).toBe(true);
    expect(id < firstIdAt(new Date(instant.getTime() + 1))).toBe(true);
    expect(idInstant(firstIdAt(instant))).toEqual(instant);
  });
});

describe('a TypeID', () => {
  test('says what it names and reads back to the same id, for every kind', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.uuid(), (kind, id) => {
        const text = toTypeId(kind, id);
        expect(text).toMatch(new RegExp(`^${ID_PREFIX[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
        expect(fromTypeId(kind, text)).toBe(id);
      }),
    );
  });

  test('sorts as the id does', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        expect(toTypeId('account', a) < toTypeId('account', b)).toBe(a < b);
      }),
    );
  });

  test('follows the published encoding', () => {
    // From the TypeID specification's table of valid values.
    expect(toTypeId('account', '00000000-0000-0000-0000-000000000000')).toBe('acct_00000000000000000000000000');
    expect(toTypeId('account', '00000000-0000-0000-0000-000000000001')).toBe('acct_00000000000000000000000001');
    expect(toTypeId('account', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('acct_7zzzzzzzzzzzzzzzzzzzzzzzzz');
    expect(toTypeId('account', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('acct_01h455vb4pex5vsknk084sn02q');
  });

  test.each([
    ['another kind', toTypeId('transfer', newId())],
    ['a bare UUID', newId()],
    ['no prefix', '01h455vb4pex5vsknk084sn02q'],
    ['upper case', 'acct_01H455VB4PEX5VSKNK084SN02Q'],
    ['one character short', 'acct_01h455vb4pex5vsknk084sn02'],
    ['one character long', 'acct_01h455vb4pex5vsknk084sn02qq'],
    ['more than 128 bits', 'acct_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['a letter that is not in the alphabet', 'acct_01h455vb4pex5vsknk084sn02u'],
    ['a dash', 'acct_01h455vb4p-x5vsknk084sn02q'],
    ['nothing after the prefix', 'acct_'],
    ['an empty text', ''],
    ['a number', 7],
    ['null', null],
  ])('that is %s is refused', (_what, input) => {
    expect(() => fromTypeId('account', input, 'to')).toThrow(
      expect.objectContaining({ code: 'ID_INVALID', param: 'to' }),
    );
  });

  test('has a prefix that no other kind has', () => {
    expect(new Set(Object.values(ID_PREFIX)).size).toBe(KINDS.length);
  });
});
