// Whose a token is, and since when: the key that verifies it says so, whatever names are registered; and it acts for the account
// that was open when it was issued, not for one that was opened later under the same ref.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Scope } from '../../src/access/index.ts';
import { END_USER } from '../../src/access/index.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { AUDIENCE, ISSUER, claimsOf, inSeconds, pair, shared, token } from './tokens.ts';

const SECRET = 'a-secret-of-forty-characters-for-the-tests';
const PREVIOUS = 'the-secret-before-it-of-forty-characters-!';
const store = useUsance({
  jwt: { secret: SECRET, previous: PREVIOUS, audience: 'usance', issuer: null },
  longestTokenMs: 3_600_000,
});
let refs = 0;
const openUser = async (tenant = store.tenant): Promise<string> => {
  const ref = `user-${(refs += 1)}`;
  await tenant.openAccount({ ref });
  return ref;
};
const whose = async (text: string): Promise<string | null> =>
  (await store.usance.authenticate(text))?.handle.id ?? null;

describe('an issuer and an audience', () => {
  test('that another tenant registers too take nothing from the first: the key that verifies wins', async () => {
    const [own, foreign] = [pair('EdDSA'), pair('EdDSA')];
    const other = await store.usance.createTenant({ name: 'rival' });
    const terms = { issuer: ISSUER, audience: AUDIENCE, algorithm: 'EdDSA' } as const;
    await other.createTokenIssuer({ ...terms, jwks: { keys: [foreign.jwk] } });
    // No word that another tenant has it.
    await store.tenant.createTokenIssuer({ ...terms, jwks: { keys: [own.jwk] } });
    const ref = await openUser();
    await other.openAccount({ ref });
    expect(await whose(token(own.signer, claimsOf(ref)))).toBe(store.tenant.id);
    expect(await whose(token(foreign.signer, claimsOf(ref)))).toBe(other.id);
    expect(await refusalOf(whose(token(pair('EdDSA').signer, claimsOf(ref))))).toBe('AUTH_INVALID');
    expect(await refusalOf(store.tenant.createTokenIssuer({ ...terms, jwks: { keys: [own.jwk] } }))).toBe(
      'ISSUER_EXISTS',
    );
  });

  test('that verify a token for several tenants need the tenant’s name, and then shut no one out', async () => {
    const own = pair('EdDSA');
    const terms = { issuer: ISSUER, audience: 'copied', algorithm: 'EdDSA', jwks: { keys: [own.jwk] } } as const;
    const rival = await store.usance.createTenant({ name: 'copycat' });
    await rival.createTokenIssuer(terms);
    await store.tenant.createTokenIssuer(terms);
    const ref = await openUser();
    await rival.openAccount({ ref });
    const text = token(own.signer, claimsOf(ref, { aud: 'copied' }));
    const of = async (tenant: string) => (await store.usance.authenticate(text, undefined, tenant))?.handle.id ?? null;
    expect(await refusalOf(whose(text))).toBe('AUTH_INVALID');
    await expect(whose(text)).rejects.toThrow('Usance-Tenant');
    expect([await of('shop'), await of(rival.id)]).toEqual([store.tenant.id, rival.id]);
    await expect(of('nobody')).rejects.toThrow('the header Usance-Tenant names no tenant that trusts this token');
    const stranger = await store.usance.createTenant({ name: 'stranger' });
    await expect(of(stranger.id)).rejects.toThrow('the header Usance-Tenant names no tenant that trusts this token');
  });

  test('that more tenants registered than are tried need the tenant’s name', async () => {
    const own = pair('EdDSA');
    const terms = { issuer: ISSUER, audience: 'crowded', algorithm: 'EdDSA' } as const;
    for (let n = 0; n < 20; n += 1) {
      const rival = await store.usance.createTenant({ name: `crowd-${n}` });
      await rival.createTokenIssuer({ ...terms, jwks: { keys: [pair('EdDSA').jwk] } });
    }
    await store.tenant.createTokenIssuer({ ...terms, jwks: { keys: [own.jwk] } });
    const text = token(own.signer, claimsOf(await openUser(), { aud: 'crowded' }));
    await expect(whose(text)).rejects.toThrow('Usance-Tenant');
    expect((await store.usance.authenticate(text, undefined, 'shop'))?.handle.id).toBe(store.tenant.id);
  });

  test('of JWT_SECRET cannot be registered', async () => {
    const order = { issuer: 'https://any.example/', audience: 'usance', algorithm: 'EdDSA' } as const;
    const jwks = { keys: [pair('EdDSA').jwk] };
    expect(await refusalOf(store.tenant.createTokenIssuer({ ...order, jwks }))).toBe('FIELD_INVALID');
  });
});

describe('a token', () => {
  const tokenOf = (sub: string, other: object = {}, secret = SECRET): string =>
    token(shared(secret), { aud: 'usance', sub, exp: inSeconds(600), ...other });

  test('issued before its account was opened is refused: the ref may be another person’s now', async () => {
    const ref = await openUser();
    const old = tokenOf(ref, { iat: inSeconds(-300) });
    const { id } = await store.tenant.account(ref);
    await store.tenant.closeAccount(id, 'left');
    await store.tenant.eraseAccount(id, 'asked', { ref: true });
    await store.tenant.openAccount({ ref });
    expect(await refusalOf(whose(old))).toBe('AUTH_INVALID');
    expect(await whose(tokenOf(ref))).toBe(store.tenant.id);
  });

  test.each([
    ['without an iat', { iat: undefined }],
    ['issued in the future', { iat: inSeconds(120) }],
    ['that lasts longer than the setting', { exp: inSeconds(3_700) }],
  ])('%s is refused', async (_title, claims) => {
    expect(await refusalOf(whose(tokenOf(await openUser(), claims)))).toBe('AUTH_INVALID');
  });

  test('is refused after the tokens of its account were revoked, and one that is issued later is good', async () => {
    const ref = await openUser();
    const other = await openUser();
    // An issuer's clock may be ahead by the leeway: a token issued before the revocation can say that it was issued after.
    const stolen = [-5, 0, 20, 28].map((seconds) => tokenOf(ref, { iat: inSeconds(seconds) }));
    for (const each of stolen) expect(await whose(each)).toBe(store.tenant.id);
    await store.tenant.revokeTokens(ref);
    for (const each of stolen) expect(await refusalOf(whose(each))).toBe('AUTH_INVALID');
    expect(await whose(tokenOf(other, { iat: inSeconds(-5) }))).toBe(store.tenant.id);
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.token_revocations set revoked_at = revoked_at - interval '35 seconds'
       where tenant_id = '${store.tenant.id}'; commit`,
    );
    expect(await whose(tokenOf(ref))).toBe(store.tenant.id);
    expect(await refusalOf(whose(tokenOf(ref, { iat: inSeconds(-10) })))).toBe('AUTH_INVALID');
    expect(await refusalOf(store.tenant.revokeTokens('nobody'))).toBe('ACCOUNT_NOT_FOUND');
  });

  test('is revoked by a key that may do all that end users may, and by no other', async () => {
    const ref = await openUser();
    const byKey = async (scopes: readonly Scope[]) => {
      const { secret } = await store.tenant.createApiKey({ name: 'revokes', scopes });
      const found = await store.usance.authenticate(secret);
      return refusalOf(found?.handle.revokeTokens(ref) ?? Promise.reject(new Error('expected a key that works')));
    };
    for (const missing of END_USER) {
      const others = END_USER.filter((scope) => scope !== missing);
      expect(await byKey(['keys:write', ...others])).toBe('AUTH_SCOPE_MISSING');
    }
    expect(await byKey(['keys:write'])).toBe('AUTH_SCOPE_MISSING');
    expect(await whose(tokenOf(ref))).toBe(store.tenant.id);
    expect(await byKey(['keys:write', ...END_USER])).toBe('not refused');
    expect(await refusalOf(whose(tokenOf(ref)))).toBe('AUTH_INVALID');
  });

  test('signed with the secret before is good while both are set, and with no other', async () => {
    const ref = await openUser();
    expect(await whose(tokenOf(ref, {}, PREVIOUS))).toBe(store.tenant.id);
    expect(await refusalOf(whose(tokenOf(ref, {}, 'another-secret-of-forty-characters-or-more')))).toBe('AUTH_INVALID');
  });
});

describe('an RSA key', () => {
  test.each([3, 17])('with the public exponent %i is refused', async (publicExponent) => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048, publicExponent });
    const order = {
      issuer: ISSUER,
      audience: 'weak',
      algorithm: 'RS256',
      jwks: { keys: [publicKey.export({ format: 'jwk' })] },
    } as const;
    expect(await refusalOf(store.tenant.createTokenIssuer(order))).toBe('FIELD_INVALID');
  });

  test('with the public exponent 1, whose signatures are the text itself, is refused', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const jwk = { ...publicKey.export({ format: 'jwk' }), e: 'AQ' };
    const order = { issuer: ISSUER, audience: 'weak', algorithm: 'RS256', jwks: { keys: [jwk] } } as const;
    expect(await refusalOf(store.tenant.createTokenIssuer(order))).toBe('FIELD_INVALID');
  });
});
