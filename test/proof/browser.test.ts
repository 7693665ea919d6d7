// In a real browser: the client from a page of another origin, and the reference page.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as Client from '../../src/client/index.ts';
import { createApi } from '../../src/api/index.ts';
import { open } from '../support/books.ts';
import { openChromium } from '../support/chromium.ts';
import { useUsance } from '../support/database.ts';
import { banner } from './banner.ts';

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client');
const KEY = 'a-key-for-a-page-in-a-real-browser';

const world = useUsance();
const browser: Browser | null = await openChromium();
const state = { api: '', page: '', stranger: '' };
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  banner('browser', { chromium: browser?.version() ?? 'none' });
  await open(world.tenant, { alice: 100_00, bob: 0 });
  await world.tenant.createApiKey({ name: 'page', role: 'admin', secret: KEY });
  state.page = await serve(pages());
  state.stranger = await serve(pages());
  const api = createApi(world.usance, { host: '127.0.0.1', port: 0, origins: [state.page] });
  ends.push(() => api.close());
  ({ url: state.api } = await api.listen());
  const sequencer = world.usance.loops.find(({ name }) => name === 'sequencer');
  sequencer?.start();
  ends.push(async () => sequencer?.stop());
});
afterAll(async () => {
  await browser?.close();
  for (const end of ends) await end();
});

const PAGE = `<!doctype html><script type="module">
  import * as usance from '/client/index.ts';
  globalThis.usance = usance;
</script>`;

/** An application's own page, and the client's modules without their types. */
function pages(): Server {
  return createServer(({ url = '/' }, response) => {
    const [, name] = /^\/client\/([a-z-]+\.ts)$/.exec(url) ?? [];
    const body = name === undefined ? PAGE : stripTypeScriptTypes(readFileSync(join(CLIENT, name), 'utf8'));
    response.setHeader('content-type', name === undefined ? 'text/html' : 'text/javascript').end(body);
  });
}

function serve(server: Server): Promise<string> {
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function visit(url: string): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
  if (!browser) throw new Error('there is no browser');
  const page = await browser.newPage();
  const [asked, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, asked, complaints };
}

/** How far the page scrolls sideways, and the elements that cause it. */
const BEYOND_THE_PAGE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const isScrolled = (element) =>
    element !== null && (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || isScrolled(element.parentElement));
  const elements = [...document.body.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1 && !isScrolled(element));
  return { page: scrollWidth - clientWidth, elements: elements.slice(0, 5).map((element) => element.outerHTML.slice(0, 120)) };
})()`;

describe.skipIf(browser === null)('in a browser', () => {
  test('a page pays, lists, follows through a lost connection and reads why it was refused', async () => {
    const { page, complaints } = await visit(state.page);
    const seen = await page.evaluate(
      async ({ url, key }) => {
        const { createClient, UsanceProblem } = (globalThis as unknown as { usance: typeof Client }).usance;
        // The first stream breaks off after what came first.
        let streams = 0;
        const fetchOnce: typeof fetch = async (input, init) => {
          const response = await fetch(input, init);
          if (!response.url.includes('/events/stream') || (streams += 1) > 1 || !response.body) return response;
          const { value } = await response.body.getReader().read();
          return new Response(value, { headers: response.headers });
        };
        const usance = createClient({ url, key, retryDelayMs: 10, fetch: fetchOnce });
        const hold = await usance.holds.create({
          from: 'alice',
          to: 'bob',
          asset: 'USD/2',
          amount: '1000',
          delay: '48h',
        });
        await usance.holds.capture(hold.id, { amount: '250' });
        const listed: string[] = [];
        for await (const payment of usance.payments.list({ account: 'alice' })) listed.push(payment.captured);
        const told: string[] = [];
        for await (const event of usance.events.follow({ type: 'payment.*', after: 0 })) {
          told.push(event.type);
          if (event.type === 'payment.captured') break;
        }
        const refusal = await usance.holds
          .create({ from: 'alice', to: 'bob', asset: 'USD/2', amount: '999999999', delay: '48h' })
          .catch((error: unknown) => (error instanceof UsanceProblem ? error.code : String(error)));
        return { status: hold.status, listed, told, streams, refusal };
      },
      { url: state.api, key: KEY },
    );
    expect(seen).toEqual({
      status: 'scheduled',
      listed: ['250'],
      told: ['payment.created', 'payment.captured'],
      streams: 2,
      refusal: 'FUNDS_INSUFFICIENT',
    });
    // The browser's own line about the refusal.
    expect(complaints.filter((line) => !line.includes('409') && !line.includes('422'))).toEqual([]);
  });

  test('a page of another origin is told nothing', async () => {
    const { page } = await visit(state.stranger);
    const trouble = await page.evaluate(
      async ({ url, key }) => {
        const { createClient } = (globalThis as unknown as { usance: typeof Client }).usance;
        const usance = createClient({ url, key, retryDelayMs: 1 });
        return usance.accounts.get('alice').then(
          () => 'none',
          (error: Error) => error.constructor.name,
        );
      },
      { url: state.api, key: KEY },
    );
    expect(trouble).toBe('UsanceUnreachable');
  });

  test('the reference shows every route, with nothing from outside', async () => {
    const { page, asked, complaints } = await visit(`${state.api}/docs`);
    const document = (await (await fetch(`${state.api}/openapi.json`)).json()) as { paths: Record<string, object> };
    const text = (await page.textContent('body')) ?? '';
    expect(Object.keys(document.paths).filter((path) => !text.includes(path))).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(state.api))).toEqual([]);
    expect(complaints).toEqual([]);
    const shot = process.env['PROOF_SCREENSHOTS'];
    if (shot !== undefined) await page.screenshot({ path: join(shot, 'docs.png') });
  });

  // Phones of 320 to 430 CSS pixels; code scrolls inside its own box.
  test.each([320, 375, 430])('the reference fits a phone of %s pixels, closed and opened', async (width) => {
    const { page } = await visit(`${state.api}/docs`);
    await page.setViewportSize({ width, height: 800 });
    const beyond = (): Promise<unknown> => page.evaluate(BEYOND_THE_PAGE);
    expect(await beyond()).toEqual({ page: 0, elements: [] });
    await page.evaluate('for (const element of document.querySelectorAll("details")) element.open = true');
    expect(await beyond()).toEqual({ page: 0, elements: [] });
  });
});
