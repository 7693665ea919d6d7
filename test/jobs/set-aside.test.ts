// Jobs whose secrets a process cannot decrypt rest in it for half a minute.
import { expect, test } from 'vitest';
import { InvocationGivenBack } from '../../src/jobs/index.ts';
import { SetAside } from '../../src/jobs/set-aside.ts';
import { newId, refuse } from '../../src/kernel/index.ts';

function open() {
  let nowMs = 0;
  const notices: string[] = [];
  const aside = new SetAside({
    nameOf: (id) => `messages of ${id}`,
    onNotice: (line) => void notices.push(line),
    nowMs: () => nowMs,
  });
  return { aside, notices, pass: (ms: number) => void (nowMs += ms) };
}

const withoutKey = (): never => refuse('ENCRYPTION_KEY_UNKNOWN/not_here', { key: '1a2b3c4d' });

test('an execution without its key is given back, and its job is set aside, with one notice', () => {
  const { aside, notices, pass } = open();
  const [id, other] = [newId(), newId()];
  expect(() => aside.decrypted(id, withoutKey)).toThrow(InvocationGivenBack);
  expect([aside.has(id), aside.has(other)]).toEqual([true, false]);
  pass(30_000);
  expect(aside.has(id)).toBe(false);
  expect(() => aside.decrypted(id, withoutKey)).toThrow(InvocationGivenBack);
  expect(aside.has(id)).toBe(true);
  expect(notices).toEqual([expect.stringMatching(new RegExp(`^messages of ${id} wait: ENCRYPTION_KEY_UNKNOWN`))]);
});

test('another error is thrown as it is, and sets nothing aside', () => {
  const { aside, notices } = open();
  const id = newId();
  expect(() =>
    aside.decrypted(id, () => {
      throw new TypeError('the value was changed');
    }),
  ).toThrow(TypeError);
  expect([aside.has(id), notices]).toEqual([false, []]);
});
