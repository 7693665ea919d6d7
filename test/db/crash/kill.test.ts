import { expect, test } from 'vitest';
import { surviveKills } from '../../support/crash.ts';
import { quickFolder } from '../../support/folders.ts';

test('what was acknowledged before kill -9 of the server is there after it, once', async () => {
  const report = await surviveKills({ kills: 1, every: 100, root: quickFolder() });
  expect(report).toMatchObject({ kills: 1, wrong: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(200);
  expect(report.unknown).toBeGreaterThan(0);
});
