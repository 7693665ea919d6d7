// One schedule: its rule in words, its next runs, and what became of the past ones.
import type { ReactNode } from 'react';
import type { Occurrence, Schedule } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { useAllowed } from '../../app/session.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { formatDuration, formatInstant, formatLocal, formatMoney, inWords, sentenceCase } from '../../parts/format.ts';
import { Data, Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, CopyId, Id, Money, Payees, When } from '../../parts/values.tsx';
import { SCHEDULE_ACTIONS } from './actions.ts';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('schedules.get', [id], () => api.schedules.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Schedule" back={['Schedules', '/schedules']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(schedule) => <Whole of={schedule} />}</Loaded>
    </>
  );
}

function Whole({ of: schedule }: { readonly of: Schedule }): ReactNode {
  const { id, asset, status } = schedule;
  const mayEdit = useAllowed('payments:write') && (status === 'active' || status === 'paused');
  return (
    <>
      <PageHead
        title={sentenceCase(schedule.summary)}
        back={['Schedules', '/schedules']}
        state={<State of={status} />}
        lead={
          <>
            <Money minor={schedule.amount} asset={asset} /> from{' '}
            <AccountLink id={schedule.from} name={schedule.fromRef} /> to <Payees of={schedule} />
            {schedule.statusReason !== null && <>. {sentenceCase(schedule.statusReason)}</>}
          </>
        }
      >
        {mayEdit && (
          <Link to={`/schedules/${id}/edit`} className="button" data-action="schedules.update">
            Edit
          </Link>
        )}
        {SCHEDULE_ACTIONS.map((action) => (
          <ActionButton key={action.name} action={action} subject={schedule} />
        ))}
      </PageHead>
      <div className="split">
        <div>
          <Upcoming of={schedule} />
          <Past of={schedule} />
        </div>
        <Terms of={schedule} />
      </div>
    </>
  );
}

function Upcoming({ of: { id, asset, zone } }: { readonly of: Schedule }): ReactNode {
  const read = useList('schedules.listUpcoming', [id], () => api.schedules.listUpcoming(id, { count: 10 }));
  return (
    <Panel title="Next runs" flush>
      <ListTable
        caption="Next runs"
        read={read}
        keyOf={({ slot }) => slot}
        empty="No run is ahead: the schedule is paused, or has ended."
        columns={[
          { head: `In ${zone}`, cell: ({ local }) => formatLocal(local) },
          { head: 'Here', cell: ({ at }) => formatInstant(at) },
          { head: 'In', cell: ({ at }) => <When at={at} /> },
          { head: 'Amount', align: 'right', cell: ({ amount }) => <Money minor={amount} asset={asset} /> },
        ]}
      />
    </Panel>
  );
}

function Past({ of: { id, asset } }: { readonly of: Schedule }): ReactNode {
  const read = useList('schedules.listOccurrences', [id], () => api.schedules.listOccurrences(id));
  return (
    <Panel title="Past runs" flush>
      <ListTable
        caption="Past runs"
        read={read}
        keyOf={({ id: occurrence }) => occurrence}
        linkOf={({ payment }) => (payment === null ? null : `/payments/${payment}`)}
        empty="No run yet. Each slot becomes a payment, or is skipped with a reason."
        columns={[
          { head: 'Slot', cell: ({ slot }) => formatLocal(slot) },
          { head: 'Became', cell: (occurrence) => <Outcome of={occurrence} /> },
          {
            head: 'Why',
            cell: ({ detail, reason }) =>
              (detail ?? reason) === null ? '' : sentenceCase(detail ?? inWords(reason ?? '')),
          },
          { head: 'Ran', cell: ({ runAt }) => <When at={runAt} /> },
          {
            head: 'Amount',
            align: 'right',
            cell: ({ amount }) => (amount === null ? '–' : <Money minor={amount} asset={asset} />),
          },
          { head: 'Payment', cell: ({ payment }) => (payment === null ? '–' : <Id of={payment} />) },
        ]}
      />
    </Panel>
  );
}

function Outcome({ of: { status, kind, slots } }: { readonly of: Occurrence }): ReactNode {
  return (
    <>
      <State of={status} word={status === 'made' ? 'a payment' : status} />
      {kind !== 'rule' && <span className="soft"> {kind}</span>}
      {slots > 1 && <span className="soft"> {slots} slots in one</span>}
    </>
  );
}

function Terms({ of: schedule }: { readonly of: Schedule }): ReactNode {
  const { retry } = schedule;
  return (
    <Panel title="Terms">
      <Facts
        rows={[
          ['Schedule', <CopyId key="id" of={schedule.id} />],
          ['Time zone', schedule.zone],
          ['Start', formatLocal(schedule.start)],
          schedule.until !== null && ['Until', formatLocal(schedule.until)],
          schedule.count !== null && ['Runs in all', String(schedule.count)],
          schedule.exclude.length > 0 && ['Without', schedule.exclude.map(formatLocal).join('; ')],
          schedule.businessDays !== null && ['Business days', `${schedule.businessDays.shift} one`],
          schedule.steps.length > 0 && [
            'Steps',
            schedule.steps
              .map(({ from, amount }) => `from run ${from}: ${formatMoney(amount, schedule.asset)}`)
              .join('; '),
          ],
          [
            'Missed runs',
            { last: 'the last one is made up', skip: 'are skipped', all: 'are all made up' }[schedule.missed],
          ],
          [
            'Overlap',
            { wait: 'a run waits for the one before', skip: 'a run is skipped while one is open', allow: 'allowed' }[
              schedule.overlap
            ],
          ],
          [
            'After failure',
            { continue: 'it goes on', pause: 'it is paused', expire: 'it ends' }[schedule.afterFailure],
          ],
          ['Funding', schedule.funding === 'reserve' ? 'reserved when the run is made' : 'taken when it is due'],
          retry !== null && [
            'Attempts',
            `${retry.maxAttempts}, the first retry after ${formatDuration(retry.initialDelay)}`,
          ],
          schedule.reference !== null && ['Reference', schedule.reference],
          ['Created', <When key="created" at={schedule.createdAt} exact />],
          ['Created by', <Actor key="by" of={schedule.createdBy} />],
          schedule.endedAt !== null && ['Ended', <When key="ended" at={schedule.endedAt} exact />],
        ]}
      />
      <details>
        <summary>Rule as the API has it</summary>
        <Data of={schedule.rule} />
      </details>
    </Panel>
  );
}
