// An action: a button, and a dialog that says what will change before it does. The server tries the change and rolls it back (a dry run);
// the dialog shows the outcome, asks for a reason, and sends the version that was seen.
import type { FormEvent, ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { CallOptions, DryRun } from '../../../src/client/index.ts';
import { UsanceProblem, etagOf } from '../../../src/client/index.ts';
import { useSendKey } from '../api/send-key.ts';
import type { OperationName } from '../api/operations.ts';
import { callOf } from '../api/operations.ts';
import { readAgain } from '../api/queries.ts';
import type { Scope } from '../api/scope.ts';
import { useAllowed } from '../app/session.tsx';
import { Dialog } from './dialog.tsx';
import type { Field, Values } from './fields.tsx';
import { FieldInputs, initialValues, troubleOf } from './fields.tsx';
import { Note } from './layout.tsx';
import { ProblemText, outcomeOf } from './loaded.tsx';
import { Preview } from './preview.tsx';
import type { ReasonMode } from './reason.ts';
import { REASON, reasonField, reasonOption, requestOf } from './reason.ts';
import { say } from './toast.tsx';

export interface Action<S> {
  readonly name: OperationName;
  readonly label: string;
  readonly scope: Scope;
  readonly tone?: 'primary' | 'danger';
  /** What it does, in a sentence. */
  readonly lead: (subject: S) => ReactNode;
  /** What the caller should see before deciding, below the sentence. */
  readonly detail?: (subject: S) => ReactNode;
  /** Whether the subject can take it. */
  readonly applies?: (subject: S) => boolean;
  /** By what has been entered so far: nothing when the dialog opens. */
  readonly fields?: (subject: S, values: Values) => readonly Field[];
  /** False while the fields say what holds already: there is nothing to send. */
  readonly isChange?: (subject: S, values: Values) => boolean;
  /** What is missing or wrong between the fields, in words; null if nothing is. */
  readonly trouble?: (subject: S, values: Values) => string | null;
  /** What happens after the request, which a dry run does not try, as a sentence. */
  readonly afterwards?: string;
  /** How it asks why (`parts/reason.ts`): every action does. */
  readonly reason: ReasonMode;
  /** The subject has a version that is sent along. */
  readonly isVersioned?: boolean;
  /** False: the API has no dry run of it. */
  readonly hasDryRun?: boolean;
  readonly run: (subject: S, values: Values, options: CallOptions) => Promise<unknown>;
  /** What was done. `answer` is what `run` returned. */
  readonly done: (subject: S, answer: unknown) => string;
  /** The button that does it; default the label. */
  readonly confirm?: (subject: S) => string;
}

const PREVIEW_AFTER_MS = 250;

export function ActionButton<S>({
  action,
  subject,
  onDone,
  quiet = false,
}: {
  readonly action: Action<S>;
  readonly subject: S;
  readonly onDone?: (answer: unknown) => void;
  readonly quiet?: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isAllowed = useAllowed(action.scope);
  if (!isAllowed || action.applies?.(subject) === false) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <button
        type="button"
        className={quiet ? 'quiet' : action.tone}
        data-action={action.name}
        onClick={() => setOpen(true)}
      >
        {action.label}
      </button>
      {isOpen && <ActionDialog action={action} subject={subject} onClose={close} {...(onDone ? { onDone } : {})} />}
    </>
  );
}

export function ActionDialog<S>({
  action,
  subject: given,
  onClose,
  onDone,
}: {
  readonly action: Action<S>;
  readonly subject: S;
  readonly onClose: () => void;
  readonly onDone?: (answer: unknown) => void;
}): ReactNode {
  // The version that was seen when the dialog opened, whatever the page reads meanwhile.
  const [subject] = useState(given);
  const { reason } = action;
  const fieldsOf = (entered: Values): readonly Field[] => [
    ...(action.fields?.(subject, entered) ?? []),
    reasonField(reason),
  ];
  const [values, setValues] = useState<Values>(() => initialValues(fieldsOf({})));
  const fields = fieldsOf(values);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const unchanged = action.isChange?.(subject, values) === false ? 'Nothing is changed yet.' : null;
  const trouble = unchanged ?? action.trouble?.(subject, values) ?? troubleOf(fields, values);
  const preview = usePreview(action, subject, fields, values);
  const isTried = action.hasDryRun === false || preview.state === 'ready';
  const keyOf = useSendKey();
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setSending(true);
    setError(null);
    const idempotencyKey = keyOf(requestOf(reason, values));
    const options = { ...versionOf(action, subject), ...reasonOption(reason, values), idempotencyKey };
    action.run(subject, values, options).then(
      (answer) => {
        say(action.done(subject, answer));
        readAgain();
        onClose();
        onDone?.(answer);
      },
      (refusal: unknown) => {
        setError(refusal);
        setSending(false);
      },
    );
  };
  return (
    <Dialog title={action.label} onClose={onClose} className="action">
      <form onSubmit={send} className="stack" data-action-form={action.name}>
        <p>{action.lead(subject)}</p>
        {action.detail?.(subject)}
        <FieldInputs fields={fields} values={values} onChange={setValues} />
        {action.hasDryRun !== false && (
          <Preview of={preview} subject={subject} waitsFor={trouble} afterwards={action.afterwards} />
        )}
        {error !== null && <Refusal error={error} onReadAgain={() => (readAgain(), onClose())} />}
        <div className="dialog-actions">
          <code className="soft small">{callOf(action.name)}</code>
          <button type="button" onClick={onClose}>
            Not now
          </button>
          <button
            type="submit"
            className={action.tone ?? 'primary'}
            disabled={isSending || trouble !== null || !isTried}
          >
            {isSending ? 'Sending …' : (action.confirm?.(subject) ?? action.label)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function versionOf<S>(action: Action<S>, subject: S): CallOptions {
  return action.isVersioned && typeof subject === 'object' && subject !== null ? { ifMatch: etagOf(subject) } : {};
}

export type PreviewState =
  | { readonly state: 'waiting' | 'trying' }
  | { readonly state: 'refused'; readonly error: unknown }
  | { readonly state: 'ready'; readonly dryRun: DryRun<unknown> };

/** Tries the change whenever its values are complete. The reason is not awaited for that. What was tried with other values is not shown. */
function usePreview<S>(action: Action<S>, subject: S, fields: readonly Field[], values: Values): PreviewState {
  const [tried, setTried] = useState<{ readonly text: string; readonly preview: PreviewState } | null>(null);
  const isComplete =
    action.isChange?.(subject, values) !== false &&
    (action.trouble?.(subject, values) ?? null) === null &&
    troubleOf(
      fields.filter(({ name }) => name !== REASON),
      values,
    ) === null;
  const text = JSON.stringify({ ...values, [REASON]: '' });
  useEffect(() => {
    if (action.hasDryRun === false || !isComplete) return undefined;
    let isCurrent = true;
    const setPreview = (preview: PreviewState): void => {
      if (isCurrent) setTried({ text, preview });
    };
    const timer = setTimeout(() => {
      // A dry run takes the options of its call, and answers with another type.
      const options = { ...versionOf(action, subject), dryRun: true } as unknown as CallOptions;
      action.run(subject, { ...values, [REASON]: values[REASON]?.trim() || 'preview' }, options).then(
        (dryRun) => setPreview({ state: 'ready', dryRun: dryRun as DryRun<unknown> }),
        (error: unknown) => setPreview({ state: 'refused', error }),
      );
    }, PREVIEW_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // The text has the values; the subject is fixed while the dialog is open.
  }, [text, isComplete]);
  if (action.hasDryRun === false || !isComplete) return { state: 'waiting' };
  return tried?.text === text ? tried.preview : { state: 'trying' };
}

function Refusal({ error, onReadAgain }: { readonly error: unknown; readonly onReadAgain: () => void }): ReactNode {
  const hasChanged = error instanceof UsanceProblem && error.code === 'PRECONDITION_FAILED';
  return (
    <Note tone="bad">
      <p>
        {hasChanged ? 'It has changed since you read it, and nothing was done. ' : outcomeOf(error)}{' '}
        <ProblemText error={error} />
      </p>
      {hasChanged && (
        <p>
          <button type="button" onClick={onReadAgain}>
            Read it again
          </button>
        </p>
      )}
    </Note>
  );
}
