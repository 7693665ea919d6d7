// `usance top`: the state of a tenant, once and again and again, with a terminal and without one.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startUsance, usance, useFolder } from './cli.ts';

const folder = useFolder();
const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const hasScript = spawnSync('script', ['--version']).status === 0;

interface Document {
  readonly tenant: string;
  readonly perMinute: readonly number[];
  readonly integrity: { readonly state: string };
  readonly backlog: readonly { readonly loop: string; readonly count: number }[];
}

describe('top', () => {
  test('prints the money that waits, and the loops', async () => {
    const { child, ended } = await startUsance(folder, ['dev', '--no-demo'], 'Ctrl-C stops it', { PORT: '0' });
    const { code, out } = await usance(folder, ['top', '--once']);
    expect(code).toBe(0);
    expect(out).toMatch(/usance top {2}demo {2}/);
    for (const word of [
      'waiting',
      'next 24 h',
      'overdue',
      'to approve',
      'in review',
      'dead letters',
      'settled',
      'failed',
    ])
      expect(out).toMatch(new RegExp(`^ {2}${word} `, 'm'));
    expect(out).toMatch(/^ {2}processor +0$/m);
    // Nothing that moves the cursor goes to a pipe.
    expect(out).not.toContain('\u001B');
    const document = (await usance(folder, ['top', '--json'])).json<Document>();
    expect(document).toMatchObject({ tenant: 'demo', waiting: { count: 0 }, review: { count: 0, more: false } });
    expect(document.perMinute).toHaveLength(60);
    expect(document.backlog.map(({ loop }) => loop)).toEqual([
      'processor',
      'scheduler',
      'sequencer',
      'matcher',
      'jobs',
    ]);
    child.kill('SIGINT');
    await ended;
  });

  test('without a terminal prints one state after the other, until it is stopped', async () => {
    const { child, ended } = await startUsance(folder, ['top', '--interval', '1'], 'Loops');
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).not.toContain('\u001B');
  });

  // Where a whole change is judged, a missing `script` fails.
  test.skipIf(!hasScript && process.env['CI'] !== 'true').each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])('on a terminal ends with %s, and leaves it as it was', async (_name, keys) => {
    const { PATH, HOME, USER } = process.env;
    const command = `"${process.execPath}" "${MAIN}" top`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: folder,
      env: { PATH, HOME, USER, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const wasShown = screen.includes('q ends');
      screen += chunk.toString();
      if (!wasShown && screen.includes('q ends')) child.stdin.write(keys);
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    expect(screen).toContain('\u001B[?1049h');
    expect(screen.indexOf('\u001B[?1049l')).toBeGreaterThan(screen.indexOf('q ends'));
    expect(screen.lastIndexOf('\u001B[?25h')).toBeGreaterThan(screen.lastIndexOf('\u001B[?25l'));
  });

  test('refuses an interval of no time', async () => {
    expect(await usance(folder, ['top', '--interval', '0'])).toMatchObject({ code: 2 });
  });
});
