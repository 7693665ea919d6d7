// Notification channels: messages to operators about what needs attention.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { NotificationChannel, NotificationChannelMade } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { ActionButton } from '../../parts/action.tsx';
import { PageHead, Panel, Tabs } from '../../parts/layout.tsx';
import { SecretDialog } from '../../parts/secret.tsx';
import { ReceiverState } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id, When } from '../../parts/values.tsx';
import { TOPICS, create } from './actions.ts';

export function NotificationsHead({
  current,
  children,
}: {
  readonly current: 'channels' | 'email';
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <>
      <PageHead
        title="Notifications"
        lead={
          current === 'channels'
            ? 'Messages to operators about events that need attention, in Slack, in Discord or at a URL.'
            : 'E-mail to payers and payees, with your own texts.'
        }
      >
        {children}
      </PageHead>
      <Tabs
        label="Notifications"
        tabs={[
          { name: 'Channels', to: '/notifications', isCurrent: current === 'channels' },
          { name: 'E-mail', to: '/notifications/email', isCurrent: current === 'email' },
        ]}
      />
    </>
  );
}

export const KINDS: Readonly<Record<NotificationChannel['kind'], string>> = {
  slack: 'Slack',
  discord: 'Discord',
  webhook: 'webhook',
};

export function Page(): ReactNode {
  const [made, setMade] = useState<NotificationChannelMade | null>(null);
  const read = useList('notificationChannels.list', [], () => api.notificationChannels.list({ limit: 50 }));
  const keep = (answer: unknown): void => {
    const channel = answer as NotificationChannelMade;
    if (channel.kind === 'webhook') setMade(channel);
  };
  return (
    <>
      <NotificationsHead current="channels">
        <ActionButton action={create} subject={null} onDone={keep} />
      </NotificationsHead>
      <Panel flush>
        <ListTable
          caption="Notification channels"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/notifications/${id}`}
          empty='No channel yet: failures appear on these pages only. "New channel" adds one, as POST /v1/notification-channels does.'
          columns={[
            { head: 'Channel', opens: true, cell: ({ name }) => <strong>{name}</strong> },
            { head: 'State', cell: (channel) => <ReceiverState of={channel} /> },
            { head: 'Kind', cell: ({ kind }) => KINDS[kind] },
            { head: 'Host', cell: ({ targetHost }) => targetHost },
            { head: 'About', cell: ({ topics }) => topics.map((topic) => TOPICS[topic]).join(', ') },
            { head: 'Last success', cell: ({ lastSuccessAt }) => <When at={lastSuccessAt} of="real" /> },
            { head: 'Id', wide: true, cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
      {made !== null && <ChannelSecret of={made} onClose={() => setMade(null)} />}
    </>
  );
}

export function ChannelSecret({
  of: { secret },
  onClose,
}: {
  readonly of: NotificationChannelMade;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <SecretDialog
      title="The signing secret"
      secret={secret}
      note="The receiver verifies the signature of each message with it."
      without="It was shown with the first response to this request. Replace the secret for a new one."
      onClose={onClose}
    />
  );
}
