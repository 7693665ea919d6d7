// Every page of the dashboard as viewer, operator and admin, with every action that it offers: the list of pages is that of the router, and
// the actions are those that the page shows, so that none is left out. `PROOF_SCREENSHOTS=folder` keeps a picture of each page.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../web/src/app/page-list.ts';
import type { PageName } from '../../web/src/app/page-list.ts';
import { beyond, chromium, ready, useDashboard, violations } from '../browser/dashboard.ts';
import type { Role, Visitor } from '../browser/dashboard.ts';
import type { World } from '../browser/world.ts';
import { EMPTY_WORLD, addressOf, fillWorld } from '../browser/world.ts';
import { banner } from './banner.ts';

const dashboard = useDashboard();
const { store } = dashboard;
const world: { now: World } = { now: EMPTY_WORLD };
const names = Object.keys(PAGES) as PageName[];

beforeAll(async () => {
  banner('dashboard', { chromium: chromium?.version() ?? 'none', pages: names.length });
  if (chromium !== null) world.now = await fillWorld(store);
});

/** The scopes of a role that pages are read with. */
const READS: Readonly<Record<Role, (scope: string) => boolean>> = {
  viewer: (scope) => /^(ledger|payments|events|jobs|ops|webhooks|notifications):read$/.test(scope),
  operator: (scope) =>
    /^(ledger|payments|events|jobs|ops|webhooks|notifications):read$/.test(scope) ||
    /^(payments|events|jobs|ops|webhooks):write$/.test(scope),
  admin: () => true,
};

const MISTAKES = /\b(FIELD_\w+|INTERNAL_ERROR|AUTH_\w+|CSRF_\w+|ROUTE_\w+|METHOD_\w+|JSON_\w+|PRECONDITION_\w+)\b/;

const actions = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main [data-action]')].map((element) => element.dataset.action)`);

describe.skipIf(chromium === null)('the dashboard', () => {
  test.each(['viewer', 'operator', 'admin'] as const)(
    'shows a %s what the role may see, and says what it may not',
    async (role) => {
      const visitor = await dashboard.signedIn(role);
      for (const name of names) {
        const { scope } = PAGES[name];
        await visitor.open(addressOf(name, world.now));
        const text = await visitor.page.innerText('main');
        expect({ name, hidden: text.includes('Not for this key') }).toEqual({ name, hidden: !READS[role](scope) });
        expect({ name, refused: text.includes('AUTH_SCOPE_MISSING') }).toEqual({ name, refused: false });
        if (role === 'viewer') expect({ name, actions: await actions(visitor) }).toEqual({ name, actions: [] });
      }
    },
  );

  test('every action opens a dialog that is accessible, asks for what it needs and why, and never fails to be tried', async () => {
    const admin = await dashboard.signedIn('admin');
    const tried: string[] = [];
    for (const name of names) {
      await admin.open(addressOf(name, world.now));
      const offered = await actions(admin);
      for (const [index, action] of offered.entries()) {
        const button = admin.page.locator('main [data-action]').nth(index);
        if ((await button.evaluate((element) => element.tagName)) === 'A') continue;
        await button.click();
        await admin.page.waitForSelector('dialog[open]');
        await admin.page.waitForSelector('.preview.trying', { state: 'detached' });
        const found = {
          name,
          action,
          reasons: await admin.page.locator('dialog input[name=reason]').count(),
          violations: await violations(admin.page),
          heading: await admin.page.innerText('dialog h2'),
        };
        expect(found).toEqual({ name, action, reasons: 1, violations: [], heading: expect.stringMatching(/\w/) });
        // A refusal of the rules (an account that is not empty) is an answer; one of the request is a mistake of the page.
        const refused = (await admin.page.locator('.preview.refused').allInnerTexts()).filter((text) =>
          MISTAKES.test(text),
        );
        expect({ name, action, refused }).toEqual({
          name,
          action,
          refused: [],
        });
        await admin.page.keyboard.press('Escape');
        await admin.page.waitForSelector('dialog', { state: 'detached' });
        tried.push(`${name} ${action}`);
      }
    }
    process.stdout.write(`${tried.length} actions: ${tried.join(', ')}\n`);
    expect(tried.length).toBeGreaterThan(30);
  });

  test.each([
    ['light', 1_440],
    ['dark', 1_440],
    ['phone', 390],
  ] as const)('every page is accessible and fits: %s, %i pixels wide', async (look, width) => {
    const admin = await dashboard.signedIn('admin', { width, height: width === 390 ? 844 : 900 });
    if (look === 'dark') await admin.page.emulateMedia({ colorScheme: 'dark' });
    const folder = process.env['PROOF_SCREENSHOTS'];
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    for (const name of names) {
      await admin.open(addressOf(name, world.now));
      expect({ name, found: await violations(admin.page) }).toEqual({ name, found: [] });
      expect({ name, sideways: await beyond(admin.page) }).toEqual({ name, sideways: 0 });
      if (folder === undefined) continue;
      await ready(admin.page);
      const path = join(folder, `${name}-${look}.jpg`);
      await admin.page.screenshot({
        path,
        type: 'jpeg',
        quality: 60,
        clip: { x: 0, y: 0, width, height: width === 390 ? 844 : 900 },
      });
    }
  });
});
