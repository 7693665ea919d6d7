import { describe, expect, test } from 'vitest';
import { render } from '../../src/kernel/errors/render.ts';
import {
  BrokenInvariant,
  CATALOGUE,
  NIL_UUID,
  Refusal,
  invariant,
  paramOf,
  refuse,
  refused,
  storedRefusal,
} from '../../src/kernel/index.ts';

describe('the catalogue of refusals', () => {
  test.each(Object.entries(CATALOGUE))('%s has a status of an error and a title', (code, entry) => {
    expect(code).toMatch(/^[A-Z]+([_.][A-Z]+)*$/);
    expect(entry.status).toBeGreaterThanOrEqual(400);
    expect(entry.status).toBeLessThan(600);
    expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
  });

  test('a refusal carries its code and the field to mend', () => {
    expect(() => refuse('ASSET_INVALID', { param: 'asset' })).toThrow(
      expect.objectContaining({
        name: 'Refusal',
        code: 'ASSET_INVALID',
        message: 'asset must be a code and a scale, such as "USD/2"',
        param: 'asset',
      }),
    );
    expect(() => refuse('REQUEST_TIMEOUT')).toThrow(Refusal);
  });

  test('a broken invariant is no refusal', () => {
    expect(() => invariant(false, 'one and one to be two')).toThrow(BrokenInvariant);
    expect(() => invariant(false, 'one and one to be two')).toThrow('expected one and one to be two');
    expect(() => invariant(true, 'nothing')).not.toThrow();
  });
});

describe('a refusal is data', () => {
  test('its sentence is written for the edge that shows it', () => {
    const fields = { param: 'legs[0].maxAmount', max: 9n };
    const one = refused('AMOUNT_TOO_LARGE/one', fields);
    expect(one).toEqual({
      code: 'AMOUNT_TOO_LARGE',
      reason: 'one',
      fields,
      detail: 'legs[0].max_amount is larger than 9',
    });
    expect(new Refusal(one)).toMatchObject({
      message: 'legs[0].maxAmount is larger than 9',
      param: 'legs[0].maxAmount',
      reason: 'one',
      refused: one,
    });
    expect(paramOf(one, 'snake')).toBe('legs[0].max_amount');
  });

  test.each([
    ['{param} is wrong', { param: 'metadata.myKey' }, 'metadata.myKey is wrong'],
    ['{param} is wrong', { param: 'Idempotency-Key' }, 'Idempotency-Key is wrong'],
    ['{param:given} is wrong', { param: 'executeAt' }, 'executeAt is wrong'],
    ['{param:quoted} is wrong', { param: 'a "b' }, '"a \\"b" is wrong'],
    ['fields: {all:fields}', { all: ['executeAt', 'delay'] }, 'fields: execute_at or delay'],
    ['{other:field} is wrong', { other: 'executeAt' }, 'execute_at is wrong'],
    ['has {left:amount}', { left: { amount: 5_000n, asset: 'USD/2' } }, 'has 50.00 USD'],
    ['has {left:amount}', { left: { amount: -5n, asset: 'ROBUX/0' } }, 'has -5 ROBUX'],
    ['until {at:instant}', { at: new Date('2026-01-31T09:00:00Z') }, 'until 2026-01-31T09:00:00.000Z'],
    ['one of {all:list}', { all: ['a', 'b', 'c'] }, 'one of a, b or c'],
    ['one of {all:list}', { all: ['a', 'bC'] }, 'one of a or bC'],
    ['one of {all:fields}', { all: ['cron', 'everySeconds'] }, 'one of cron or every_seconds'],
    ['payment {id:payment}', { id: NIL_UUID }, 'payment pay_00000000000000000000000000'],
    ['payment {id:payment}', { id: 'no id' }, 'payment no id'],
    ['{given}', { given: '{param}' }, '{param}'],
  ])('%s with %o', (sentence, fields, expected) => {
    expect(render(sentence, fields, 'snake')).toBe(expected);
  });

  test('survives JSON.stringify, with TypeIDs and amounts as text', () => {
    const money = (amount: bigint) => ({ amount, asset: 'USD/2' });
    const fields = { account: NIL_UUID, available: money(50n), required: money(100n) };
    const written = JSON.parse(JSON.stringify(new Refusal(refused('FUNDS_INSUFFICIENT', fields)))) as object;
    expect(written).toMatchObject({
      code: 'FUNDS_INSUFFICIENT',
      fields: {
        account: 'acct_00000000000000000000000000',
        available: { amount: '50', asset: 'USD/2' },
        required: { amount: '100', asset: 'USD/2' },
      },
    });
  });

  test('a stored refusal keeps the sentence of its time', () => {
    const stored = storedRefusal('FUNDS_INSUFFICIENT', 'as it was written');
    expect(new Refusal(stored)).toMatchObject({ code: 'FUNDS_INSUFFICIENT', message: 'as it was written', fields: {} });
    expect(storedRefusal('NO_LONGER_A_CODE', 'x').code).toBe('UNEXPECTED');
  });
});

test.each([
  [1, 'destinations must have at least 1 item'],
  [2, 'destinations must have at least 2 items'],
])('a sentence that counts %i has its noun in the right number', (min, detail) => {
  expect(refused('FIELD_INVALID/too_few_items', { param: 'destinations', min }).detail).toBe(detail);
  expect(refused('FIELD_INVALID/too_short', { param: 'name', min: 1 }).detail).toBe(
    'name must have at least 1 character',
  );
});
