// Signing out of one browser, and of all.
import { describe, expect, test } from 'vitest';
import { chromium, useDashboard, violations } from './dashboard.ts';
import type { Visitor } from './dashboard.ts';

const dashboard = useDashboard();
const { store } = dashboard;

describe.skipIf(chromium === null)('a person with two browsers', () => {
  test('signs out of one, or of both at once, and reads in the dialog which', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'desk', role: 'viewer', person: 'Jo' });
    const signIn = async ({ page, open }: Visitor): Promise<void> => {
      await open('/payments');
      await page.fill('input[name=key]', secret);
      await page.click('button[type=submit]');
      await page.waitForSelector('[data-page=payments]');
    };
    const [desk, laptop] = [await dashboard.visitor(), await dashboard.visitor()];
    for (const each of [desk, laptop]) await signIn(each);
    const leave = async ({ page }: Visitor, button: string): Promise<void> => {
      await page.click('[aria-label="Sign out"]');
      await page.click(`dialog button:text-is("${button}")`);
      await page.waitForSelector('input[name=key]');
    };
    await leave(laptop, 'Sign out');
    await desk.open('/payments');
    expect(await desk.page.locator('[data-page=payments]').count()).toBe(1);
    await signIn(laptop);
    await desk.page.click('[aria-label="Sign out"]');
    expect(await desk.page.innerText('dialog')).toMatch(/signed in to "shop" as "Jo"/);
    expect(await violations(desk.page)).toEqual([]);
    await desk.page.keyboard.press('Escape');
    await leave(desk, 'Sign out everywhere');
    // A process remembers a session for three seconds; the page notices with its next call.
    await expect
      .poll(async () => (await laptop.page.request.get(`${store.url}/session`)).status(), { timeout: 10_000 })
      .toBe(401);
    await laptop.open('/payments');
    await laptop.page.waitForSelector('input[name=key]');
    expect(desk.complaints().filter((each) => !each.includes('401'))).toEqual([]);
  });

  test('adds a tenant by its key, and sees that the tab shows it from then on', async () => {
    const other = await store.usance.createTenant({ name: 'second-shop', kind: 'test' });
    const { secret } = await other.createApiKey({ name: 'second', role: 'viewer' });
    const { page, open } = await dashboard.signedIn('viewer');
    await open('/payments');
    await page.selectOption('.tenant select', { label: 'Add a tenant by its key …' });
    await page.fill('dialog input[name=key]', secret);
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('.toasts:has-text(\'Added "second-shop": this tab shows it now.\')');
    expect(await page.locator('.tenant option:checked').innerText()).toContain('second-shop');
    expect(await page.locator('dialog').count()).toBe(0);
    expect(await page.locator('[data-page=payments]').count()).toBe(1);
  });
});
