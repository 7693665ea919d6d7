import { expect, test } from 'vitest';
import {
  BrokenInvariant,
  Refusal,
  SetupError,
  describeError,
  framesOf,
  storedRefusal,
} from '../../src/kernel/index.ts';

const SECRET = 'hunter2-hunter2';
const failing = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
const made = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);

test.each([
  [
    'a row that was there twice',
    made(`duplicate ${SECRET}`, { code: '23505', constraint: 'accounts_ref', detail: SECRET }),
    'Error 23505 (accounts_ref)',
  ],
  [
    'a value that does not fit',
    made(`invalid input syntax for type uuid: "${SECRET}"`, { code: '22P02' }),
    'Error 22P02',
  ],
  [
    'a connection refused',
    made(`connect ECONNREFUSED ${SECRET}`, { code: 'ECONNREFUSED', syscall: 'connect' }),
    'Error connect ECONNREFUSED',
  ],
  [
    'what the driver says of its connections',
    made('Connection terminated unexpectedly'),
    'Error: Connection terminated unexpectedly',
  ],
  ['text that is no JSON', failing(() => JSON.parse(`{"a": ${SECRET}`)), 'SyntaxError'],
  ['a code that is no code', made('x', { code: `x y ${SECRET}`, constraint: 7 }), 'Error'],
  ['a name that is no name', made('x', { name: `${SECRET} ` }), 'Error'],
  ['a refusal', new Refusal(storedRefusal('FUNDS_INSUFFICIENT', SECRET)), 'FUNDS_INSUFFICIENT'],
  [
    'an invariant of ours',
    new BrokenInvariant('expected every payment to exist'),
    'BrokenInvariant: expected every payment to exist',
  ],
  ['a set-up error of ours', new SetupError('port 1 is taken'), 'SetupError: port 1 is taken'],
  ['one with a cause', new Error(SECRET, { cause: made(SECRET, { code: '57P01' }) }), 'Error, because of Error 57P01'],
  ['what is no error', SECRET, 'something that is no error (string)'],
])('of %s nothing is said but what it is', (_title, error, said) => {
  expect(describeError(error)).toBe(said);
});

test('frames say where, and nothing of the message, however it is written', () => {
  const error = new Error(`first\n    at ${SECRET} (x.ts:1:1)\nlast`);
  expect(framesOf(error)).toMatch(/^\s+at .*describe-error\.test\.ts/);
  expect(framesOf(error)).not.toContain(SECRET);
  expect(framesOf('no error')).toBe('');
});
