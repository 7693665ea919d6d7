// The guide to jobs: its commands are pasted into a shell, beside a worker that runs its processors. Its TypeScript runs in typescript.test.ts.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import { textsOf } from './guide.ts';

const GUIDE = 'run-code-when-a-payment-settles.md';
const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
// The first block makes the tenant and its clock by a command, as those of the other guides do (test/cli); here they are in the environment.
const [, ...commands] = textsOf(GUIDE, 'sh');
const script = commands.join('\n').replaceAll(/^(?:KEY|CLOCK|API)=.*$/gm, '');
const [processors = ''] = textsOf(GUIDE, 'ts');
const store = useApi();
const folder = useFolder();
const workers: ChildProcess[] = [];

afterAll(async () => {
  for (const worker of workers) {
    worker.kill('SIGTERM');
    if (worker.exitCode === null) await once(worker, 'exit');
  }
});

test('what the guide to jobs shows happens when it is pasted, beside a worker', { timeout: 120_000 }, async () => {
  const tenant = await store.usance.createTenant({ name: 'receipts', kind: 'test' });
  const { secret } = await tenant.createApiKey({ name: 'receipts', role: 'admin' });
  const clock = await tenant.createTestClock({ name: 'january', now: '2027-01-01T00:00:00Z' });
  store.usance.start(['clocks', 'sequencer']);
  writeFileSync(join(folder, 'processors.ts'), processors);
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    DATABASE_URL: store.runtimeUrl,
    API: `${store.url}/v1`,
    KEY: secret,
    CLOCK: toTypeId('testClock', clock.id),
  };
  workers.push(
    spawn(process.execPath, [MAIN, 'worker', '--processors', './processors.ts'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  await expect.poll(() => tenant.processors()).toMatchObject([{ name: 'send-receipt' }]);

  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], { cwd: folder, env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const [job, executions, letters, completed] = [0, 7, 9, 11].map((index) => answers[index]);
  expect(job).toMatchObject({ name: 'receipts', enabled: true, retry_config: null });
  expect(executions).toMatchObject({ data: [{ status: 'failed', attempt_number: 3, code: 'PROCESSOR_FAILED' }] });
  expect(letters).toMatchObject({ data: [{ kind: 'execution', code: 'PROCESSOR_FAILED' }] });
  const id = String(completed?.['id']);
  expect(completed).toMatchObject({ status: 'completed', attempt_number: 4, result: { mail: id } });
  expect(existsSync(join(folder, `outbox/${id}.txt`))).toBe(true);
});
