// A browser as far as sessions go: it keeps the cookie of an API, and sends what the dashboard sends.
import type { Answer } from './api.ts';
import { answerOf } from './api.ts';

export interface SignedIn {
  readonly url: string;
  /** `usance_session=…`; empty before the sign-in. */
  cookie: string;
  csrf: string;
  signIn(by: { readonly key: string } | { readonly link: string }, headers?: Headers): Promise<Answer>;
  /** `GET /v1/overview`: a path with its prefix. The CSRF token is sent with every change. */
  send(request: string, how?: { readonly body?: unknown; readonly headers?: Headers }): Promise<Answer>;
}

type Headers = Readonly<Record<string, string>>;

let requests = 0;

export function newBrowser(url: string): SignedIn {
  const browser: SignedIn = {
    url,
    cookie: '',
    csrf: '',
    async signIn(by, headers = {}) {
      const answer = await browser.send('POST /session', { body: by, headers });
      if (answer.status === 201) browser.csrf = answer.word('csrf');
      return answer;
    },
    async send(request, { body, headers = {} } = {}) {
      const [method = 'GET', path = '/'] = request.split(' ');
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(browser.cookie === '' ? {} : { cookie: browser.cookie }),
          ...(method === 'GET' || browser.csrf === '' ? {} : { 'x-usance-csrf': browser.csrf }),
          ...(method === 'POST' && path !== '/session' ? { 'idempotency-key': `page-${(requests += 1)}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const set of response.headers.getSetCookie()) browser.cookie = set.split(';')[0] ?? '';
      return answerOf(response);
    },
  };
  return browser;
}
