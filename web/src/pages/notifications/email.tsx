// E-mail to payers and payees: settings, your own texts with a preview, accounts that opted out, and what was sent to an account.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { EmailSettings } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Filters, TextFilter } from '../../parts/filters.tsx';
import { Facts, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, Id, When } from '../../parts/values.tsx';
import { kindWord, optIn, optOut, setTemplate, updateSettings } from './email-actions.ts';
import { NotificationsHead } from './list.tsx';
import { TemplatePreview } from './template.tsx';

export function Page(): ReactNode {
  const settings = useRead('email.get', [], () => api.email.get());
  const optOuts = useList('emailOptOuts.list', [], () => api.emailOptOuts.list({ limit: 20 }));
  return (
    <>
      <NotificationsHead current="email">
        {settings.data !== undefined && <ActionButton action={updateSettings} subject={settings.data} />}
      </NotificationsHead>
      <div className="columns">
        <Panel title="Settings">
          <Loaded read={settings}>{(now) => <Settings of={now} />}</Loaded>
        </Panel>
        <Templates />
      </div>
      <Sent />
      <Panel title="Accounts that opted out" actions={<ActionButton action={optOut} subject={null} />} flush>
        <ListTable
          caption="Accounts that opted out of e-mail"
          read={optOuts}
          keyOf={({ account }) => account}
          empty="No account has opted out."
          columns={[
            { head: 'Account', cell: ({ account, accountRef }) => <AccountLink id={account} name={accountRef} /> },
            { head: 'Since', cell: ({ createdAt }) => <When at={createdAt} exact /> },
            { head: 'Change', cell: (given) => <ActionButton action={optIn} subject={given} quiet /> },
          ]}
        />
      </Panel>
    </>
  );
}

function Settings({ of: settings }: { readonly of: EmailSettings }): ReactNode {
  return (
    <Facts
      rows={[
        ['E-mail', <State key="state" of={settings.enabled ? 'on' : 'off'} />],
        ['Kinds', settings.kinds.map(kindWord).join(', ')],
        ['Sender', settings.fromName ?? 'the name of the tenant'],
        ['Replies go to', settings.replyTo ?? 'the sender'],
        ['Without a locale', settings.locale],
        ['Without a time zone', settings.zone],
        ['Test events', settings.sendTestEvents ? 'sent too' : 'not sent'],
        settings.jobId !== null && ['Job', <Id key="job" of={settings.jobId} />],
      ]}
    />
  );
}

function Templates(): ReactNode {
  const [shown, setShown] = useState<string | null>(null);
  const read = useList('emailTemplates.list', [], () => api.emailTemplates.list());
  return (
    <Panel title="Your own texts" actions={<ActionButton action={setTemplate} subject={null} />} flush>
      <ListTable
        caption="Your own texts of e-mails"
        read={read}
        keyOf={({ id }) => id}
        empty="None: every e-mail has the texts of usance."
        columns={[
          { head: 'Kind', cell: ({ kind }) => <strong>{kindWord(kind)}</strong> },
          { head: 'Language', cell: ({ language }) => (language === '' ? 'all others' : language) },
          { head: 'Subject', cell: ({ subject }) => subject },
          {
            head: 'Texts',
            cell: ({ id, kind }) => (
              <button
                type="button"
                className="quiet"
                onClick={() => setShown(id)}
                aria-label={`Preview of ${kindWord(kind)}, ${id}`}
              >
                Preview
              </button>
            ),
          },
        ]}
      />
      {shown !== null && <TemplatePreview id={shown} onClose={() => setShown(null)} />}
    </Panel>
  );
}

function Sent(): ReactNode {
  const [account] = useFilter('account');
  const read = useList('emails.list', [account], () => api.emails.list({ account, limit: 50 }), {
    enabled: account !== '',
  });
  return (
    <Panel title="Sent e-mails" note="By account, without addresses and texts." flush>
      <Filters>
        <TextFilter name="account" label="Account" placeholder="alice" />
      </Filters>
      {account === '' ? (
        <p className="inset soft">Enter an account to see what was sent to it.</p>
      ) : (
        <ListTable
          caption="Sent e-mails"
          read={read}
          keyOf={({ eventId, kind }) => `${eventId} ${kind}`}
          empty="No e-mail was sent to this account."
          columns={[
            { head: 'Kind', cell: ({ kind }) => kindWord(kind) },
            {
              head: 'Outcome',
              cell: ({ outcome, code }) => (
                <State of={outcome} word={code === null ? outcome : `${outcome}: ${code}`} />
              ),
            },
            { head: 'Ended', cell: ({ endedAt }) => <When at={endedAt} exact of="real" /> },
            { head: 'Event', cell: ({ eventId }) => <Id of={eventId} /> },
          ]}
        />
      )}
    </Panel>
  );
}
