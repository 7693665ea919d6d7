// States as word, colour and shape together, so that none of the three has to be seen.
import type { ReactNode } from 'react';
import { inWords } from './format.ts';

type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle';
type Shape = 'check' | 'cross' | 'bang' | 'clock' | 'arrow' | 'dash' | 'dot' | 'pause';

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  check: <path d="M3 6.2 5 8.2 9 3.8" />,
  cross: <path d="M3.5 3.5l5 5m0-5-5 5" />,
  bang: <path d="M6 2.5v4M6 9v.1" />,
  clock: <path d="M6 10.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM6 3.5V6l1.6 1" />,
  arrow: <path d="M2.5 6h7M6.5 3l3 3-3 3" />,
  dash: <path d="M3 6h6" />,
  dot: <circle cx="6" cy="6" r="2" fill="currentColor" />,
  pause: <path d="M4.2 3v6m3.6-6v6" />,
};

const STATES: Readonly<Record<string, readonly [Tone, Shape]>> = {
  settled: ['good', 'check'],
  completed: ['good', 'check'],
  success: ['good', 'check'],
  succeeded: ['good', 'check'],
  delivered: ['good', 'check'],
  active: ['good', 'dot'],
  enabled: ['good', 'dot'],
  on: ['good', 'dot'],
  made: ['good', 'check'],
  ok: ['good', 'check'],
  healthy: ['good', 'check'],
  ready: ['good', 'check'],
  given: ['good', 'check'],
  finalized: ['good', 'check'],
  released: ['good', 'check'],
  scheduled: ['info', 'clock'],
  waiting: ['info', 'clock'],
  pending: ['info', 'clock'],
  trialing: ['info', 'clock'],
  processing: ['info', 'arrow'],
  submitted: ['info', 'arrow'],
  running: ['info', 'arrow'],
  advancing: ['info', 'arrow'],
  broadcast: ['info', 'arrow'],
  signed: ['info', 'arrow'],
  review: ['warn', 'bang'],
  awaited: ['warn', 'bang'],
  'awaits approval': ['warn', 'bang'],
  degraded: ['warn', 'bang'],
  past_due: ['warn', 'bang'],
  failing: ['warn', 'bang'],
  suspended: ['warn', 'pause'],
  paused: ['warn', 'pause'],
  failed: ['bad', 'cross'],
  disabled: ['bad', 'cross'],
  down: ['bad', 'cross'],
  unhealthy: ['bad', 'cross'],
  frozen: ['bad', 'cross'],
  revoked: ['idle', 'dash'],
  cancelled: ['idle', 'dash'],
  discarded: ['idle', 'dash'],
  expired: ['idle', 'clock'],
  skipped: ['idle', 'dash'],
  closed: ['idle', 'dash'],
  off: ['idle', 'dash'],
};

/** The state of a receiver of deliveries: a webhook endpoint or a notification channel. */
export function ReceiverState({
  of: { enabled, disabledReason, failingSince },
}: {
  readonly of: {
    readonly enabled: boolean;
    readonly disabledReason: string | null;
    readonly failingSince: string | null;
  };
}): ReactNode {
  if (enabled) return <State of={failingSince === null ? 'enabled' : 'failing'} />;
  // A caller disabled it on purpose: only a reason of the server says more.
  const reason = disabledReason === null || disabledReason === 'caller' ? '' : `: ${disabledReason}`;
  return <State of="disabled" word={`disabled${reason}`} />;
}

export function State({ of, word }: { readonly of: string; readonly word?: string }): ReactNode {
  const [tone, shape] = STATES[of.toLowerCase()] ?? (['idle', 'dot'] as const);
  return (
    <span className={`state ${tone}`}>
      <svg
        width="12"
        height="12"
        viewBox="0 0 12 12"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {SHAPES[shape]}
      </svg>
      {word ?? inWords(of)}
    </span>
  );
}
