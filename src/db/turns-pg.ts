// Turns on a client of pg: its `query` is replaced by one that waits, as a property of the client itself, while verbs run. A reference
// to `query` that was taken from the client earlier is not replaced; the README says so.
import { SetupError } from '../kernel/index.ts';
import type { PgLike } from './pool.ts';
import { TurnQueue } from './turn-queue.ts';

type Query = PgLike['query'];

interface PgTurns {
  readonly queue: TurnQueue;
  /** The client's own `query` while verbs run and ours is in its place. */
  original: Query | null;
}

const turnsOfClients = new WeakMap<PgLike, PgTurns>();

/** Sends a statement of ours at once, without a turn. */
export function sendDirect(client: PgLike, text: string, values?: unknown[]): ReturnType<Query> {
  const original = turnsOfClients.get(client)?.original;
  const given = values === undefined ? [text] : [text, values];
  return original ? Reflect.apply(original, client, given) : client.query(text, values);
}

export function queueOfPg(client: PgLike): TurnQueue {
  return pgTurns(client).queue;
}

function pgTurns(client: PgLike): PgTurns {
  const known = turnsOfClients.get(client);
  if (known) return known;
  const own = Object.getOwnPropertyDescriptor(client, 'query');
  if (own ? !own.configurable : !Object.isExtensible(client)) {
    throw new SetupError('the statements of this client cannot be held back while a verb runs: its query is read-only');
  }
  let restore = (): void => undefined;
  const turns: PgTurns = {
    queue: new TurnQueue(
      () => (restore = holdBack(client, turns)),
      () => restore(),
    ),
    original: null,
  };
  turnsOfClients.set(client, turns);
  return turns;
}

/** Replaces `query` until the function that is returned is called. */
function holdBack(client: PgLike, turns: PgTurns): () => void {
  const before = Object.getOwnPropertyDescriptor(client, 'query');
  const { query: original } = client;
  let isOver = false;
  const waiting = (...given: unknown[]): unknown => {
    const send = (): unknown => Reflect.apply(original, client, given);
    if (isOver) return send();
    const [first] = given;
    // The driver refuses it before it sends anything, and throws to the caller.
    if (first === null || first === undefined) return send();
    const isSubmittable = typeof first === 'object' && first !== null && 'submit' in first;
    if (!isSubmittable && !hasCallback(first) && !given.some((each) => typeof each === 'function')) {
      return turns.queue.take(async () => send());
    }
    turns.queue.add(() => void send());
    // As the driver does it: a submittable is answered with itself, a callback with nothing.
    return isSubmittable ? first : undefined;
  };
  Object.defineProperty(client, 'query', { value: waiting, configurable: true, writable: true, enumerable: false });
  turns.original = original;
  return () => {
    isOver = true;
    turns.original = null;
    // A tracer may have wrapped ours meanwhile: then it stays, and ours passes on what it gets.
    if (Object.getOwnPropertyDescriptor(client, 'query')?.value !== waiting) return;
    if (before) Object.defineProperty(client, 'query', before);
    else Reflect.deleteProperty(client, 'query');
  };
}

function hasCallback(config: unknown): config is { readonly callback: unknown } {
  return typeof config === 'object' && config !== null && 'callback' in config && typeof config.callback === 'function';
}
