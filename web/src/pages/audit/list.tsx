// The audit log: who did what, when and from where; sealed into a chain that proves that nothing was changed.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { AuditEvent } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Actor } from '../../parts/actor.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Filters, TextFilter } from '../../parts/filters.tsx';
import { formatCount, inWords, sentenceCase } from '../../parts/format.ts';
import { Data, Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { CopyId, Id, When } from '../../parts/values.tsx';

const FILTERS = ['actor', 'action', 'resource', 'resourceId', 'requestId'] as const;

export function Page(): ReactNode {
  const [actor] = useFilter('actor');
  const [action] = useFilter('action');
  const [resource] = useFilter('resource');
  const [resourceId] = useFilter('resourceId');
  const [requestId] = useFilter('requestId');
  const [from] = useFilter('from');
  const [before] = useFilter('before');
  const [shown, show] = useState<AuditEvent | null>(null);
  const given = { actor, action: action.toUpperCase().replaceAll('.', '_'), resource, resourceId, requestId };
  const filter = {
    ...Object.fromEntries(FILTERS.flatMap((name) => (given[name] === '' ? [] : [[name, given[name]]]))),
    ...(from === '' ? {} : { from: new Date(`${from}T00:00`) }),
    ...(before === '' ? {} : { before: new Date(`${before}T00:00`) }),
  };
  const read = useList('auditEvents.list', [filter], () => api.auditEvents.list({ ...filter, limit: 50 }));
  return (
    <>
      <PageHead
        title="Audit"
        lead="Who did what, newest first. Rows are sealed into a hash chain and cannot be changed."
      />
      <Chain />
      <Filters>
        <TextFilter name="actor" label="Actor" placeholder="key_…" />
        <TextFilter name="action" label="Action" placeholder="PAYMENT_CANCELLED" />
        <TextFilter name="resource" label="Kind of resource" placeholder="payment" />
        <TextFilter name="resourceId" label="Resource" placeholder="pay_…" />
        <TextFilter name="requestId" label="Request" />
        <TextFilter name="from" label="From" type="date" />
        <TextFilter name="before" label="Before" type="date" />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Audit events"
          read={read}
          keyOf={({ id }) => id}
          empty="No audit event fits these filters."
          columns={[
            { head: 'When', cell: ({ recordedAt }) => <When at={recordedAt} exact of="real" /> },
            {
              head: 'Action',
              cell: (event) => (
                <button type="button" className="link" onClick={() => show(event)}>
                  {sentenceCase(inWords(event.action))}
                </button>
              ),
            },
            { head: 'Of', cell: ({ resourceId: id }) => <Id of={id} /> },
            { head: 'By', cell: ({ actor: own }) => <Actor of={own} /> },
            { head: 'Reason', cell: (event) => reasonOf(event) ?? '–' },
            { head: 'From address', wide: true, cell: ({ ip }) => ip ?? '–' },
            {
              head: 'Sealed',
              wide: true,
              cell: ({ seal }) =>
                seal === null ? (
                  <span className="soft">soon</span>
                ) : (
                  <span className="number">as {formatCount(seal.seq)}</span>
                ),
            },
          ]}
        />
      </Panel>
      {shown !== null && <EventDialog of={shown} onClose={() => show(null)} />}
    </>
  );
}

/** Why: what the caller sent beside the request, or the reason that is a part of the change. */
function reasonOf({ reason, details }: AuditEvent): string | null {
  const own = details['reason'];
  return reason ?? (typeof own === 'string' ? own : null);
}

function EventDialog({ of: event, onClose }: { readonly of: AuditEvent; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={sentenceCase(inWords(event.action))} onClose={onClose}>
      <Facts
        rows={[
          ['Event', <CopyId key="id" of={event.id} />],
          ['When', <When key="when" at={event.recordedAt} exact of="real" />],
          ['By', <Actor key="by" of={event.actor} />],
          ['Of', <Id key="of" of={event.resourceId} full />],
          event.reason !== null && ['Reason', event.reason],
          event.ip !== null && ['Address', event.ip],
          event.userAgent !== null && ['Program', event.userAgent],
          event.requestId !== null && ['Request', <CopyId key="request" of={event.requestId} />],
          event.seal !== null && [
            'Seal',
            <span key="seal" className="mono">{`${event.seal.seq} ${event.seal.hash}`}</span>,
          ],
        ]}
      />
      <h3>Details</h3>
      <Data of={event.details} />
    </Dialog>
  );
}

function Chain(): ReactNode {
  const read = useRead('auditEvents.getChain', [], () => api.auditEvents.getChain(), { everyMs: 30_000 });
  return (
    <Panel title="Chain">
      <Loaded read={read}>
        {({ seq, hash, recordedAt, unsealed, checkedAt }) => (
          <Facts
            rows={[
              [
                'State',
                unsealed === 0 ? (
                  <State key="state" of="ok" word="everything is sealed" />
                ) : (
                  <State key="state" of="waiting" word={`${formatCount(unsealed)} blocks wait for their seal`} />
                ),
              ],
              ['Last number', formatCount(seq)],
              hash !== null && ['Last hash', <CopyId key="hash" of={hash} />],
              recordedAt !== null && ['Sealed', <When key="sealed" at={recordedAt} of="real" />],
              ['Checked', checkedAt === null ? 'not yet' : <When key="checked" at={checkedAt} of="real" />],
              [
                'Verify',
                <span key="verify">
                  <code>usance verify</code> computes every hash again, and compares it with the anchors outside the
                  database.
                </span>,
              ],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
