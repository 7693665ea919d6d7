// Webhook endpoints, with how well they answer.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { WebhookEndpointMade } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { ActionButton } from '../../parts/action.tsx';
import { PageHead, Panel, Tabs } from '../../parts/layout.tsx';
import { SecretDialog } from '../../parts/secret.tsx';
import { ReceiverState } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id, Pattern, When } from '../../parts/values.tsx';
import { create } from './actions.ts';
import { RecentAnswers } from './answers.tsx';

export function WebhooksHead({
  current,
  children,
}: {
  readonly current: 'endpoints' | 'deliveries';
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <>
      <PageHead title="Webhooks" lead="Events that are sent to your servers, signed and retried.">
        {children}
      </PageHead>
      <Tabs
        label="Webhooks"
        tabs={[
          { name: 'Endpoints', to: '/webhooks', isCurrent: current === 'endpoints' },
          { name: 'Deliveries', to: '/deliveries', isCurrent: current === 'deliveries' },
        ]}
      />
    </>
  );
}

export function Page(): ReactNode {
  const [made, setMade] = useState<WebhookEndpointMade | null>(null);
  const read = useList('webhookEndpoints.list', [], () => api.webhookEndpoints.list({ limit: 50 }));
  return (
    <>
      <WebhooksHead current="endpoints">
        <ActionButton action={create} subject={null} onDone={(answer) => setMade(answer as WebhookEndpointMade)} />
      </WebhooksHead>
      <Panel flush>
        <ListTable
          caption="Webhook endpoints"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/webhooks/${id}`}
          empty='No endpoint yet. "New endpoint" adds one, as POST /v1/webhook-endpoints does: a URL and the events that it wants.'
          columns={[
            {
              head: 'URL',
              cell: ({ url, description }) => (
                <>
                  <strong>{url}</strong>
                  {description !== '' && <span className="soft"> {description}</span>}
                </>
              ),
            },
            { head: 'State', cell: (endpoint) => <ReceiverState of={endpoint} /> },
            { head: 'Events', cell: ({ eventPattern }) => <Pattern of={eventPattern} /> },
            { head: 'Answers', cell: ({ id }) => <RecentAnswers endpointId={id} /> },
            { head: 'Last success', wide: true, cell: ({ lastSuccessAt }) => <When at={lastSuccessAt} of="real" /> },
            { head: 'Endpoint', wide: true, cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
      {made !== null && <EndpointSecret of={made} onClose={() => setMade(null)} />}
    </>
  );
}

export function EndpointSecret({
  of: { secret },
  onClose,
}: {
  readonly of: WebhookEndpointMade;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <SecretDialog
      title="The signing secret"
      secret={secret}
      note="The receiver verifies the signature of each delivery with it."
      without="It was shown with the first response to this request. Rotate the secret for a new one."
      onClose={onClose}
    />
  );
}
