// Waiting for a database that stands still while a program starts.
import { expect, test } from 'vitest';
import { patiently } from '../../src/db/index.ts';

const lost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test('work is done again until the connection holds, with one notice', async () => {
  const notices: string[] = [];
  const failures = [lost(), lost()];
  const work = async (): Promise<string> => {
    const failure = failures.pop();
    if (failure) throw failure;
    return 'done';
  };
  expect(await patiently(work, { onNotice: (line) => notices.push(line) })).toBe('done');
  expect(notices).toEqual(['the database does not answer: waiting up to 60 s for it']);
});

test('what is not the connection’s fault is thrown at once, and patience ends', async () => {
  const calls: string[] = [];
  const failing = (error: Error) => async (): Promise<never> => {
    calls.push(error.message);
    throw error;
  };
  await expect(patiently(failing(new Error('a bug')))).rejects.toThrow('a bug');
  await expect(patiently(failing(lost()), { forMs: 0 })).rejects.toThrow('ECONNRESET');
  expect(calls).toEqual(['a bug', 'read ECONNRESET']);
});
