// The first page: what waits, what went wrong and what needs a person, with the money at stake, and what the next 24 hours bring.
import type { ReactNode } from 'react';
import type { AtStake, Overview } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { useRelative } from '../../app/tenant-time.ts';
import {
  formatCount,
  formatDuration,
  formatInstant,
  formatRelative,
  plural,
  pluralBound,
  secondsOf,
  sentenceCase,
} from '../../parts/format.ts';
import { Note, PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/values.tsx';
import { Chains } from './chains.tsx';
import { DemoHint } from './demo-hint.tsx';
import { Integrity } from './integrity.tsx';
import { Recent } from './recent.tsx';
import { NextDay } from './next-day.tsx';
import { stillCrossed } from './still-crossed.ts';
import { Tile } from './tile.tsx';

export function Page(): ReactNode {
  const { tenant } = useSession();
  const read = useRead('overview.get', [], () => api.overview.get(), { everyMs: 15_000 });
  return (
    <>
      <PageHead
        title="Overview"
        lead={`Everything of the tenant "${tenant.name}" that moves money, now.`}
        state={
          <>
            {read.data && <Integrity of={read.data} />}
            <Chains />
          </>
        }
      />
      <Loaded read={read}>
        {(overview) => (
          <>
            <DemoHint of={overview} />
            <Stops of={overview} />
            <Tiles of={overview} />
          </>
        )}
      </Loaded>
      <Recent />
      <NextDay />
    </>
  );
}

const ALERTS: Readonly<Record<Overview['alerts'][number]['kind'], string>> = {
  payout_success: 'Too many payouts fail',
  settlement_time: 'Payouts take too long to be final',
  treasury_floor: 'A wallet is below its floor',
  chain_health: 'A chain is unhealthy',
  webhook_delivery: 'Too many webhook deliveries fail',
  manual_review: 'Payouts need a review',
};

/** What keeps money from moving although it is due, and what crossed a threshold. */
function Stops({ of: overview }: { readonly of: Overview }): ReactNode {
  const { freezes, pauses, outages, alerts, executionCap } = overview;
  const relativeOf = useRelative();
  const crossed = stillCrossed(overview);
  const waiting = outages.filter(({ status }) => status === 'waiting');
  return (
    <>
      {freezes.map(({ asset, violation, frozenAt }) => (
        <Note key={asset} tone="bad">
          <strong>{asset} is frozen</strong> since {formatInstant(frozenAt)}: the books do not add up ({violation}).
          Nothing in this asset leaves until <code>usance freezes lift</code>.
        </Note>
      ))}
      {pauses.map(({ id, scope, value, reason, pausedAt }) => (
        <Note key={id} tone="warn">
          <strong>Outgoing payments are paused</strong> for{' '}
          {scope === 'tenant' ? 'the whole tenant' : `${scope} ${value ?? ''}`} since {relativeOf(pausedAt, 'real')}:{' '}
          {reason}. <Link to="/settings/pauses">Open the pauses</Link>
        </Note>
      ))}
      {waiting.map(({ id, overdue, since }) => (
        <Note key={id} tone="warn">
          <strong>Runs are held after an outage</strong> that began {relativeOf(since)}:{' '}
          {overdue.map(({ asset, count, amount }) => (
            <span key={asset}>
              {plural(count, 'run')} of <Money minor={amount} asset={asset} />{' '}
            </span>
          ))}
          <Link to="/schedules/outages">Decide</Link>
        </Note>
      ))}
      {crossed.map(({ id, kind, chain, asset, raisedAt }) => (
        <Note key={id} tone="warn">
          <strong>{ALERTS[kind]}</strong>
          {chain === null ? '' : ` on ${chain}`}
          {asset === null ? '' : `, ${asset}`} since {relativeOf(raisedAt)}. <code>usance alerts</code> has the numbers.
        </Note>
      ))}
      {alerts.length >= SHOWN_ALERTS && (
        <Note>These are the newest {SHOWN_ALERTS} alerts that are open; there may be more.</Note>
      )}
      {executionCap.perSecond !== null && (
        <Note>
          Executions are capped at {executionCap.perSecond} a second. <Link to="/settings/limits">Change the cap</Link>
        </Note>
      )}
    </>
  );
}

const LATE_SECONDS = 5;
/** How far the API counts where no field says whether it counted all: its contract names these numbers. */
const SUMMED = 2_000;
const COUNTED = 10_000;
const COUNTED_EXECUTIONS = 100_000;
const SHOWN_ALERTS = 100;

function Tiles({ of: overview }: { readonly of: Overview }): ReactNode {
  const { waiting, due, dueSchedules, lastDay, deadLetters, deadExecutions, awaitingApproval, inReview } = overview;
  const relativeOf = useRelative();
  const isLate = secondsOf(due.late) > LATE_SECONDS;
  const { countedAll, recentCountedAll, lastHour } = overview;
  // It may be the waiting payments that are too many. (Those that await approval are taken off their count.)
  const isDueExact = countedAll || due.count < COUNTED;
  return (
    <div className="tiles of-overview">
      <Tile
        label="Waiting"
        to="/payments?status=scheduled"
        value={waiting.count}
        isExact={countedAll}
        note={
          <>
            <Sums of={waiting.amounts} none="" />{' '}
            {countOf(waiting.amounts) >= SUMMED && countOf(waiting.amounts) < waiting.count
              ? `The sum of the first ${formatCount(countOf(waiting.amounts))}. `
              : ''}
            {waiting.nextDueAt === null
              ? 'Nothing is scheduled.'
              : `The next is due ${formatRelative(waiting.nextDueAt, Date.parse(overview.at))}.`}
          </>
        }
      />
      <Tile
        label="Overdue"
        to="/payments?status=scheduled"
        value={due.count}
        isExact={isDueExact}
        tone={isLate ? 'warn' : undefined}
        note={
          <>
            <Sums of={due.amounts} none="" isExact={isDueExact} />{' '}
            {due.count === 0
              ? 'Everything that was due has been tried.'
              : `The oldest has waited ${formatDuration(due.late)}.`}
          </>
        }
      />
      <Tile
        label="Settled, last 24 hours"
        to="/payments?status=settled"
        value={lastDay.settled}
        isExact={recentCountedAll}
        note={`${sentenceCase(pluralBound(lastHour.settled, recentCountedAll, 'payment'))} in the last hour.`}
      />
      <Tile
        label="Failed, last 24 hours"
        to="/payments?status=failed"
        value={lastDay.failed}
        isExact={recentCountedAll}
        tone={lastDay.failed > 0 ? 'bad' : undefined}
        note={`${sentenceCase(pluralBound(lastHour.failed, recentCountedAll, 'payment'))} in the last hour.`}
      />
      <Tile
        label="Awaiting approval"
        to="/approvals"
        value={countOf(awaitingApproval)}
        tone={awaitingApproval.length > 0 ? 'warn' : undefined}
        note={<Sums of={awaitingApproval} none="No payment awaits a second person." />}
      />
      <Tile
        label="In review"
        to="/payouts"
        value={countOf(inReview)}
        tone={inReview.length > 0 ? 'warn' : undefined}
        note={<Sums of={inReview} none="No payout is undecided." />}
      />
      <Tile
        label="Dead letters"
        to="/dead-letters"
        value={countOf(deadLetters) + deadExecutions}
        isExact={deadExecutions < COUNTED_EXECUTIONS}
        tone={deadLetters.length > 0 || deadExecutions > 0 ? 'bad' : undefined}
        note={
          <>
            <Sums
              of={deadLetters}
              none={deadExecutions === 0 ? 'Nothing has failed for good.' : 'No money is at stake.'}
            />
            {deadExecutions > 0 && (
              <>
                {' '}
                {sentenceCase(pluralBound(deadExecutions, deadExecutions < COUNTED_EXECUTIONS, 'execution'))} of jobs.
              </>
            )}
          </>
        }
      />
      {dueSchedules.count > 0 && (
        <Tile
          label="Schedules due"
          to="/schedules"
          value={dueSchedules.count}
          isExact={dueSchedules.count < COUNTED}
          tone="warn"
          note={dueSchedules.oldestDueAt === null ? '' : `The oldest since ${relativeOf(dueSchedules.oldestDueAt)}.`}
        />
      )}
    </div>
  );
}

const countOf = (sums: readonly AtStake[]): number => sums.reduce((total, { count }) => total + count, 0);

function Sums({
  of,
  none,
  isExact = true,
}: {
  readonly of: readonly AtStake[];
  readonly none: string;
  readonly isExact?: boolean;
}): ReactNode {
  if (of.length === 0) return none;
  return (
    <span className="sums">
      {!isExact && 'at least '}
      {of.map(({ asset, amount }) => (
        <Money key={asset} minor={amount} asset={asset} />
      ))}
    </span>
  );
}
