// Pause switches, for operators.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ActivePause } from '../../engine.ts';
import { refuse, shownActor, toTypeId } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { Instant, Reason, closed, idOf, listOf, oneOf, textOrNull } from '../schemas.ts';
import { CREATED_AT } from './examples.ts';

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
  paused_by: shownActor(pause.pausedBy),
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
  'pauses.create': route({
    method: 'POST',
    path: '/pauses',
    summary: 'Pause outgoing payments',
    description:
      'New payments, captures, refunds and withdrawals are refused. Due payments wait, and the wait counts no attempt.',
    scope: 'ops:write',
    status: 201,
    body: closed({
      scope: oneOf(SCOPES),
      value: Type.Optional(
        Type.String({ maxLength: 50, description: 'The asset or rail. Default: the whole tenant.' }),
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
      return showPause(await tenant.pause(scope, value, reason));
    },
  }),

  'pauses.list': route({
    method: 'GET',
    path: '/pauses',
    summary: 'List pauses',
    scope: 'ops:read',
    answer: listOf(Pause, 'PauseList'),
    example: { answer: { data: [EXAMPLE_PAUSE], next_cursor: null } },
    handle: ({ tenant }) => wholeList(tenant.pauses(), showPause),
  }),

  'pauses.lift': route({
    method: 'DELETE',
    path: '/pauses/{id}',
    summary: 'Lift a pause',
    scope: 'ops:write',
    params: closed({ id: idOf('pause') }),
    answer: Pause,
    example: { params: { id: EXAMPLE_PAUSE.id }, answer: EXAMPLE_PAUSE },
    async handle({ tenant, params }) {
      const found = (await tenant.pauses()).find((pause) => toTypeId('pause', pause.id) === params.id);
      if (!found) return refuse('PAUSE_NOT_FOUND');
      await tenant.liftPause(found.scope, found.value);
      return showPause(found);
    },
  }),
};
