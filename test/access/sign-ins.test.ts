// Who came in and who was not let in: on the record of whose key or token it was.
import { describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { sendTo } from '../api/api.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { inSeconds, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';

describe('a sign-in', () => {
  const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });
  const tokenOf = (sub: string, exp = inSeconds(600), secret = SECRET): string =>
    token(shared(secret), { aud: 'usance', sub, exp });
  /** What is sent to a server of its own, which writes what it noted when it closes. */
  const sent = async (requests: readonly { secret: string; from?: string }[]): Promise<number[]> => {
    const options = { trustedProxies: ['127.0.0.1'], notesEveryMs: 3_600_000 };
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0, ...options });
    const { url } = await api.listen();
    const statuses: number[] = [];
    for (const { secret, from = '192.0.2.1' } of requests) {
      const headers = { 'x-forwarded-for': from, 'user-agent': 'till/7' };
      statuses.push((await sendTo(url, secret, 'GET /assets', { headers })).status);
    }
    await api.close();
    return statuses;
  };
  const recorded = (action: string, resourceId: string) => store.tenant.auditEvents({ action, resourceId });

  test('is audited once a day for each key or end user and address', async () => {
    const { key, secret } = await store.tenant.createApiKey({ name: 'till', role: 'viewer' });
    const { id: ann } = await store.tenant.openAccount({ ref: 'ann' });
    const twice = [{ secret }, { secret }, { secret, from: '192.0.2.2' }];
    const tokens = [inSeconds(600), inSeconds(700)].map((exp) => ({ secret: tokenOf('ann', exp) }));
    expect(await sent([...twice, ...tokens])).toEqual([200, 200, 200, 200, 200]);
    const origin = { userAgent: 'till/7', requestId: expect.any(String) };
    const byKey = { ...origin, actor: `key:${key.id}`, resource: 'api_key', details: {} };
    expect(await recorded('SIGN_IN_ACCEPTED', key.id)).toMatchObject([
      { ...byKey, ip: '192.0.2.2' },
      { ...byKey, ip: '192.0.2.1' },
    ]);
    expect(await recorded('SIGN_IN_ACCEPTED', ann)).toMatchObject([
      { ...origin, actor: `user:${ann}`, resource: 'account', ip: '192.0.2.1' },
    ]);
  });

  test('that is refused is audited for the owner of the credential, with count and reason', async () => {
    const { key, secret } = await store.tenant.createApiKey({ name: 'old', role: 'viewer' });
    await store.tenant.revokeApiKey(key.id);
    const expired = await store.tenant.createApiKey({ name: 'ended', role: 'viewer' });
    await store.owner.query(`update usance.api_keys set expires_at = now() - interval '1 second' where id = $1::uuid`, [
      expired.key.id,
    ]);
    const requests = [
      ...[secret, secret, secret, expired.secret].map((one) => ({ secret: one })),
      { secret: tokenOf('ann', inSeconds(-600)), from: '192.0.2.3' },
      { secret: tokenOf('ann', inSeconds(600), 'x'.repeat(40)), from: '192.0.2.4' },
      { secret: tokenOf('nobody'), from: '192.0.2.5' },
      { secret: `usk_${'x'.repeat(40)}` },
    ];
    expect(await sent(requests)).toEqual(requests.map(() => 401));
    const unknown = { actor: 'unknown', userAgent: 'till/7' };
    expect(await recorded('SIGN_IN_REFUSED', key.id)).toMatchObject([
      { ...unknown, resource: 'api_key', ip: '192.0.2.1', details: { times: 3, reason: 'the key was revoked' } },
    ]);
    expect(await recorded('SIGN_IN_REFUSED', expired.key.id)).toMatchObject([
      { details: { times: 1, reason: 'the key has expired' } },
    ]);
    const ofTokens = await recorded('SIGN_IN_REFUSED', store.tenant.id);
    expect(ofTokens.map(({ ip, details }) => `${ip}: ${String(details['reason'])}`).toSorted()).toEqual([
      '192.0.2.3: the token has expired',
      '192.0.2.4: the token is not valid',
      '192.0.2.5: the token names no account that is open',
    ]);
    // A secret that is nobody's is on nobody's record.
    expect(await store.tenant.auditEvents({ action: 'SIGN_IN_REFUSED' })).toHaveLength(5);
  });

  test('of an issuer’s token is audited for the tenant that registered the issuer, and for no other', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };
    const names = { issuer: 'https://login.example.com/', audience: 'other' };
    const { id } = await other.createTokenIssuer({ ...names, algorithm: 'EdDSA', jwks });
    const claims = { iss: names.issuer, aud: names.audience, sub: 'ann', exp: inSeconds(600) };
    expect(await sent([{ secret: token(shared(SECRET), claims) }])).toEqual([401]);
    expect(await other.auditEvents({ action: 'SIGN_IN_REFUSED' })).toMatchObject([
      { resource: 'token_issuer', resourceId: id, details: { times: 1, reason: 'the token is not valid' } },
    ]);
    expect(await recorded('SIGN_IN_REFUSED', id)).toEqual([]);
  });

  test('cannot flood the audit log', async () => {
    const { key, secret } = await store.tenant.createApiKey({ name: 'leaked', role: 'viewer' });
    await store.tenant.revokeApiKey(key.id);
    await sent(Array.from({ length: 60 }, (_, n) => ({ secret, from: `198.51.100.${n % 20}` })));
    const found = await recorded('SIGN_IN_REFUSED', key.id);
    expect(found).toHaveLength(11);
    expect(found.filter(({ ip }) => ip === null)).toHaveLength(1);
    expect(found.reduce((sum, { details }) => sum + Number(details['times']), 0)).toBe(60);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
