// The outcome of a dry run: the money that would move, and the fields that would change.
import type { ReactNode } from 'react';
import type { Posting } from '../../../src/client/index.ts';
import type { PreviewState } from './action.tsx';
import { formatInstant, inWords, sentenceCase } from './format.ts';
import { ProblemText } from './loaded.tsx';
import { State } from './state.tsx';
import { Money } from './values.tsx';

export function Preview({
  of,
  subject,
  waitsFor,
  afterwards,
}: {
  readonly of: PreviewState;
  readonly subject: unknown;
  /** What is missing before the change can be tried. */
  readonly waitsFor: string | null;
  /** What happens after the request. */
  readonly afterwards: string | undefined;
}): ReactNode {
  return (
    <section className={`preview ${of.state}`} aria-label="What will change" aria-live="polite">
      <h3>What will change</h3>
      {of.state === 'waiting' && <p className="soft">{waitsFor ?? 'Fill in the fields to see it.'}</p>}
      {of.state === 'trying' && <p className="soft">Trying it, without doing it …</p>}
      {of.state === 'refused' && (
        <p className="refusal" role="alert">
          It would be refused: <ProblemText error={of.error} />
        </p>
      )}
      {of.state === 'ready' && <Outcome dryRun={of.dryRun} subject={subject} afterwards={afterwards} />}
    </section>
  );
}

function Outcome({
  dryRun: { postings, result, events },
  subject,
  afterwards,
}: {
  readonly dryRun: {
    readonly postings: readonly Posting[];
    readonly result: unknown;
    readonly events: readonly string[];
  };
  readonly subject: unknown;
  readonly afterwards: string | undefined;
}): ReactNode {
  const changes = changesOf(subject, result);
  return (
    <ul className="changes">
      {postings.map((posting, index) => (
        <li key={`${posting.type}-${index}`}>
          <PostingText posting={posting} />
        </li>
      ))}
      {changes.map(([name, before, after]) => (
        <li key={name}>
          {sentenceCase(inWords(snake(name)))}: {before} <span aria-hidden="true">→</span>
          <span className="visually-hidden"> becomes </span> {after}
        </li>
      ))}
      {postings.length === 0 && <li>The request itself moves no money.</li>}
      {afterwards !== undefined && <li>{afterwards}</li>}
      {events.length > 0 && (
        <li className="soft small">
          {events.length === 1 ? 'Event' : 'Events'}: {[...new Set(events)].join(', ')}
        </li>
      )}
    </ul>
  );
}

function PostingText({ posting }: { readonly posting: Posting }): ReactNode {
  const money = (
    <strong>
      <Money minor={posting.amount} asset={posting.asset} />
    </strong>
  );
  if (posting.type === 'transfer') {
    return (
      <>
        {money} {posting.fromReserved ? 'moves from the reserved funds of' : 'moves from'}{' '}
        <b>{posting.fromRef ?? posting.from}</b> to <b>{posting.toRef ?? posting.to}</b>
        <span className="soft"> ({inWords(posting.kind)})</span>
      </>
    );
  }
  return (
    <>
      {money} {posting.type === 'reserve' ? 'is reserved on' : 'is released to'}{' '}
      <b>{posting.accountRef ?? posting.account}</b>
    </>
  );
}

const SHOWN = [
  'status',
  'amount',
  'captured',
  'released',
  'refunded',
  'executeAt',
  'expiresAt',
  'nextAttemptAt',
  'approval',
  'attempts',
  'enabled',
  'summary',
  'next',
  'price',
  'plan',
  'name',
  'cancelAt',
  'now',
] as const;

/** The fields of a resource that differ, in words. */
export function changesOf(before: unknown, after: unknown): (readonly [string, ReactNode, ReactNode])[] {
  const [old, next] = [recordOf(before), recordOf(resourceOf(after))];
  if (!old || !next || old['id'] !== next['id']) return [];
  const asset = typeof next['asset'] === 'string' ? next['asset'] : null;
  return SHOWN.flatMap((name) => {
    const [was, will] = [old[name] ?? null, next[name] ?? null];
    if (JSON.stringify(was) === JSON.stringify(will)) return [];
    return [[name, shown(name, was, asset), shown(name, will, asset)] as const];
  });
}

/** A refund answers with the payment inside. */
const resourceOf = (answer: unknown): unknown => recordOf(answer)?.['payment'] ?? answer;

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

const MONEY = new Set(['amount', 'captured', 'released', 'refunded', 'price']);
const INSTANTS = new Set(['executeAt', 'expiresAt', 'nextAttemptAt', 'cancelAt', 'now']);

function shown(name: string, value: unknown, asset: string | null): ReactNode {
  if (value === null) return <span className="soft">none</span>;
  if (name === 'next') return shown('executeAt', recordOf(value)?.['at'] ?? null, asset);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  if (name === 'status') return <State of={text} />;
  if (MONEY.has(name) && asset !== null) return <Money minor={text} asset={asset} />;
  return INSTANTS.has(name) ? formatInstant(text) : text;
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
