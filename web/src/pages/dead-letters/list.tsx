// Dead letters by cause, with the money at stake, and the letters of one cause: retry or discard one, some or all.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { DeadLetter, DeadLetterGroup } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useAddress } from '../../app/router.tsx';
import { formatDuration, inWords, plural, sentenceCase, shortId } from '../../parts/format.ts';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { ListTable, Table } from '../../parts/table.tsx';
import { WithAccounts } from '../../parts/account-text.tsx';
import { Id, Money, When } from '../../parts/values.tsx';
import { Bulk, BulkOfGroup, BulkPlace } from './bulk.tsx';

const KINDS = { payment: 'Payment', occurrence: 'Run of a schedule', execution: 'Execution of a job' } as const;

export function Page(): ReactNode {
  return (
    <>
      <PageHead
        title="Dead letters"
        lead="Work that used up its attempts rests here with its cause until an operator retries or discards it. Reserved money went back to its payer."
      />
      <BulkPlace>
        <Groups />
        <Letters />
      </BulkPlace>
    </>
  );
}

function Groups(): ReactNode {
  const { query } = useAddress();
  const read = useRead('deadLetters.listGroups', [], () => api.deadLetters.listGroups().page());
  return (
    <Panel title="By cause" flush>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty operation={read.operation}>Nothing has failed for good. That is how it should be.</Empty>
          ) : (
            <Table
              caption="Dead letters by cause"
              rows={data}
              keyOf={keyOfGroup}
              linkOf={linkOfGroup}
              isCurrent={(group) => isShown(group, query)}
              columns={[
                { head: 'Cause', opens: true, cell: ({ code }) => sentenceCase(inWords(code)) },
                { head: 'What', cell: (group) => KINDS[group.kind] },
                { head: 'Letters', align: 'right', cell: ({ count }) => <span className="number">{count}</span> },
                {
                  head: 'At stake',
                  align: 'right',
                  cell: ({ amount, asset }) =>
                    amount === null || asset === null ? '–' : <Money minor={amount} asset={asset} />,
                },
                { head: 'Oldest', wide: true, cell: ({ oldestAt }) => <When at={oldestAt} /> },
                { head: 'Newest', cell: ({ newestAt }) => <When at={newestAt} /> },
                { head: 'All of them', cell: (group) => <BulkOfGroup group={group} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const keyOfGroup = ({ kind, code, asset, job }: DeadLetterGroup): string => [kind, code, asset, job].join(' ');

function linkOfGroup({ kind, code, asset, job }: DeadLetterGroup): string {
  const query = new URLSearchParams({ kind, code });
  if (asset !== null) query.set('asset', asset);
  if (job !== null) query.set('job', job);
  return `/dead-letters?${query.toString()}`;
}

const isShown = (group: DeadLetterGroup, query: URLSearchParams): boolean =>
  group.code === query.get('code') && group.kind === query.get('kind') && group.asset === query.get('asset');

function Letters(): ReactNode {
  const { query } = useAddress();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const kind = query.get('kind');
  const filter = {
    ...(kind === 'payment' || kind === 'occurrence' || kind === 'execution' ? ({ kind } as const) : {}),
    ...Object.fromEntries(
      ['code', 'asset', 'job'].flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])),
    ),
  };
  const read = useList('deadLetters.list', [filter], () => api.deadLetters.list({ ...filter, limit: 50 }));
  const shown = new Set(read.data?.map(({ id }) => id));
  const chosen = [...keys].filter((id) => shown.has(id));
  const toggle = (id: string): void =>
    setKeys((now) => (now.has(id) ? new Set([...now].filter((key) => key !== id)) : new Set([...now, id])));
  return (
    <Panel
      title={sentenceCase(inWords(query.get('code') ?? query.get('kind') ?? 'every letter'))}
      note={
        chosen.length === 0
          ? 'Tick letters (or press x on a row) to handle several at once.'
          : `${plural(chosen.length, 'letter')} ticked`
      }
      actions={
        chosen.length > 0 && (
          <Bulk letters={read.data?.filter(({ id }) => keys.has(id)) ?? []} onDone={() => setKeys(new Set())} />
        )
      }
      flush
    >
      <ListTable
        caption="Dead letters of this cause"
        read={read}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/dead-letters/${id}`}
        selection={{ keys, toggle, setAll: (all) => setKeys(new Set(all)) }}
        empty={query.has('code') ? 'No letter of this cause is left.' : 'Nothing has failed for good.'}
        columns={LETTER_COLUMNS}
      />
    </Panel>
  );
}

const LETTER_COLUMNS = [
  {
    head: 'At stake',
    align: 'right' as const,
    cell: ({ amount, asset }: DeadLetter) =>
      amount === null || asset === null ? '–' : <Money minor={amount} asset={asset} />,
  },
  { head: 'Why', long: true, cell: ({ detail }: DeadLetter) => <WithAccounts text={sentenceCase(detail)} /> },
  {
    head: 'Failed',
    cell: ({ failedAt, age }: DeadLetter) => (
      <span title={`${formatDuration(age)} old`}>
        <When at={failedAt} />
      </span>
    ),
  },
  {
    head: 'Of',
    wide: true,
    cell: ({ schedule, job }: DeadLetter) => ((schedule ?? job) === null ? '–' : <Id of={schedule ?? job ?? ''} />),
  },
  {
    head: 'Letter',
    opens: true,
    cell: ({ id }: DeadLetter) => (
      <span className="mono" title={id}>
        {shortId(id)}
      </span>
    ),
  },
];
