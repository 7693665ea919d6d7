// The event stream: each event makes the reads of its resource stale. Reads happen at most every three seconds, so that a thousand events a
// second cost a page no more than one, and not at all while the page is hidden. A hidden page has no stream either, and visible windows share
// one (`shared-stream.ts`): a browser opens six connections to a server, and six streams would leave none for anything else.
import type { Query } from '@tanstack/react-query';
import type { Listener, LiveState } from './event-stream.ts';
import { followStream } from './event-stream.ts';
import { queryClient } from './queries.ts';
import { canShare, followShared } from './shared-stream.ts';

export type { LiveState } from './event-stream.ts';

const EVERY_MS = 3_000;

/** The reads that an event of a resource makes stale, by the client's name of their resource. Without a row: the resource's own name. */
const READS_OF: Readonly<Record<string, readonly string[]>> = {
  payment: ['payments', 'overview', 'deadLetters', 'accounts', 'schedules', 'paymentIntents', 'treasuryWallets'],
  schedule: ['schedules', 'overview', 'accounts'],
  occurrence: ['schedules', 'deadLetters', 'overview'],
  account: ['accounts'],
  transfer: ['accounts'],
  reservation: ['accounts'],
  execution: ['executions', 'deadLetters', 'overview'],
  job: ['jobs'],
  subscription: ['subscriptions'],
  plan: ['plans'],
  pause: ['pauses', 'overview', 'payments'],
  freeze: ['overview', 'payments'],
  outage: ['overview', 'outages'],
  alert: ['overview', 'alerts'],
  limit: ['limits'],
  api_key: ['apiKeys'],
  test_clock: ['testClocks', 'overview', 'payments', 'schedules'],
  webhook_endpoint: ['webhookEndpoints', 'deliveries'],
  delivery: ['deliveries', 'webhookEndpoints'],
  quote: ['quotes'],
  treasury_wallet: ['treasuryWallets'],
  payout_policy: ['payoutPolicy'],
  payout_destination: ['payoutDestinations'],
  payout_cap: ['payoutCaps'],
  notification_channel: ['notificationChannels'],
  payment_intent: ['paymentIntents', 'payments', 'overview'],
};

/** Resources whose reads are stale and not repeated yet. */
const stale = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastMs = -EVERY_MS;

function markStale(resource: string): void {
  // An application names the resources of its own events, `constructor` too.
  const names = Object.hasOwn(READS_OF, resource) ? READS_OF[resource] : undefined;
  for (const name of names ?? [resource]) stale.add(name);
  // Every event is in the audit log, and a test clock moves from one to the next.
  stale.add('auditEvents').add('settings');
  timer ??= setTimeout(repeatReads, Math.max(0, lastMs + EVERY_MS - performance.now()));
}

function repeatReads(): void {
  timer = undefined;
  if (document.hidden) return;
  lastMs = performance.now();
  const names = new Set(stale);
  stale.clear();
  void queryClient.invalidateQueries({ predicate: (query) => names.has(resourceOf(query)) && !isContinued(query) });
}

/** "payments.list" is a read of payments. */
const resourceOf = ({ queryKey: [name] }: Query): string => String(name).split('.')[0] ?? '';

/** A list that was continued past its first page: rows would move under the eyes of its reader. */
function isContinued({ state }: Query): boolean {
  const data = state.data as { readonly pages?: readonly unknown[] } | undefined;
  return (data?.pages?.length ?? 0) > 1;
}

/**
 * Follows the stream until `signal` aborts, while the page is visible. Windows of one `name` (the tenant and the key) share a stream if the
 * browser lets them.
 */
export async function followLive(
  name: string,
  signal: AbortSignal,
  onState: (state: LiveState) => void,
): Promise<void> {
  const onVisible = (): void => {
    if (!document.hidden && stale.size > 0) timer ??= setTimeout(repeatReads, 0);
  };
  document.addEventListener('visibilitychange', onVisible);
  signal.addEventListener('abort', () => document.removeEventListener('visibilitychange', onVisible));
  let last: string | null = null;
  /** The page was hidden, or the place that it had is worth nothing: its reads are older than the stream. */
  let isBehind = false;
  const readAgain = (): void => {
    if (!document.hidden) void queryClient.invalidateQueries({ predicate: (query) => !isContinued(query) });
  };
  const listener: Listener = {
    lastEventId: () => last,
    onState(state) {
      onState(state);
      if (state !== 'live') return;
      // Nothing to continue from: what happened while the page was hidden is read again.
      if (isBehind && last === null) readAgain();
      isBehind = false;
    },
    onMessage(id, resource) {
      if (id !== null) last = id;
      if (resource !== null) markStale(resource);
    },
    onGap: readAgain,
    onForget() {
      last = null;
      isBehind = true;
    },
  };
  while (!signal.aborted) {
    await untilVisible(signal);
    if (signal.aborted) return;
    const over = AbortSignal.any([signal, whenHidden()]);
    await (canShare() ? followShared(name, listener, over) : followStream(listener, over));
    isBehind = true;
  }
}

/** Resolves once the page is visible, or the signal aborts. */
function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** Aborts when the page is hidden: another tab is in front, or the browser goes to another page. */
function whenHidden(): AbortSignal {
  const leaving = new AbortController();
  const look = (): void => {
    if (!document.hidden) return;
    document.removeEventListener('visibilitychange', look);
    leaving.abort();
  };
  document.addEventListener('visibilitychange', look);
  return leaving.signal;
}
