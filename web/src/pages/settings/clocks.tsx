// Test clocks: the time of a test tenant, advanced by hand.
import type { ReactNode } from 'react';
import type { TestClock } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { tenantNowOrReal } from '../../app/tenant-time.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { instantOf, localInput } from '../../parts/fields.tsx';
import { formatInstant, formatSeconds, plural } from '../../parts/format.ts';
import { Facts, Note, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { SettingsHead } from './head.tsx';

const DAY_MS = 86_400_000;

const create: Action<null> = {
  name: 'testClocks.create',
  label: 'New clock',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'optional',
  lead: () => 'The time of this test tenant stands still from now on, until it is advanced.',
  fields: () => [
    { name: 'name', label: 'Name', kind: 'text', isRequired: true, initial: 'clock' },
    {
      name: 'now',
      label: 'It begins at',
      kind: 'instant',
      isRequired: true,
      initial: localInput(new Date(tenantNowOrReal()).toISOString()),
    },
  ],
  run: (_, { name = '', now = '' }, options) => api.testClocks.create({ name, now: instantOf(now) }, options),
  done: () => 'Created the clock.',
};

const advance: Action<TestClock> = {
  name: 'testClocks.advance',
  label: 'Advance',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'optional',
  applies: ({ status, deletedAt }) => status !== 'advancing' && deletedAt === null,
  lead: ({ now }) =>
    `It is ${formatInstant(now)} in this tenant. Everything that falls due on the way happens at its own instant.`,
  fields: ({ now }) => [
    {
      name: 'to',
      label: 'To',
      kind: 'instant',
      isRequired: true,
      initial: localInput(new Date(Date.parse(now) + DAY_MS).toISOString()),
    },
  ],
  afterwards: 'Then the clock advances: payments, schedules and retries that are due until that instant run.',
  run: ({ id }, { to = '' }, options) => api.testClocks.advance(id, { to: instantOf(to) }, options),
  done: () => 'The clock advances.',
};

const stop: Action<TestClock> = {
  name: 'testClocks.cancelAdvance',
  label: 'Stop here',
  scope: 'ops:write',
  reason: 'optional',
  applies: ({ status }) => status === 'advancing',
  lead: () => 'The clock stops at the instant that it has reached.',
  run: ({ id }, _values, options) => api.testClocks.cancelAdvance(id, options),
  done: () => 'Stopped the clock.',
};

const remove: Action<TestClock> = {
  name: 'testClocks.delete',
  label: 'Delete',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'optional',
  applies: ({ status, deletedAt }) => status !== 'advancing' && deletedAt === null,
  lead: () => 'The tenant loses its clock. What waits for it does not run.',
  run: ({ id }, _values, options) => api.testClocks.delete(id, options),
  done: () => 'Deleted the clock.',
};

export function Page(): ReactNode {
  const { tenant } = useSession();
  const read = useList('testClocks.list', [], () => api.testClocks.list());
  return (
    <>
      <SettingsHead
        current="Test clocks"
        lead="The time of a test tenant is advanced by hand; payments, schedules, retries and simulated chains follow."
      >
        {tenant.kind === 'test' && <ActionButton action={create} subject={null} />}
      </SettingsHead>
      <Loaded read={read}>
        {(clocks) =>
          clocks.length === 0 ? (
            <Empty operation="testClocks.list">
              {tenant.kind === 'live'
                ? 'A live tenant follows the real time. Switch to a test tenant to see its clock.'
                : 'This tenant follows the real time until it gets a clock.'}
            </Empty>
          ) : (
            clocks.map((clock) => <Clock key={clock.id} of={clock} />)
          )
        }
      </Loaded>
    </>
  );
}

function Clock({ of: clock }: { readonly of: TestClock }): ReactNode {
  const { name, now, status, advance: last } = clock;
  return (
    <Panel
      title={name}
      actions={
        <>
          <ActionButton action={advance} subject={clock} />
          <ActionButton action={stop} subject={clock} />
          <ActionButton action={remove} subject={clock} />
        </>
      }
    >
      <p className="clock-time number">{formatInstant(now)}</p>
      {last?.detail && status === 'failed' && (
        <Note tone="bad">
          The advance failed: {last.detail} ({last.code})
        </Note>
      )}
      {status === 'advancing' && last !== null && (
        <progress
          aria-label="Advance"
          max={Date.parse(last.to) - Date.parse(last.from)}
          value={Date.parse(now) - Date.parse(last.from)}
        />
      )}
      <Facts
        rows={[
          [
            'State',
            clock.deletedAt !== null ? (
              <State key="state" of="closed" word="deleted" />
            ) : (
              <State key="state" of={status} />
            ),
          ],
          last !== null && [
            'Last advance',
            `${formatInstant(last.from)} to ${formatInstant(last.to)}, ${formatSeconds((Date.parse(last.to) - Date.parse(last.from)) / 1_000)}`,
          ],
          last !== null && ['Steps', plural(last.steps, 'step')],
          last?.events !== null && last?.events !== undefined && ['Events', plural(last.events.count, 'event')],
          last?.events !== null &&
            last?.events !== undefined && [
              'By type',
              Object.entries(last.events.byType)
                .map(([type, count]) => `${type} ${String(count)}`)
                .join(', ') || 'none',
            ],
        ]}
      />
    </Panel>
  );
}
