// One event stream for all windows of a key and tenant. A browser opens six connections to a server, so that six windows with a stream each
// would leave none for calls. The window that holds a Web Lock reads the stream and tells the others what it reads; when it is closed or
// hidden, the browser gives the lock to another, which goes on after the last event that it heard of.
//
// Nothing is lost. Every window knows the place that it has heard to. One that opens the stream says from where, and a window that has heard
// to another place reads again what it shows. Only ids and names of resources pass between windows, never an event.
import type { Listener, LiveState } from './event-stream.ts';
import { LONGEST_WAIT_MS, SILENCE_MS, followStream } from './event-stream.ts';

type Message =
  /** Of a window that joins. */
  | { readonly kind: 'ask' }
  /** Of the reader, when its state changes and when it is asked. `at` is the place that it has read to; null before the first. */
  | { readonly kind: 'state'; readonly state: LiveState; readonly at: string | null }
  | { readonly kind: 'block'; readonly id: string | null; readonly resource: string | null };

/** Browsers have locks on https and on this machine only. */
export const canShare = (): boolean =>
  typeof BroadcastChannel === 'function' && (navigator as Partial<Navigator>).locks !== undefined;

/** Another version of the dashboard in another window has a stream of its own. */
const VERSION = 1;

/** Reads the stream of `name` or listens to the window that does, until `over`. */
export async function followShared(name: string, listener: Listener, over: AbortSignal): Promise<void> {
  const shared = `usance-stream-${VERSION} ${name}`;
  const channel = new BroadcastChannel(shared);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  const send = (message: Message): void => channel.postMessage(message);
  let state: LiveState = 'connecting';
  let isReader = false;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  /** The reader says something every 15 seconds at least. One that does not, although it still has the lock, is stuck. */
  const expectMessage = (ms: number): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      listener.onState('polling');
      listener.onGap();
      expectMessage(LONGEST_WAIT_MS);
    }, ms);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (isReader) {
      if (data.kind === 'ask') send({ kind: 'state', state, at: listener.lastEventId() });
      return;
    }
    if (data.kind === 'ask') return;
    expectMessage(SILENCE_MS);
    if (data.kind === 'block') return listener.onMessage(data.id, data.resource);
    listener.onState(data.state);
    if (data.state === 'polling') return listener.onGap();
    if (data.state === 'connecting') return;
    // A page that knows no place was read after it had joined.
    if (listener.lastEventId() !== null && data.at !== listener.lastEventId()) listener.onGap();
    if (data.at !== null) listener.onMessage(data.at, null);
  });
  const broadcaster: Listener = {
    lastEventId: listener.lastEventId,
    onState(next) {
      state = next;
      listener.onState(next);
      send({ kind: 'state', state, at: listener.lastEventId() });
    },
    onMessage(id, resource) {
      listener.onMessage(id, resource);
      send({ kind: 'block', id, resource });
    },
    onGap: listener.onGap,
    onForget: listener.onForget,
  };
  listener.onState('connecting');
  expectMessage(SILENCE_MS);
  send({ kind: 'ask' });
  try {
    await navigator.locks.request(shared, { signal: over }, async () => {
      isReader = true;
      clearTimeout(watchdog);
      await followStream(broadcaster, over);
    });
  } catch {
    // The window was hidden while it waited for the lock, or the browser forbids locks: then it has a stream of its own.
    if (!over.aborted) await followStream(listener, over);
  } finally {
    clearTimeout(watchdog);
    channel.close();
  }
}
