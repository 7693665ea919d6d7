// The event stream: each event makes the reads of its resource stale. Reads happen at most every three seconds, so that a thousand events a
// second cost a page no more than one, and not at all while the page is hidden.
import type { Query } from '@tanstack/react-query';
import { createEventReader } from '../../../src/client/event-stream.ts';
import { fetchWithSession } from './client.ts';
import { queryClient } from './queries.ts';

export type LiveState = 'connecting' | 'live' | 'polling';

const EVERY_MS = 3_000;
const SILENCE_MS = 45_000;
const LONGEST_WAIT_MS = 15_000;

/** The resources whose reads an event of another resource changes. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  payment: ['payments', 'overview', 'deadLetters', 'accounts', 'schedules', 'paymentIntents'],
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
  limit: ['limits'],
  api_key: ['apiKeys'],
  test_clock: ['testClocks', 'overview', 'payments', 'schedules'],
  webhook_endpoint: ['webhookEndpoints', 'deliveries'],
  delivery: ['deliveries', 'webhookEndpoints'],
  payment_intent: ['paymentIntents', 'payments', 'overview'],
};

const touched = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastMs = -EVERY_MS;

function touch(resource: string): void {
  for (const name of ALSO[resource] ?? [resource]) touched.add(name);
  touched.add('auditEvents');
  timer ??= setTimeout(readTouched, Math.max(0, lastMs + EVERY_MS - performance.now()));
}

function readTouched(): void {
  timer = undefined;
  if (document.hidden) return;
  lastMs = performance.now();
  const names = new Set(touched);
  touched.clear();
  void queryClient.invalidateQueries({ predicate: (query) => names.has(resourceOf(query)) && !isLong(query) });
}

/** "payments.list" and "GET /v1/payments/…" are reads of payments. */
function resourceOf({ queryKey: [name] }: Query): string {
  const text = String(name);
  if (!text.startsWith('GET ')) return text.split('.')[0] ?? '';
  const part = text.replace(/^GET \/(v1\/)?/, '').split(/[/?]/)[0] ?? '';
  return part.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A list that was read page by page stays under the eyes of its reader. */
function isLong({ state }: Query): boolean {
  const data = state.data as { readonly pages?: readonly unknown[] } | undefined;
  return (data?.pages?.length ?? 0) > 1;
}

/** Follows the stream until `signal` aborts; without a stream, everything shown is read every ten seconds. */
export async function followLive(signal: AbortSignal, onState: (state: LiveState) => void): Promise<void> {
  const seen = (): void => {
    if (!document.hidden && touched.size > 0) timer ??= setTimeout(readTouched, 0);
  };
  document.addEventListener('visibilitychange', seen);
  signal.addEventListener('abort', () => document.removeEventListener('visibilitychange', seen));
  let last: string | null = null;
  let failures = 0;
  while (!signal.aborted) {
    try {
      onState(failures === 0 ? 'connecting' : 'polling');
      last = await readStream(last, signal, () => {
        failures = 0;
        onState('live');
      });
    } catch {
      failures += 1;
    }
    if (signal.aborted) return;
    if (failures > 0) {
      onState('polling');
      if (!document.hidden) void queryClient.invalidateQueries({ predicate: (query) => !isLong(query) });
    }
    await wait(Math.min(500 * 2 ** failures, LONGEST_WAIT_MS), signal);
  }
}

async function readStream(last: string | null, signal: AbortSignal, onOpen: () => void): Promise<string | null> {
  const silence = new AbortController();
  let watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
  let seen = last;
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
        seen = id ?? seen;
        if (data !== null) touch((JSON.parse(data) as { readonly resource: string }).resource);
      }
    }
    return seen;
  } finally {
    clearTimeout(watchdog);
    silence.abort();
  }
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
