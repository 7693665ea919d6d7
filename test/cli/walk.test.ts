// A newcomer's walk: clone, npm ci, npm start, paste what the screen says, make a mistake, Ctrl-C, start again; ten seconds later
// it is paid. Everything a person would do, as they would do it; nothing of this working folder but what is committed.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { environment, registryAnswers } from '../package/project.ts';
import { useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const cannot = !existsSync(join(ROOT, '.git'))
  ? 'this is not a clone'
  : (await registryAnswers())
    ? null
    : 'the npm registry does not answer';
if (cannot !== null) {
  const line = `the newcomer's walk was not tried: ${cannot}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  console.warn(`SKIPPED: ${line}`);
}

// Node and PostgreSQL are run from there.
const folder = useFolder(tmpdir());
const clone = join(folder, 'usance');

test.runIf(cannot === null)('a newcomer clones, starts, pastes and is paid', { timeout: 180_000 }, async () => {
  await run('git', ['clone', '--quiet', ROOT, clone]);
  await run('npm', ['ci', '--prefer-offline'], { cwd: clone, env: environment() });

  const first = await npmStart();
  const [hold = '', look = ''] = first.curls;

  const { id, status } = JSON.parse(await paste(hold)) as { id: string; status: string };
  expect(status).toBe('scheduled');
  expect(balanceOf(await paste(look))).toBe('25000');
  const mistaken = await fetchAs(hold.replace('"1000"', '"ten dollars"'));
  expect(mistaken.status).toBe(400);
  expect(mistaken.headers.get('content-type')).toContain('application/problem+json');
  expect(await mistaken.json()).toMatchObject({
    code: 'AMOUNT_INVALID',
    param: 'amount',
    detail: expect.stringContaining('such as "1250"'),
  });

  // It is stopped before the hour, and pays when it is there again.
  await first.ctrlC();
  const second = await npmStart();
  const [, lookAgain = ''] = second.curls;
  await vi.waitUntil(async () => balanceOf(await paste(lookAgain)) === '26000', { timeout: 40_000, interval: 250 });
  const paid = JSON.parse(await paste(lookAgain.replace('/accounts/bob', `/holds/${id}`))) as object;
  expect(paid).toMatchObject({ id, status: 'settled', hold_status: 'COMPLETED' });
  await second.ctrlC();
});

/** As in a terminal: what is typed reaches the whole group, npm and what it runs. */
async function npmStart(): Promise<{ curls: readonly string[]; ctrlC(): Promise<void> }> {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    // The port of the README may be taken here.
    env: { ...environment(), PORT: '0', USANCE_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => ctrlC(child));
  const curls = (await screenOf(child)).match(/^ {2}curl [\s\S]*?(?=\n\n)/gm) ?? [];
  return { curls, ctrlC: () => ctrlC(child) };
}

function screenOf(child: ChildProcess): Promise<string> {
  let screen = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      screen += chunk.toString();
      if (screen.includes('Ctrl-C stops it')) resolve(screen);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', () => reject(new Error(`npm start ended: ${screen}`)));
  });
}

async function ctrlC(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Pasted as it was printed. A machine without curl sends the same. */
async function paste(curl: string): Promise<string> {
  return hasCurl ? (await run('sh', ['-c', curl])).stdout : (await fetchAs(curl)).text();
}

function fetchAs(curl: string): Promise<Response> {
  const [url = ''] = /https?:[^\s\\]+/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H (['"])(.+?): (.+?)\1/g)].map(
    ([, , name = '', value = '']) => [name, value.replace('$(date +%s)', randomUUID())] as [string, string],
  );
  const [, body] = /-d '(.+)'/.exec(curl) ?? [];
  return fetch(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
}

function balanceOf(account: string): string | undefined {
  return (JSON.parse(account) as { balances: { total: string }[] }).balances[0]?.total;
}
