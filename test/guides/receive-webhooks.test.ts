// The guide to webhooks: its commands are pasted into a shell, beside its receiver and `usance listen`. Its TypeScript runs in typescript.test.ts.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { wirePresenterOf } from '../../src/library/present.ts';
import { open } from '../support/books.ts';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import { fromSources, pageOf, textsOf } from './guide.ts';
import { WEBHOOK_GUIDE, startBeside } from './receive-webhooks.ts';

const store = useApi({ usance: { outbound: { loopback: true }, webhooks: { presenter: wirePresenterOf } } });
const folder = useFolder();
const run = promisify(execFile);
const inbox = (): string[] => readdirSync(join(folder, 'inbox'));
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Record<string, unknown>;

test('what the guide to webhooks shows happens when it is pasted', { timeout: 120_000 }, async () => {
  await open(store.tenant, { alice: 100_000, bob: 0 });
  store.usance.start(['sequencer', 'matcher', 'rescuer', 'webhooks']);
  mkdirSync(join(folder, '.usance'));
  writeFileSync(join(folder, '.usance/api-key'), store.secret);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const [receiver = ''] = textsOf(WEBHOOK_GUIDE, 'ts');
  expect(receiver.trim().split('\n').length).toBeLessThanOrEqual(22);
  const beside = await startBeside(folder, store.url, { receiver: fromSources(receiver), page: pageOf(WEBHOOK_GUIDE) });
  onTestFinished(() => beside.stop());

  const [onThisMachine = '', ...blocks] = textsOf(WEBHOOK_GUIDE, 'sh').map(beside.withPort);
  const functions = onThisMachine.slice(0, onThisMachine.lastIndexOf('\npay\n') + 1);
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  const paste = async (script: string): Promise<Record<string, unknown>[]> => {
    const text = script.replaceAll('http://127.0.0.1:3001', store.url);
    const { stdout } = await run('sh', ['-e', '-c', text], { cwd: folder, env });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const [forwarded] = (await paste(onThisMachine)) as [{ readonly id: string; readonly seq: number }];
  expect(forwarded).toMatchObject({ type: 'payment.settled', resource_id: read('hold')['id'] });
  expect(inbox()).toEqual([`${forwarded.id}.json`]);
  const printed = await beside.stopListening();
  expect(printed).toContain(`Stopped. Continue with --after ${forwarded.seq}.`);
  expect(printed).toMatch(
    new RegExp(`^${forwarded.seq} {2}payment\\.settled {2}pay_\\w+ {2}${forwarded.id} {2}204 {2}\\d+ ms$`, 'm'),
  );

  // Another shell: in the same second it would use the keys of the first again, and wait for ever for what was refused.
  const again = functions.replace('RUN=$(date +%s)', 'RUN=$(date +%s)-again');
  expect(again).not.toBe(functions);
  const [tested, recovered, deliveries] = await paste(again + blocks.join('\n'));
  expect(tested).toMatchObject({ status: 'completed', response_status: 204, attempts: [{ status: 'success' }] });
  expect(recovered).toMatchObject({ next_cursor: null });
  // The test, and five payments.
  expect(inbox()).toHaveLength(6);
  expect(deliveries).toMatchObject({ data: Array.from({ length: 5 }, () => ({ status: 'completed' })) });
  expect(read('rotated')['secret']).not.toBe(read('endpoint')['secret']);
  expect(read('disabled')).toMatchObject({ enabled: false, disabled_reason: 'caller' });
});
