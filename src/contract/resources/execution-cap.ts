// The cap on executions a second.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ExecutionCap as EngineCap } from '../../engine.ts';
import { MAX_EXECUTIONS_PER_SECOND } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { closed, nullable } from '../schemas.ts';
import { refusedAs } from '../validate.ts';

export const ExecutionCap = closed(
  {
    per_second: nullable(Type.Integer(), { description: 'The tenant’s own cap; null if it has none.' }),
    default_per_second: nullable(Type.Integer(), {
      description:
        'The default of the deployment in payments per second (`USANCE_EXECUTIONS_PER_SECOND`), for tenants without a cap.',
    }),
    applies_per_second: nullable(Type.Integer(), {
      description: 'The cap in force, in payments per second: the tenant’s own, or else the default. Null: no cap.',
    }),
  },
  { title: 'ExecutionCap' },
);

export const showCap = (cap: EngineCap): Static<typeof ExecutionCap> => ({
  per_second: cap.perSecond,
  default_per_second: cap.defaultPerSecond,
  applies_per_second: cap.appliesPerSecond,
});

export const EXAMPLE_CAP = { per_second: 50, default_per_second: null, applies_per_second: 50 };

export const executionCapRoutes = {
  'executionCap.get': route({
    method: 'GET',
    path: '/execution-cap',
    summary: 'Get the execution cap',
    scope: 'ops:read',
    answer: ExecutionCap,
    example: { answer: EXAMPLE_CAP },
    handle: async ({ tenant }) => showCap(await tenant.executionCap()),
  }),

  'executionCap.set': route({
    method: 'PATCH',
    path: '/execution-cap',
    summary: 'Set the execution cap',
    description:
      'Applies to all processors together, within about a second. Due payments beyond the cap wait; the wait counts no attempt. Null ' +
      'removes the cap, and the default of the deployment applies. A test tenant has no cap.',
    scope: 'ops:write',
    body: closed({
      per_second: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: MAX_EXECUTIONS_PER_SECOND,
        ...refusedAs('FIELD_INVALID/not_whole_number_or_null', { min: 1, max: MAX_EXECUTIONS_PER_SECOND }),
      }),
    }),
    answer: ExecutionCap,
    example: { body: { per_second: 50 }, answer: EXAMPLE_CAP },
    async handle({ tenant, body }) {
      await tenant.setExecutionCap(body.per_second);
      return showCap(await tenant.executionCap());
    },
  }),
};
