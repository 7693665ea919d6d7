// The time of a test tenant on the pages: relative by its clock where the clock decides, by the real time where it does not.
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import type { Scope } from '../../src/engine.ts';
import { advance } from '../support/test-clock.ts';
import { beyond, chromium, ready, useDashboard, violations } from './dashboard.ts';
import type { Visitor } from './dashboard.ts';

const START = '2031-03-04T12:00:00Z';
const dashboard = useDashboard();
const { store } = dashboard;
const made: { tenant?: TenantHandle; clock: string } = { clock: '' };

const tenantMade = (): TenantHandle => {
  if (!made.tenant) throw new Error('the tenant exists inside tests only');
  return made.tenant;
};

beforeAll(async () => {
  if (chromium === null) return;
  const tenant = await store.usance.createTenant({ name: 'rehearsal', kind: 'test' });
  made.tenant = tenant;
  const clock = await tenant.createTestClock({ name: 'rehearsal', now: new Date(START) });
  made.clock = clock.id;
  await tenant.createAsset('USD/2');
  for (const ref of ['alice', 'bob']) await tenant.openAccount({ ref });
  await tenant.deposit({ account: 'alice', asset: 'USD/2', amount: 100_000, idempotencyKey: 'opening' });
  await tenant.createPayment({
    from: 'alice',
    to: 'bob',
    asset: 'USD/2',
    amount: 2_500,
    delay: '72h',
    funding: 'reserve',
    reference: 'in-three-days',
    idempotencyKey: 'in-three-days',
  });
  await tenant.pause('tenant', '', 'planted by the test');
});

/** Signed in to the test tenant. */
async function visitor(
  key: { readonly role: 'viewer' | 'admin' } | { readonly scopes: readonly Scope[] },
  size?: { readonly width: number; readonly height: number },
): Promise<Visitor> {
  const { secret } = await tenantMade().createApiKey({ name: 'visitor', ...key });
  const guest = await dashboard.visitor(size);
  const answer = await guest.page.request.post(`${store.url}/session`, { data: { key: secret } });
  expect(answer.status()).toBe(201);
  return guest;
}

const dueOf = ({ page }: Visitor): Promise<string> => page.innerText('tr:has-text("in-three-days") time >> nth=0');

describe.skipIf(chromium === null)('a test tenant', () => {
  test('shows what its clock says on every page, and relative times by it; keys and pauses by the real time', async () => {
    const admin = await visitor({ role: 'admin' });
    await admin.open('/payments');
    await admin.page.waitForSelector('.test-time');
    expect(await admin.page.innerText('.test-time')).toContain('Test clock: 4 Mar 2031, 13:00:00');
    expect(await dueOf(admin)).toBe('in 3 d');
    await admin.open('/');
    expect(await admin.page.innerText('main')).toContain('The next is due in 3 d.');
    expect(await admin.page.innerText('.note.warn')).toMatch(/paused for the whole tenant since (now|\d+ (s|min))/);
    await admin.open('/settings/keys');
    expect(await admin.page.innerText('main')).not.toMatch(/\d d ago/);
    await admin.open('/schedules/calendar');
    expect(await admin.page.innerText('main')).toContain('March 2031');
    await admin.open('/accounts/alice?tab=statement');
    expect(await violations(admin.page)).toEqual([]);
    // A new payment is proposed for an hour later there.
    await admin.open('/payments');
    await admin.page.click('[data-action="payments.create"]');
    expect(await admin.page.inputValue('dialog input[name=executeAt]')).toMatch(/^2031-03-04T14:00/);
  });

  test('is asked to advance by a dialog that says what happens afterwards, and makes no promise about it', async () => {
    const admin = await visitor({ role: 'admin' });
    await admin.open('/settings/clocks');
    await admin.page.click('[data-action="testClocks.advance"]');
    await admin.page.waitForSelector('.preview.ready');
    const preview = await admin.page.innerText('.preview');
    expect(preview).toContain('The request itself moves no money.');
    expect(preview).toContain('payments, schedules and retries that are due until that instant run');
  });

  test('goes on with its clock, without a reload', async () => {
    const viewer = await visitor({ role: 'viewer' });
    await viewer.open('/payments');
    await viewer.page.waitForSelector('.live.live');
    await advance(store.usance, { tenant: tenantMade(), clock: made.clock }, '2031-03-05T12:00:00Z');
    await viewer.page.waitForSelector('.test-time:has-text("5 Mar 2031")', { timeout: 20_000 });
    await expect.poll(() => dueOf(viewer)).toBe('in 2 d');
    expect(viewer.complaints()).toEqual([]);
  });

  test('fits a phone, and shows dates to a key that may not read its time', async () => {
    const reader = await visitor({ scopes: ['payments:read'] }, { width: 390, height: 844 });
    await reader.open('/payments');
    expect(await dueOf(reader)).toMatch(/^7 Mar 2031, 13:00:00$/);
    expect(await reader.page.innerText('.test-time')).toContain('ops:read');
    expect(await beyond(reader.page)).toBe(0);
    const viewer = await visitor({ role: 'viewer' }, { width: 390, height: 844 });
    await viewer.open('/payments');
    await viewer.page.waitForSelector('.test-time time');
    await ready(viewer.page);
    expect(await beyond(viewer.page)).toBe(0);
    expect(await violations(viewer.page)).toEqual([]);
  });

  test('is told from a live one, which has no such line', async () => {
    const viewer = await dashboard.signedIn('viewer');
    await viewer.open('/payments');
    expect(await viewer.page.locator('.test-time').count()).toBe(0);
  });
});
