// The icons, drawn for a grid of 16 by 16 with one stroke. They accompany words and are hidden from screen readers.
import type { ReactNode } from 'react';

const PATHS = {
  overview: 'M2 13h12M4 13V8m4 5V3m4 10V6',
  payments: 'M2 5h10m0 0L9 2m3 3L9 8M14 11H4m0 0 3-3m-3 3 3 3',
  approvals: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM6 8l1.5 1.5L10.5 6.5',
  letters: 'M2 4h12v9H2zM2 4.5l6 5 6-5',
  schedules: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3m5-3v3',
  subscriptions: 'M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3',
  accounts: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM3 14c.5-3 2.5-4 5-4s4.5 1 5 4',
  jobs: 'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v2m0 8.4v2M1.8 8h2m8.4 0h2M3.6 3.6 5 5m6 6 1.4 1.4m0-8.8L11 5M5 11l-1.4 1.4',
  webhooks: 'M6 9 4 12.5M8 4.5 10.5 9M5 12.5h6M8 6a2 2 0 1 0-2-2M4 10.5a2 2 0 1 0 2 2M11 10.5a2 2 0 1 1-1 3.7',
  payouts: 'M3 13h10M8 2v8m0-8L5 5m3-3 3 3',
  chains: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 3.5L11 8.5M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-3.5L5 7.5',
  quotes: 'M2.5 13.5V6m4 7.5V3m4 10.5V8m4 5.5V5',
  treasury: 'M2 6.5 8 2.5l6 4zM3.5 7v5m3-5v5m3-5v5m3-5v5M2 13.5h12',
  guards: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM8 5.5v3m0 2v.1',
  notifications: 'M4 11V7.5a4 4 0 0 1 8 0V11l1.2 1.5H2.8zM6.8 14h2.4',
  events: 'M3 4h10M3 8h10M3 12h6',
  audit: 'M4 2h6l3 3v9H4zM6.5 8h4m-4 3h4M10 2v3h3',
  loops: 'M3 8a5 5 0 0 1 9-3m1-2v3h-3M13 8a5 5 0 0 1-9 3m-1 2v-3h3',
  settings:
    'M2 5h7m3 0h2M2 11h2m3 0h7M10.5 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM5.5 12.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  keys: 'M6 10.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM9 7.5h5m-2 0v2.5',
  limits: 'M2.5 11.5a6 6 0 1 1 11 0M8 9.5l2.5-3',
  pauses: 'M5.5 3.5v9m5-9v9',
  tenants: 'M2.5 14V4l5-2v12m0-7h6v7M2 14h12M5 6v0m0 3v0m5.5 1v0',
  clocks: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5l2 1.2',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5 14 14',
  menu: 'M2 4h12M2 8h12M2 12h12',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1m0 11v1M1.5 8h1m11 0h1M3.5 3.5l.7.700m7.6 7.6.700.7m0-9-.7.700m-7.6 7.6-.7.700',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  out: 'M6 14H3V2h3M10 11l3-3-3-3M13 8H6',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  book: 'M8 4c-1.5-1-3.5-1.3-5.5-1v9.5c2-.3 4 0 5.5 1 1.5-1 3.5-1.3 5.5-1V3c-2-.3-4 0-5.5 1zm0 0v9.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
