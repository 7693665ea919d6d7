// How many deliveries of one endpoint a worker sends at the same time.
//
//   window      begins at 4, grows by one with each success up to the share of an endpoint, and is halved by each failure
//   failing     after five failures in a row: one slot, and all failing endpoints together have half of the worker
//   set aside   its secret cannot be decrypted here: none for half a minute, so that a worker with the key takes it
//
// All of it is in memory: every worker finds out for itself within a few attempts, and a restart begins again.
import type { Uuid } from '../kernel/index.ts';

const FIRST_WINDOW = 4;
const FAILURES = 5;
const SET_ASIDE_MS = 30_000;
/** A slot that was granted counts as used for this long, until its delivery begins. */
const GRANTED_MS = 100;
const MOST_REMEMBERED = 10_000;

interface State {
  window: number;
  failures: number;
  inFlight: number;
  grantedAtMs: number;
  setAsideUntilMs: number;
}

export class Circuit {
  readonly #states = new Map<Uuid, State>();
  readonly #share: number;
  readonly #mostFailing: number;
  readonly #nowMs: () => number;

  constructor(
    { concurrency, share }: { readonly concurrency: number; readonly share: number },
    nowMs = performance.now.bind(performance),
  ) {
    this.#share = share;
    this.#mostFailing = Math.max(1, Math.floor(concurrency / 2));
    this.#nowMs = nowMs;
  }

  /** Deliveries of the endpoint that may be in flight. */
  limitOf(id: Uuid): number {
    const state = this.#states.get(id);
    if (!state) return Math.min(FIRST_WINDOW, this.#share);
    const nowMs = this.#nowMs();
    if (nowMs < state.setAsideUntilMs) return 0;
    if (state.failures < FAILURES) return Math.min(state.window, this.#share);
    if (state.inFlight > 0) return 1;
    if (this.#failingSlots(nowMs, id) >= this.#mostFailing) return 0;
    state.grantedAtMs = nowMs;
    return 1;
  }

  #failingSlots(nowMs: number, except: Uuid): number {
    let used = 0;
    for (const [id, { failures, inFlight, grantedAtMs }] of this.#states)
      if (id !== except && failures >= FAILURES && (inFlight > 0 || nowMs - grantedAtMs < GRANTED_MS)) used += 1;
    return used;
  }

  began(id: Uuid): void {
    this.#stateOf(id).inFlight += 1;
  }

  ended(id: Uuid, outcome: 'success' | 'failure' | 'none'): void {
    const state = this.#stateOf(id);
    state.inFlight = Math.max(0, state.inFlight - 1);
    if (outcome === 'success') {
      state.failures = 0;
      state.window = Math.min(this.#share, state.window + 1);
    } else if (outcome === 'failure') {
      state.failures += 1;
      state.window = Math.max(1, Math.floor(state.window / 2));
    }
  }

  setAside(id: Uuid): void {
    this.#stateOf(id).setAsideUntilMs = this.#nowMs() + SET_ASIDE_MS;
  }

  #stateOf(id: Uuid): State {
    let state = this.#states.get(id);
    if (!state) {
      if (this.#states.size >= MOST_REMEMBERED) this.#forgetOne();
      state = { window: FIRST_WINDOW, failures: 0, inFlight: 0, grantedAtMs: -Infinity, setAsideUntilMs: -Infinity };
      this.#states.set(id, state);
    }
    return state;
  }

  #forgetOne(): void {
    for (const [id, { inFlight }] of this.#states) {
      if (inFlight > 0) continue;
      this.#states.delete(id);
      return;
    }
  }
}
