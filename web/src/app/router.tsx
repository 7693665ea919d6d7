// Addresses and links. The history of the browser is the only state: a filter, a page and an id are in the address, so that every view
// can be sent to a colleague.
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const follow = (listener: () => void): (() => void) => {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
};
const addressNow = (): string => window.location.pathname + window.location.search;

export function navigate(to: string, { replace = false } = {}): void {
  if (to === addressNow()) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', to);
  for (const listener of listeners) listener();
}

export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function useAddress(): Address {
  const text = useSyncExternalStore(follow, addressNow);
  const url = new URL(text, window.location.origin);
  return { path: url.pathname, query: url.searchParams };
}

/** One parameter of the query as state. */
export function useFilter(name: string): readonly [string, (value: string) => void] {
  const { path, query } = useAddress();
  const set = (value: string): void => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    const text = next.toString();
    navigate(path + (text === '' ? '' : `?${text}`), { replace: true });
  };
  return [query.get(name) ?? '', set];
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
  readonly children: ReactNode;
}

export function Link({ to, children, onClick, ...rest }: LinkProps): ReactNode {
  const go = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={to} onClick={go} {...rest}>
      {children}
    </a>
  );
}
