// The upcoming runs of the active schedules, in a month.
import type { ReactNode } from 'react';
import type { Schedule, UpcomingRun } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link, useFilter } from '../../app/router.tsx';
import { useTenantNowOrReal } from '../../app/tenant-time.ts';
import { hereZone } from '../../parts/fields.tsx';
import { formatInstant, formatMinute, formatMoney } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { SchedulesHead } from './list.tsx';

const MOST_SCHEDULES = 30;
const RUNS_OF_EACH = 100;
const SHOWN_OF_A_DAY = 4;

interface Entry {
  readonly schedule: Schedule;
  readonly run: UpcomingRun;
}

export function Page(): ReactNode {
  const [chosen, choose] = useFilter('month');
  const now = new Date(useTenantNowOrReal());
  const month = /^\d{4}-\d{2}$/.test(chosen) ? chosen : monthOf(now);
  const read = useRead('schedules.listUpcoming', ['calendar'], readRuns);
  return (
    <>
      <SchedulesHead current="calendar" />
      <Panel
        title={MONTH.format(new Date(`${month}-15T12:00`))}
        note={`In the time zone of this browser, ${hereZone()}`}
        actions={
          <>
            <button type="button" onClick={() => choose(shifted(month, -1))}>
              Earlier
            </button>
            <button type="button" onClick={() => choose('')}>
              Today
            </button>
            <button type="button" onClick={() => choose(shifted(month, 1))}>
              Later
            </button>
          </>
        }
      >
        <Loaded read={read}>
          {({ entries, isAll }) =>
            entries.length === 0 ? (
              <Empty operation="schedules.listUpcoming">No active schedule has a run ahead.</Empty>
            ) : (
              <>
                <Month month={month} today={dayOf(now)} entries={entries} />
                {!isAll && (
                  <p className="soft small">
                    The newest {MOST_SCHEDULES} active schedules are shown, with at most {RUNS_OF_EACH} runs each.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

async function readRuns(): Promise<{ readonly entries: readonly Entry[]; readonly isAll: boolean }> {
  const { data, nextCursor } = await api.schedules.list({ status: 'active', limit: MOST_SCHEDULES }).page();
  const runs = await Promise.all(
    data.map(async (schedule) => {
      const { data: upcoming } = await api.schedules.listUpcoming(schedule.id, { count: RUNS_OF_EACH }).page();
      return upcoming.map((run) => ({ schedule, run }));
    }),
  );
  return {
    entries: runs.flat().toSorted((one, other) => one.run.at.localeCompare(other.run.at)),
    isAll: nextCursor === null && runs.every((own) => own.length < RUNS_OF_EACH),
  };
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
/** On a phone, where the days are a list without a head of weekdays. */
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const two = (value: number): string => String(value).padStart(2, '0');
const monthOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
const dayOf = (date: Date): string => `${monthOf(date)}-${two(date.getDate())}`;

function shifted(month: string, by: number): string {
  const [year = 0, index = 1] = month.split('-').map(Number);
  return monthOf(new Date(year, index - 1 + by, 15));
}

/** The weeks of a month, from Monday. */
function daysOf(month: string): readonly Date[] {
  const [year = 0, index = 1] = month.split('-').map(Number);
  const first = new Date(year, index - 1, 1);
  const lead = (first.getDay() + 6) % 7;
  const length = new Date(year, index, 0).getDate();
  const weeks = Math.ceil((lead + length) / 7);
  return Array.from({ length: weeks * 7 }, (_, day) => new Date(year, index - 1, 1 - lead + day));
}

function Month({
  month,
  today,
  entries,
}: {
  readonly month: string;
  readonly today: string;
  readonly entries: readonly Entry[];
}): ReactNode {
  const byDay = new Map<string, Entry[]>();
  for (const entry of entries) {
    const day = dayOf(new Date(entry.run.at));
    byDay.set(day, [...(byDay.get(day) ?? []), entry]);
  }
  return (
    <>
      <div className="week-head" aria-hidden="true">
        {['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className="month">
        {daysOf(month).map((date) => {
          const day = dayOf(date);
          const runs = byDay.get(day) ?? [];
          const classes = [day === today && 'today', !day.startsWith(month) && 'other', runs.length === 0 && 'free'];
          return (
            <li key={day} className={classes.filter(Boolean).join(' ')}>
              <span className="visually-hidden">{DAY.format(date)}</span>
              <span className="date" aria-hidden="true">
                <span className="of-grid">{date.getDate()}</span>
                <span className="of-list">{SHORT_DAY.format(date)}</span>
              </span>
              {runs.slice(0, SHOWN_OF_A_DAY).map(({ schedule, run }) => (
                <Link key={`${schedule.id}${run.slot}`} to={`/schedules/${schedule.id}`} title={textOf(schedule, run)}>
                  <b>{formatMinute(run.at)}</b> {formatMoney(run.amount, schedule.asset)}
                  <span className="who"> {schedule.fromRef ?? ''}</span>
                </Link>
              ))}
              {runs.length > SHOWN_OF_A_DAY && (
                <span className="soft small">and {runs.length - SHOWN_OF_A_DAY} more</span>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

const textOf = ({ summary, fromRef, toRef, zone }: Schedule, { at, local }: UpcomingRun): string =>
  `${fromRef ?? ''} to ${toRef ?? 'several payees'}: ${summary}. ${formatInstant(at)} here, ${local.replace('T', ' ')} in ${zone}.`;
