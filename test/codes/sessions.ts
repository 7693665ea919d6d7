// Codes of sessions of the dashboard.
import type { TestApi } from '../api/api.ts';
import { newBrowser } from '../api/signed-in.ts';
import type { SignedIn } from '../api/signed-in.ts';
import type { Cause } from './world.ts';
import { HOLD } from './world.ts';

/** A browser that has signed in. */
export async function signedIn(store: TestApi): Promise<SignedIn> {
  const browser = newBrowser(store.url);
  await browser.signIn({ key: store.secret });
  return browser;
}

export const OF_SESSIONS = {
  async SESSION_ENDED(store) {
    const browser = await signedIn(store);
    const { cookie } = browser;
    await browser.send('DELETE /session');
    return Object.assign(browser, { cookie }).send('GET /session');
  },
  SESSION_LINK_INVALID: (store) => newBrowser(store.url).signIn({ link: 'usl_of_yesterday' }),
  SESSION_TENANT_UNKNOWN: async (store) =>
    (await signedIn(store)).send('GET /session', { headers: { 'usance-tenant': 'nobody' } }),
  CSRF_INVALID: async (store) =>
    (await signedIn(store)).send('POST /v1/holds', { body: HOLD, headers: { 'x-usance-csrf': '' } }),
} satisfies Record<string, Cause>;
