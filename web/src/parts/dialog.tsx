// A modal dialog: the browser keeps the focus inside and gives it back.
import type { MouseEvent, ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';

export function Dialog({
  title,
  onClose,
  className,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    // Not the button that closes it, which comes first.
    element
      ?.querySelector<HTMLElement>('.dialog-box > :not(header) :is(input, select, textarea), .dialog-box > input')
      ?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  const clickBeside = (event: MouseEvent): void => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={clickBeside}
    >
      <div className="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" className="quiet" onClick={onClose} aria-label="Close">
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
