// The dashboard in a real browser: every page as an admin, and what the roles see and do.
import { beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../web/src/app/page-list.ts';
import type { PageName } from '../../web/src/app/page-list.ts';
import { beyond, chromium, ready, useDashboard, violations } from './dashboard.ts';
import type { Visitor } from './dashboard.ts';
import type { World } from './world.ts';
import { EMPTY_WORLD, addressOf, fillWorld } from './world.ts';

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1_280, height: 800 };
const DESK = { width: 1_440, height: 900 };
const dashboard = useDashboard();
const { store } = dashboard;
const world: { now: World } = { now: EMPTY_WORLD };

beforeAll(async () => {
  if (chromium !== null) world.now = await fillWorld(store);
});

const text = (visitor: Visitor, selector = 'main'): Promise<string> => visitor.page.innerText(selector);
const actionsOf = async ({ page }: Visitor): Promise<(string | null)[]> =>
  Promise.all((await page.locator('[data-action]').all()).map((button) => button.getAttribute('data-action')));

/** Rows that open a page without a link to it: a new tab, or a reader of links, has nothing to open. */
const rowsWithoutLink = ({ page }: Visitor): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('tr[data-opens]')].filter((row) => !row.querySelector('a[href="' + row.dataset.opens + '"]')).map((row) => row.innerText)`,
  );

/** Tables that are wider than their place. */
const cutTables = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('.scrolls')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.querySelector('caption').textContent)`,
  );

describe.skipIf(chromium === null)('the dashboard', () => {
  test('a page without its resource says so, and names the call that would fill it', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open('/payments/pay_00000000000000000000000000');
    expect(await text(viewer)).toMatch(/The call was GET \/v1\/payments\/\{id\}/);
    await viewer.open('/nowhere');
    expect(await text(viewer)).toContain('Nothing is at /nowhere.');
  });

  test('every page is accessible, links its rows, fits a laptop and a phone, asks no other host and complains of nothing', async () => {
    const admin = await dashboard.signedIn('admin');
    await admin.open('/');
    const cut: unknown[] = [];
    for (const name of Object.keys(PAGES) as PageName[]) {
      await admin.go(addressOf(name, world.now), name);
      expect(await admin.page.locator(`[data-page="${name}"] h1`).innerText(), name).not.toBe('');
      expect({ name, found: await violations(admin.page) }).toEqual({ name, found: [] });
      expect({ name, rows: await rowsWithoutLink(admin) }).toEqual({ name, rows: [] });
      await admin.page.setViewportSize(LAPTOP);
      cut.push(...(await cutTables(admin)).map((table) => `${name}: ${table}`));
      await admin.page.setViewportSize(PHONE);
      expect({ name, sideways: await beyond(admin.page) }).toEqual({ name, sideways: 0 });
      await admin.page.setViewportSize(DESK);
    }
    expect(cut).toEqual([]);
    expect(admin.complaints()).toEqual([]);
  }, 300_000);

  test('dark pages on a phone are accessible too', async () => {
    const admin = await dashboard.signedIn('admin', PHONE);
    await admin.page.emulateMedia({ colorScheme: 'dark' });
    await admin.open('/');
    for (const name of ['overview', 'payment', 'newSchedule', 'account'] as const) {
      await admin.go(addressOf(name, world.now), name);
      expect({ name, found: await violations(admin.page) }).toEqual({ name, found: [] });
    }
  }, 120_000);

  test('a key signs in, a wrong one is refused in words, and a sign-out ends it', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'desk', role: 'viewer' });
    const guest = await dashboard.visitor();
    await guest.open('/payments');
    expect(await violations(guest.page)).toEqual([]);
    await guest.page.fill('input[name=key]', 'usk_no-such-key-no-such-key-no-such-key');
    await guest.page.click('button[type=submit]');
    await guest.page.waitForSelector('#sign-in-error');
    await guest.page.fill('input[name=key]', secret);
    await guest.page.click('button[type=submit]');
    await guest.page.waitForSelector('[data-page=payments]');
    await guest.page.click('[aria-label="Sign out"]');
    await guest.page.click('dialog button:text-is("Sign out")');
    await guest.page.waitForSelector('input[name=key]');
    await guest.open('/payments');
    expect(await guest.page.locator('input[name=key]').count()).toBe(1);
  });

  test('a viewer sees, an operator acts and an admin configures; the server refuses the rest', async () => {
    const [viewer, operator, admin] = await Promise.all([
      dashboard.signedIn('viewer'),
      dashboard.signedIn('operator'),
      dashboard.signedIn('admin'),
    ]);
    const page = addressOf('payment', world.now);
    for (const visitor of [viewer, operator, admin]) await visitor.open(page);
    expect(await actionsOf(viewer)).toEqual([]);
    expect(await actionsOf(operator)).toContain('payments.cancel');
    for (const visitor of [viewer, operator]) {
      await visitor.open('/settings/keys');
      expect(await text(visitor)).toContain('Not for this key');
      await visitor.open('/settings/limits');
      expect(await actionsOf(visitor)).not.toContain('limits.set');
    }
    await admin.open('/settings/limits');
    expect(await actionsOf(admin)).toContain('limits.set');
    // The page only hides: a request by hand is refused.
    const { csrf } = (await (await viewer.page.request.get(`${store.url}/session`)).json()) as { csrf: string };
    const answer = await viewer.page.request.post(`${store.url}/v1/payments/${world.now.payment}/cancel`, {
      headers: { 'x-usance-csrf': csrf, 'idempotency-key': 'by-hand' },
      data: { reason: 'by hand' },
    });
    expect([answer.status(), ((await answer.json()) as { code: string }).code]).toEqual([403, 'AUTH_SCOPE_MISSING']);
  });

  test('a payment says in words who was told of it: each webhook, and each job', async () => {
    const [hold] = (await store.send('GET /payments?reference=delivered-1')).list('data') as { id: string }[];
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open(`/payments/${hold?.id}`);
    const sent = viewer.page.locator('table:has(caption:text-is("Webhooks of this payment")) tbody tr');
    expect(await sent.count()).toBe(1);
    expect(await sent.innerText()).toMatch(/payment\.created[^]*127\.0\.0\.1:59999\/hooks[^]*attempt/i);
    await sent.locator('td').last().click();
    await viewer.page.waitForSelector('[data-page=delivery] h1');
    await viewer.page.route(`${store.url}/v1/deliveries**`, (route) =>
      route.fulfill({ json: { data: [], next_cursor: null } }),
    );
    await viewer.open(`/payments/${world.now.awaiting}`);
    await viewer.page.waitForSelector('main :text("No webhook endpoint gets the events of this payment.")');
  });

  test('a cancel shows the money first, wants a reason, and is refused once the payment has changed', async () => {
    const hold = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '4200', delay: '3h' };
    const { body } = await store.send('POST /holds', { body: hold });
    const { id } = body as { id: string };
    const operator = await dashboard.signedIn('operator');
    await operator.open(`/payments/${id}`);
    expect(await text(operator, '.why')).toMatch(/The payment runs at \d/);
    await operator.page.click('[data-action="payments.cancel"]');
    await operator.page.waitForSelector('.preview.ready');
    expect(await text(operator, '.preview')).toMatch(/42\.00\s*USD is released to alice/);
    expect(await violations(operator.page)).toEqual([]);
    const confirm = operator.page.locator('dialog button[type=submit]');
    expect(await confirm.isDisabled()).toBe(true);
    await operator.page.fill('dialog input[name=reason]', 'the customer called');
    // Meanwhile somebody else edits it.
    await store.send(`PATCH /payments/${id}`, { body: { amount: '4300' } });
    await confirm.click();
    await operator.page.waitForSelector('dialog .note.bad');
    expect(await text(operator, 'dialog .note.bad')).toContain(
      'It has changed since you read it, and nothing was done.',
    );
    expect((await store.send(`GET /payments/${id}`)).get('status')).toBe('scheduled');
    await operator.page.click('dialog .note.bad button');
    await operator.open(`/payments/${id}`);
    await operator.page.click('[data-action="payments.cancel"]');
    await operator.page.fill('dialog input[name=reason]', 'the customer called');
    await operator.page.waitForSelector('.preview.ready');
    await confirm.click();
    await operator.page.waitForSelector('h1 .state:has-text("cancelled")');
    expect(await text(operator, '.timeline')).toContain('Cancelled');
    expect((await store.send(`GET /payments/${id}`)).get('status')).toBe('cancelled');
  });

  test('an action whose operation has no reason asks for one, records it, and shows it to operators', async () => {
    const hold = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '700', delay: '3h' };
    const id = (await store.send('POST /holds', { body: hold })).word('id');
    const operator = await dashboard.signedIn('operator');
    await operator.open(`/payments/${id}`);
    const { page } = operator;
    await page.click('.actions [data-action="payments.capture"]');
    await page.fill('dialog input[name=amount]', '3.00');
    await page.waitForSelector('.preview.ready');
    const confirm = page.locator('dialog button[type=submit]');
    expect(await confirm.isDisabled()).toBe(true);
    await page.fill('dialog input[name=reason]', 'Zoë took 3 of 7 🎁, 43 % of it');
    await confirm.click();
    await page.waitForSelector('.timeline:has-text("Zoë took 3 of 7 🎁, 43 % of it")');
    const { body } = await store.send(`GET /audit-events?resource_id=${id}`);
    expect(body).toMatchObject({
      data: [
        { action: 'PAYMENT_CAPTURED', reason: 'Zoë took 3 of 7 🎁, 43 % of it' },
        { action: 'PAYMENT_CREATED', reason: null },
      ],
    });
    await operator.open(`/audit?resourceId=${id}`);
    expect(await text(operator)).toContain('43 % of it');
    await page.click('td button:has-text("Payment captured")');
    expect(await text(operator, 'dialog')).toContain('Zoë took 3 of 7');
    expect(await violations(page)).toEqual([]);
  });

  test('a dead letter names the account that it is about, and shows its whole cause on a phone', async () => {
    const { page, open } = await dashboard.signedIn('operator', PHONE);
    await open('/dead-letters');
    const cause = page.locator('td[data-head="Why"] >> nth=0');
    await cause.locator('a:text-is("poor")').waitFor();
    expect(await cause.innerText()).toMatch(/poor has 0\.00 USD available; 25\.00 USD is required/);
    expect(
      await cause.evaluate((cell) => [...cell.children].every((one) => one.scrollHeight <= one.clientHeight)),
    ).toBe(true);
  });

  test('the tab of the page is in view on a phone', async () => {
    const { page, open } = await dashboard.signedIn('admin', PHONE);
    await open('/settings/loops');
    const box = await page.locator('.tabs a[aria-current=page]').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  });

  test('a second person approves from the inbox', async () => {
    const operator = await dashboard.signedIn('operator');
    await operator.open('/approvals');
    expect(await text(operator)).toContain('900.00');
    await operator.page.click(`a[href="/payments/${world.now.awaiting}"]`);
    await operator.page.waitForSelector('[data-page=payment] .why');
    await operator.page.click('.actions [data-action="payments.approve"]');
    await operator.page.waitForSelector('.preview.ready');
    await operator.page.fill('dialog input[name=reason]', 'invoice 7 was checked');
    await operator.page.click('dialog button[type=submit]');
    await operator.page.waitForSelector('dialog', { state: 'detached' });
    expect((await store.send(`GET /payments/${world.now.awaiting}`)).get('approval')).toBe('given');
  });

  test('ticked dead letters are retried with a reason and progress', async () => {
    const operator = await dashboard.signedIn('operator');
    await operator.open(addressOf('deadLetters', world.now));
    await operator.page.click('[aria-label="Select every row"]');
    await operator.page.click('.panel:has([aria-label="Select every row"]) [data-action="deadLetters.retryMany"]');
    expect(await text(operator, 'dialog')).toMatch(/2 letters, 50\.00\s*USD/);
    await operator.page.fill('dialog input[name=reason]', 'the account was topped up');
    await operator.page.click('dialog button[type=submit]');
    await operator.page.waitForSelector('dialog [role=status]:has-text("2 retried of 2.")');
    expect((await store.send('GET /dead-letters')).list('data')).toEqual([]);
  });

  test('a payout in review is resolved with a reason, after the chain was asked, by a key that may move money out of the ledger', async () => {
    const { payout } = world.now;
    const operator = await dashboard.signedIn('operator');
    await operator.open('/payouts');
    expect(await actionsOf(operator)).not.toContain('payments.resolve');
    const admin = await dashboard.signedIn('admin');
    const { page } = admin;
    await admin.open('/payouts');
    expect(await text(admin)).toMatch(/1\.000000\s*USDC/);
    await page.click('[data-action="payments.resolve"]');
    await page.waitForSelector('dialog .chain-says .mono');
    expect(await text(admin, 'dialog .chain-says')).toMatch(/sandbox/);
    expect(await text(admin, 'dialog .field:has(input[name=transactionId]) label')).toContain('optional');
    await page.selectOption('dialog select[name=outcome]', 'paid');
    expect(await text(admin, 'dialog .field:has(input[name=transactionId]) label')).toBe('Transaction');
    expect(await page.getAttribute('dialog input[name=transactionId]', 'required')).not.toBeNull();
    expect(await text(admin, 'dialog .preview')).toContain('Enter the transaction that paid it.');
    const transaction = await text(admin, 'dialog .chain-says .mono');
    await page.fill('dialog input[name=transactionId]', transaction.trim());
    // The chain does not have it: the dry run says so, and the button stays shut.
    await page.waitForSelector('.preview.refused');
    expect(await text(admin, '.preview')).toContain('PAYOUT_RESOLUTION_REFUSED');
    await page.fill('dialog input[name=reason]', 'neither explorer has it');
    expect(await page.locator('dialog button[type=submit]').isDisabled()).toBe(true);
    await page.selectOption('dialog select[name=outcome]', 'dead');
    await page.waitForSelector('.preview.ready');
    expect(await violations(page)).toEqual([]);
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect((await store.send(`GET /payments/${payout}`)).get('status')).not.toBe('review');
    await admin.open(`/payments/${payout}`);
    expect(await text(admin)).toContain('can never land');
  });

  test('a frozen wallet signs again with a reason; a viewer is not asked', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open('/treasury');
    expect(await text(viewer)).toContain('planted by the test');
    const rows = viewer.page.locator('tr:has(td[data-head="Books expect"] .number)');
    expect(await rows.count()).toBeGreaterThan(0);
    for (const row of await rows.all()) {
      const units = async (head: string): Promise<bigint> =>
        BigInt((await row.locator(`td[data-head="${head}"]`).innerText()).replaceAll(/[.,]/g, '').replace('−', '-'));
      expect((await units('Available')) + (await units('Reserved')) + (await units('Under way'))).toBe(
        await units('Books expect'),
      );
    }
    expect(await actionsOf(viewer)).toEqual([]);
    const { csrf } = (await (await viewer.page.request.get(`${store.url}/session`)).json()) as { csrf: string };
    const refused = await viewer.page.request.post(`${store.url}/v1/treasury-wallets/sandbox/unfreeze`, {
      headers: { 'x-usance-csrf': csrf, 'idempotency-key': 'by-hand-too' },
      data: { reason: 'by hand' },
    });
    expect(refused.status()).toBe(403);
    const operator = await dashboard.signedIn('operator');
    await operator.open('/treasury');
    await operator.page.click('[data-action="treasuryWallets.unfreeze"]');
    // Booking money needs the scope ledger:money, which an operator has not.
    expect(await operator.page.locator('dialog input[name=bookDifference]').count()).toBe(0);
    await operator.page.fill('dialog input[name=reason]', 'counted by hand');
    await operator.page.waitForSelector('.preview.ready');
    await operator.page.click('dialog button[type=submit]');
    await operator.page.waitForSelector('.state:has-text("active")');
    const { body } = await store.send('GET /treasury-wallets');
    expect(body).toMatchObject({ data: [{ chain: 'sandbox', frozen_at: null }] });
  });

  test('a quote is accepted after its postings were seen, by a key that may move money out of the ledger', async () => {
    const [operator, admin] = [await dashboard.signedIn('operator'), await dashboard.signedIn('admin')];
    await operator.open(addressOf('quote', world.now));
    expect(await actionsOf(operator)).toEqual([]);
    await admin.open(addressOf('quote', world.now));
    expect(await text(admin)).toContain('Chosen: sandbox');
    await admin.page.click('[data-action="quotes.accept"]');
    await admin.page.fill('dialog input[name=from]', 'alice');
    await admin.page.fill('dialog input[name=reason]', 'the invoice of May');
    await admin.page.waitForSelector('.preview.ready');
    expect(await text(admin, '.preview')).toMatch(/2\.500000\s*USDC is reserved on alice/);
    await admin.page.click('dialog button[type=submit]');
    await admin.page.waitForSelector('[data-page=payment] .why');
    expect((await store.send(`GET /quotes/${world.now.quote}`)).word('accepted_at')).toMatch(/Z$/);
  });

  test('the texts of an e-mail are shown with example values, in a frame that runs nothing', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open('/notifications/email');
    await viewer.page.click('button:has-text("Preview")');
    await viewer.page.waitForSelector('dialog iframe');
    expect(await text(viewer, 'dialog')).toContain('12.50 USD von Alice Adams');
    expect(await viewer.page.frameLocator('dialog iframe').locator('b').innerText()).toBe('12.50 USD');
    expect(viewer.complaints()).toEqual([]);
    expect(await actionsOf(viewer)).toEqual([]);
  });

  test('a schedule is written beside its next ten dates in its own zone', async () => {
    const operator = await dashboard.signedIn('operator');
    await operator.open('/schedules/new');
    const { page } = operator;
    await page.selectOption('select[name=kind]', 'WEEKLY');
    await page.fill('input[name=weekdays]', 'MO, TH');
    await page.fill('input[name=time]', '09:30');
    await page.fill('input[name=zone]', 'Asia/Tokyo');
    await page.waitForSelector('.panel:has-text("In Asia/Tokyo.") .dates li:nth-child(10):has-text("09:30")');
    await page.fill('input[name=from]', 'alice');
    await page.fill('input[name=to]', 'bob');
    await page.fill('input[name=amount]', '12.50');
    await page.click('form button[type=submit]');
    await page.waitForSelector('[data-page=schedule] h1');
    await ready(page);
    const { body } = await store.send(`GET /schedules/${page.url().split('/').at(-1) ?? ''}`);
    expect(body).toMatchObject({
      amount: '1250',
      zone: 'Asia/Tokyo',
      rule: { frequency: 'WEEKLY', weekdays: ['MO', 'TH'], time: '09:30' },
    });
  });

  test('a new key shows its secret once', async () => {
    const admin = await dashboard.signedIn('admin');
    await admin.open('/settings/keys');
    await admin.page.click('[data-action="apiKeys.create"]');
    await admin.page.fill('dialog input[name=name]', 'robot');
    await admin.page.fill('dialog input[name=reason]', 'for the new till');
    await admin.page.waitForSelector('.preview.ready');
    await admin.page.click('dialog button[type=submit]');
    await admin.page.waitForSelector('dialog:has-text("shown this once")');
    const secret = (await text(admin, 'dialog .copyable .mono')).trim();
    expect(secret).toMatch(/^usk_/);
    await admin.open('/settings/keys');
    expect(await text(admin)).toContain('robot');
    expect(await text(admin)).not.toContain(secret);
  });

  test('the keyboard opens pages, walks through a table, searches and explains itself', async () => {
    const { page, open } = await dashboard.signedIn('viewer');
    await open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.waitForSelector('[data-page=payments]');
    await ready(page);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-page=payment]');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog:has-text("Keyboard")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    await open('/');
    await page.keyboard.press('/');
    await page.waitForSelector('dialog input[type=search]:focus');
  });

  test('a payment that somebody else makes appears without a reload', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open('/payments');
    await viewer.page.waitForSelector('.live.live');
    await store.send('POST /holds', {
      body: { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '5h', reference: 'just-now' },
    });
    await viewer.page.waitForSelector('td:has-text("just-now")', { timeout: 20_000 });
    expect(viewer.complaints()).toEqual([]);
  });

  test('a hidden page keeps no stream, so that six tabs leave connections for more, and catches up when it is shown', async () => {
    const { page, open, complaints } = await dashboard.signedIn('viewer');
    await open('/payments');
    await page.waitForSelector('.live.live');
    const hide = (hidden: boolean): Promise<unknown> =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/events/stream'));
    await hide(true);
    await ended;
    await store.send('POST /holds', {
      body: { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '5h', reference: 'while-hidden' },
    });
    await hide(false);
    await page.waitForSelector('td:has-text("while-hidden")', { timeout: 20_000 });
    expect(complaints()).toEqual([]);
  });
});
