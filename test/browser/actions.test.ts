// Actions of the dashboard when something comes in between: a lost answer, a second click, a change by another person, another tenant.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { chromium, ready, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { store } = dashboard;

beforeAll(async () => {
  if (chromium === null) return;
  for (const ref of ['ann', 'ben']) await store.send('POST /accounts', { body: { ref } });
  await store.send('POST /accounts/ann/deposit', { body: { amount: '1000000', asset: 'USD/2' } });
});

const isReal = (request: Request): boolean => !(request.postData() ?? '').includes('"dry_run":true');
const availableOf = async (ref: string): Promise<unknown> =>
  (await store.send(`GET /accounts/${ref}`)).get('balances.0.available');
/** The tenants that calls of the page name from now on. */
function tenantsOf(page: Page): Set<string | undefined> {
  const named = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.url().startsWith(`${store.url}/v1/`)) named.add(request.headers()['usance-tenant']);
  });
  return named;
}
const shownTenant = (page: Page): Promise<string> => page.inputValue('.tenant select');

/** An admin of two tenants: the first is shown. */
async function ofTwoTenants() {
  const admin = await dashboard.signedIn('admin');
  const id = `second-${Math.random().toString(36).slice(2)}`;
  await store.usance.createTenant({ name: id, kind: 'test' });
  const second = await store.usance.tenant(id);
  const { secret } = await second.createApiKey({ name: 'second', role: 'admin' });
  expect((await admin.page.request.post(`${store.url}/session`, { data: { key: secret } })).status()).toBe(201);
  return { ...admin, second };
}

describe.skipIf(chromium === null)('an action', () => {
  test('that is sent again after its answer was lost happens once, and does not claim that nothing was done', async () => {
    const { page, open } = await dashboard.signedIn('admin');
    const { body } = await store.send('GET /accounts/ben');
    await open(`/accounts/${(body as { id: string }).id}`);
    await page.route('**/deposit', async (route) => {
      if (!isReal(route.request())) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.click('[data-action="accounts.deposit"]');
    await page.fill('dialog input[name=amount]', '7.00');
    await page.fill('dialog input[name=reason]', 'cash');
    await page.waitForSelector('.preview.ready');
    const confirm = page.locator('dialog button[type=submit]');
    await confirm.click();
    await page.waitForSelector('dialog .note.bad');
    expect(await page.innerText('dialog .note.bad')).not.toContain('Nothing was done');
    await page.unroute('**/deposit');
    // The reason is beside the request: another one does not make it happen twice.
    await page.fill('dialog input[name=reason]', 'cash, counted twice');
    await confirm.click();
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await availableOf('ben')).toBe('700');
  });

  test('goes to the tenant that is shown, also in a new tab and while another one cannot be read', async () => {
    const { page, open } = await ofTwoTenants();
    const named = tenantsOf(page);
    await open('/payments');
    const shown = await shownTenant(page);
    expect([...named]).toEqual([shown]);
    await page.route('**/session', (route) => route.abort());
    const [other] = (await page.locator('.tenant option').all()).slice(1);
    await page.selectOption('.tenant select', (await other?.getAttribute('value')) ?? '');
    await page.click('a[href="/accounts"]');
    await page.waitForSelector('[data-page=accounts] h1');
    await ready(page);
    expect([await shownTenant(page), ...named]).toEqual([shown, shown]);
  });

  test('creates one schedule, whatever the number of clicks', async () => {
    const { page, open } = await dashboard.signedIn('operator');
    await open('/schedules/new');
    await page.fill('input[name=from]', 'ann');
    await page.fill('input[name=to]', 'ben');
    await page.fill('input[name=amount]', '12.50');
    await page.fill('input[name=reference]', '');
    await page.dblclick('form button[type=submit]');
    await page.waitForSelector('[data-page=schedule] h1');
    await ready(page);
    expect((await store.send('GET /schedules')).list('data')).toHaveLength(1);
  });

  test('that edits a schedule is refused if another person changed it while the form was open', async () => {
    const made = await store.send('POST /schedules', {
      body: { from: 'ann', to: 'ben', asset: 'USD/2', amount: '1000', rule: { frequency: 'YEARLY' }, zone: 'UTC' },
    });
    const id = made.word('id');
    const { page, open } = await dashboard.signedIn('operator');
    await open(`/schedules/${id}/edit`);
    await page.selectOption('select[name=missed]', 'skip');
    expect(await page.locator('form button[type=submit]').isDisabled()).toBe(true);
    await page.fill('input[name=reason]', 'nobody reads the missed ones');
    await store.send(`PATCH /schedules/${id}`, { body: { amount: '2000' } });
    // The page has read the schedule again meanwhile, as each event makes it do.
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith(`/v1/schedules/${id}`)),
      page.evaluate(`dispatchEvent(new Event('visibilitychange'))`),
    ]);
    await page.click('form button[type=submit]');
    await page.waitForSelector('form .note.bad');
    expect((await store.send(`GET /schedules/${id}`)).get('amount')).toBe('2000');
  });

  test('goes on after a sign-in in another tab has changed the cookie, as the same key', async () => {
    const { page, open } = await dashboard.signedIn('admin');
    await open('/accounts');
    const second = await store.usance
      .createTenant({ name: 'third', kind: 'test' })
      .then(() => store.usance.tenant('third'));
    const { secret } = await second.createApiKey({ name: 'third', role: 'admin' });
    await page.request.post(`${store.url}/session`, { data: { key: secret } });
    await page.click('[data-action="accounts.create"]');
    await page.fill('dialog input[name=ref]', 'cleo');
    await page.waitForSelector('.preview.ready');
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect((await store.send('GET /accounts/cleo')).status).toBe(200);
  });

  test('discards the dead letters of a cause that were shown, and none that came later', async () => {
    const fail = async (): Promise<void> => {
      const body = { from: 'ann', to: 'ben', asset: 'USD/2', amount: '100', delay: '1h' };
      const { status } = await store.send(
        `POST /payments/${(await store.send('POST /payments', { body })).word('id')}/fail`,
        {
          body: { reason: 'given up' },
        },
      );
      expect(status).toBe(200);
    };
    await fail();
    const { page, open } = await dashboard.signedIn('operator');
    await open('/dead-letters');
    await page.click('td [data-action="deadLetters.discardMany"]');
    await page.waitForSelector('dialog:has-text("1 letter")');
    await fail();
    await page.fill('dialog input[name=reason]', 'agreed with the customer');
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog [role=status]:has-text("1 discarded of 1.")');
    const left = (await store.send('GET /dead-letters')).list('data') as { id: string }[];
    expect(left).toHaveLength(1);
    await store.send(`POST /dead-letters/${left[0]?.id}/discard`, { body: { reason: 'the test is over' } });
  });

  test('retries the dead letters of a cause to the end, also behind a part that is refused', async () => {
    const failed = async (from: string): Promise<string> => {
      const body = { from, to: 'ben', asset: 'USD/2', amount: '100', delay: '1h' };
      const id = (await store.send('POST /payments', { body })).word('id');
      await store.send(`POST /payments/${id}/fail`, { body: { reason: 'given up' } });
      return id;
    };
    await store.send('POST /accounts', { body: { ref: 'gone' } });
    await store.send('POST /accounts/gone/deposit', { body: { amount: '100', asset: 'USD/2' } });
    const closed = [await failed('gone'), await failed('gone'), await failed('gone')];
    await store.send('POST /accounts/gone/withdraw', { body: { amount: '100', asset: 'USD/2' } });
    expect((await store.send('POST /accounts/gone/close', { body: { reason: 'moved away' } })).status).toBe(200);
    for (let n = 0; n < 2; n += 1) await failed('ann');
    const { page, open } = await dashboard.signedIn('operator');
    await page.route('**/dead-letters/retry', (route) =>
      route.continue({ postData: { ...(route.request().postDataJSON() as object), limit: 2 } }),
    );
    await open('/dead-letters');
    await page.click('td [data-action="deadLetters.retryMany"]');
    await page.fill('dialog input[name=reason]', 'ann is back');
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog [role=status]:has-text("2 retried, 3 refused of 5.")');
    const left = (await store.send('GET /dead-letters')).list('data') as { id: string }[];
    expect(left.map(({ id }) => id)).toEqual(closed.toReversed());
  });
});
