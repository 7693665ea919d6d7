// The history of a payment in words, newest last: every state, attempt, retry and action of an operator, with who did it and why.
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../../../src/client/index.ts';
import { Actor } from '../../parts/actor.tsx';
import { formatDuration, formatInstant, formatMoney, inWords, secondsOf, sentenceCase } from '../../parts/format.ts';
import { withInstants } from '../../parts/text.tsx';

const TONES: Readonly<Record<string, string>> = {
  'payment.settled': 'good',
  'payment.captured': 'good',
  'payment.approved': 'good',
  'payment.failed': 'bad',
  'payment.attempt_failed': 'warn',
  'payment.expired': 'warn',
  'payment.rejected': 'warn',
  'payment.approval_requested': 'warn',
};

export function Timeline({
  of: entries,
  asset,
}: {
  readonly of: readonly TimelineEntry[];
  readonly asset: string;
}): ReactNode {
  return (
    <ol className="timeline">
      {entries.map((entry, index) => (
        <li key={`${entry.type}${entry.at}${index}`} className={TONES[entry.type] ?? 'idle'}>
          <p>
            <strong>{withInstants(sentenceOf(entry, asset))}</strong>
          </p>
          {entry.cause !== null && <p className="cause">{withInstants(sentenceCase(entry.cause))}</p>}
          {entry.reason !== null && <p className="cause">{sentenceCase(entry.reason)}</p>}
          <p className="soft small">
            <time dateTime={entry.at}>{formatInstant(entry.at)}</time>
            {index > 0 && secondsOf(entry.after) >= 1 && <>, {formatDuration(entry.after)} after it was created</>}
            {entry.durationMs !== null && <>, took {entry.durationMs} ms</>}
            {entry.actor !== 'system' && (
              <>
                , by <Actor of={entry.actor} />
              </>
            )}
            <span className="type"> {entry.type}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

function sentenceOf({ type, data }: TimelineEntry, asset: string): string {
  const text = (name: string): string | null => {
    const value = data[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  const money = (name: string): string => {
    const minor = text(name);
    return minor === null ? 'an amount' : formatMoney(minor, asset);
  };
  switch (type) {
    case 'payment.created':
      return `Created: ${money('amount')}, due ${text('executeAt') ?? 'at its hour'}.`;
    case 'payment.attempt_failed':
      return `Attempt ${text('attempt') ?? ''} failed. The next is at ${text('nextAttemptAt') ?? 'a later time'}.`;
    case 'payment.settled':
      return `Settled: ${money('amount')} moved.`;
    case 'payment.failed':
      return `Failed for good after ${text('attempt') ?? 'its'} attempts. It is a dead letter now.`;
    case 'payment.cancelled':
      return 'Cancelled. What was reserved went back to the payer.';
    case 'payment.captured':
      return `Captured: ${money('captured')} so far.`;
    case 'payment.released':
      return `Released: ${money('released')} went back to the payer.`;
    case 'payment.refunded':
      return 'Refunded to the payer.';
    case 'payment.expired':
      return 'Expired before it ran. What was reserved went back to the payer.';
    case 'payment.extended':
      return 'The expiry was moved.';
    case 'payment.retried':
      return 'Scheduled again by an operator, with all of its attempts.';
    case 'payment.run_now':
      return 'Made due at once by an operator.';
    case 'payment.updated':
      return `Edited: ${money('amount')}, due ${text('executeAt') ?? 'at its hour'}.`;
    case 'payment.approval_requested':
      return 'It needs the approval of a second person.';
    case 'payment.approved':
      return 'Approved.';
    case 'payment.rejected':
      return 'Rejected.';
    case 'payment.discarded':
      return 'Discarded: the dead letter was closed.';
    default:
      return `${sentenceCase(inWords(type.replace(/^payment\./, '')))}.`;
  }
}
