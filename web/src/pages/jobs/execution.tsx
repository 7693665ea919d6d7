// One execution: where it stands, and every try of it.
import type { ReactNode } from 'react';
import type { Execution, Invocation } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { formatInstant, formatSeconds } from '../../parts/format.ts';
import { Data, Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { CopyId, Id, When } from '../../parts/values.tsx';
import { EXECUTION_ACTIONS } from './actions.ts';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('executions.get', [id], () => api.executions.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Execution" back={['Executions', '/executions']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(execution) => <Whole of={execution} />}</Loaded>
    </>
  );
}

function Whole({ of: execution }: { readonly of: Execution }): ReactNode {
  const { id, result } = execution;
  const read = useList('executions.listInvocations', [id], () => api.executions.listInvocations(id));
  return (
    <>
      <PageHead title="Execution" back={['Executions', '/executions']} state={<State of={execution.status} />}>
        {EXECUTION_ACTIONS.map((action) => (
          <ActionButton key={action.name} action={action} subject={execution} />
        ))}
      </PageHead>
      <section className="why-box" aria-label="Where it stands">
        <div
          className={`why ${execution.status === 'completed' ? 'good' : execution.status === 'failed' ? 'bad' : 'info'}`}
        >
          <p className="reason">{sentenceOf(execution)}</p>
          {execution.error !== null && <p>{execution.error}</p>}
        </div>
      </section>
      <div className="split">
        <Panel title="Attempts">
          <Loaded read={read}>
            {(invocations) =>
              invocations.length === 0 ? (
                <Empty operation={read.operation}>It was not tried yet.</Empty>
              ) : (
                <ol className="timeline">
                  {invocations.map((invocation) => (
                    <Attempt key={invocation.id} of={invocation} />
                  ))}
                </ol>
              )
            }
          </Loaded>
        </Panel>
        <div>
          <Panel title="Execution">
            <Facts
              rows={[
                ['Id', <CopyId key="id" of={id} />],
                ['Job', <Id key="job" of={execution.jobId} />],
                [
                  'Event',
                  <Link key="event" to={`/events?event=${execution.eventId}`}>
                    {execution.eventId}
                  </Link>,
                ],
                ['Created', <When key="created" at={execution.createdAt} exact />],
                execution.completedAt !== null && ['Ended', <When key="ended" at={execution.completedAt} exact />],
                execution.workerId !== null && ['Worker', execution.workerId],
                execution.code !== null && ['Code', <code key="code">{execution.code}</code>],
              ]}
            />
          </Panel>
          {result !== null && (
            <Panel title="Result">
              <Data of={result} />
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}

function sentenceOf({ status, attemptNumber, nextRetryAt, startedAt }: Execution): string {
  if (status === 'completed') return `It succeeded at attempt ${attemptNumber}.`;
  if (status === 'failed') return `It failed for good after ${attemptNumber} attempts, and is a dead letter.`;
  if (status === 'cancelled') return 'It was cancelled.';
  if (status === 'running')
    return `Attempt ${attemptNumber} runs${startedAt === null ? '' : ` since ${formatInstant(startedAt)}`}.`;
  return nextRetryAt === null ? 'It waits for a worker.' : `It is tried again at ${formatInstant(nextRetryAt)}.`;
}

function Attempt({ of }: { readonly of: Invocation }): ReactNode {
  const { attemptNumber, status, startedAt, completedAt, error, code, workerId } = of;
  const seconds = completedAt === null ? null : (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;
  return (
    <li className={status === 'success' ? 'good' : status === 'failed' ? 'bad' : 'idle'}>
      <p>
        <strong>
          Attempt {attemptNumber}: {status}
        </strong>
      </p>
      {error !== null && (
        <p className="cause">
          {error} {code !== null && <code>{code}</code>}
        </p>
      )}
      <p className="soft small">
        {formatInstant(startedAt)}
        {seconds !== null && <>, took {formatSeconds(seconds)}</>}
        {workerId !== null && <>, by {workerId}</>}
      </p>
    </li>
  );
}
