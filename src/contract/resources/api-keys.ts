// API keys of a tenant. A key creates keys with at most its own scopes, and no key sees another's secret.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ApiKey as EngineKey, MadeKey, Role, Scope } from '../../engine.ts';
import { ROLES, SCOPES, parseDelayMs, parseInstant } from '../../engine.ts';
import { fromTypeId, shownActor, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { newestFirst } from '../cursor.ts';
import { idOrNull, instantOrNull } from '../wire-format.ts';
import {
  DelayIn,
  Instant,
  closed,
  idOf,
  instantIn,
  listOf,
  nullable,
  oneOf,
  pageQuery,
  textOrNull,
} from '../schemas.ts';
import { CREATED_AT, EXECUTE_AT } from './examples.ts';

const Id = closed({ id: idOf('apiKey') });
const RoleName = oneOf(Object.keys(ROLES) as Role[], { description: 'A bundle of scopes.' });
const ScopeName = oneOf(Object.keys(SCOPES) as Scope[]);

const API_KEY = {
  id: idOf('apiKey'),
  name: Type.String({ description: 'Says what the key is for.' }),
  prefix: Type.String({
    description:
      'Identifies the key without revealing it: its first characters, or `own_` and a hash for a secret that you chose.',
  }),
  role: nullable(RoleName),
  scopes: Type.Array(ScopeName, { description: 'Scopes in addition to those of the role.' }),
  created_by: Type.String(),
  created_at: Instant,
  expires_at: nullable(Instant),
  revoked_at: nullable(Instant),
  last_used_at: nullable(Instant, { description: 'To the minute.' }),
  replaces: nullable(idOf('apiKey'), { description: 'The key that this key replaces.' }),
  lineage_id: Type.Unsafe<string>({
    ...idOf('apiKey'),
    description:
      'The first key of its rotations. All keys of a lineage are one caller for idempotency, approvals, limits and audit.',
  }),
  parent_id: nullable(idOf('apiKey'), { description: 'The key that created this key, or was rotated into it.' }),
  person: textOrNull({ description: 'The person that holds the key.' }),
};

const ApiKey = closed(API_KEY, { title: 'ApiKey' });
export const ApiKeyMade = closed(
  {
    ...API_KEY,
    secret: textOrNull({
      description: 'The secret of the key, returned only once. It is not stored, so a replayed response has null here.',
    }),
  },
  { title: 'ApiKeyMade' },
);

const showKey = (key: EngineKey): Static<typeof ApiKey> => ({
  id: toTypeId('apiKey', key.id),
  name: key.name,
  prefix: key.prefix,
  role: key.role,
  scopes: [...key.scopes],
  created_by: shownActor(key.createdBy),
  created_at: key.createdAt.toISOString(),
  expires_at: instantOrNull(key.expiresAt),
  revoked_at: instantOrNull(key.revokedAt),
  last_used_at: instantOrNull(key.lastUsedAt),
  replaces: idOrNull('apiKey', key.replaces),
  lineage_id: toTypeId('apiKey', key.lineageId),
  parent_id: idOrNull('apiKey', key.parentId),
  person: key.person,
});

export const showMade = ({ key, secret }: MadeKey): Static<typeof ApiKeyMade> => ({ ...showKey(key), secret });
const withoutSecret = (made: Static<typeof ApiKeyMade>): Static<typeof ApiKeyMade> => ({ ...made, secret: null });

const EXAMPLE_KEY = {
  id: 'key_01k9zte6r8t0w2y4a6c8e0g2j4',
  name: 'checkout',
  prefix: 'usk_3pXk1Z',
  role: null,
  scopes: ['payments:write', 'payments:read'],
  created_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  created_at: CREATED_AT,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  replaces: null,
  lineage_id: 'key_01k9zte6r8t0w2y4a6c8e0g2j4',
  parent_id: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  person: 'Jo Miller',
};
export const EXAMPLE_MADE = { ...EXAMPLE_KEY, secret: 'usk_3pXk1Zexample-not-a-key-0000000000000000' };

export const keyRoutes = {
  'apiKeys.create': route({
    method: 'POST',
    path: '/api-keys',
    summary: 'Create an API key',
    description:
      'Give a role, scopes, or both: at most the scopes of your own key, and no later expiry. Only this response has the secret.',
    scope: 'keys:write',
    status: 201,
    body: closed({
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Says what the key is for; 1 to 100 characters.',
      }),
      role: Type.Optional(RoleName),
      scopes: Type.Optional(Type.Array(ScopeName, { maxItems: 50 })),
      expires_at: Type.Optional(instantIn('When the key stops working. Default: never.')),
      person: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'The person that will hold the key. Two keys of one person cannot approve each other’s payments. Names are compared without ' +
            'regard to case, spacing and Unicode forms (NFKC).',
        }),
      ),
    }),
    answer: ApiKeyMade,
    example: {
      body: { name: 'checkout', scopes: ['payments:write', 'payments:read'], person: 'Jo Miller' },
      answer: EXAMPLE_MADE,
    },
    async handle({ tenant, body }) {
      const { name, role, scopes, expires_at, person } = body;
      return showMade(
        await tenant.createApiKey({
          name,
          ...(role === undefined ? {} : { role }),
          ...(scopes === undefined ? {} : { scopes }),
          ...(expires_at === undefined ? {} : { expiresAt: parseInstant(expires_at, 'expires_at') }),
          ...(person === undefined ? {} : { person }),
        }),
      );
    },
    remembers: withoutSecret,
  }),

  'apiKeys.list': route({
    method: 'GET',
    path: '/api-keys',
    summary: 'List API keys',
    description: 'Newest first, including revoked and expired keys.',
    scope: 'keys:read',
    query: pageQuery({}),
    answer: listOf(ApiKey, 'ApiKeyList'),
    example: { answer: { data: [EXAMPLE_KEY], next_cursor: null } },
    handle: ({ tenant, query }) => newestFirst(query, (range) => tenant.apiKeys(range), showKey),
  }),

  'apiKeys.revoke': route({
    method: 'DELETE',
    path: '/api-keys/{id}',
    summary: 'Revoke an API key',
    description:
      'Permanent. Every process applies it within five seconds. Requires every scope that the key has. Revoking a revoked key changes nothing.',
    scope: 'keys:write',
    params: Id,
    answer: ApiKey,
    example: { params: { id: EXAMPLE_KEY.id }, answer: { ...EXAMPLE_KEY, revoked_at: EXECUTE_AT } },
    handle: async ({ tenant, params }) => showKey(await tenant.revokeApiKey(fromTypeId('apiKey', params.id))),
  }),

  'apiKeys.rotate': route({
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same name, role, scopes, expiry, person and lineage: the same caller with a new secret. The old key ' +
      'works for `overlap` longer, by default a day, at most 30 days. A key can be rotated only once.',
    scope: 'keys:write',
    status: 201,
    params: Id,
    body: closed({ overlap: Type.Optional(DelayIn) }),
    answer: ApiKeyMade,
    example: {
      params: { id: EXAMPLE_KEY.id },
      body: { overlap: '24h' },
      answer: { ...EXAMPLE_MADE, id: 'key_01k9ztg2t4w6y8a0c2e4g6j8m0', replaces: EXAMPLE_KEY.id },
    },
    async handle({ tenant, params, body }) {
      const overlap = body.overlap === undefined ? {} : { overlapMs: parseDelayMs(body.overlap, 'overlap') };
      return showMade(await tenant.rotateApiKey(fromTypeId('apiKey', params.id), overlap));
    },
    remembers: withoutSecret,
  }),
};
