// Several windows that are visible at once: a browser opens six connections to a server, so the windows of one key and tenant share one event
// stream, and calls find a connection.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page, Request } from 'playwright-core';
import type { TenantHandle } from '../../src/engine.ts';
import { chromium, ready, useDashboard } from './dashboard.ts';

const WINDOWS = 8;
/** An event is seen at once, and pages read at most every three seconds. */
const SOON = { timeout: 20_000 };

const dashboard = useDashboard();
const { store } = dashboard;

beforeAll(async () => {
  if (chromium === null) return;
  for (const ref of ['alice', 'bob']) await store.send('POST /accounts', { body: { ref } });
  await store.send('POST /accounts/alice/deposit', { body: { amount: '1000000', asset: 'USD/2' } });
});

const hold = (reference: string): Promise<unknown> =>
  store.send('POST /holds', {
    body: { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '5h', reference },
  });

interface Windows {
  readonly pages: Page[];
  /** A further window that shows the list of payments. */
  add(): Promise<Page>;
  /** The streams that are open, each with its window. The browser does not say that the requests of a closed one have ended. */
  streams(): readonly (readonly [Request, Page])[];
}

/** Windows of one browser, which share its cookies and its connections. */
async function openWindows(count: number, script?: string): Promise<Windows> {
  const { page: first } = await dashboard.signedIn('viewer');
  const context = first.context();
  if (script !== undefined) await context.addInitScript(script);
  const open = new Map<Request, Page>();
  context.on('request', (request) => {
    if (request.url().includes('/v1/events/stream')) open.set(request, request.frame().page());
  });
  const ended = (request: Request): boolean => open.delete(request);
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);
  const pages: Page[] = [];
  const add = async (page?: Page): Promise<Page> => {
    const own = page ?? (await context.newPage());
    pages.push(own);
    await own.goto(`${store.url}/payments`);
    await ready(own);
    return own;
  };
  await add(first);
  for (let index = 1; index < count; index += 1) await add();
  return { pages, add: () => add(), streams: () => [...open].filter(([, page]) => !page.isClosed()) };
}

const isLive = (page: Page): Promise<unknown> => page.waitForSelector('.live.live', SOON);
const shows = (page: Page, reference: string): Promise<unknown> =>
  page.waitForSelector(`td:has-text("${reference}")`, SOON);
const leaderOf = ({ streams }: Windows): Page => {
  const [[, page] = []] = streams();
  if (!page) throw new Error('there is no stream');
  return page;
};
const hide = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

describe.skipIf(chromium === null)('eight visible windows of one person', () => {
  test('are all live with one stream, leave connections for calls, and go on when the window that has the stream is closed or hidden', async () => {
    const windows = await openWindows(WINDOWS);
    const { pages, streams } = windows;
    await Promise.all(pages.map(isLive));
    expect(streams()).toHaveLength(1);
    const statuses = await Promise.all(
      pages.map((page) => page.evaluate(`fetch('/v1/payments').then(({ status }) => status)`)),
    );
    expect(statuses).toEqual(pages.map(() => 200));
    await hold('for-all');
    await Promise.all(pages.map((page) => shows(page, 'for-all')));

    // The event happens while the stream changes hands.
    const closed = leaderOf(windows);
    await Promise.all([hold('while-closing'), closed.close()]);
    const left = pages.filter((page) => page !== closed);
    await Promise.all(left.map((page) => shows(page, 'while-closing')));
    await expect.poll(() => streams().length).toBe(1);

    const hidden = leaderOf(windows);
    await hide(hidden, true);
    await expect.poll(() => streams().length === 1 && leaderOf(windows) !== hidden).toBe(true);
    await hold('while-hidden');
    const visible = left.filter((page) => page !== hidden);
    await Promise.all(visible.map((page) => shows(page, 'while-hidden')));
    expect(await hidden.locator('td:has-text("while-hidden")').count()).toBe(0);
    await hide(hidden, false);
    await shows(hidden, 'while-hidden');
    await Promise.all(left.map(isLive));
    expect(streams()).toHaveLength(1);
  }, 120_000);

  test('read again what they show while the stream cannot be opened, and are live again after it', async () => {
    const windows = await openWindows(3);
    const { pages } = windows;
    await Promise.all(pages.map(isLive));
    const context = pages[0]?.context();
    await context?.route('**/v1/events/stream**', (route) => route.abort());
    const leader = leaderOf(windows);
    await leader.close();
    const left = pages.filter((page) => page !== leader);
    for (const page of left) await page.waitForSelector('.live.polling', SOON);
    await hold('polled');
    await Promise.all(left.map((page) => shows(page, 'polled')));
    await context?.unroute('**/v1/events/stream**');
    await Promise.all(left.map((page) => page.waitForSelector('.live.live', { timeout: 40_000 })));
  }, 120_000);
});

describe.skipIf(chromium === null)('windows', () => {
  test('of two tenants have a stream each', async () => {
    const other: TenantHandle = await store.usance.createTenant({ name: 'second' });
    const windows = await openWindows(1);
    const [first] = windows.pages;
    if (!first) throw new Error('there is no window');
    await isLive(first);
    const { secret } = await other.createApiKey({ name: 'second', role: 'viewer' });
    await first.request.post(`${store.url}/session`, { data: { key: secret } });
    const second = await windows.add();
    await second.selectOption('.tenant select', { label: 'second' });
    await second.waitForSelector('td, .empty');
    await isLive(second);
    await expect.poll(() => windows.streams().length).toBe(2);
    const tenants = await Promise.all(windows.streams().map(([stream]) => stream.headerValue('usance-tenant')));
    expect(new Set(tenants).size).toBe(2);
  });

  test('of a browser without locks, as over http in a network, have a stream each', async () => {
    const { pages, streams } = await openWindows(
      2,
      `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`,
    );
    await Promise.all(pages.map(isLive));
    expect(streams()).toHaveLength(2);
    await hold('without-locks');
    await Promise.all(pages.map((page) => shows(page, 'without-locks')));
  });
});
