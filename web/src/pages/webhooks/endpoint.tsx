// One endpoint: its settings, and its deliveries.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { WebhookEndpoint, WebhookEndpointMade } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRelative } from '../../app/tenant-time.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { Facts, Note, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ReceiverState } from '../../parts/state.tsx';
import { CopyId, Id, Pattern, When } from '../../parts/values.tsx';
import { ENDPOINT_ACTIONS } from './actions.ts';
import { Answers } from './answers.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointSecret } from './list.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('webhookEndpoints.get', [id], () => api.webhookEndpoints.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Webhook endpoint" back={['Webhooks', '/webhooks']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(endpoint) => <Whole of={endpoint} />}</Loaded>
    </>
  );
}

function Whole({ of: endpoint }: { readonly of: WebhookEndpoint }): ReactNode {
  const relativeOf = useRelative();
  const [made, setMade] = useState<WebhookEndpointMade | null>(null);
  const { id, failingSince, disabledReason } = endpoint;
  const keep = (answer: unknown): void => setMade(answer as WebhookEndpointMade);
  return (
    <>
      <PageHead
        title={endpoint.url}
        back={['Webhooks', '/webhooks']}
        state={<ReceiverState of={endpoint} />}
        {...(endpoint.description === '' ? {} : { lead: endpoint.description })}
      >
        {ENDPOINT_ACTIONS.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            subject={endpoint}
            {...(action.name === 'webhookEndpoints.rotateSecret' ? { onDone: keep } : {})}
          />
        ))}
      </PageHead>
      {failingSince !== null && disabledReason === null && (
        <Note tone="warn">
          It has answered no delivery well since {relativeOf(failingSince, 'real')}. It is disabled once its failures
          span five days, at least a day after a warning.
        </Note>
      )}
      {disabledReason === 'failing' && (
        <Note tone="bad">
          It was disabled because its failures span five days. Enable it, then recover what it missed.
        </Note>
      )}
      {disabledReason === 'gone' && <Note tone="bad">It was disabled because it answered 410: it is gone.</Note>}
      <div className="split">
        <Panel title="Deliveries" flush>
          <Deliveries endpointId={id} />
        </Panel>
        <Panel title="Settings">
          <Facts
            rows={[
              ['Endpoint', <CopyId key="id" of={id} />],
              ['Answers', <Answers key="answers" endpointId={id} isFailing={failingSince !== null} />],
              ['Events', <Pattern key="pattern" of={endpoint.eventPattern} />],
              ['Payload', endpoint.payload === 'full' ? 'the whole event' : 'the event without its data'],
              ['Order', endpoint.ordered ? 'one after the other' : 'as they come'],
              ['Retries', endpoint.retry === 'webhook' ? '10 attempts in three days' : '5 attempts, 5 seconds apart'],
              endpoint.maxPerSecond !== null && ['A second', String(endpoint.maxPerSecond)],
              endpoint.headerNames.length > 0 && ['Own headers', endpoint.headerNames.join(', ')],
              endpoint.previousSecretExpiresAt !== null && [
                'Old secret',
                <>
                  until <When at={endpoint.previousSecretExpiresAt} exact of="real" />
                </>,
              ],
              ['Last success', <When key="success" at={endpoint.lastSuccessAt} of="real" />],
              ['Job', <Id key="job" of={endpoint.jobId} />],
              ['Created', <When key="created" at={endpoint.createdAt} exact />],
              ['Created by', <Actor key="by" of={endpoint.createdBy} />],
            ]}
          />
        </Panel>
      </div>
      {made !== null && <EndpointSecret of={made} onClose={() => setMade(null)} />}
    </>
  );
}
