// One notification channel: its settings, and its last messages with their failures.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { NotificationChannel, NotificationChannelMade } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRelative } from '../../app/tenant-time.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { formatCount } from '../../parts/format.ts';
import { Facts, Note, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ReceiverState } from '../../parts/state.tsx';
import { CopyId, Id, When } from '../../parts/values.tsx';
import { Executions } from '../jobs/executions.tsx';
import { CHANNEL_ACTIONS, TOPICS } from './actions.ts';
import { ChannelSecret, KINDS } from './list.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('notificationChannels.get', [id], () => api.notificationChannels.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Notification channel" back={['Notifications', '/notifications']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(channel) => <Whole of={channel} />}</Loaded>
    </>
  );
}

function Whole({ of: channel }: { readonly of: NotificationChannel }): ReactNode {
  const relativeOf = useRelative();
  const [made, setMade] = useState<NotificationChannelMade | null>(null);
  const { id, jobId, kind, topics, failingSince, disabledReason } = channel;
  const keep = (answer: unknown): void => setMade(answer as NotificationChannelMade);
  return (
    <>
      <PageHead
        title={channel.name}
        back={['Notifications', '/notifications']}
        state={<ReceiverState of={channel} />}
        lead={`${KINDS[kind]}, on ${channel.targetHost}`}
      >
        {CHANNEL_ACTIONS.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            subject={channel}
            {...(action.name === 'notificationChannels.rotateSecret' ? { onDone: keep } : {})}
          />
        ))}
      </PageHead>
      {failingSince !== null && disabledReason === null && (
        <Note tone="warn">
          No message was delivered since {relativeOf(failingSince, 'real')}. It is disabled once its failures span five
          days.
        </Note>
      )}
      {disabledReason === 'failing' && <Note tone="bad">It was disabled because its failures span five days.</Note>}
      {disabledReason === 'gone' && <Note tone="bad">It was disabled because its URL exists no longer.</Note>}
      <div className="split">
        <Panel title="Messages" flush>
          <Executions jobId={jobId} />
        </Panel>
        <Panel title="Settings">
          <Facts
            rows={[
              ['Channel', <CopyId key="id" of={id} />],
              ['Kind', KINDS[kind]],
              ['Host', channel.targetHost],
              ['About', topics.map((topic) => TOPICS[topic]).join(', ')],
              ['A minute', `at most ${formatCount(channel.maxPerMinute)} messages, then a summary`],
              ['Test events', channel.sendTestEvents ? 'sent too' : 'not sent'],
              ['Last success', <When key="success" at={channel.lastSuccessAt} of="real" />],
              failingSince !== null && ['Failing since', <When key="failing" at={failingSince} exact of="real" />],
              ['Job', <Id key="job" of={jobId} />],
              ['Created', <When key="created" at={channel.createdAt} exact />],
              ['Created by', <Actor key="by" of={channel.createdBy} />],
            ]}
          />
        </Panel>
      </div>
      {made !== null && <ChannelSecret of={made} onClose={() => setMade(null)} />}
    </>
  );
}
