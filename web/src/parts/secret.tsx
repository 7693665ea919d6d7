// A secret that the API returns once, with the response that created it.
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Note } from './layout.tsx';
import { CopyId } from './values.tsx';

export function SecretDialog({
  title,
  secret,
  note,
  without,
  onClose,
}: {
  readonly title: string;
  readonly secret: string | null;
  /** What it is for, or how it is stored, as a sentence. */
  readonly note: string;
  /** Why there is none: a repeated request gets the response without it. */
  readonly without: string;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <Note tone="warn">Copy it now: it is shown this once. {note}</Note>
        {secret === null ? <p>{without}</p> : <CopyId of={secret} />}
        <div className="dialog-actions">
          <button type="button" className="primary" onClick={onClose}>
            I have copied it
          </button>
        </div>
      </div>
    </Dialog>
  );
}
