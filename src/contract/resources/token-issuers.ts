// Issuers that sign the tokens of a tenant's end users.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Algorithm, TokenIssuer as EngineIssuer } from '../../engine.ts';
import { ALGORITHMS } from '../../engine.ts';
import { fromTypeId, shownActor, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { Instant, closed, idOf, listOf, oneGivenOf, oneOf } from '../schemas.ts';
import { CREATED_AT } from './examples.ts';
import { refusedAs } from '../validate.ts';

const Id = closed({ id: idOf('tokenIssuer') });

const Name = (description: string, example: string) =>
  Type.String({
    description,
    pattern: '^[!-~]{1,500}$',
    examples: [example],
    ...refusedAs('FIELD_INVALID/not_printable_word', { min: 1, max: 500 }),
  });

const ISSUER = {
  issuer: Name('`iss` of the tokens, compared exactly.', 'https://login.example.com/'),
  audience: Name('Must be one of `aud` of the token.', 'usance'),
  algorithm: oneOf(Object.keys(ALGORITHMS) as Algorithm[], { description: 'The only accepted algorithm.' }),
};

const Jwks = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'A JWK Set (RFC 7517) of public keys: `{ "keys": [ … ] }`. Keys that do not fit the algorithm are ignored.',
  maxProperties: 20,
});
const KEYS = {
  jwks: Type.Optional(Jwks),
  public_key: Type.Optional(Type.String({ maxLength: 10_000, description: 'Instead of `jwks`: one key in PEM.' })),
};

const TokenIssuer = closed(
  {
    id: idOf('tokenIssuer'),
    ...ISSUER,
    jwks: Jwks,
    created_by: Type.String(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'TokenIssuer' },
);

const show = (issuer: EngineIssuer): Static<typeof TokenIssuer> => ({
  id: toTypeId('tokenIssuer', issuer.id),
  issuer: issuer.issuer,
  audience: issuer.audience,
  algorithm: issuer.algorithm,
  jwks: { keys: issuer.keys },
  created_by: shownActor(issuer.createdBy),
  created_at: issuer.createdAt.toISOString(),
  updated_at: issuer.updatedAt.toISOString(),
});

const readKeys = ({ jwks, public_key }: { readonly jwks?: unknown; readonly public_key?: string }) => ({
  ...(jwks === undefined ? {} : { jwks }),
  ...(public_key === undefined ? {} : { publicKey: public_key }),
});

const EXAMPLE_JWKS = {
  keys: [{ kty: 'OKP', crv: 'Ed25519', kid: '2026-11', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
};
const EXAMPLE = {
  id: 'iss_01k9ztj6x8z0b2d4f6h8k0n2p4',
  issuer: 'https://login.example.com/',
  audience: 'usance',
  algorithm: 'EdDSA',
  jwks: EXAMPLE_JWKS,
  created_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

export const tokenIssuerRoutes = {
  'tokenIssuers.create': route({
    method: 'POST',
    path: '/token-issuers',
    summary: 'Create a token issuer',
    description:
      'A token is sent as `Authorization: Bearer <JWT>`. Its `iss` and `aud` identify the issuer, its `sub` is the ref of an account, ' +
      'and `exp` is required. An end user with a token can read and move only the money of that account.',
    scope: 'admin',
    status: 201,
    body: closed({ ...ISSUER, ...KEYS }, { title: 'TokenIssuerCreateParams', ...oneGivenOf(['jwks', 'public_key']) }),
    answer: TokenIssuer,
    example: {
      body: { issuer: EXAMPLE.issuer, audience: EXAMPLE.audience, algorithm: 'EdDSA', jwks: EXAMPLE_JWKS },
      answer: EXAMPLE,
    },
    async handle({ tenant, body }) {
      const { issuer, audience, algorithm } = body;
      return show(await tenant.createTokenIssuer({ issuer, audience, algorithm, ...readKeys(body) }));
    },
  }),

  'tokenIssuers.list': route({
    method: 'GET',
    path: '/token-issuers',
    summary: 'List token issuers',
    description: 'Oldest first. The issuer of `JWT_SECRET` is not listed: it is configured in the environment.',
    scope: 'keys:read',
    answer: listOf(TokenIssuer, 'TokenIssuerList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.tokenIssuers(), show),
  }),

  'tokenIssuers.update': route({
    method: 'PATCH',
    path: '/token-issuers/{id}',
    summary: 'Replace the keys of a token issuer',
    description: 'Replaces all keys of the issuer. During a key rotation, give the old and the new keys.',
    scope: 'admin',
    params: Id,
    body: closed(KEYS, { title: 'TokenIssuerUpdateParams' }),
    answer: TokenIssuer,
    example: { params: { id: EXAMPLE.id }, body: { jwks: EXAMPLE_JWKS }, answer: EXAMPLE },
    handle: async ({ tenant, params, body }) =>
      show(await tenant.updateTokenIssuer(fromTypeId('tokenIssuer', params.id), readKeys(body))),
  }),

  'tokenIssuers.delete': route({
    method: 'DELETE',
    path: '/token-issuers/{id}',
    summary: 'Delete a token issuer',
    description: 'Every process refuses its tokens within five seconds.',
    scope: 'keys:write',
    params: Id,
    answer: TokenIssuer,
    example: { params: { id: EXAMPLE.id }, answer: EXAMPLE },
    handle: async ({ tenant, params }) => show(await tenant.deleteTokenIssuer(fromTypeId('tokenIssuer', params.id))),
  }),
};
