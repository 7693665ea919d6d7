// The three states of a read that is not there: loading, refused and empty. Each names the call that fills this part of the page.
import type { ReactNode } from 'react';
import { UsanceProblem, UsanceUnreachable } from '../../../src/client/problem.ts';
import type { Read } from '../api/queries.ts';
import { callOf } from '../api/operations.ts';
import { asSentence } from './format.ts';
import { Note } from './layout.tsx';

export function Loaded<T>({
  read,
  children,
}: {
  readonly read: Read<T>;
  readonly children: (data: T) => ReactNode;
}): ReactNode {
  if (read.data !== undefined) {
    return (
      <>
        {read.error !== null && <ReadError read={read} />}
        {children(read.data)}
      </>
    );
  }
  return read.error === null ? <Loading operation={read.operation} /> : <ReadError read={read} />;
}

export function Loading({ operation }: Pick<Read<unknown>, 'operation'>): ReactNode {
  return (
    <div className="loading" role="status">
      <span className="bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>
        Reading <code>{callOf(operation)}</code> …
      </span>
    </div>
  );
}

export function ReadError({ read }: { readonly read: Read<unknown> }): ReactNode {
  return (
    <Note tone="bad">
      <p>
        <strong>{problemTitle(read.error)}</strong> <ProblemText error={read.error} />
      </p>
      <p className="small">
        The call was <code>{callOf(read.operation)}</code>.{' '}
        <button type="button" className="link" onClick={read.retry}>
          Try again
        </button>
      </p>
    </Note>
  );
}

/** Whether a change was made that was answered with an error. Without an answer of the API nothing is known. */
export function outcomeOf(error: unknown): string {
  const isUnknown = error instanceof UsanceUnreachable || (error instanceof UsanceProblem && error.status >= 500);
  return isUnknown
    ? 'Without an answer it is not known whether it was done. Send it again from here: it happens once.'
    : 'Nothing was done.';
}

const problemTitle = (error: unknown): string =>
  error instanceof UsanceProblem ? `${error.title}.` : 'The server did not answer.';

/** A refusal in words, with a link to its code in the reference. */
export function ProblemText({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof UsanceProblem)) return <>{error instanceof Error ? error.message : 'Unknown error.'}</>;
  return (
    <>
      {asSentence(error.message)}{' '}
      <a href={`/docs#${error.code}`} target="_blank" rel="noreferrer">
        <code>{error.code}</code>
      </a>
    </>
  );
}

export function Empty({
  operation,
  children,
}: {
  readonly operation: Read<unknown>['operation'];
  /** The reason why nothing is here, and what would fill it. */
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <p>{children}</p>
      <p className="small soft">
        This part shows <code>{callOf(operation)}</code>.
      </p>
    </div>
  );
}
