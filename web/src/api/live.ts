// The event stream: each event makes the reads of its resource stale. Reads happen at most every three seconds, so that a thousand events a
// second cost a page no more than one, and not at all while the page is hidden. A hidden page has no stream either: a browser opens six
// connections to a server, and six tabs with a stream each, or six pages kept for its back button, would leave none for anything else.
import type { Query } from '@tanstack/react-query';
import { createEventReader } from '../../../src/client/event-stream.ts';
import { fetchWithSession } from './client.ts';
import { queryClient } from './queries.ts';

export type LiveState = 'connecting' | 'live' | 'polling';

const EVERY_MS = 3_000;
/** The server sends a comment every 15 seconds: a stream that is silent for longer has been cut, even if the browser does not notice. */
const SILENCE_MS = 45_000;
/** Between two attempts to open the stream. */
const LONGEST_WAIT_MS = 15_000;

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
 * Follows the stream until `signal` aborts. While it cannot be opened, everything shown is read again after each attempt, and the attempts are at
 * most 15 seconds apart.
 */
export async function followLive(signal: AbortSignal, onState: (state: LiveState) => void): Promise<void> {
  const onVisible = (): void => {
    if (!document.hidden && stale.size > 0) timer ??= setTimeout(repeatReads, 0);
  };
  document.addEventListener('visibilitychange', onVisible);
  signal.addEventListener('abort', () => document.removeEventListener('visibilitychange', onVisible));
  let last: string | null = null;
  let failures = 0;
  let returns = false;
  while (!signal.aborted) {
    await shown(signal);
    if (signal.aborted) return;
    const leaving = whenHidden();
    try {
      onState(failures === 0 ? 'connecting' : 'polling');
      await readStream(last, AbortSignal.any([signal, leaving]), {
        onOpen: () => {
          // Nothing to continue from: what happened while the page was hidden is read again.
          if (returns && last === null)
            void queryClient.invalidateQueries({ predicate: (query) => !isContinued(query) });
          returns = false;
          failures = 0;
          onState('live');
        },
        onSeen: (id) => (last = id),
      });
    } catch {
      if (!leaving.aborted) failures += 1;
    }
    if (signal.aborted) return;
    if (leaving.aborted) {
      returns = true;
      continue;
    }
    if (failures > 0) {
      onState('polling');
      if (!document.hidden) void queryClient.invalidateQueries({ predicate: (query) => !isContinued(query) });
    }
    await wait(Math.min(500 * 2 ** failures, LONGEST_WAIT_MS), signal);
  }
}

interface StreamReader {
  readonly onOpen: () => void;
  readonly onSeen: (id: string) => void;
}

async function readStream(last: string | null, signal: AbortSignal, { onOpen, onSeen }: StreamReader): Promise<void> {
  const silence = new AbortController();
  let watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetchWithSession('/v1/events/stream?after=latest', {
      headers: { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) throw new Error(`The stream was answered with ${response.status}.`);
    onOpen();
    const blocksIn = createEventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const { id, data } of blocksIn(read.value)) {
        if (id !== null) onSeen(id);
        if (data !== null) markStale((JSON.parse(data) as { readonly resource: string }).resource);
      }
    }
  } finally {
    clearTimeout(watchdog);
    silence.abort();
  }
}

/** Resolves once the page is visible, or the signal aborts. */
function shown(signal: AbortSignal): Promise<void> {
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

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timeout);
      resolve();
    });
  });
}
