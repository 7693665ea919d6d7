// The time of the tenant on the screen. A live tenant follows the real time; in a test tenant, what is "in 3 days" or overdue is so by its
// test clock, which only an advance changes. Keys, webhook health, leases and the audit log follow the real time everywhere.
import { useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { formatInstant, formatRelative } from '../parts/format.ts';
import { useAllowed, useSession } from './session.tsx';

export type TenantTime =
  | { readonly kind: 'real' }
  /** Without a clock, it was deleted: the time does not change any more. */
  | { readonly kind: 'test'; readonly now: string; readonly hasClock: boolean }
  /** Not read yet, or the key may not read it. */
  | { readonly kind: 'unknown' };

const REAL: TenantTime = { kind: 'real' };
const UNKNOWN: TenantTime = { kind: 'unknown' };
const EVERY_MS = 10_000;

let time: TenantTime = REAL;
const listeners = new Set<() => void>();

function setTime(next: TenantTime): void {
  if (JSON.stringify(next) === JSON.stringify(time)) return;
  time = next;
  for (const listener of listeners) listener();
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the time and publishes it to the hooks below: call it once, in the shell. */
export function useTenantTime(): TenantTime {
  const { tenant } = useSession();
  const isTest = tenant.kind === 'test';
  const mayRead = useAllowed('ops:read');
  const { data } = useRead('settings.get', [], () => api.settings.get(), {
    enabled: isTest && mayRead,
    everyMs: EVERY_MS,
  });
  const known: TenantTime = !isTest
    ? REAL
    : data === undefined
      ? UNKNOWN
      : data.followsRealTime
        ? REAL
        : { kind: 'test', now: data.now, hasClock: data.testClock !== null };
  const text = JSON.stringify(known);
  useEffect(() => setTime(JSON.parse(text) as TenantTime), [text]);
  return known;
}

/** Milliseconds of the tenant's time; null while it is not known. For actions, which are no components. */
export const tenantNow = (): number | null =>
  time.kind === 'real' ? Date.now() : time.kind === 'test' ? Date.parse(time.now) : null;

/** The same for a form that must begin somewhere: the real time while the tenant's is not known. */
export const tenantNowOrReal = (): number => tenantNow() ?? Date.now();

/** The same for a part of a page, which is shown again when the time changes. */
export function useTenantNow(): number | null {
  useSyncExternalStore(follow, () => time);
  return tenantNow();
}

/** The same for a page that must begin somewhere. */
export function useTenantNowOrReal(): number {
  useTenantNow();
  return tenantNowOrReal();
}

/** Of which time an instant of the API is. */
export type TimeOf = 'tenant' | 'real';

/** "in 3 h", shown again as time passes. The instant itself while the time of the tenant is not known. */
export function useRelative(): (instant: string, of?: TimeOf) => string {
  useTicking();
  const now = useTenantNow();
  return (instant, of = 'tenant') => {
    if (of === 'real') return formatRelative(instant);
    return now === null ? formatInstant(instant) : formatRelative(instant, now);
  };
}

function useTicking(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
}
