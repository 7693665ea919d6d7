import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Algorithm, Scope } from '../../src/access/index.ts';
import { END_USER, SCOPES } from '../../src/access/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from './tokens.ts';

const ed = pair('EdDSA', 'one');
const rsa = pair('RS256', 'two');

describe('a token issuer', () => {
  const store = useUsance();
  let count = 0;
  const order = (algorithm: Algorithm, keys: object) => ({
    issuer: ISSUER,
    audience: `${AUDIENCE}-${(count += 1)}`,
    algorithm,
    ...keys,
  });
  const refused = (work: () => Promise<unknown>): Promise<string> =>
    refusedUnchanged(store.owner, store.tenant.id, work);

  test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const)(
    'signs with %s, by JWK or PEM',
    async (algorithm) => {
      const { signer, jwk, pem } = pair(algorithm);
      await store.tenant.openAccount({ ref: `of-${algorithm}` });
      for (const keys of [{ jwks: { keys: [jwk] } }, { publicKey: pem }]) {
        const { audience } = await store.tenant.createTokenIssuer(order(algorithm, keys));
        const shown = await store.usance.authenticate(
          token(signer, claimsOf(`of-${algorithm}`, { aud: ['x', audience] })),
        );
        expect(shown).toMatchObject({ key: null, handle: { name: 'shop' } });
      }
    },
  );

  test('stores only the public part of accepted keys', async () => {
    const stray = [rsa.jwk, { ...pair('EdDSA', 'enc').jwk, use: 'enc' }, { ...pair('EdDSA', 'alg').jwk, alg: 'ES256' }];
    const jwks = { keys: [{ ...ed.jwk, use: 'sig', alg: 'EdDSA', x5c: ['…'], note: 'x' }, ...stray] };
    const made = await store.tenant.createTokenIssuer(order('EdDSA', { jwks }));
    expect(made.keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: ed.jwk.x, kid: 'one' }]);
  });

  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  test.each<[string, object]>([
    ['no key', {}],
    ['two ways to give them', { jwks: { keys: [ed.jwk] }, publicKey: ed.pem }],
    ['a set that is none', { jwks: [ed.jwk] }],
    ['an empty set', { jwks: { keys: [] } }],
    ['keys of another kind', { jwks: { keys: [rsa.jwk] } }],
    ['a private key', { jwks: { keys: [ed.privateKey.export({ format: 'jwk' })] } }],
    ['a shared secret', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
    ['a private key in PEM', { publicKey: ed.privateKey.export({ format: 'pem', type: 'pkcs8' }) }],
    ['a PEM that is none', { publicKey: 'hello' }],
    ['the PEM of another kind', { publicKey: rsa.pem }],
    ['a point that is not on the curve', { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA' }] } }],
    ['two keys of one name', { jwks: { keys: [ed.jwk, { ...pair('EdDSA').jwk, kid: 'one' }] } }],
    ['a key without a name among several', { jwks: { keys: [ed.jwk, pair('EdDSA').jwk] } }],
    ['more keys than anybody needs', { jwks: { keys: Array.from({ length: 21 }, () => ed.jwk) } }],
  ])('is not made with %s', async (_title, keys) => {
    expect(await refused(() => store.tenant.createTokenIssuer(order('EdDSA', keys)))).toBe('FIELD_INVALID');
  });

  test('is not created with a weak key or an invalid name', async () => {
    const jwks = { keys: [small.publicKey.export({ format: 'jwk' })] };
    expect(await refused(() => store.tenant.createTokenIssuer(order('RS256', { jwks })))).toBe('FIELD_INVALID');
    for (const wrong of [{ issuer: '' }, { issuer: 'a b' }, { audience: 'x'.repeat(501) }, { algorithm: 'HS256' }]) {
      const made = { ...order('EdDSA', { publicKey: ed.pem }), ...wrong } as ReturnType<typeof order>;
      expect(await refused(() => store.tenant.createTokenIssuer(made))).toBe('FIELD_INVALID');
    }
  });

  test('has an issuer and audience once in its tenant, and again after it was removed', async () => {
    const taken = order('EdDSA', { publicKey: ed.pem });
    const { id } = await store.tenant.createTokenIssuer(taken);
    expect(await refusalOf(store.tenant.createTokenIssuer(taken))).toBe('ISSUER_EXISTS');
    const other = await store.usance.createTenant({ name: 'other' });
    expect((await other.createTokenIssuer(taken)).tenantId).toBe(other.id);
    await store.tenant.deleteTokenIssuer(id);
    expect(await refusalOf(store.tenant.deleteTokenIssuer(id))).toBe('ISSUER_NOT_FOUND');
    expect((await store.tenant.createTokenIssuer(taken)).tenantId).toBe(store.tenant.id);
  });

  test('made by twenty at once is made once', async () => {
    const same = order('EdDSA', { publicKey: ed.pem });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(store.tenant.createTokenIssuer(same))),
    );
    expect(outcomes.filter((outcome) => outcome === 'ISSUER_EXISTS')).toHaveLength(19);
  });

  test('changes its keys: the old sign no more, and who signed is on record', async () => {
    await store.tenant.openAccount({ ref: 'rekeyed' });
    const made = await store.tenant.createTokenIssuer(order('EdDSA', { publicKey: ed.pem }));
    const next = pair('EdDSA', 'next');
    const by = ({ signer }: typeof next) =>
      refusalOf(store.usance.authenticate(token(signer, claimsOf('rekeyed', { aud: made.audience }))));
    expect(await by(ed)).toBe('not refused');
    await store.tenant.updateTokenIssuer(made.id, { jwks: { keys: [ed.jwk, next.jwk] } });
    expect([await by(ed), await by(next)]).toEqual(['not refused', 'not refused']);
    await store.tenant.updateTokenIssuer(made.id, { jwks: { keys: [next.jwk] } });
    expect([await by(ed), await by(next)]).toEqual(['AUTH_INVALID', 'not refused']);
    const deeds = await store.owner.query(`select type from usance.events where resource_id = $1::uuid order by id`, [
      made.id,
    ]);
    expect(deeds.map((row) => row['type'])).toEqual([
      'token_issuer.created',
      'token_issuer.updated',
      'token_issuer.updated',
    ]);
  });

  test('is removed only by a key that may do what its end users may', async () => {
    const { id } = await store.tenant.createTokenIssuer(order('EdDSA', { jwks: { keys: [ed.jwk] } }));
    const handleOf = async (scopes: readonly Scope[]) =>
      (await store.usance.authenticate((await store.tenant.createApiKey({ name: 'k', scopes })).secret))?.handle;
    const short = await handleOf(['keys:write', 'ledger:read']);
    expect(await refused(async () => short?.deleteTokenIssuer(id))).toBe('AUTH_SCOPE_MISSING');
    const enough = await handleOf(['keys:write', ...END_USER]);
    expect(await enough?.deleteTokenIssuer(id)).toMatchObject({ id });
  });

  test('is created and updated only by admins: the holder of its key can act as every end user', async () => {
    const all = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== 'admin');
    const { secret } = await store.tenant.createApiKey({ name: 'k', role: 'operator', scopes: all });
    const maker = (await store.usance.authenticate(secret))?.handle;
    const made = await store.tenant.createTokenIssuer(order('EdDSA', { publicKey: ed.pem }));
    const mint = () => maker?.createTokenIssuer(order('EdDSA', { publicKey: ed.pem }));
    expect(await refused(async () => mint())).toBe('AUTH_SCOPE_MISSING');
    expect(await refused(async () => maker?.updateTokenIssuer(made.id, { publicKey: ed.pem }))).toBe(
      'AUTH_SCOPE_MISSING',
    );
  });

  test('tells which keys were installed, by their thumbprints', async () => {
    // The key of RFC 8037, appendix A.3, with its thumbprint.
    const jwk = { kty: 'OKP', crv: 'Ed25519', kid: 'a', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    const { id } = await store.tenant.createTokenIssuer(order('EdDSA', { jwks: { keys: [jwk] } }));
    const [told] = await store.owner.query(`select data::text from usance.events where resource_id = $1::uuid`, [id]);
    expect(JSON.parse(String(told?.['data']))).toMatchObject({
      keys: ['a'],
      thumbprints: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
    });
  });
});

describe('a payment that an end user made', () => {
  const store = useUsance();
  const mine = pair('EdDSA', 'mine');

  test('is not decided by a key that installed a key of a token issuer', async () => {
    await open(store.tenant, { alice: 1_000_000, bob: 0 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    const adminOf = async (name: string, by = store.tenant) =>
      (await store.usance.authenticate((await by.createApiKey({ name, role: 'admin' })).secret))?.handle as typeof by;
    const [minter, rekeyer, other] = [await adminOf('minter'), await adminOf('rekeyer'), await adminOf('other')];
    const child = await adminOf('child', minter);
    const terms = { issuer: ISSUER, audience: AUDIENCE, algorithm: 'EdDSA', jwks: { keys: [mine.jwk] } } as const;
    const { id: issuer } = await minter.createTokenIssuer(terms);
    const asUser = (await store.usance.authenticate(token(mine.signer, claimsOf('alice'))))?.handle;
    const hold = { from: 'alice', to: 'bob', amount: 600, asset: 'USD', delay: '1h' };
    const payment = (await asUser?.createPayment({ ...hold, idempotencyKey: key() }))?.id ?? '';
    // Neither another's keys nor the removal of the issuer wash the first ones clean.
    await rekeyer.updateTokenIssuer(issuer, { jwks: { keys: [pair('EdDSA').jwk] } });
    await other.deleteTokenIssuer(issuer);
    for (const same of [minter, rekeyer]) {
      expect(
        await refusedUnchanged(store.owner, store.tenant.id, () => same.approvePayment(payment, { termsVersion: 1 })),
      ).toBe('APPROVAL_NEEDS_ANOTHER');
    }
    // An admin hands out keys: what one key of an admin made, another may approve.
    expect(await child.approvePayment(payment, { termsVersion: 1 })).toMatchObject({ approval: 'given' });
  });
});
