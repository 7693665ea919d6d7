// Processors: the code that workers can run, by name.
import { Type } from 'typebox';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { Instant, closed, listOf } from '../schemas.ts';
import { AN_HOUR_LATER, CREATED_AT } from './examples.ts';

const Processor = closed(
  {
    name: Type.String({ description: 'Its name, for `processor_name` of a job.', examples: ['send-receipt'] }),
    description: Type.String({ description: 'A text for people.' }),
    announced_at: { ...Instant, description: 'When a worker first announced it. RFC 3339, UTC.' } as typeof Instant,
    last_seen_at: {
      ...Instant,
      description: 'When a worker that can run it was last alive. RFC 3339, UTC.',
    } as typeof Instant,
  },
  { title: 'Processor' },
);

export const processorRoutes = {
  'processors.list': route({
    method: 'GET',
    path: '/processors',
    summary: 'List processors',
    description:
      'By name: the code that the workers of this database can run, for all tenants, and the subscriptions of this one. A processor whose `last_seen_at` is old has no worker: its ' +
      'executions wait.',
    scope: 'jobs:read',
    answer: listOf(Processor, 'ProcessorList'),
    example: {
      answer: {
        data: [
          {
            name: 'send-receipt',
            description: 'Sends a receipt by email.',
            announced_at: CREATED_AT,
            last_seen_at: AN_HOUR_LATER,
          },
        ],
        next_cursor: null,
      },
    },
    handle: ({ tenant }) =>
      wholeList(tenant.processors(), ({ name, description, announcedAt, lastSeenAt }) => ({
        name,
        description,
        announced_at: announcedAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
      })),
  }),
};
