// The dashboard in a real browser: its build, served by the API over a fresh database, and people who sign in with keys of their roles.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import type { TestApi } from '../api/api.ts';
import { useApi } from '../api/api.ts';
import { openChromium } from '../support/chromium.ts';
import { DELIVERING } from '../support/webhooks.ts';

export type Role = 'viewer' | 'operator' | 'admin';

export interface Visitor {
  readonly page: Page;
  /** Opens a path of the dashboard and waits for its heading and its reads. */
  open(path: string): Promise<void>;
  /** Goes to a page inside the application, as a link does. */
  go(path: string, name: string): Promise<void>;
  /** What the browser complained about, and requests to other hosts. */
  complaints(): readonly string[];
}

export interface Dashboard {
  readonly store: TestApi;
  readonly browser: Browser | null;
  /** A page that is signed in. The key, and with it the person, is new. */
  signedIn(role: Role, size?: { readonly width: number; readonly height: number }): Promise<Visitor>;
  /** A page that is not. */
  visitor(size?: { readonly width: number; readonly height: number }): Promise<Visitor>;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WEB = join(import.meta.dirname, '../../web');

/** Built once for all files of a worker. */
let built: Promise<string> | undefined;

async function buildSite(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'usance-site-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({ root: WEB, configFile: join(WEB, 'vite.config.ts'), logLevel: 'error', build: { outDir } });
  return outDir;
}

/** The browser of the file: null where none can be had. */
export const chromium: Browser | null = await openChromium();
/** The one in use: a file closes its browser, and the next file of a worker opens another. */
let inUse = chromium;

let people = 0;

export function useDashboard(): Dashboard {
  const site = mkdtempSync(join(tmpdir(), 'usance-dashboard-'));
  const store = useApi({
    usance: { ...DELIVERING, chains: { sandbox: true } },
    api: { site, rateLimits: { signIns: 0 } },
  });
  beforeAll(async () => {
    if (chromium === null) return;
    if (inUse?.isConnected() !== true) inUse = await openChromium();
    built ??= buildSite();
    cpSync(await built, site, { recursive: true });
    store.usance.loops.find(({ name }) => name === 'sequencer')?.start();
  });
  afterAll(async () => {
    await inUse?.close();
    await store.usance.loops.find(({ name }) => name === 'sequencer')?.stop();
    rmSync(site, { recursive: true, force: true });
  });
  const visitor = async (size = { width: 1_440, height: 900 }): Promise<Visitor> => {
    if (inUse === null) throw new Error('there is no browser');
    const context = await inUse.newContext({ viewport: size, timezoneId: 'Europe/Berlin', locale: 'en-GB' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(store.url))
        complaints.push(`asked ${request.url()}`);
    });
    return {
      page,
      complaints: () => complaints,
      go: async (path, name) => {
        await page.evaluate(
          `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
        );
        await page.waitForSelector(`[data-page="${name}"] h1`);
        await ready(page);
      },
      open: async (path) => {
        await page.goto(store.url + path);
        await ready(page);
      },
    };
  };
  return {
    store,
    get browser() {
      return inUse;
    },
    visitor,
    signedIn: async (role, size) => {
      const person = `person-${(people += 1)}@example.com`;
      const { secret } = await store.tenant.createApiKey({ name: `${role} ${people}`, role, person });
      const guest = await visitor(size);
      const answer = await guest.page.request.post(`${store.url}/session`, { data: { key: secret } });
      expect(answer.status()).toBe(201);
      return guest;
    },
  };
}

/** Every read of the page has been answered. */
export async function ready(page: Page): Promise<void> {
  await page.waitForSelector('main h1');
  await page.waitForSelector('main .loading, .splash', { state: 'detached' });
}

/** Violations of WCAG 2.1 AA and of good practice, as short texts. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
  return found as string[];
}

/** How far the page scrolls sideways. */
export const beyond = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
