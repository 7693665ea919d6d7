// For whoever runs it: pause switches and keys.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ActivePause } from '../../engine.ts';
import { parseInstant } from '../../engine.ts';
import { refuse, toTypeId } from '../../kernel/index.ts';
import { route } from '../contract.ts';
import { actorOf, instantOrNull } from '../names.ts';
import { Instant, InstantIn, Reason, closed, idOf, listOf, nullable, oneOf, textOrNull } from '../schemas.ts';
import { CREATED_AT } from './examples.ts';

const tag = 'operating';
const SCOPES = ['tenant', 'asset', 'rail'] as const;

const Pause = closed(
  {
    id: idOf('pause'),
    scope: oneOf(SCOPES),
    value: textOrNull({ description: 'The asset or rail; null for the whole tenant.' }),
    reason: Type.String(),
    paused_by: Type.String(),
    paused_at: Instant,
  },
  { title: 'Pause' },
);

const showPause = (pause: ActivePause): Static<typeof Pause> => ({
  id: toTypeId('pause', pause.id),
  scope: pause.scope,
  value: pause.value === '' ? null : pause.value,
  reason: pause.reason,
  paused_by: actorOf(pause.pausedBy),
  paused_at: pause.pausedAt.toISOString(),
});

const EXAMPLE_PAUSE = {
  id: 'pau_01k9ztd8q0s2v4x6z8b0d2f4h6',
  scope: 'asset',
  value: 'USD/2',
  reason: 'the books are being checked',
  paused_by: 'key_01k9zsxw3e5r7t9v1y3z5a7b9c',
  paused_at: CREATED_AT,
};

export const pauseRoutes = {
  createPause: route({
    method: 'POST',
    path: '/pauses',
    tag,
    summary: 'Stop what leaves',
    description: 'New payments are refused and due ones wait, without an attempt being counted.',
    scope: 'operate:write',
    status: 201,
    body: closed({
      scope: oneOf(SCOPES),
      value: Type.Optional(
        Type.String({ maxLength: 50, description: 'The asset or rail; none for the whole tenant.' }),
      ),
      reason: Reason,
    }),
    answer: Pause,
    example: {
      body: { scope: 'asset', value: 'USD/2', reason: 'the books are being checked' },
      answer: EXAMPLE_PAUSE,
    },
    async handle({ tenant, body }) {
      const { scope, value = '', reason } = body;
      await tenant.pause(scope, value, reason);
      const made = (await tenant.pauses()).find((pause) => pause.scope === scope && pause.value === value);
      return made ? showPause(made) : refuse('PAUSE_NOT_FOUND', 'the pause was lifted at the same moment');
    },
  }),

  listPauses: route({
    method: 'GET',
    path: '/pauses',
    tag,
    summary: 'What is stopped',
    scope: 'operate:read',
    answer: listOf(Pause, 'PauseList'),
    example: { answer: { data: [EXAMPLE_PAUSE], next_cursor: null } },
    handle: async ({ tenant }) => ({ data: (await tenant.pauses()).map(showPause), next_cursor: null }),
  }),

  liftPause: route({
    method: 'DELETE',
    path: '/pauses/{id}',
    tag,
    summary: 'Let it leave again',
    scope: 'operate:write',
    params: closed({ id: idOf('pause') }),
    answer: Pause,
    example: { params: { id: EXAMPLE_PAUSE.id }, answer: EXAMPLE_PAUSE },
    async handle({ tenant, params }) {
      const found = (await tenant.pauses()).find((pause) => toTypeId('pause', pause.id) === params.id);
      if (!found) return refuse('PAUSE_NOT_FOUND', `there is no pause ${params.id}, or it was lifted`);
      await tenant.liftPause(found.scope, found.value);
      return showPause(found);
    },
  }),
};

const ApiKeyMade = closed(
  {
    id: idOf('apiKey'),
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters: enough to recognise it, not to use it.' }),
    scopes: Type.Array(Type.String()),
    created_at: Instant,
    expires_at: nullable(Instant),
    secret: textOrNull({
      description: 'The key itself, this once: it is kept nowhere, so a replayed answer has null here.',
    }),
  },
  { title: 'ApiKeyMade' },
);

export const keyRoutes = {
  createApiKey: route({
    method: 'POST',
    path: '/api-keys',
    tag,
    summary: 'Make an API key',
    scope: 'keys:write',
    status: 201,
    body: closed({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      scopes: Type.Optional(
        Type.Array(Type.String({ pattern: '^[a-z_-]+:[a-z_*-]+$|^\\*$', maxLength: 50 }), {
          maxItems: 50,
          description: '`*`, everything, where left out.',
        }),
      ),
      expires_at: Type.Optional(InstantIn),
    }),
    answer: ApiKeyMade,
    example: {
      body: { name: 'checkout', scopes: ['holds:write', 'holds:read'] },
      answer: {
        id: 'key_01k9zte6r8t0w2y4a6c8e0g2j4',
        name: 'checkout',
        prefix: 'usk_3pXk1Z',
        scopes: ['holds:write', 'holds:read'],
        created_at: CREATED_AT,
        expires_at: null,
        secret: 'usk_3pXk1Zexample-not-a-key-0000000000000000',
      },
    },
    async handle({ tenant, body }) {
      const { name, scopes = ['*'], expires_at } = body;
      const { key, secret } = await tenant.createApiKey({
        name,
        scopes,
        ...(expires_at === undefined ? {} : { expiresAt: parseInstant(expires_at, 'expires_at') }),
      });
      return {
        id: toTypeId('apiKey', key.id),
        name: key.name,
        prefix: key.prefix,
        scopes: [...key.scopes],
        created_at: key.createdAt.toISOString(),
        expires_at: instantOrNull(key.expiresAt),
        secret,
      };
    },
    remembers: (made) => ({ ...made, secret: null }),
  }),
};
