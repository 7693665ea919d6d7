// The deliveries and executions for the events of a payment, in words.
import type { ReactNode } from 'react';
import type { Delivery, Execution, WebhookEndpoint } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { ReadList } from '../../api/queries.ts';
import { useList } from '../../api/queries.ts';
import { useAllowed } from '../../app/session.tsx';
import { formatInstant, plural } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id } from '../../parts/values.tsx';

export function WebhooksAndJobs({ id }: { readonly id: string }): ReactNode {
  const maySeeWebhooks = useAllowed('webhooks:read');
  const filter = { resourceId: id, limit: 50 };
  const deliveries = useList('deliveries.list', [filter], () => api.deliveries.list(filter), {
    enabled: maySeeWebhooks,
  });
  const executions = useList('executions.list', [filter], () => api.executions.list(filter), {
    enabled: useAllowed('jobs:read'),
  });
  const endpoints = useList('webhookEndpoints.list', [], () => api.webhookEndpoints.list({ limit: 100 }), {
    enabled: maySeeWebhooks,
  });
  const typeOf = useTypes(id);
  // A delivery is an execution too, of the job that belongs to its endpoint: both have the same id behind the prefix.
  const sent = new Set(deliveries.data?.map((delivery) => delivery.id));
  const ofEndpoints = new Set(endpoints.data?.map((endpoint) => suffixOf(endpoint.id)));
  const isKnown = !maySeeWebhooks || (deliveries.data !== undefined && endpoints.data !== undefined);
  const ran = isKnown
    ? executions.data?.filter((one) => !sent.has(one.id) && !ofEndpoints.has(suffixOf(one.jobId)))
    : undefined;
  return (
    <>
      {maySeeWebhooks && <Deliveries read={deliveries} endpoints={endpoints.data ?? []} typeOf={typeOf} />}
      {ran !== undefined && (ran.length > 0 || executions.more !== null) && (
        <Executions read={{ ...executions, data: ran }} typeOf={typeOf} />
      )}
    </>
  );
}

const suffixOf = (id: string): string => id.slice(id.indexOf('_') + 1);

type TypeOf = (eventId: string) => ReactNode;

/** The types of events by id. The list of events is one page: a payment has few. */
function useTypes(id: string): TypeOf {
  const events = useList('events.list', [{ resourceId: id }], () => api.events.list({ resourceId: id, limit: 100 }), {
    enabled: useAllowed('events:read'),
  });
  const types = new Map(events.data?.map((event) => [event.id, event.type]));
  return (eventId) => types.get(eventId) ?? <Id of={eventId} />;
}

function Deliveries({
  read,
  endpoints,
  typeOf,
}: {
  readonly read: ReadList<Delivery>;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly typeOf: TypeOf;
}): ReactNode {
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return (
    <Panel title="Webhooks" note="What was sent about it." flush>
      <ListTable
        caption="Webhooks of this payment"
        read={read}
        empty="No webhook endpoint gets the events of this payment."
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/deliveries/${id}`}
        columns={[
          {
            head: 'State',
            cell: ({ status }) => <State of={status} word={status === 'completed' ? 'delivered' : status} />,
          },
          { head: 'Event', opens: true, cell: ({ eventId }) => typeOf(eventId) },
          { head: 'To', cell: ({ endpointId }) => urls.get(endpointId) ?? <Id of={endpointId} /> },
          { head: 'What happened', cell: deliveryInWords },
        ]}
      />
    </Panel>
  );
}

function Executions({ read, typeOf }: { readonly read: ReadList<Execution>; readonly typeOf: TypeOf }): ReactNode {
  const jobs = useList('jobs.list', [], () => api.jobs.list({ limit: 100 }));
  const names = new Map(jobs.data?.map((job) => [job.id, job.name]));
  return (
    <Panel title="Jobs" note="What ran because of it." flush>
      <ListTable
        caption="Jobs of this payment"
        read={read}
        empty="No job gets the events of this payment."
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/executions/${id}`}
        columns={[
          { head: 'State', cell: ({ status }) => <State of={status} /> },
          { head: 'Event', opens: true, cell: ({ eventId }) => typeOf(eventId) },
          { head: 'Job', cell: ({ jobId }) => names.get(jobId) ?? <Id of={jobId} /> },
          { head: 'What happened', cell: (execution) => executionInWords(execution) },
        ]}
      />
    </Panel>
  );
}

function deliveryInWords(delivery: Delivery): string {
  const { responseStatus, sent, status } = delivery;
  if (sent === false) return 'Recorded and not sent: it is an event of a test tenant.';
  const answer = responseStatus === null ? '' : `, answered ${responseStatus}`;
  if (status === 'completed') return `Delivered at attempt ${delivery.attemptNumber}${answer}.`;
  return executionInWords(delivery, answer);
}

function executionInWords(
  { status, attemptNumber, nextRetryAt, error }: Pick<Execution, 'status' | 'attemptNumber' | 'nextRetryAt' | 'error'>,
  answer = '',
): string {
  const why = error === null ? '' : ` ${error}`;
  switch (status) {
    case 'pending':
      return attemptNumber === 0
        ? 'Waits for a worker.'
        : `Attempt ${attemptNumber} failed${answer}. The next is ${nextRetryAt === null ? 'not due yet' : `at ${formatInstant(nextRetryAt)}`}.${why}`;
    case 'running':
      return `Attempt ${attemptNumber} is under way.`;
    case 'completed':
      return `Completed at attempt ${attemptNumber}.`;
    case 'failed':
      return `Failed for good after ${plural(attemptNumber, 'attempt')}${answer}: it is a dead letter.${why}`;
    case 'cancelled':
      return 'Cancelled.';
  }
}
