// Retrying and discarding many dead letters, with progress: each call handles a bounded part, and the dialog goes on behind it, whatever was refused,
// until each letter was handled once.
import type { FormEvent, ReactNode } from 'react';
import { createContext, use, useEffect, useRef, useState } from 'react';
import type { DeadLetter, DeadLetterGroup } from '../../../../src/client/index.ts';
import { UsanceProblem } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { readAgain } from '../../api/queries.ts';
import { useAllowed } from '../../app/session.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { formatCount, inWords, plural } from '../../parts/format.ts';
import { Note } from '../../parts/layout.tsx';
import { ProblemText } from '../../parts/loaded.tsx';
import { say } from '../../parts/toast.tsx';
import { Money } from '../../parts/values.tsx';

type Verb = 'retry' | 'discard';

/** What one call did. */
interface Part {
  readonly done: number;
  readonly refused: readonly { readonly id: string; readonly code: string; readonly detail: string }[];
}

interface Work {
  readonly count: number;
  readonly sums: readonly { readonly asset: string; readonly amount: string }[];
  readonly what: string;
  /** Handles one part after the other, as they are read. */
  readonly parts: (verb: Verb, reason: string) => AsyncIterable<Part>;
}

const LIMIT = 100;
const REFUSED_SHOWN = 20;

/** Letters that fail later, or again while this runs, are not among those that were shown. An instant of the API is cut to milliseconds. */
const justAfter = (instant: string): string => new Date(Date.parse(instant) + 1).toISOString();

type Params = Parameters<typeof api.deadLetters.discardMany>[0];

async function* partsOf(filter: Params['filter'], verb: Verb, reason: string): AsyncGenerator<Part> {
  let cursor: string | null = null;
  do {
    const body: Params = { filter, reason, limit: LIMIT, ...(cursor === null ? {} : { cursor }) };
    if (verb === 'retry') {
      const { retried, refused, nextCursor } = await api.deadLetters.retryMany(body);
      yield { done: retried.length, refused };
      cursor = nextCursor;
    } else {
      const { discarded, refused, nextCursor } = await api.deadLetters.discardMany(body);
      yield { done: discarded.length, refused };
      cursor = nextCursor;
    }
  } while (cursor !== null);
}

async function* oneByOne(letters: readonly DeadLetter[], verb: Verb, reason: string): AsyncGenerator<Part> {
  for (const { id } of letters) {
    try {
      await api.deadLetters[verb](id, { reason });
    } catch (error) {
      if (!(error instanceof UsanceProblem)) throw error;
      yield { done: 0, refused: [{ id, code: error.code, detail: error.message }] };
      continue;
    }
    yield { done: 1, refused: [] };
  }
}

export function BulkOfGroup({ group }: { readonly group: DeadLetterGroup }): ReactNode {
  const { kind, code, asset, job, count, amount, newestAt } = group;
  const filter = {
    kind,
    code,
    failedBefore: justAfter(newestAt),
    ...(asset === null ? {} : { asset }),
    ...(job === null ? {} : { job }),
  };
  return (
    <Buttons
      work={{
        count,
        sums: amount === null || asset === null ? [] : [{ asset, amount }],
        what: `every letter of the cause "${inWords(code)}"`,
        parts: (verb, reason) => partsOf(filter, verb, reason),
      }}
    />
  );
}

export function Bulk({
  letters,
  onDone,
}: {
  readonly letters: readonly DeadLetter[];
  readonly onDone: () => void;
}): ReactNode {
  const sums = new Map<string, bigint>();
  for (const { asset, amount } of letters)
    if (asset !== null && amount !== null) sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(amount));
  return (
    <Buttons
      onDone={onDone}
      work={{
        count: letters.length,
        sums: [...sums].map(([asset, amount]) => ({ asset, amount: amount.toString() })),
        what: 'the ticked letters',
        parts: (verb, reason) => oneByOne(letters, verb, reason),
      }}
    />
  );
}

/** A retry or discard that was requested, with the work as it was then: rows disappear while it runs. */
interface BulkJob {
  readonly verb: Verb;
  readonly work: Work;
  readonly onDone: (() => void) | undefined;
}

const StartContext = createContext<(job: BulkJob) => void>(() => undefined);

/** Holds the dialog above the rows that begin it. */
export function BulkPlace({ children }: { readonly children: ReactNode }): ReactNode {
  const [job, setJob] = useState<BulkJob | null>(null);
  return (
    <StartContext value={setJob}>
      {children}
      {job !== null && (
        <BulkDialog
          verb={job.verb}
          work={job.work}
          onClose={() => {
            setJob(null);
            job.onDone?.();
            readAgain();
          }}
        />
      )}
    </StartContext>
  );
}

function Buttons({ work, onDone }: { readonly work: Work; readonly onDone?: () => void }): ReactNode {
  const start = use(StartContext);
  if (!useAllowed('ops:write')) return null;
  return (
    <span className="actions">
      <button type="button" data-action="deadLetters.retryMany" onClick={() => start({ verb: 'retry', work, onDone })}>
        Retry
      </button>
      <button
        type="button"
        className="danger"
        data-action="deadLetters.discardMany"
        onClick={() => start({ verb: 'discard', work, onDone })}
      >
        Discard
      </button>
    </span>
  );
}

const WORDS = {
  retry: {
    title: 'Retry',
    gerund: 'Retrying',
    done: 'retried',
    lead: 'They get all of their attempts again, and reserve their funds anew.',
  },
  discard: {
    title: 'Discard',
    gerund: 'Discarding',
    done: 'discarded',
    lead: 'They are closed and not tried again. The audit log keeps them.',
  },
} as const;

function BulkDialog({
  verb,
  work,
  onClose,
}: {
  readonly verb: Verb;
  readonly work: Work;
  readonly onClose: () => void;
}): ReactNode {
  const [reason, setReason] = useState('');
  const [phase, setPhase] = useState<'asking' | 'running' | 'ended'>('asking');
  const [done, setDone] = useState(0);
  const [refused, setRefused] = useState<Part['refused']>([]);
  const [isAll, setIsAll] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isStopped = useRef(false);
  // Nothing goes on that cannot be seen, or after the page has changed to another tenant.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const stop = (): void => {
    isStopped.current = true;
  };
  const words = WORDS[verb];
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setPhase('running');
    let total = 0;
    try {
      let isCut = false;
      for await (const part of work.parts(verb, reason.trim())) {
        total += part.done;
        setDone(total);
        setRefused((now) => [...now, ...part.refused]);
        isCut = isStopped.current;
        if (isCut) break;
      }
      setIsAll(!isCut);
      say(`${plural(total, 'letter')} ${words.done}.`);
    } catch (problem) {
      setError(problem);
    }
    setPhase('ended');
  };
  const handled = done + refused.length;
  // At the end none is left: letters that another person handled meanwhile were not among the parts.
  const left = isAll ? 0 : Math.max(0, work.count - handled);
  return (
    <Dialog
      title={`${words.title} ${plural(work.count, 'letter')}`}
      onClose={phase === 'running' ? stop : onClose}
      className="action"
    >
      <form className="stack" onSubmit={(event) => void run(event)} data-action-form={`deadLetters.${verb}Many`}>
        <p>
          {words.title} {work.what}: <strong>{plural(work.count, 'letter')}</strong>
          {work.sums.map(({ asset, amount }) => (
            <span key={asset}>
              ,{' '}
              <strong>
                <Money minor={amount} asset={asset} />
              </strong>
            </span>
          ))}
          . {words.lead}
        </p>
        {phase === 'asking' ? (
          <div className="field">
            <label htmlFor="bulk-reason">Reason</label>
            <input
              id="bulk-reason"
              name="reason"
              required
              autoComplete="off"
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
            <span className="soft small">Kept in the audit log, with your key.</span>
          </div>
        ) : (
          <div role="status">
            <progress max={handled + left} value={handled} aria-label={words.gerund} />
            <p>
              {formatCount(done)} {words.done}
              {refused.length > 0 && <>, {formatCount(refused.length)} refused</>}
              {left > 0 && <>, {formatCount(left)} left</>} of {formatCount(work.count)}
              {phase === 'running' ? ' …' : '.'}
            </p>
          </div>
        )}
        {refused.length > 0 && (
          <ul className="refused small">
            {refused.slice(0, REFUSED_SHOWN).map(({ id, code, detail }) => (
              <li key={id}>
                <code>{id}</code>: {detail} (<code>{code}</code>)
              </li>
            ))}
            {refused.length > REFUSED_SHOWN && <li>and {formatCount(refused.length - REFUSED_SHOWN)} more</li>}
          </ul>
        )}
        {error !== null && (
          <Note tone="bad">
            It stopped: <ProblemText error={error} />
          </Note>
        )}
        <div className="dialog-actions">
          {phase === 'running' && (
            <button type="button" onClick={stop}>
              Stop after this part
            </button>
          )}
          {phase === 'asking' && (
            <>
              <button type="button" onClick={onClose}>
                Not now
              </button>
              <button
                type="submit"
                className={verb === 'discard' ? 'danger' : 'primary'}
                disabled={reason.trim() === ''}
              >
                {words.title} {plural(work.count, 'letter')}
              </button>
            </>
          )}
          {phase === 'ended' && (
            <button type="button" className="primary" onClick={onClose}>
              Close
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
