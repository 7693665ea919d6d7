// The version header: on every answer, checked on every request, and sent by the client.
import { expect, test } from 'vitest';
import { API_VERSION as CLIENT_VERSION, createClient } from '../../src/client/index.ts';
import { API_VERSION } from '../../src/contract/index.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const store = useApi();

test('every answer says which version of the API it is of, a refusal too', async () => {
  expect(API_VERSION).toMatch(/^\d{4}-\d\d-\d\d$/);
  const answers = [
    await store.send('GET /assets'),
    await store.send('GET /nothing'),
    await store.send('GET /assets', { secret: null }),
    await store.send('GET /assets', { headers: { 'usance-version': API_VERSION } }),
    await store.fetch('/health'),
  ];
  for (const answer of answers) expect(answer.headers.get('usance-version')).toBe(API_VERSION);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 200, 200]);
});

test('a version that the server does not have is refused, with those that it has', async () => {
  for (const version of ['2020-01-01', 'latest', '2026-11-16, 2026-11-16']) {
    const answer = await store.send('POST /assets', {
      body: { asset: 'XAU/0' },
      headers: { 'usance-version': version },
    });
    expect([answer.status, problemIn(answer)], version).toMatchObject([
      400,
      { code: 'VERSION_UNKNOWN', param: 'Usance-Version', detail: `Usance-Version must be ${API_VERSION}` },
    ]);
  }
  expect(await store.tenant.assets()).not.toContainEqual(expect.objectContaining({ code: 'XAU' }));
});

test('the client sends the version that its types are of, or the one that it is given', async () => {
  expect(CLIENT_VERSION).toBe(API_VERSION);
  const sent: (string | null)[] = [];
  const through: typeof fetch = (input, init) => {
    sent.push(new Headers(init?.headers).get('usance-version'));
    return fetch(input, init);
  };
  const options = { url: store.url, key: store.secret, fetch: through };
  await createClient(options).overview.get();
  await expect(createClient({ ...options, apiVersion: '2020-01-01' }).overview.get()).rejects.toMatchObject({
    code: 'VERSION_UNKNOWN',
  });
  expect(sent).toEqual([API_VERSION, '2020-01-01']);
});
