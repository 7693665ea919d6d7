// What the first page says of numbers that the server bounds: 10,000 payments would take minutes to make, so the answers of the API are
// changed on their way to the page.
import { beforeAll, describe, expect, test } from 'vitest';
import { chromium, useDashboard, violations } from './dashboard.ts';
import type { Visitor } from './dashboard.ts';

const dashboard = useDashboard();
const { store } = dashboard;

beforeAll(async () => {
  if (chromium === null) return;
  for (const ref of ['alice', 'bob']) await store.send('POST /accounts', { body: { ref } });
  await store.send('POST /accounts/alice/deposit', { body: { amount: '1000000', asset: 'USD/2' } });
  await store.send('POST /holds', { body: { from: 'alice', to: 'bob', asset: 'USD/2', amount: '2500', delay: '2h' } });
});

/** Answers of a read of the API, with other values. */
async function changed({ page }: Visitor, path: string, values: object): Promise<void> {
  await page.route(`${store.url}/v1/${path}**`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...values } });
  });
}

const MANY = [{ asset: 'USD/2', count: 2_000, amount: '5000000' }];
const BOUNDED = {
  counted_all: false,
  recent_counted_all: false,
  waiting: { count: 10_000, next_due_at: null, amounts: MANY },
  due: { count: 10_000, oldest_due_at: null, late: 'PT3S', amounts: MANY },
  due_schedules: { count: 10_000, oldest_due_at: null },
  last_hour: { settled: 310, failed: 1 },
  last_day: { settled: 50_000, failed: 4 },
  dead_executions: 100_000,
};

describe.skipIf(chromium === null)('the first page', () => {
  const tileOf = ({ page }: Visitor, label: string): Promise<string> =>
    page.innerText(`.tile:has(.label:text-is("${label}"))`).then((text) => text.replaceAll(/\s+/g, ' '));

  test('says that the books are not checked, rather than nothing', async () => {
    const viewer = await dashboard.signedIn('viewer');
    const head = (): Promise<string> => viewer.page.innerText('main h1 + *, main header');
    await changed(viewer, 'overview', { integrity: { state: 'unknown', checked_at: null } });
    await viewer.open('/');
    expect(await head()).toContain('The books are not checked yet');
    await changed(viewer, 'overview', { integrity: { state: 'unknown', checked_at: '2026-01-01T00:00:00Z' } });
    await viewer.open('/');
    expect(await head()).toMatch(/The books were last checked .* ago/);
  });

  test('says in words which numbers are lower bounds', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await changed(viewer, 'overview', BOUNDED);
    await changed(viewer, 'overview/series', { counted_all: false });
    await changed(viewer, 'overview/upcoming', { counted_all: false });
    await viewer.open('/');
    expect(await tileOf(viewer, 'Waiting')).toBe(
      'Waiting at least 10,000 50,000.00USD The sum of the first 2,000. Nothing is scheduled.',
    );
    expect(await tileOf(viewer, 'Overdue')).toMatch(/^Overdue at least 10,000 at least 50,000\.00USD/);
    expect(await tileOf(viewer, 'Settled, last 24 hours')).toBe(
      'Settled, last 24 hours at least 50,000 At least 310 payments in the last hour.',
    );
    expect(await tileOf(viewer, 'Failed, last 24 hours')).toMatch(/at least 4 At least 1 payment in/);
    expect(await tileOf(viewer, 'Dead letters')).toMatch(/at least 100,000 .*At least 100,000 executions of jobs\./);
    expect(await tileOf(viewer, 'Schedules due')).toMatch(/at least 10,000/);
    const text = await viewer.page.innerText('main');
    expect(text).toContain('earlier steps may show fewer than there were');
    expect(text).toContain('There are more than 10,000 payments or runs');
    expect(await violations(viewer.page)).toEqual([]);
  });

  test('of the tenant demo says where the data of demo-world are, until that tenant is open', async () => {
    const [demo, world] = [
      await store.usance.createTenant({ name: 'demo' }),
      await store.usance.createTenant({ name: 'demo-world', kind: 'test' }),
    ];
    const guest = await dashboard.visitor();
    const signIn = async (tenant: typeof demo): Promise<void> => {
      const { secret } = await tenant.createApiKey({ name: 'bootstrap', role: 'admin' });
      await guest.page.fill('input[name=key]', secret);
      await guest.page.click('form button[type=submit]');
    };
    await guest.open('/');
    await signIn(demo);
    await guest.page.waitForSelector('.note:has-text("npx usance demo")');
    expect(await violations(guest.page)).toEqual([]);
    await guest.page.selectOption('.tenant select', { label: 'Add a tenant by its key …' });
    await signIn(world);
    await guest.page.waitForSelector('dialog', { state: 'detached' });
    expect(await guest.page.locator('.tenant option').allInnerTexts()).toContain('demo-world (test)');
    await guest.page.waitForSelector('.tiles');
    expect(await guest.page.locator('.note').count()).toBe(0);
  });

  test('says nothing of bounds where everything was counted', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open('/');
    expect(await tileOf(viewer, 'Waiting')).toMatch(/^Waiting 1 25\.00USD The next is due in/);
    expect(await viewer.page.innerText('main')).not.toMatch(/at least|more than/i);
  });
});
