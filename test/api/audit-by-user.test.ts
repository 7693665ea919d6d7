// What an end user did, by their account: over HTTP, in the client and in the library.
import { beforeAll, expect, test } from 'vitest';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from '../access/tokens.ts';
import { open } from '../support/books.ts';
import { at } from './api.ts';
import { problemIn } from './problem.ts';
import { all, useSurfaces } from './surfaces.ts';

const surfaces = useSurfaces();
const { store } = surfaces;
const ORDER = { to: 'cem', asset: 'USD/2', amount: '10', delay: '1h' };
const made: Record<string, string> = {};

beforeAll(async () => {
  await open(store.tenant, { ann: 1_000, ben: 1_000, cem: 0 });
  const { signer, jwk } = pair('EdDSA');
  await store.tenant.createTokenIssuer({
    issuer: ISSUER,
    audience: AUDIENCE,
    algorithm: 'EdDSA',
    jwks: { keys: [jwk] },
  });
  for (const ref of ['ann', 'ben']) {
    const secret = token(signer, claimsOf(ref));
    made[ref] = (await store.send('POST /holds', { body: { ...ORDER, from: ref }, secret })).word('id');
  }
  await store.send('POST /holds', { body: { ...ORDER, from: 'ann' } });
});

test('the audit log is filtered by end user, with the id or the ref of their account', async () => {
  const ann = (await store.send('GET /accounts/ann')).word('id');
  for (const user of ['ann', ann]) {
    const { list } = await store.send(`GET /audit-events?user=${user}&action=PAYMENT_CREATED`);
    expect(list('data').map((event) => [at(event, 'resource_id'), at(event, 'actor')])).toEqual([[made['ann'], ann]]);
  }
  for (const source of [surfaces.client, surfaces.library]) {
    const events = await all(source.auditEvents.list({ user: 'ben', action: 'PAYMENT_CREATED' }));
    expect(events.map((event) => event.resourceId)).toEqual([made['ben']]);
  }
  expect(problemIn(await store.send('GET /audit-events?user=nobody'))).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  expect(problemIn(await store.send(`GET /audit-events?user=ann&actor=${ann}`))).toMatchObject({
    code: 'FIELD_INVALID',
    param: 'user',
  });
});
