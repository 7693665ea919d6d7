// Replaying and discarding many letters, with progress: each call handles a bounded part, and the dialog goes on until nothing is left.
import type { FormEvent, ReactNode } from 'react';
import { createContext, use, useRef, useState } from 'react';
import type { DeadLetter } from '../../../../src/client/index.ts';
import { UsanceProblem } from '../../../../src/client/index.ts';
import { api, sendJson } from '../../api/client.ts';
import { readAgain } from '../../api/queries.ts';
import type { DeadLetterGroup } from '../../api/shapes.ts';
import { useAllowed } from '../../app/session.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { formatCount, inWords, plural } from '../../parts/format.ts';
import { Note } from '../../parts/layout.tsx';
import { ProblemText } from '../../parts/loaded.tsx';
import { say } from '../../parts/toast.tsx';
import { Money } from '../../parts/values.tsx';

type Verb = 'replay' | 'discard';

/** What one call did. */
interface Step {
  readonly done: number;
  readonly refused: readonly { readonly id: string; readonly code: string; readonly detail: string }[];
  readonly more: boolean;
}

interface Work {
  readonly count: number;
  readonly sums: readonly { readonly asset: string; readonly amount: string }[];
  readonly what: string;
  /** Handles the next part. */
  readonly step: (verb: Verb, reason: string, at: number) => Promise<Step>;
}

const LIMIT = 100;

export function BulkOfGroup({ group }: { readonly group: DeadLetterGroup }): ReactNode {
  const { kind, code, asset, job, count, amount } = group;
  const filter = { kind, code, ...(asset === null ? {} : { asset }), ...(job === null ? {} : { job }) };
  return (
    <Buttons
      work={{
        count,
        sums: amount === null || asset === null ? [] : [{ asset, amount }],
        what: `every letter of the cause "${inWords(code)}"`,
        step: async (verb, reason) => {
          const body = { filter, reason, limit: LIMIT };
          if (verb === 'replay') {
            const { retried, refused, more } = await sendJson<{
              retried: readonly string[];
              refused: Step['refused'];
              more: boolean;
            }>('POST', '/v1/dead-letters/retry', body);
            return { done: retried.length, refused, more: more && retried.length > 0 };
          }
          const { discarded, refused, more } = await sendJson<{
            discarded: readonly string[];
            refused: Step['refused'];
            more: boolean;
          }>('POST', '/v1/dead-letters/discard', body);
          return { done: discarded.length, refused, more: more && discarded.length > 0 };
        },
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
        step: async (verb, reason, at) => {
          const letter = letters[at];
          if (!letter) return { done: 0, refused: [], more: false };
          const more = at + 1 < letters.length;
          try {
            await (verb === 'replay'
              ? api.deadLetters.retry(letter.id, { reason })
              : api.deadLetters.discard(letter.id, { reason }));
            return { done: 1, refused: [], more };
          } catch (error) {
            if (!(error instanceof UsanceProblem)) throw error;
            return { done: 0, refused: [{ id: letter.id, code: error.code, detail: error.message }], more };
          }
        },
      }}
    />
  );
}

/** A replay or discard that was asked for, with the work as it was then: rows disappear while it runs. */
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
      <button type="button" data-action="deadLetters.retryMany" onClick={() => start({ verb: 'replay', work, onDone })}>
        Replay
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
  replay: {
    title: 'Replay',
    gerund: 'Replaying',
    done: 'replayed',
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
  const [refused, setRefused] = useState<Step['refused']>([]);
  const [error, setError] = useState<unknown>(null);
  const isStopped = useRef(false);
  const words = WORDS[verb];
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setPhase('running');
    let total = 0;
    try {
      for (let at = 0, more = true; more && !isStopped.current; at += 1) {
        const step = await work.step(verb, reason.trim(), at);
        total += step.done;
        more = step.more;
        setDone(total);
        setRefused((now) => [...now, ...step.refused]);
      }
      say(`${plural(total, 'letter')} ${words.done}.`);
    } catch (problem) {
      setError(problem);
    }
    setPhase('ended');
  };
  const handled = done + refused.length;
  return (
    <Dialog title={`${words.title} ${plural(work.count, 'letter')}`} onClose={onClose} className="action">
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
            <progress max={Math.max(work.count, handled)} value={handled} aria-label={words.gerund} />
            <p>
              {formatCount(done)} {words.done}
              {refused.length > 0 && <>, {formatCount(refused.length)} refused</>} of {formatCount(work.count)}
              {phase === 'running' ? ' …' : '.'}
            </p>
          </div>
        )}
        {refused.length > 0 && (
          <ul className="refused small">
            {refused.slice(0, 20).map(({ id, code, detail }) => (
              <li key={id}>
                <code>{id}</code>: {detail} (<code>{code}</code>)
              </li>
            ))}
          </ul>
        )}
        {error !== null && (
          <Note tone="bad">
            It stopped: <ProblemText error={error} />
          </Note>
        )}
        <div className="dialog-actions">
          {phase === 'running' && (
            <button type="button" onClick={() => (isStopped.current = true)}>
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
