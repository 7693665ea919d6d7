// `usance test-clocks`, and the guide to test clocks: its commands are pasted into a shell beside a running `usance dev`.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startUsance, useFolder, usanceHere } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/test-clocks.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, name, text]) => (name === language ? [text ?? ''] : []));
const run = promisify(execFile);
const folder = useFolder();

test('what the guide to test clocks shows happens when it is pasted', async () => {
  const { child, screen, ended } = await startUsance(folder, ['dev', '--no-demo'], 'Ctrl-C stops it', { PORT: '0' });
  const [url = ''] = /http:\/\/[\d.:]+/.exec(screen) ?? [];
  // The port is another, and the package is not installed here.
  const script = blocks('sh')
    .join('\n')
    .replaceAll('http://127.0.0.1:3001', url)
    .replaceAll('npx usance', `"${process.execPath}" "${join(ROOT, 'src/cli/main.ts')}"`);
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { stdout } = await run('sh', ['-e', '-c', script], { cwd: folder, env: { ...process.env, PATH } });
  await refuses();
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);

  expect(stdout).toContain('"status":"advancing"');
  const clock = JSON.parse(readFileSync(join(folder, 'clock.json'), 'utf8')) as {
    now: string;
    status: string;
    advance: { events: { by_type: object; first_at: string; last_at: string } };
  };
  expect(clock).toMatchObject({ now: '2027-02-01T00:00:00.000Z', status: 'ready' });
  expect(clock.advance.events.by_type).toEqual(JSON.parse(blocks('json').join()));
  expect(clock.advance.events).toMatchObject({
    first_at: '2027-01-04T00:00:00.000Z',
    last_at: '2027-01-06T00:15:00.000Z',
  });
  const instants = [...stdout.matchAll(/"type":"payment\.(?:attempt_failed|failed)".*?"occurred_at":"([^"]*)"/g)];
  expect(instants.map(([, at]) => at?.slice(8, 16))).toEqual([
    '06T00:00',
    '06T00:01',
    '06T00:03',
    '06T00:07',
    '06T00:15',
  ]);
  expect(stdout).toMatch(/Arrived: it is 2027-03-03T00:00:00\.000Z in lab; 0 events\./);
  expect(stdout).toMatch(/^lab +2027-03-03T00:00:00\.000Z +ready$/m);
  expect(stdout).toContain('No advance to cancel: it is 2027-03-03T00:00:00.000Z in lab.');
  expect(stdout).toContain('Deleted the clock of lab at 2027-03-03T00:00:00.000Z.');
});

/** What is wrong is said, and what to do about it. */
async function refuses(): Promise<void> {
  const refusals: [string[], number, RegExp][] = [
    [['create', '--tenant', 'lab', '--now', '2030-01-01T00:00:00Z'], 1, /the tenant already has a test clock/],
    [['create', '--tenant', 'demo', '--now', '2030-01-01T00:00:00Z'], 1, /the tenant is live/],
    [
      ['advance', '--to', '2027-01-01T00:00:00Z'],
      1,
      /the test clock is at 2027-04-01T00:00:00\.000Z; to must be that instant or a later one/,
    ],
    [['advance', '--tenant', 'demo', '--by', '1d'], 1, /has no test clock/],
    [['advance', '--tenant', 'lab'], 2, /give the target: --to/],
  ];
  for (const [args, code, says] of refusals) {
    const ended = await usanceHere(folder, ['test-clocks', ...args]);
    expect({ code: ended.code, err: ended.err }, args.join(' ')).toEqual({ code, err: expect.stringMatching(says) });
  }
}

test('an advance needs no other process', async () => {
  const advanced = await usanceHere(folder, ['test-clocks', 'advance', '--tenant', 'lab', '--by', '1d', '--json']);
  expect(advanced.json()).toMatchObject({
    tenant: 'lab',
    status: 'ready',
    now: '2027-04-02T00:00:00.000Z',
    happened: { count: 0, byType: {} },
  });
});

test('a deleted clock is not found again, and the next one does not start before it', async () => {
  const clocks = (...args: string[]) => usanceHere(folder, ['test-clocks', ...args]);
  const deleted = (await clocks('delete', '--json')).json();
  expect(deleted).toMatchObject({ tenant: 'lab', now: '2027-04-02T00:00:00.000Z', deletedAt: expect.any(String) });
  const again = await clocks('cancel-advance', '--tenant', 'lab');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('has no test clock')]);
  const back = await clocks('create', '--tenant', 'lab', '--now', '2027-01-01T00:00:00Z');
  expect([back.code, back.err]).toEqual([
    1,
    expect.stringMatching(/deleted test clock of the tenant was at 2027-04-02T00:00:00\.000Z/),
  ]);
});
