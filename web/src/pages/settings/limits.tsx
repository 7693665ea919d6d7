// Limits of amounts, the threshold of approvals, the cap of executions and the outage guard.
import type { ReactNode } from 'react';
import type { ExecutionCap, Limit } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import type { Values } from '../../parts/fields.tsx';
import { amountText, requireMinor } from '../../parts/fields.tsx';
import { formatCount } from '../../parts/format.ts';
import { Facts, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, Money } from '../../parts/values.tsx';
import { SettingsHead } from './head.tsx';

const OF_TENANT = [
  ['maxAmount', 'Most a payment'],
  ['defaultDailyAmount', 'Most a day for each account'],
  ['tenantDailyAmount', 'Most a day in all'],
  ['approvalAbove', 'Approval above'],
] as const;
const OF_ACCOUNT = [
  ['maxAmount', 'Most a payment'],
  ['dailyAmount', 'Most a day'],
] as const;

/** A new limit may be one of the tenant or of an account; the server refuses a field of the other. */
const fieldsOf = (
  limit: Limit | null,
): readonly (readonly [Exclude<keyof Limit, 'account' | 'accountRef' | 'asset'>, string])[] =>
  limit === null
    ? [...OF_TENANT, ['dailyAmount', 'Most a day, of the account']]
    : limit.account === null
      ? OF_TENANT
      : OF_ACCOUNT;

const setLimit: Action<Limit | null> = {
  name: 'limits.set',
  label: 'Set a limit',
  tone: 'primary',
  scope: 'admin',
  reason: 'required',
  lead: (limit) =>
    limit === null
      ? 'Sets the limits of the tenant in one asset, or of one account. An empty field leaves its limit as it is.'
      : `Sets the limits ${limit.account === null ? 'of the tenant' : `of ${limit.accountRef ?? limit.account}`} in ${limit.asset}. An empty field lifts its limit.`,
  fields: (limit) => [
    ...(limit === null
      ? [
          { name: 'asset', label: 'Asset', kind: 'text', initial: 'USD/2', isRequired: true } as const,
          { name: 'account', label: 'Account', kind: 'text', hint: 'Empty: the tenant.' } as const,
        ]
      : []),
    ...fieldsOf(limit).map(([name, label]) => ({
      name,
      label,
      kind: 'text' as const,
      initial: limit?.[name] ? amountText(limit[name], limit.asset) : '',
    })),
  ],
  run: async (limit, values, options) => api.limits.set(paramsOf(limit, values), options),
  done: () => 'Set the limit.',
};

function paramsOf(limit: Limit | null, values: Values): Parameters<typeof api.limits.set>[0] {
  const asset = limit?.asset ?? (values['asset'] ?? '').trim();
  const account = limit === null ? (values['account'] ?? '').trim() : (limit.account ?? '');
  const amounts = fieldsOf(limit).flatMap(([name]): [string, string | null][] => {
    const text = (values[name] ?? '').trim();
    if (text === '') return limit?.[name] ? [[name, null]] : [];
    const minor = requireMinor(text, asset);
    return [[name, minor]];
  });
  return { asset, ...(account === '' ? {} : { account }), ...Object.fromEntries(amounts) };
}

const setCap: Action<ExecutionCap> = {
  name: 'executionCap.set',
  label: 'Change the cap',
  scope: 'ops:write',
  reason: 'required',
  lead: () => 'At most so many payments of this tenant run in a second. The others wait.',
  fields: ({ perSecond }) => [
    {
      name: 'perSecond',
      label: 'Payments a second',
      kind: 'number',
      initial: perSecond === null ? '' : String(perSecond),
      hint: 'Empty: the default of the server.',
    },
  ],
  run: (_, { perSecond = '' }, options) =>
    api.executionCap.set({ perSecond: perSecond.trim() === '' ? null : Number(perSecond) }, options),
  done: () => 'Changed the cap.',
};

export function Page(): ReactNode {
  const read = useList('limits.list', [], () => api.limits.list());
  const cap = useRead('executionCap.get', [], () => api.executionCap.get());
  const guard = useRead('outageGuard.get', [], () => api.outageGuard.get());
  const money = (amount: string | null, asset: string): ReactNode =>
    amount === null ? <span className="soft">none</span> : <Money minor={amount} asset={asset} />;
  return (
    <>
      <SettingsHead
        current="Limits"
        lead="What a payment and a day may move, and above which amount a second person approves."
      >
        <ActionButton action={setLimit} subject={null} />
      </SettingsHead>
      <Panel title="Amounts" flush>
        <ListTable
          caption="Limits"
          read={read}
          keyOf={({ account, asset }) => `${account ?? ''} ${asset}`}
          empty="No limit is set: every amount that the payer has may move."
          columns={[
            {
              head: 'Of',
              cell: ({ account, accountRef }) =>
                account === null ? 'the tenant' : <AccountLink id={account} name={accountRef} />,
            },
            { head: 'Asset', cell: ({ asset }) => asset },
            { head: 'Most a payment', align: 'right', cell: ({ maxAmount, asset }) => money(maxAmount, asset) },
            {
              head: 'Most a day, account',
              align: 'right',
              cell: ({ dailyAmount, defaultDailyAmount, asset }) => money(dailyAmount ?? defaultDailyAmount, asset),
            },
            {
              head: 'Most a day, tenant',
              align: 'right',
              cell: ({ tenantDailyAmount, asset }) => money(tenantDailyAmount, asset),
            },
            { head: 'Approval above', align: 'right', cell: ({ approvalAbove, asset }) => money(approvalAbove, asset) },
            {
              head: 'Change',
              cell: (limit) => (
                <ActionButton action={{ ...setLimit, label: 'Change', tone: 'primary' }} subject={limit} quiet />
              ),
            },
          ]}
        />
      </Panel>
      <div className="columns">
        <Panel title="Executions a second" actions={cap.data && <ActionButton action={setCap} subject={cap.data} />}>
          <Loaded read={cap}>
            {({ perSecond, defaultPerSecond, appliesPerSecond }) => (
              <Facts
                rows={[
                  ['Of this tenant', perSecond === null ? 'not set' : formatCount(perSecond)],
                  ['Default of the server', defaultPerSecond === null ? 'none' : formatCount(defaultPerSecond)],
                  ['Applies', appliesPerSecond === null ? 'without a cap' : formatCount(appliesPerSecond)],
                ]}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title="Outage guard">
          <Loaded read={guard}>
            {({ count, amounts }) => (
              <>
                <Facts
                  rows={[
                    ['Overdue runs', count === null ? 'without a limit' : `held above ${formatCount(count)}`],
                    ...amounts.map(
                      ({ asset, amount }) => [asset, <Money key={asset} minor={amount} asset={asset} />] as const,
                    ),
                  ]}
                />
                <p className="soft small">
                  After an outage, runs above the guard wait for a decision under Schedules, Outages.
                </p>
              </>
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  );
}
