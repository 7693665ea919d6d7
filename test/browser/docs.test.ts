// The API reference in a real browser: search, samples, deep links, and trying an operation with a session, with a key and without either.
import { beforeAll, describe, expect, test } from 'vitest';
import { open } from '../support/books.ts';
import { beyond, chromium, useDashboard, violations } from './dashboard.ts';
import type { Visitor } from './dashboard.ts';

const dashboard = useDashboard();
const { store } = dashboard;
const PHONE = { width: 390, height: 844 };

beforeAll(async () => {
  if (chromium !== null) await open(store.tenant, { alice: 5_000n });
});

async function openDocs(visitor: Visitor, path = '/docs'): Promise<void> {
  await visitor.page.goto(store.url + path);
  await visitor.page.waitForSelector('body[data-samples]');
}

const visible = (visitor: Visitor, selector: string): Promise<number> =>
  visitor.page.locator(`${selector}:visible`).count();

describe.skipIf(chromium === null)('the API reference', () => {
  test.each([
    ['wide and light', { width: 1_440, height: 900 }, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)(
    'is accessible, %s, and asks nothing of other hosts',
    async (_name, size, colorScheme) => {
      const guest = await dashboard.visitor(size);
      await guest.page.emulateMedia({ colorScheme });
      await openDocs(guest);
      // The whole page takes axe minutes: one resource, the basics and a few codes have every kind of part.
      await guest.page.evaluate(`for (const group of document.querySelectorAll('main .group')) {
      const kept = group.querySelector('#basics, [id="tag-holds"], #headers, #errors');
      if (!kept) group.remove();
    }
    for (const one of [...document.querySelectorAll('#errors ~ article')].slice(5)) one.remove();
    for (const link of document.querySelectorAll('a[href^="#"]')) if (!document.getElementById(link.hash.slice(1))) link.removeAttribute('href');`);
      expect(await violations(guest.page)).toEqual([]);
      expect(await beyond(guest.page)).toBe(0);
      expect(guest.complaints()).toEqual([]);
    },
    120_000,
  );

  test('finds operations by fields and codes, and a code by its name', async () => {
    const guest = await dashboard.visitor();
    await openDocs(guest);
    await guest.page.keyboard.press('/');
    await guest.page.keyboard.type('legs');
    expect(await visible(guest, 'nav a[href="#payments.create"]')).toBe(1);
    expect(await visible(guest, 'nav a[href="#apiKeys.create"]')).toBe(0);
    expect(await guest.page.innerText('#found')).toMatch(/^\d+ matches; Enter opens the first\.$/);
    await guest.page.fill('#filter', 'HOLD_NOT_CANCELLABLE');
    expect(await visible(guest, 'nav a[href="#HOLD_NOT_CANCELLABLE"]')).toBeLessThan(2);
    await guest.page.fill('#filter', 'nosuchword');
    expect(await guest.page.innerText('#found')).toBe('Nothing matches.');
    await guest.page.keyboard.press('Escape');
    expect(await visible(guest, 'nav a[href="#apiKeys.create"]')).toBe(1);
    expect(guest.complaints()).toEqual([]);
  });

  test('a search has the part of that name first, and Enter opens it', async () => {
    const guest = await dashboard.visitor();
    await openDocs(guest);
    for (const [query, id] of [
      ['create a quote', 'quotes.create'],
      ['accept a quote', 'quotes.accept'],
      ['create a payout', 'paymentIntents.create'],
      ['GET /v1/quotes', 'quotes.list'],
      ['payment.settled', 'payment.settled'],
      ['payment.manual_review', 'payment.manual_review'],
      ['funds insufficient', 'FUNDS_INSUFFICIENT'],
      ['verifyWebhook', 'webhooks'],
    ] as const) {
      await guest.page.fill('#filter', query);
      expect(await guest.page.getAttribute('#results li:first-child a', 'href')).toBe(`#${id}`);
      await guest.page.press('#filter', 'Enter');
      expect(decodeURIComponent(new URL(guest.page.url()).hash)).toBe(`#${id}`);
      expect(await visible(guest, `[id="${id}"]`)).toBe(1);
    }
  });

  test('searches the sentences of descriptions and codes last, and takes a space for an underscore', async () => {
    const guest = await dashboard.visitor();
    await openDocs(guest);
    const found = async (query: string): Promise<string[]> => {
      await guest.page.fill('#filter', query);
      return guest.page
        .locator('#results a')
        .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))));
    };
    expect(await found('loopback')).toContain('#URL_REFUSED');
    expect(await found('below minimum')).toEqual(await found('below_minimum'));
    expect(await found('below minimum')).not.toEqual([]);
    // A title that has the words comes before sentences that have them.
    expect((await found('dead letter'))[0]).toMatch(/^#(deadLetters|DEAD_LETTER)/);
  });

  test('a deep link leads to a type of event, by its name and by that of its schema', async () => {
    const guest = await dashboard.visitor();
    await openDocs(guest, '/docs#payment.settled');
    expect(await guest.page.innerText('article:target h3')).toContain('payment.settled');
    await openDocs(guest, '/docs#schema-PaymentSettledEvent');
    expect(await guest.page.innerText('article:has(:target) h3')).toContain('payment.settled');
  });

  test('a deep link leads to a code, also when a search has hidden it', async () => {
    const guest = await dashboard.visitor();
    await openDocs(guest, '/docs#FUNDS_INSUFFICIENT');
    expect(await guest.page.innerText('article:target h3')).toContain('FUNDS_INSUFFICIENT');
    await guest.page.fill('#filter', 'apikeys');
    expect(await visible(guest, '[id="FUNDS_INSUFFICIENT"]')).toBe(0);
    await guest.page.evaluate('location.hash = "#ACCOUNT_NOT_FOUND"');
    await guest.page.waitForSelector('[id="ACCOUNT_NOT_FOUND"]:visible');
    // The refusals of an operation lead to their codes.
    expect(await guest.page.locator('[id="holds.create"] a[href="#FUNDS_INSUFFICIENT"]').count()).toBe(1);
  });

  test('shows the sample of one language, with the address of the server, and copies it', async () => {
    const guest = await dashboard.visitor();
    await guest.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openDocs(guest);
    const article = '[id="holds.create"]';
    expect(await visible(guest, `${article} figure[data-sample]`)).toBe(1);
    await guest.page.click(`${article} figure[data-sample=curl] button[data-language=client]`);
    await guest.page.click(`${article} figure[data-sample=client] button[data-copy]`);
    await guest.page.waitForSelector(`${article} button:has-text("Copied")`);
    const copied = String(await guest.page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain('client.holds.create({');
    expect(copied).toContain(`url: '${store.url}'`);
    await guest.page.click(`${article} figure[data-sample=client] button[data-language=library]`);
    expect(await guest.page.innerText(`${article} figure[data-sample=library]`)).toContain('shop.holds.create({');
  });

  test('tries an operation with the session: first as a dry run, then for good', async () => {
    const admin = await dashboard.signedIn('admin');
    await openDocs(admin);
    const article = '[id="accounts.deposit"]';
    await admin.page.click(`${article} figure[data-sample=curl] button[data-try]`);
    const form = `${article} form`;
    await admin.page.fill(`${form} label:has-text("id") input`, 'alice');
    await admin.page.fill(`${form} textarea`, '{"amount": "700", "asset": "USD/2"}');
    await admin.page.click(`${form} button[type=submit]`);
    await admin.page.waitForSelector(`${form} [role=status]:has-text(": 200 in")`);
    expect(await admin.page.innerText(`${form} pre`)).toContain('"dry_run": true');
    const available = async (): Promise<string> =>
      (await store.send('GET /accounts/alice')).word('balances.0.available');
    expect(await available()).toBe('5000');
    await admin.page.uncheck(`${form} input[type=checkbox]`);
    await admin.page.click(`${form} button[type=submit]`);
    await admin.page.waitForSelector(`${form} [role=status]:has-text(": 201 in")`);
    expect(await available()).toBe('5700');
    expect(admin.complaints()).toEqual([]);
  });

  test('tries it with a pasted key, which is stored nowhere, and links the code of a refusal', async () => {
    const guest = await dashboard.visitor();
    await openDocs(guest);
    const { secret } = await store.tenant.createApiKey({ name: 'pasted', role: 'viewer' });
    const article = '[id="accounts.get"]';
    await guest.page.click(`${article} figure[data-sample=curl] button[data-try]`);
    const form = `${article} form`;
    await guest.page.waitForSelector(form);
    await guest.page.fill(`${form} input[type=password]`, secret);
    await guest.page.fill(`${form} label:has-text("id") input`, 'alice');
    await guest.page.click(`${form} button[type=submit]`);
    await guest.page.waitForSelector(`${form} [role=status]:has-text(": 200 in")`);
    expect(await guest.page.innerText(`${form} pre`)).toContain('"ref": "alice"');
    await guest.page.fill(`${form} label:has-text("id") input`, 'nobody-here');
    await guest.page.click(`${form} button[type=submit]`);
    await guest.page.waitForSelector(`${form} [role=status] a[href="#ACCOUNT_NOT_FOUND"]`);
    const kept = await guest.page.evaluate(
      'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])',
    );
    expect(kept).not.toContain(secret);
    await guest.page.reload();
    await guest.page.click(`${article} figure[data-sample=curl] button[data-try]`);
    expect(await guest.page.inputValue(`${form} input[type=password]`)).toBe('');
  });
});
