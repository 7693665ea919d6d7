// One job: its terms, and its executions.
import type { ReactNode } from 'react';
import type { Job } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { formatCount, formatSeconds } from '../../parts/format.ts';
import { Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { CopyId, Pattern, When } from '../../parts/values.tsx';
import { JOB_ACTIONS } from './actions.ts';
import { Executions } from './executions.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('jobs.get', [id], () => api.jobs.get(id));
  return (
    <>
      {read.data === undefined && <PageHead title="Job" back={['Jobs', '/jobs']} lead={<CopyId of={id} />} />}
      <Loaded read={read}>{(job) => <Whole of={job} />}</Loaded>
    </>
  );
}

function Whole({ of: job }: { readonly of: Job }): ReactNode {
  const { retryConfig: retry } = job;
  return (
    <>
      <PageHead
        title={job.name}
        back={['Jobs', '/jobs']}
        state={<State of={job.enabled ? 'enabled' : 'disabled'} />}
        {...(job.description === '' ? {} : { lead: job.description })}
      >
        {JOB_ACTIONS.map((action) => (
          <ActionButton key={action.label} action={action} subject={job} />
        ))}
      </PageHead>
      <div className="split">
        <Panel title="Executions" flush>
          <Executions jobId={job.id} />
        </Panel>
        <Panel title="Terms">
          <Facts
            rows={[
              ['Job', <CopyId key="id" of={job.id} />],
              ['On', <Pattern key="pattern" of={job.eventPattern} />],
              ['Runs', <code key="processor">{job.processorName}</code>],
              ['Timeout', formatSeconds(job.timeoutMs / 1_000)],
              ['At once', job.maxConcurrency === null ? 'without a limit' : formatCount(job.maxConcurrency)],
              ['A second', job.maxPerSecond === null ? 'without a limit' : formatCount(job.maxPerSecond)],
              retry !== null && [
                'Attempts',
                `${retry.maxAttempts}, the first retry after ${formatSeconds(retry.initialDelayMs / 1_000)}`,
              ],
              ['Managed', job.managed ? 'yes: it belongs to another resource' : 'no'],
              ['Created', <When key="created" at={job.createdAt} exact />],
              ['Created by', <Actor key="by" of={job.createdBy} />],
            ]}
          />
        </Panel>
      </div>
    </>
  );
}
