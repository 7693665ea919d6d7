// Whether an execution sends its message, waits as the carrier of a summary, or leaves its event to the carrier. Pure: the store locks
// the row of the channel, asks here, and writes the answer.
import type { Uuid } from '../kernel/index.ts';

const MINUTE_MS = 60_000;
/** A carrier that is this late was cancelled, or waits for a retry: another execution takes its place. */
const CARRIER_GRACE_MS = 10 * MINUTE_MS;

export interface TurnState {
  readonly maxPerMinute: number;
  readonly windowAt: Date | null;
  readonly windowSent: number;
  readonly carrierId: Uuid | null;
  readonly carrierDueAt: Date | null;
  /** The execution left its event to a carrier before. */
  readonly isQueued: boolean;
  /** The execution has rows of the backlog: it failed to send its summary. */
  readonly hasRows: boolean;
}

export type Turn = { readonly kind: 'send' | 'queued' | 'summary' } | { readonly kind: 'wait'; readonly forMs: number };

/** The turn, and the state after it. */
export interface Decision {
  readonly turn: Turn;
  readonly next: Pick<TurnState, 'windowAt' | 'windowSent' | 'carrierId' | 'carrierDueAt'>;
}

export function decideTurn(state: TurnState, executionId: Uuid, now: Date): Decision {
  const { windowAt, windowSent, carrierId, carrierDueAt, maxPerMinute } = state;
  const same = { windowAt, windowSent, carrierId, carrierDueAt };
  const isOver = windowAt === null || now.getTime() - windowAt.getTime() >= MINUTE_MS;
  const counted = isOver ? { windowAt: now, windowSent: 1 } : { windowAt, windowSent: windowSent + 1 };
  if (state.isQueued) return { turn: { kind: 'queued' }, next: same };
  if (carrierId === executionId && carrierDueAt !== null) {
    const forMs = carrierDueAt.getTime() - now.getTime();
    if (forMs > 0) return { turn: { kind: 'wait', forMs }, next: same };
    return { turn: { kind: 'summary' }, next: { ...counted, carrierId: null, carrierDueAt: null } };
  }
  if (state.hasRows) return { turn: { kind: 'summary' }, next: { ...same, ...counted } };
  if (isOver || windowSent < maxPerMinute) return { turn: { kind: 'send' }, next: { ...same, ...counted } };
  const isAwaited = carrierDueAt !== null && now.getTime() < carrierDueAt.getTime() + CARRIER_GRACE_MS;
  if (isAwaited) return { turn: { kind: 'queued' }, next: same };
  const dueAt = new Date(windowAt.getTime() + MINUTE_MS);
  return {
    turn: { kind: 'wait', forMs: dueAt.getTime() - now.getTime() },
    next: { ...same, carrierId: executionId, carrierDueAt: dueAt },
  };
}
