// The dashboard's files: what a browser gets, and that no path leads to anything else.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { SITE_POLICY } from '../../src/api/site.ts';
import { useApi } from './api.ts';

const HTML = '<!doctype html><title>usance</title><script type="module" src="/assets/index-AbC1.js"></script>';
const SCRIPT = `console.log('${'dashboard '.repeat(300)}');`;

const folder = await mkdtemp(join(tmpdir(), 'usance-site-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const built = join(folder, 'dist');

beforeAll(async () => {
  await mkdir(join(built, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.html'), 'not of the build');
  await writeFile(join(built, 'index.html'), HTML);
  await writeFile(join(built, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(built, 'assets', 'index-AbC1.js'), SCRIPT);
});

const answered: string[] = [];
const store = useApi({
  api: { site: built, onAnswered: ({ method, route, status }) => answered.push(`${method} ${route} ${status}`) },
});
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ask = (path: string, headers: Readonly<Record<string, string>> = PAGE, method = 'GET') =>
  fetch(store.url + path, { headers, method, redirect: 'manual' });

describe('the dashboard', () => {
  test.each(['/', '/payments', '/payments/pay_01k9zt3q8sxa4e6r1t9v2w5y7z', '/a/b/c?q=1', '/versions'])(
    'is the page at %s, with the policy that runs its own files only',
    async (path) => {
      const answer = await ask(path);
      expect([answer.status, await answer.text()]).toEqual([200, HTML]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe(SITE_POLICY);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      const again = await ask(path, { ...PAGE, 'if-none-match': answer.headers.get('etag') ?? '' });
      expect([again.status, await again.text()]).toEqual([304, '']);
    },
  );

  test('has files that are kept for a year, compressed, and say their type', async () => {
    const answer = await ask('/assets/index-AbC1.js', { 'accept-encoding': 'gzip' });
    expect(await answer.text()).toBe(SCRIPT);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    const icon = await ask('/favicon.svg', {});
    expect([icon.status, icon.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const head = await ask('/favicon.svg', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('names its files in the log: the pages as one, and the assets of each build as one', async () => {
    answered.length = 0;
    for (const path of ['/', '/payments', '/assets/index-AbC1.js', '/favicon.svg', '/assets/unknown.js'])
      await ask(path);
    await expect
      .poll(() => answered)
      .toEqual(['GET / 200', 'GET / 200', 'GET /assets/{file} 200', 'GET /favicon.svg 200', 'GET none 404']);
  });

  test.each([
    ['/v1', 404],
    ['/v1/nothing', 404],
    ['/v1/overview', 401],
    ['/docs/nothing', 404],
    ['/session', 401],
    ['/session/x', 404],
    ['/assets/unknown.js', 404],
    ['/assets', 404],
    ['/health/x', 404],
  ])('is never the answer to %s, which is the API', async (path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  test('is no answer to a program, nor to a change', async () => {
    expect((await ask('/payments', { accept: 'application/json' })).status).toBe(404);
    expect((await ask('/payments', {})).status).toBe(404);
    expect((await ask('/payments', PAGE, 'POST')).status).toBe(404);
    expect((await ask('/favicon.svg', {}, 'DELETE')).status).toBe(404);
  });

  test.each([
    '/../secret.html',
    '/assets/../../secret.html',
    '/assets/..%2f..%2fsecret.html',
    '/%2e%2e/secret.html',
    '//etc/passwd',
    '/assets/%00',
    '/..\\secret.html',
  ])('gives nothing but its own files for %s', async (path) => {
    // As it is: fetch would resolve the dots.
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(new URL(store.url).port), '127.0.0.1');
      socket
        .on('data', (data) => (text += String(data)))
        .on('close', () => resolve(text))
        .on('error', reject);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    });
    expect(answer).not.toContain('not of the build');
    expect(answer).not.toContain('root:');
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

test('without a build, / names the command, and a build made meanwhile is served', async () => {
  const empty = join(folder, 'later');
  const api = createApi(store.usance, { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000, site: empty });
  onTestFinished(() => api.close());
  const { url } = await api.listen();
  const page = await fetch(url, { headers: PAGE });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('npm run build:web')]);
  expect((await fetch(`${url}/payments`, { headers: PAGE })).status).toBe(404);
  await mkdir(empty);
  await writeFile(join(empty, 'index.html'), HTML);
  await after(1_050);
  expect(await (await fetch(url, { headers: PAGE })).text()).toBe(HTML);
  await writeFile(join(empty, 'index.html'), '<title>newer</title>');
  await utimes(join(empty, 'index.html'), 1, 1);
  await after(1_050);
  expect(await (await fetch(url, { headers: PAGE })).text()).toBe('<title>newer</title>');
});
