// Tokens that should not be believed, one trick each. Every one is refused with the same words, until its signature holds.
import { createSecretKey } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { LEEWAY_MS } from '../../src/access/token.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { AUDIENCE, ISSUER, claimsOf, inSeconds, pair, part, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const ALL_ALIKE = 'the token is not valid';
const ed = pair('EdDSA', 'ed-1');
const rsa = pair('RS256', 'rsa-1');
const env = shared(SECRET);

describe('a token', () => {
  const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });
  beforeAll(async () => {
    await store.tenant.openAccount({ ref: 'alice' });
    await store.tenant.createTokenIssuer({
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithm: 'RS256',
      jwks: { keys: [rsa.jwk, pair('RS256', 'rsa-2').jwk] },
    });
    await store.tenant.createTokenIssuer({ issuer: ISSUER, audience: 'ed', algorithm: 'EdDSA', publicKey: ed.pem });
  });

  /** Whose it is, or why it is refused. */
  const judged = async (text: string): Promise<string> => {
    try {
      const shown = await store.usance.authenticate(text);
      return shown ? `is ${(await shown.handle.accounts())[0]?.ref}` : 'is nobody';
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'AUTH_INVALID') throw error;
      return error.message;
    }
  };
  const rsaToken = (claims: object = {}, header: object = {}): string =>
    token(rsa.signer, claimsOf('alice', claims), header);
  const envClaims = (other: object = {}): object => ({ aud: 'usance', sub: 'alice', exp: inSeconds(60), ...other });

  test('that is well made is believed, by a key of its issuer or the secret of the environment', async () => {
    expect(await judged(rsaToken())).toBe('is alice');
    expect(await judged(token(env, envClaims()))).toBe('is alice');
    expect(await judged(token(ed.signer, claimsOf('alice', { aud: ['elsewhere', 'ed'] })))).toBe('is alice');
  });

  describe('whose header names another algorithm', () => {
    const unsigned = (alg: string): string => `${part({ alg, typ: 'JWT' })}.${part(claimsOf('alice'))}.`;
    const asSecret = (bytes: Buffer | string): string =>
      token(shared(createSecretKey(Buffer.from(bytes))), claimsOf('alice'), { kid: 'rsa-1' });
    test.each<[string, () => string]>([
      ['none', () => unsigned('none')],
      ['None', () => unsigned('None')],
      ['none, with the signature of another', () => unsigned('none') + (rsaToken().split('.')[2] ?? '')],
      ['nothing at all', () => token({ ...rsa.signer, algorithm: '' }, claimsOf('alice'))],
      ['HS256, with the public key (PEM) as the secret', () => asSecret(rsa.pem)],
      ['HS256, with the public key (PEM without its end) as the secret', () => asSecret(rsa.pem.trimEnd())],
      [
        'HS256, with the public key (DER) as the secret',
        () => asSecret(rsa.publicKey.export({ format: 'der', type: 'spki' })),
      ],
      ['HS256, with the modulus as the secret', () => asSecret(rsa.jwk.n ?? '')],
      ['HS256, with nothing as the secret', () => asSecret('')],
      ['HS256 by the environment’s secret, for another issuer', () => token(env, claimsOf('alice'))],
      ['RS256, for the environment’s secret', () => token(rsa.signer, envClaims())],
      [
        'PS256, by the same key',
        () => token({ ...pair('PS256'), ...rsa.signer, algorithm: 'PS256' }, claimsOf('alice')),
      ],
      ['RS256 in lower case', () => rsaToken({}, { alg: 'rs256' })],
      ['a list of algorithms', () => rsaToken({}, { alg: ['RS256'] })],
      ['EdDSA, by an issuer that signs otherwise', () => token(ed.signer, claimsOf('alice'), { kid: 'rsa-1' })],
      ['a name that every object has', () => rsaToken({}, { alg: 'constructor' })],
    ])('%s', async (_title, make) => {
      expect(await judged(make())).toBe(ALL_ALIKE);
    });
  });

  describe('whose kid is wrong, ambiguous or malformed', () => {
    test.each<[string, unknown]>([
      ['of a key that is not there', 'rsa-3'],
      ['of the other key', 'rsa-2'],
      ['with a path', '../../../../dev/null'],
      ['with a query', "x' union select 'secret"],
      ['with a command', '|/bin/true'],
      ['with a NUL', 'rsa-1\0'],
      ['that is empty', ''],
      ['that is huge', 'k'.repeat(2_000)],
      ['that is no text', 1],
      ['that is a list of names', ['rsa-1']],
      ['that every object has', '__proto__'],
      ['that is missing, where there are several keys', undefined],
    ])('%s', async (_title, kid) => {
      expect(
        await judged(token({ ...rsa.signer, kid: undefined as unknown as string }, claimsOf('alice'), { kid })),
      ).toBe(ALL_ALIKE);
    });

    test('is there twice', async () => {
      const head = part(`{"alg":"RS256","kid":"rsa-2","kid":"rsa-1"}`);
      const signed = `${head}.${part(claimsOf('alice'))}`;
      expect(await judged(`${signed}.${rsa.signer.sign(signed).toString('base64url')}`)).toBe(ALL_ALIKE);
    });
  });

  describe('that brings its own key', () => {
    const own = pair('RS256', 'rsa-1');
    test.each<[string, object]>([
      ['as jwk', { jwk: own.jwk }],
      ['as an address', { jku: 'http://127.0.0.1:1/keys.json' }],
      ['as a certificate', { x5c: ['AAAA'] }],
      ['as an extension to be understood', { crit: ['b64'], b64: false }],
      ['as another type', { typ: 'dpop+jwt' }],
    ])('%s', async (_title, header) => {
      expect(await judged(token(own.signer, claimsOf('alice'), header))).toBe(ALL_ALIKE);
    });

    test('or an extension is refused even where its signature holds', async () => {
      expect(await judged(rsaToken({}, { crit: ['exp'] }))).toBe(ALL_ALIKE);
      expect(await judged(rsaToken({}, { typ: 'dpop+jwt' }))).toBe(ALL_ALIKE);
      expect(await judged(rsaToken({}, { jku: 'http://127.0.0.1:1/keys.json' }))).toBe('is alice');
    });
  });

  describe('that is expired or not yet valid', () => {
    test.each<[string, object, string]>([
      ['long past', { exp: inSeconds(-3_600) }, 'the token has expired'],
      ['just past, beyond the leeway', { exp: inSeconds(-LEEWAY_MS / 1_000 - 1) }, 'the token has expired'],
      ['never ending', { exp: undefined }, 'the token has no end: exp is required, in whole seconds'],
      ['ending in words', { exp: '2999-01-01' }, 'the token has no end: exp is required, in whole seconds'],
      ['ending beyond every calendar', { exp: 1e15 }, 'the token has no end: exp is required, in whole seconds'],
      ['ending in a fraction', { exp: inSeconds(60) + 0.5 }, 'the token has no end: exp is required, in whole seconds'],
      ['not yet', { nbf: inSeconds(3_600) }, 'the token is not valid yet'],
      ['not yet, in words', { nbf: 'tomorrow' }, 'the token is not valid yet'],
    ])('%s', async (_title, claims, says) => {
      expect(await judged(rsaToken(claims))).toBe(says);
    });

    test('is given a little leeway', async () => {
      expect(await judged(rsaToken({ exp: inSeconds(-5), nbf: inSeconds(5) }))).toBe('is alice');
    });
  });

  describe('for another issuer or audience', () => {
    test.each<[string, object]>([
      ['another audience', { aud: 'other' }],
      ['an audience in other letters', { aud: 'Shop' }],
      ['an audience of another alphabet', { aud: 'ѕhop' }],
      ['no audience', { aud: undefined }],
      ['an audience that is no text', { aud: { 0: AUDIENCE } }],
      ['an audience inside a list', { aud: [[AUDIENCE]] }],
      ['an audience after twenty others', { aud: [...Array.from({ length: 20 }, (_, n) => `a${n}`), AUDIENCE] }],
      ['another issuer', { iss: 'https://evil.example.com/' }],
      ['an issuer without its slash', { iss: ISSUER.slice(0, -1) }],
      ['an issuer of another alphabet', { iss: ISSUER.replace('o', 'о') }],
      ['an issuer with a NUL', { iss: `${ISSUER}\0` }],
      ['no issuer', { iss: undefined }],
      ['an issuer that is no text', { iss: [ISSUER] }],
    ])('%s', async (_title, claims) => {
      expect(await judged(rsaToken(claims))).toBe(ALL_ALIKE);
    });
  });

  describe('that names', () => {
    const noName = 'the token names no account: sub must be the ref of one';
    const noAccount = 'the token names no account that is open';
    test.each<[string, unknown, string]>([
      ['nobody', undefined, noName],
      ['an empty name', '', noName],
      ['a number', 7, noName],
      ['null', null, noName],
      ['a list', ['alice'], noName],
      ['an object', { ref: 'alice' }, noName],
      ['a lookalike of another alphabet', 'аlice', noName],
      ['a full-width lookalike', 'ａlice', noName],
      ['a combined letter', 'alice\u0301', noName],
      ['an invisible letter', 'alice\u200b', noName],
      ['a NUL', 'alice\0', ALL_ALIKE],
      ['a space', 'alice ', noName],
      ['a huge name', 'a'.repeat(201), noName],
      ['other letters', 'Alice', noAccount],
      ['somebody unknown', 'mallory', noAccount],
      ['the outside', 'world', noAccount],
      ['the fees', 'fees', noAccount],
      ['what every object has', '__proto__', noAccount],
    ])('%s', async (_title, sub, says) => {
      expect(await judged(rsaToken({ sub }))).toBe(says);
    });

    test('an account by its id, which is no ref', async () => {
      const { id } = await store.tenant.account('alice');
      expect(await judged(rsaToken({ sub: id }))).toBe(noAccount);
    });

    test('an account whose ref reads like another’s id is that account, not the other', async () => {
      const { id } = await store.tenant.account('alice');
      const mallory = await store.tenant.openAccount({ ref: id });
      const shown = await store.usance.authenticate(rsaToken({ sub: id }));
      expect(shown?.handle.subject).toBe(mallory.id);
      expect((await shown?.handle.account(id))?.id).not.toBe(id);
    });

    test('a closed account', async () => {
      await store.tenant.openAccount({ ref: 'gone' });
      await store.tenant.closeAccount('gone', 'moved away');
      expect(await judged(rsaToken({ sub: 'gone' }))).toBe(noAccount);
    });

    test('somebody twice', async () => {
      const claims = JSON.stringify(claimsOf('alice'));
      for (const twice of ['"sub":"bob"', '"s\\u0075b":"bob"']) {
        expect(await judged(token(rsa.signer, claims.replace('{', `{${twice},`)))).toBe(ALL_ALIKE);
      }
    });
  });

  describe('that is not whole', () => {
    test('whatever is cut off its end', async () => {
      const whole = rsaToken();
      for (const length of [1, 2, 10, whole.length >> 1, whole.length - 40]) {
        expect(await judged(whole.slice(0, -length)), `${length} less`).toMatch(/^(the token is not valid|is nobody)$/);
      }
    });

    test('whatever is changed in it', async () => {
      const [head = '', body = '', tail = ''] = rsaToken().split('.');
      const bob = part(claimsOf('bob'));
      const swapped = [
        `${head}.${bob}.${tail}`,
        `${head}.${body}.`,
        `${head}..${tail}`,
        `.${body}.${tail}`,
        `${head}.${body}`,
      ];
      for (const text of [...swapped, `${head}.${body}.${tail}.${tail}`, `${head}.${body}.${tail}=`, `ey.ey.ey`]) {
        expect(await judged(text), text.slice(0, 20)).toMatch(/^(the token is not valid|is nobody)$/);
      }
    });

    test.each<[string, string]>([
      ['an array', '["alice"]'],
      ['null', 'null'],
      ['a number', '7'],
      ['no JSON', '{"sub"'],
      ['nested without end', '['.repeat(1_400)],
    ])('or whose claims are %s', async (_title, claims) => {
      expect(await judged(token(rsa.signer, claims))).toBe(ALL_ALIKE);
    });

    test('or is too large to be one', async () => {
      expect(await judged(rsaToken({ padding: 'x'.repeat(5_000) }))).toBe(ALL_ALIKE);
    });
  });

  test('of an issuer that is removed is refused', async () => {
    const gone = { issuer: 'https://gone.example.com/', audience: AUDIENCE };
    const { id } = await store.tenant.createTokenIssuer({ ...gone, algorithm: 'EdDSA', publicKey: ed.pem });
    const text = token(ed.signer, claimsOf('alice', { iss: gone.issuer }));
    expect(await judged(text)).toBe('is alice');
    await store.tenant.deleteTokenIssuer(id);
    expect(await judged(text)).toBe(ALL_ALIKE);
  });

  test('of the environment is the first tenant’s: the same name in another is not meant', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    await other.openAccount({ ref: 'only-there' });
    expect(await judged(token(env, envClaims({ sub: 'only-there' })))).toBe('the token names no account that is open');
    expect(await judged(token(shared(`${SECRET}x`), envClaims()))).toBe(ALL_ALIKE);
  });
});

describe('where the environment names an issuer', () => {
  const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: ISSUER } });

  test('its tokens name it too', async () => {
    await store.tenant.openAccount({ ref: 'alice' });
    const claims = claimsOf('alice', { aud: 'usance' });
    expect((await store.usance.authenticate(token(env, claims)))?.handle.subject).toEqual(expect.any(String));
    await expect(store.usance.authenticate(token(env, { ...claims, iss: 'other' }))).rejects.toThrow(ALL_ALIKE);
  });
});

describe('without a secret in the environment', () => {
  const store = useUsance();

  test('there is none to sign with', async () => {
    await store.tenant.openAccount({ ref: 'alice' });
    for (const secret of [SECRET, '', 'null', 'undefined']) {
      const text = token(shared(secret), { aud: 'usance', sub: 'alice', exp: inSeconds(60) });
      await expect(store.usance.authenticate(text)).rejects.toThrow(ALL_ALIKE);
    }
  });
});
