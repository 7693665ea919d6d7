// Issuers that sign the tokens of a tenant's end users.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Algorithm, TokenIssuer as EngineIssuer } from '../../engine.ts';
import { ALGORITHMS } from '../../engine.ts';
import { fromTypeId, shownActor, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { oldestFirst } from '../cursor.ts';
import { Instant, closed, idOf, listOf, nullable, oneGivenOf, oneOf, pageQuery, textOrNull } from '../schemas.ts';
import { instantOrNull } from '../wire-format.ts';
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
  jwks_url: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'Instead of `jwks`: the https URL of the JWK Set of your identity provider. It is fetched when a token names a key that is not known, at most once a minute.',
      examples: ['https://login.example.com/.well-known/jwks.json'],
      ...refusedAs('URL_REFUSED/not_a_url', { max: 2_000 }),
    }),
  ),
};

const TokenIssuer = closed(
  {
    id: idOf('tokenIssuer'),
    ...ISSUER,
    jwks: Jwks,
    jwks_url: textOrNull({ description: 'The URL from which `jwks` is fetched; null if the keys were uploaded.' }),
    keys_fetched_at: nullable(Instant, {
      description: 'When `jwks` was last seen at `jwks_url`. RFC 3339, UTC; null before, and for uploaded keys.',
    }),
    keys_error: textOrNull({ description: 'Why the last attempt to fetch the keys failed; null if it did not.' }),
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
  jwks_url: issuer.jwksUrl,
  keys_fetched_at: instantOrNull(issuer.keysFetchedAt),
  keys_error: issuer.keysError,
  created_by: shownActor(issuer.createdBy),
  created_at: issuer.createdAt.toISOString(),
  updated_at: issuer.updatedAt.toISOString(),
});

interface Keys {
  readonly jwks?: unknown;
  readonly public_key?: string;
  readonly jwks_url?: string;
}

const readKeys = ({ jwks, public_key, jwks_url }: Keys) => ({
  ...(jwks === undefined ? {} : { jwks }),
  ...(jwks_url === undefined ? {} : { jwksUrl: jwks_url }),
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
  jwks_url: null,
  keys_fetched_at: null,
  keys_error: null,
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
    body: closed(
      { ...ISSUER, ...KEYS },
      { title: 'TokenIssuerCreateParams', ...oneGivenOf(['jwks', 'public_key', 'jwks_url']) },
    ),
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
    query: pageQuery({}),
    answer: listOf(TokenIssuer, 'TokenIssuerList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    handle: ({ tenant, query }) => oldestFirst(query, (range) => tenant.tokenIssuers(range), show),
  }),

  'tokenIssuers.update': route({
    method: 'PATCH',
    path: '/token-issuers/{id}',
    summary: 'Replace the keys of a token issuer',
    description:
      'Replaces all keys of the issuer. During a key rotation, give the old and the new keys. With `jwks_url` the issuer has no keys until its next token.',
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
