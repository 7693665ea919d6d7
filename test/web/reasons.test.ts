// Every action of the dashboard says how it asks why, as the contract has it. The types require the property; that it fits the operation is read
// from the text of the pages, because they run in a browser only.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Route } from '../../src/contract/index.ts';
import { ROUTES } from '../../src/contract/index.ts';
import { reasonField, reasonOption, requestOf } from '../../web/src/parts/reason.ts';

const PAGES = join(import.meta.dirname, '../../web/src/pages');

interface Declared {
  readonly file: string;
  readonly name: keyof typeof ROUTES;
  readonly scope: string;
  readonly reason: string | undefined;
}

const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const textOf = (file: string): string => readFileSync(join(PAGES, file), 'utf8');
const actions = files.flatMap((file) =>
  [...textOf(file).matchAll(/: Action<[^\n]*> = \{\n(.*?)\n\};/gs)].map(([, text = '']): Declared => {
    const value = (field: string): string | undefined => new RegExp(`^  ${field}: '([^']+)'`, 'm').exec(text)?.[1];
    return { file, name: value('name') as Declared['name'], scope: value('scope') ?? '', reason: value('reason') };
  }),
);

const hasReason = (name: keyof typeof ROUTES): boolean => {
  const { body } = ROUTES[name] as Route;
  return body !== undefined && 'reason' in ((body as { properties?: object }).properties ?? {});
};

/** Resources whose change moves money, or changes what may move. */
const GRAVE = /^(payments|limits|executionCap|apiKeys|pauses|payoutPolicy|payoutDestinations|payoutCaps|tenants)\./;
const MONEY = ['accounts.deposit', 'accounts.withdraw', 'quotes.accept', 'schedules.trigger', 'schedules.backfill'];

test('every action is found', () => {
  const written = files.reduce((sum, file) => sum + textOf(file).split(': Action<').length - 1, 0);
  expect(actions).toHaveLength(written);
  expect(written).toBeGreaterThan(75);
});

test.each(actions)('$name of $file asks for a reason as its operation has it', ({ name, reason, scope }) => {
  expect(ROUTES).toHaveProperty([name]);
  if (hasReason(name)) expect(reason).toBe('body');
  else if (GRAVE.test(name) || MONEY.includes(name) || scope === 'ledger:money') expect(reason).toBe('required');
  else expect(['required', 'optional']).toContain(reason);
});

test('a reason of the body is sent there, any other one beside it, without the spaces around it', () => {
  const values = { amount: '7', reason: ' she called ' };
  expect(reasonOption('body', values)).toEqual({});
  expect(reasonOption('required', values)).toEqual({ reason: 'she called' });
  expect(reasonOption('optional', { reason: ' ' })).toEqual({});
  expect([
    reasonField('body').isRequired,
    reasonField('required').isRequired,
    reasonField('optional').isRequired,
  ]).toEqual([true, true, false]);
});

test('another reason beside the body is the same request, another one in the body is not', () => {
  const [one, other] = [
    { amount: '7', reason: 'one' },
    { amount: '7', reason: 'other' },
  ];
  expect(requestOf('required', one)).toEqual(requestOf('required', other));
  expect(requestOf('body', one)).not.toEqual(requestOf('body', other));
});
