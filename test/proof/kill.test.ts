import { expect, test } from 'vitest';
import { surviveKills } from '../support/crash.ts';
import { banner } from './banner.ts';

test('ten times kill -9 of the server under load lose and double nothing', async () => {
  const report = await surviveKills({ kills: 10, every: 400 });
  banner('kill -9', { ...report, wrong: report.wrong.length });
  expect(report).toMatchObject({ kills: 10, wrong: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(4_400);
  expect(report.unknown).toBeGreaterThan(0);
});
