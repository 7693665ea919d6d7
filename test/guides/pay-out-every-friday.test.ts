// The guide to payouts that recur: its commands are pasted into a shell.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { useApi } from '../api/api.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/pay-out-every-friday.md'), 'utf8');
// The first block makes the tenant and its clock by a command, as those of the other guides do (test/cli); here they are in the environment.
const [, ...blocks] = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);
const script = blocks.join('\n');
const store = useApi();

test('what the guide to payouts shows happens when it is pasted', { timeout: 60_000 }, async () => {
  const tenant = await store.usance.createTenant({ name: 'studio', kind: 'test' });
  const { secret } = await tenant.createApiKey({ name: 'studio', role: 'admin' });
  const clock = await tenant.createTestClock({ name: 'january', now: '2027-01-01T00:00:00Z' });
  await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
  store.usance.start(['clocks', 'sequencer']);
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    API: `${store.url}/v1`,
    KEY: secret,
    CLOCK: toTypeId('testClock', clock.id),
  };
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], { env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers[3]).toMatchObject({
    status: 'active',
    rail: 'any',
    route_priority: 'low_fee',
    after_failure: 'pause',
  });
  expect(answers[4]).toMatchObject({ code: 'DESTINATION_INVALID', status: 422 });
  const [account, payments, route, wallets] = answers.slice(-4);
  expect(account).toMatchObject({ balances: [{ asset: 'USDC/6', available: '750000000', reserved: '0' }] });
  expect(payments).toMatchObject({ data: Array.from({ length: 5 }, () => ({ rail: 'any', amount: '250000000' })) });
  expect(route).toMatchObject({ explanation: [expect.stringMatching(/^Chosen: sandbox, /), expect.anything()] });
  expect(wallets).toMatchObject({ data: [{ chain: 'sandbox', frozen_at: null }] });
});
