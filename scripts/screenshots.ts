// `npm run screenshots`: a picture of every page of the dashboard, light, dark and on a phone, with the data of the demo world, in
// docs/screenshots, with an index. It starts `usance dev` on a database of its own, and ends it.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openChromium } from '../test/support/chromium.ts';
import { PAGES } from '../web/src/app/page-list.ts';
import type { PageName } from '../web/src/app/page-list.ts';
import { addressesOf, addWhatIsMissing } from './screenshot-world.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'docs/screenshots');
const DESK = { width: 1_280, height: 800 };
const PHONE = { width: 390, height: 844 };
const QUALITY = 55;
const MOST_BYTES = 6_000_000;
const LOOKS = ['light', 'dark', 'phone'] as const;

const browser = await openChromium();
if (browser === null) throw new Error('there is no browser: install chromium, or name one in CHROMIUM_PATH');
const dataFolder = mkdtempSync(join(tmpdir(), 'usance-screenshots-'));
// As root, PostgreSQL runs as another user, which has to be able to enter it.
chmodSync(dataFolder, 0o755);
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, [join(ROOT, 'src/cli/main.ts'), 'dev'], {
  env: { ...process.env, USANCE_DATA_DIR: dataFolder, PORT: String(port), NO_COLOR: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const link = await linkOf(server.stdout);
  const context = await browser.newContext({ viewport: DESK, timezoneId: 'Europe/Berlin', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(link);
  await ready(page);
  const { csrf, tenant } = await demoTenant(page);
  await page.evaluate(`sessionStorage.setItem('usance.tenant', ${JSON.stringify(tenant)})`);
  const send = sender(page, tenant, csrf);
  await filled(send);
  await addWhatIsMissing(send);
  const addresses = await addressesOf(send);
  const names = Object.keys(PAGES) as PageName[];
  rmSync(FOLDER, { recursive: true, force: true });
  for (const look of LOOKS) mkdirSync(join(FOLDER, look), { recursive: true });
  let bytes = 0;
  for (const name of names) {
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(url + addresses[name]);
    await ready(page);
    // Until the time of the tenant is known, dates are shown.
    await page.waitForSelector('.test-time time');
    for (const look of LOOKS) {
      await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' });
      await page.setViewportSize(look === 'phone' ? PHONE : DESK);
      bytes += await shoot(page, join(FOLDER, look, `${name}.webp`));
    }
    process.stdout.write(`${name}\n`);
  }
  writeFileSync(join(FOLDER, 'README.md'), indexOf(names));
  process.stdout.write(`${names.length * LOOKS.length} pictures, ${bytes} bytes\n`);
  if (bytes > MOST_BYTES) throw new Error(`the pictures have ${bytes} bytes, more than ${MOST_BYTES}`);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(dataFolder, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** The first screen has a link that signs in to both tenants. */
async function linkOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk.toString();
    const found = /https?:\/\/\S+#link=\S+/.exec(text);
    if (found) {
      server.stdout.resume();
      return found[0];
    }
  }
  throw new Error(`usance dev ended without a link:\n${text}`);
}

async function ready(page: Page): Promise<void> {
  await page.waitForSelector('main h1');
  await page.waitForSelector('main .loading, .splash', { state: 'detached' });
}

/** Each tenant of a session has its own token for changes. */
async function demoTenant(page: Page): Promise<{ readonly csrf: string; readonly tenant: string }> {
  const answer = await page.request.get(`${url}/session`, { headers: { 'usance-tenant': 'demo-world' } });
  if (!answer.ok()) throw new Error('the link does not open demo-world');
  const { csrf, tenant } = (await answer.json()) as { readonly csrf: string; readonly tenant: { readonly id: string } };
  return { csrf, tenant: tenant.id };
}

export type Send = (request: string, body?: object) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Calls the API with the session of the page, in the demo world. */
function sender(page: Page, tenant: string, csrf: string): Send {
  let number = 0;
  return async (request, body) => {
    const [method = 'GET', path = ''] = request.split(' ');
    const answer = await page.request.fetch(`${url}/v1${path}`, {
      method,
      headers: {
        'usance-tenant': tenant,
        'x-usance-csrf': csrf,
        'idempotency-key': `screenshots-${(number += 1)}`,
      },
      ...(body === undefined ? {} : { data: body }),
    });
    return { status: answer.status(), body: await answer.json() };
  };
}

/** The fill opens this account last. */
async function filled(send: Send): Promise<void> {
  for (;;) {
    if ((await send('GET /accounts/zoe')).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** As WebP, which only the protocol of the browser can do. Returns its size. */
async function shoot(page: Page, path: string): Promise<number> {
  // The charts are painted again for another width or other colours.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150))))',
  );
  const protocol = await page.context().newCDPSession(page);
  const { data } = await protocol.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await protocol.detach();
  writeFileSync(path, Buffer.from(data, 'base64'));
  return statSync(path).size;
}

function indexOf(names: readonly PageName[]): string {
  const title = (name: string): string => name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  const rows = names.map(
    (name) =>
      `| ${title(name)}<br>\`${PAGES[name].path}\` | ${LOOKS.map((look) => `![${title(name)}, ${look}](${look}/${name}.webp)`).join(' | ')} |`,
  );
  return [
    '# Screenshots',
    'Every page of the dashboard with the data of the demo world, light, dark and on a phone. Written by `npm run screenshots`.',
    '',
    '| page | light | dark | phone |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
