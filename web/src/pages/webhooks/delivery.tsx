// The inspector of one delivery: every attempt with its request, its response and its timing.
import type { ReactNode } from 'react';
import type { DeliveryAttempt, DeliveryWithAttempts } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { formatInstant, formatSeconds, plural } from '../../parts/format.ts';
import { Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { CopyId, Id, When } from '../../parts/values.tsx';
import { redeliver } from './actions.ts';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('deliveries.get', [id], () => api.deliveries.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Delivery" back={['Deliveries', '/deliveries']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(delivery) => <Whole of={delivery} />}</Loaded>
    </>
  );
}

function Whole({ of: delivery }: { readonly of: DeliveryWithAttempts }): ReactNode {
  const { id, status, attempts } = delivery;
  return (
    <>
      <PageHead
        title={`Delivery of event ${delivery.seq}`}
        back={['Deliveries', '/deliveries']}
        state={<State of={status} word={status === 'completed' ? 'delivered' : status} />}
      >
        <ActionButton action={redeliver} subject={delivery} />
      </PageHead>
      <section className="why-box" aria-label="Where it stands">
        <div className={`why ${status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'info'}`}>
          <p className="reason">{sentenceOf(delivery)}</p>
          {delivery.error !== null && <p>{delivery.error}</p>}
        </div>
      </section>
      <div className="split">
        <div>
          {attempts.length === 0 ? (
            <Empty operation="deliveries.get">It was not tried yet.</Empty>
          ) : (
            attempts.toReversed().map((attempt) => <Attempt key={attempt.id} of={attempt} />)
          )}
        </div>
        <Panel title="Delivery">
          <Facts
            rows={[
              ['Id', <CopyId key="id" of={id} />],
              ['Endpoint', <Id key="endpoint" of={delivery.endpointId} />],
              [
                'Event',
                <Link key="event" to={`/events?after=${delivery.seq - 1}`}>
                  {delivery.eventId}
                </Link>,
              ],
              delivery.code !== null && ['Code', <code key="code">{delivery.code}</code>],
              ['Created', <When key="created" at={delivery.createdAt} exact />],
              delivery.completedAt !== null && ['Ended', <When key="ended" at={delivery.completedAt} exact />],
            ]}
          />
        </Panel>
      </div>
    </>
  );
}

function sentenceOf({ status, attemptNumber, nextRetryAt, responseStatus }: DeliveryWithAttempts): string {
  const attempts = plural(attemptNumber, 'attempt');
  if (status === 'completed')
    return `It was delivered after ${attempts}${responseStatus === null ? '' : `, with the answer ${responseStatus}`}.`;
  if (status === 'failed')
    return `It failed for good after ${attempts}. Redeliver it, or recover everything that the endpoint missed.`;
  if (status === 'cancelled') return 'It was cancelled.';
  if (status === 'running') return `Attempt ${attemptNumber} runs.`;
  if (attemptNumber === 0) return 'It waits for its first attempt.';
  return nextRetryAt === null ? 'It waits for a worker.' : `It is tried again at ${formatInstant(nextRetryAt)}.`;
}

function Attempt({ of: attempt }: { readonly of: DeliveryAttempt }): ReactNode {
  const { number, status, request, response, timing, failure, error } = attempt;
  return (
    <Panel title={`Attempt ${number}`} note={<When at={attempt.startedAt} exact />} actions={<State of={status} />}>
      <Facts
        rows={[
          response !== null && ['Answer', <strong key="status">{response.status}</strong>],
          failure !== null && ['No answer', <code key="failure">{failure}</code>],
          error !== null && ['Why', error],
          timing !== null && [
            'Took',
            `${formatSeconds(timing.totalMs / 1_000)}: name ${formatSeconds(timing.dnsMs / 1_000)}, connection ${formatSeconds(timing.connectMs / 1_000)}, first byte ${formatSeconds(timing.firstByteMs / 1_000)}`,
          ],
          request !== null && ['Sent', `${request.bytes} bytes to ${request.url}`],
        ]}
      />
      {request !== null && <Headers title="Request headers" of={request.headers} />}
      {response?.headers && <Headers title="Response headers" of={response.headers} />}
      {response !== null && response.body !== null && response.body !== '' && (
        <details>
          <summary>Response body{response.truncated ? ', cut' : ''}</summary>
          <pre tabIndex={0}>{response.body}</pre>
        </details>
      )}
    </Panel>
  );
}

function Headers({ title, of }: { readonly title: string; readonly of: Readonly<Record<string, unknown>> }): ReactNode {
  return (
    <details>
      <summary>{title}</summary>
      <pre tabIndex={0}>
        {Object.entries(of)
          .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : '(not stored)'}`)
          .join('\n')}
      </pre>
    </details>
  );
}
