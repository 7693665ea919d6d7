// The guides to subscriptions and to payments that fail: their commands are pasted into a shell beside a running `usance dev`.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUsance, useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = useFolder();
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Record<string, unknown>;

/** Runs a guide, and returns what it says comes out. */
async function follow(guide: string, url: string): Promise<{ stdout: string; says: object }> {
  const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8');
  const blocks = (language: string): string =>
    [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
      .flatMap(([, name, block]) => (name === language ? [block ?? ''] : []))
      .join('\n');
  // The port is another, and the package is not installed here.
  const script = blocks('sh')
    .replaceAll('http://127.0.0.1:3001', url)
    .replaceAll('npx usance', `"${process.execPath}" "${join(ROOT, 'src/cli/main.ts')}"`);
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { stdout } = await run('sh', ['-e', '-c', script], { cwd: folder, env: { ...process.env, PATH } });
  return { stdout, says: JSON.parse(blocks('json')) as object };
}

/** A guide is dozens of processes, one after the other. */
const LONG = 180_000;

describe('what a guide shows happens when it is pasted', () => {
  const state: { dev?: Awaited<ReturnType<typeof startUsance>> } = {};
  const url = (): string => /http:\/\/[\d.:]+/.exec(state.dev?.screen ?? '')?.[0] ?? '';
  beforeAll(async () => {
    state.dev = await startUsance(folder, ['dev', '--no-demo'], 'Ctrl-C stops it', { PORT: '0' });
  });
  afterAll(async () => {
    state.dev?.child.kill('SIGINT');
    await state.dev?.ended;
  });

  test('charge every month', { timeout: LONG }, async () => {
    const { stdout, says } = await follow('charge-every-month.md', url());
    expect(read('subscription')).toMatchObject({ approved: '15000', next_due_at: '2027-02-28T09:00:00.000Z' });
    expect(read('year')).toMatchObject(says);
    expect(stdout.match(/"subscription\.charged"/g)).toHaveLength(12);
    expect(read('changed')).toMatchObject({ price: '2500', credit: '0', charges_made: 1 });
    const { trial_ends_at: trialEndsAt } = read('trial');
    expect(read('ending')).toMatchObject({ status: 'trialing', cancel_at: trialEndsAt, next_due_at: null });
  });

  test('importing', { timeout: LONG }, async () => {
    const { says } = await follow('importing.md', url());
    expect(read('report')).toMatchObject({ ok: true, created: 3, skipped: 0, totals: [{ overdue: 1 }] });
    expect(read('again')).toMatchObject(says);
    const { data } = read('active') as { data: object[] };
    expect(data.map((one) => one as { reference: string; charges_made: number; next_due_at: string })).toMatchObject([
      { reference: 'old-1042', charges_made: 3, next_due_at: '2027-04-01T09:00:00.000Z' },
      { reference: 'old-1041', charges_made: 3, next_due_at: '2027-03-31T09:00:00.000Z' },
    ]);
  });

  test('when a payment fails', { timeout: LONG }, async () => {
    const { says } = await follow('when-a-payment-fails.md', url());
    const timeline = readFileSync(join(folder, 'timeline.json'), 'utf8');
    const attempts = [...timeline.matchAll(/"type":"payment\.(?:attempt_)?failed","at":"([^"]*)"/g)];
    expect(attempts.map(([, at]) => at?.slice(11, 16))).toEqual(['00:00', '00:01', '00:03', '00:07', '00:15', '00:31']);
    expect(read('past-due')).toMatchObject({ status: 'past_due', charges_paid: 0 });
    expect(read('mended')).toMatchObject(says);
  });

  test('limits', { timeout: LONG }, async () => {
    const { stdout, says } = await follow('limits.md', url());
    expect(read('first')).toMatchObject({ status: 'scheduled', amount: '1500' });
    expect(read('refused')).toMatchObject(says);
    expect(JSON.stringify(read('limits'))).not.toMatch(/daily_amount":"/);
    expect(read('cap')).toMatchObject({ per_second: 50 });
    expect(stdout).toMatch(/tenant demo: .*50/);
  });

  test('looking ahead', { timeout: LONG }, async () => {
    const { says } = await follow('looking-ahead.md', url());
    expect(read('forecast')).toMatchObject({ truncated: false, assets: [says] });
    expect(read('expected')['data']).toMatchObject([{ type: 'account.shortfall_expected' }]);
    expect(read('failed')['data']).toEqual([]);
    expect(read('ann')['balances']).toMatchObject([{ available: '0' }]);
  });
});
