// The guide to allowances: its commands are pasted into a shell.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { useApi } from '../api/api.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/allowance-every-friday.md'), 'utf8');
// The first block makes the tenant and its clock by a command, as those of the other guides do (test/cli); here they are in the environment.
const [, ...blocks] = [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);
const script = blocks.join('\n');
const store = useApi();

test('what the guide to allowances shows happens when it is pasted', async () => {
  const tenant = await store.usance.createTenant({ name: 'lab', kind: 'test' });
  const { secret } = await tenant.createApiKey({ name: 'lab', role: 'admin' });
  const clock = await tenant.createTestClock({ name: 'january', now: '2027-01-01T10:00:00Z' });
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
  expect(answers.map((answer) => answer['code'] ?? answer['status'] ?? answer['asset'] ?? answer['kind'])).toEqual([
    expect.anything(),
    'active',
    'active',
    expect.anything(),
    'ON',
    'ALLOWANCE.ALREADY_EXISTS',
    'ON',
    'OFF',
    'ON',
    'OFF',
    'active',
    'advancing',
    'active',
  ]);
  expect(answers[4]).toMatchObject({ zone: 'Europe/Berlin', next_run_at: '2027-01-01T23:00:00.000Z' });
  expect(answers.at(-1)).toMatchObject({ balances: [{ asset: 'USD/2', available: '2500' }] });
});
