// The runs of the background loops.
import type { ReactNode } from 'react';
import type { CronRun } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useSession } from '../../app/session.tsx';
import { useList } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { formatSeconds, inWords } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { FirstTenantOnly, SettingsHead } from './head.tsx';

const STATUSES: readonly CronRun['status'][] = ['RUNNING', 'SUCCESS', 'FAILED'];
const LOOPS = [
  'scheduler',
  'processor',
  'sequencer',
  'matcher',
  'jobs',
  'webhooks',
  'integrity',
  'seal-check',
  'forecast',
  'clocks',
  'retention',
] as const;

export function Page(): ReactNode {
  const [chosenStatus] = useFilter('status');
  const [chosenLoop] = useFilter('loop');
  const status = STATUSES.find((name) => name === chosenStatus);
  const jobName = LOOPS.find((name) => name === chosenLoop);
  const filter = { ...(status === undefined ? {} : { status }), ...(jobName === undefined ? {} : { jobName }) };
  const { tenant } = useSession();
  const read = useList('cronRuns.list', [filter], () => api.cronRuns.list({ ...filter, limit: 50 }), {
    enabled: tenant.first,
  });
  return (
    <>
      <SettingsHead current="Loops" lead="Every run of a background loop that did or failed something." />
      {!tenant.first && <FirstTenantOnly />}
      {tenant.first && (
        <>
          <Filters>
            <SelectFilter name="loop" label="Loop" options={LOOPS} />
            <SelectFilter name="status" label="State" options={STATUSES} />
          </Filters>
          <Panel flush>
            <ListTable
              caption="Runs of loops"
              read={read}
              keyOf={({ id }) => id}
              empty="No run fits these filters."
              columns={[
                { head: 'Loop', cell: ({ jobName: loop }) => <strong>{loop}</strong> },
                { head: 'State', cell: ({ status: state }) => <State of={state} /> },
                {
                  head: 'Did',
                  align: 'right',
                  cell: ({ processedCount }) => <span className="number">{processedCount}</span>,
                },
                { head: 'Counts', wide: true, cell: ({ counts }) => countsOf(counts) },
                { head: 'Began', cell: ({ startedAt }) => <When at={startedAt} of="real" /> },
                {
                  head: 'Took',
                  align: 'right',
                  cell: ({ startedAt, finishedAt }) =>
                    finishedAt === null ? '–' : formatSeconds((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000),
                },
                { head: 'Error', long: true, cell: ({ errorMessage }) => errorMessage ?? '' },
              ]}
            />
          </Panel>
        </>
      )}
    </>
  );
}

const countsOf = (counts: Readonly<Record<string, unknown>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${inWords(name)} ${String(count)}`)
    .join(', ');
