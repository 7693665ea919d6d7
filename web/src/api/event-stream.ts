// One open event stream: reads it, notices that it was cut off, and opens it again after the last event that it had.
import { createEventReader } from '../../../src/client/event-stream.ts';
import { fetchWithSession } from './client.ts';

export type LiveState = 'connecting' | 'live' | 'polling';

/** What a page makes of a stream, whether it reads the stream or hears of it from another window. */
export interface Listener {
  /** The last place in the stream that the page knows of; null before the first. */
  lastEventId(): string | null;
  onState(state: LiveState): void;
  /** An event of a resource, or (null) only a place that the stream has read to. */
  onMessage(id: string | null, resource: string | null): void;
  /** The stream is open at a place that may be later than the last one: what is shown may be old. */
  onGap(): void;
  /** The stream cannot be continued from the last place. */
  onForget(): void;
}

/** The server sends a comment every 15 seconds: a stream that is silent for longer has been cut, even if the browser does not notice. */
export const SILENCE_MS = 45_000;
/** Between two attempts to open the stream. */
export const LONGEST_WAIT_MS = 15_000;

/** Follows the stream until `over`. While it cannot be opened, the page reads again after each attempt, and the attempts are at most 15 seconds apart. */
export async function followStream(listener: Listener, over: AbortSignal): Promise<void> {
  let failures = 0;
  while (!over.aborted) {
    if (failures === 0) listener.onState('connecting');
    try {
      await readStream(listener, over, () => (failures = 0));
    } catch {
      if (!over.aborted) failures += 1;
    }
    if (over.aborted) return;
    if (failures > 0) {
      listener.onState('polling');
      listener.onGap();
    }
    await wait(Math.min(500 * 2 ** failures, LONGEST_WAIT_MS), over);
  }
}

async function readStream(listener: Listener, over: AbortSignal, onOpen: () => void): Promise<void> {
  const last = listener.lastEventId();
  const silence = new AbortController();
  let watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetchWithSession('/v1/events/stream?after=latest', {
      headers: { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) },
      signal: AbortSignal.any([over, silence.signal]),
    });
    if (CURSOR_REFUSED.has(response.status)) listener.onForget();
    if (!response.ok || !response.body) throw new Error(`The stream was answered with ${response.status}.`);
    onOpen();
    listener.onState('live');
    const blocksIn = createEventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const { id, data } of blocksIn(read.value))
        listener.onMessage(id, data === null ? null : (JSON.parse(data) as { readonly resource: string }).resource);
    }
  } finally {
    clearTimeout(watchdog);
    silence.abort();
  }
}

/** The server does not have the place: it was restored from a backup, or removed old events. The stream begins with what comes next then. */
const CURSOR_REFUSED: ReadonlySet<number> = new Set([400, 409, 410, 422]);

export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    function done(): void {
      clearTimeout(timeout);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
