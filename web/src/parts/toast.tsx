// What an action did, for a few seconds, and for screen readers.
import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';

const SHOWN_MS = 6_000;
let texts: readonly { readonly id: number; readonly text: string }[] = [];
let nextId = 0;
const listeners = new Set<() => void>();

function set(next: typeof texts): void {
  texts = next;
  for (const listener of listeners) listener();
}

export function say(text: string): void {
  const id = (nextId += 1);
  set([...texts.slice(-2), { id, text }]);
  setTimeout(() => set(texts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => texts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
