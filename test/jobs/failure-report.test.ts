// What a child process prints about processors that fail.
import { expect, test } from 'vitest';
import { FailureReport } from '../../src/jobs/child/report.ts';

test('an error is printed with where it was thrown and without its message, and once a minute if it repeats', () => {
  const lines: string[] = [];
  const report = new FailureReport((text) => lines.push(text));
  const error = new TypeError('alice@example.com has no inbox');
  report.failed('send-receipt', 'exe_1', error, 0);
  report.failed('send-receipt', 'exe_2', error, 59_000);
  report.failed('send-invoice', 'exe_3', error, 59_000);
  report.failed('send-receipt', 'exe_4', error, 61_000);
  expect(lines.map((text) => text.split('\n')[0])).toEqual([
    'processor "send-receipt" failed in exe_1: TypeError',
    'processor "send-invoice" failed in exe_3: TypeError',
    'processor "send-receipt" failed in exe_4: TypeError',
  ]);
  expect(lines[0]).toContain('failure-report.test.ts');
  expect(lines.join('\n')).not.toContain('alice');
});
