// Payments in a few pages: the second opinion that the engine is compared with. Plain numbers, one step after the other,
// time in seconds. People act at second 0 and a moment more with every step; only processors live later, at whatever second
// the steps have come to. All that is compared is half a minute apart, or moments apart in the order of the steps, so the
// time that a test itself takes does not matter.
export type Funding = 'reserve' | 'at_execution';

export type Step =
  | { readonly verb: 'deposit' | 'withdraw'; readonly account: string; readonly amount: number }
  | { readonly verb: 'suspend' | 'reactivate'; readonly account: string }
  | { readonly verb: 'pause' | 'lift' }
  | {
      readonly verb: 'create';
      readonly from: string;
      readonly to: readonly string[];
      readonly amount: number;
      readonly funding: Funding;
      readonly delay: number;
      /** Seconds after it runs; null for never. */
      readonly expires: number | null;
      readonly priority: number;
    }
  | OnScheduled
  | { readonly verb: 'retry'; readonly slot: number }
  | { readonly verb: 'refund'; readonly slot: number; readonly amount: number | null; readonly leg: number | null }
  /** Lets this many seconds pass, and then a processor do all that is due. */
  | { readonly verb: 'process'; readonly seconds: number };

/** Refused in every other state. */
type OnScheduled =
  | { readonly verb: 'cancel' | 'run now' | 'fail'; readonly slot: number }
  | { readonly verb: 'capture'; readonly slot: number; readonly amount: number | null }
  | { readonly verb: 'edit'; readonly slot: number; readonly amount: number | null; readonly delay: number | null }
  | { readonly verb: 'extend'; readonly slot: number; readonly expires: number };

export interface Holder {
  active: boolean;
  /** It was paid once, or a payment looked for its funds: it has a balance. */
  known: boolean;
  available: number;
  reserved: number;
  /** Credited since the waiting were last looked at. */
  wake: boolean;
}

export interface Pay {
  readonly from: string;
  legs: { to: string; amount: number; refunded: number }[];
  readonly funding: Funding;
  readonly priority: number;
  amount: number;
  captured: number;
  released: number;
  attempts: number;
  status: 'scheduled' | 'settled' | 'failed' | 'cancelled' | 'expired';
  executes: number;
  expires: number | null;
  due: number;
  /** Its last attempt failed for lack of funds. */
  lacksFunds: boolean;
  /** A credit of the payer makes it due. */
  waiting: boolean;
}

export const ATTEMPTS = 3;
const RETRY_SECONDS = 60;
const BLOCKED_SECONDS = 15;
const MOMENT = 1e-6;

export class Model {
  readonly accounts = new Map<string, Holder>();
  readonly payments: Pay[] = [];
  paused = false;
  /** What people's clocks say. */
  #moment = 0;
  /** How far ahead the processors are. */
  #ahead = 0;

  get #now(): number {
    return this.#ahead + this.#moment;
  }

  /** 'ok', or the code of the refusal. */
  take(step: Step): string {
    this.#moment += MOMENT;
    switch (step.verb) {
      case 'deposit':
      case 'withdraw': {
        const holder = this.holder(step.account);
        const sign = step.verb === 'deposit' ? 1 : -1;
        if (this.paused && sign < 0) return 'PAUSED';
        const refused = sign > 0 ? (holder.active ? null : 'ACCOUNT_NOT_ACTIVE') : mayPay(holder, step.amount);
        if (refused) return refused;
        this.#credit(holder, sign * step.amount);
        return 'ok';
      }
      case 'suspend':
      case 'reactivate':
        this.holder(step.account).active = step.verb === 'reactivate';
        return 'ok';
      case 'pause':
        this.paused = true;
        return 'ok';
      case 'lift': {
        const was = this.paused;
        this.paused = false;
        return was ? 'ok' : 'PAUSE_NOT_FOUND';
      }
      case 'create':
        return this.#create(step);
      case 'process':
        this.#ahead += step.seconds;
        this.#process();
        return 'ok';
      case 'refund':
      case 'retry': {
        const payment = this.inSlot(step.slot);
        if (!payment) return 'PAYMENT_NOT_FOUND';
        return step.verb === 'retry' ? this.#retry(payment) : this.#refund(payment, step.amount, step.leg);
      }
      case 'cancel':
      case 'run now':
      case 'fail':
      case 'capture':
      case 'edit':
      case 'extend': {
        const payment = this.inSlot(step.slot);
        if (!payment) return 'PAYMENT_NOT_FOUND';
        return payment.status === 'scheduled' ? this.#change(payment, step) : 'PAYMENT_STATE_CONFLICT';
      }
    }
  }

  holder(name: string): Holder {
    const found = this.accounts.get(name);
    if (!found) throw new Error(`the model has no account ${name}`);
    return found;
  }

  inSlot(slot: number): Pay | undefined {
    return this.payments[slot % Math.max(this.payments.length, 1)];
  }

  #create(step: Step & { verb: 'create' }): string {
    const { from, to, amount, funding, delay, priority } = step;
    // The fields are checked one by one, then together.
    if ([from, ...to].some((name) => !this.holder(name).active)) return 'ACCOUNT_NOT_ACTIVE';
    if (to.includes(from)) return 'SELF_TRANSFER';
    if (this.paused) return 'PAUSED';
    const refused = funding === 'reserve' ? this.#hold(from, amount) : null;
    if (refused) return refused;
    const executes = this.#moment + delay;
    const expires = step.expires === null ? null : executes + step.expires;
    const legs = shares(to, amount);
    const fresh = { captured: 0, released: 0, attempts: 0, lacksFunds: false, waiting: false };
    const terms = { from, legs, funding, priority, amount, executes, expires };
    this.payments.push({ ...terms, ...fresh, status: 'scheduled', due: executes });
    // Payees get their balance now, so that settling need not make it between its locks.
    for (const payee of to) this.holder(payee).known = true;
    return 'ok';
  }

  #change(payment: Pay, step: OnScheduled): string {
    switch (step.verb) {
      case 'cancel':
        this.#release(payment);
        this.#end(payment, payment.captured > 0 ? 'settled' : 'cancelled');
        return 'ok';
      case 'fail':
        this.#release(payment);
        this.#end(payment, 'failed');
        return 'ok';
      case 'run now':
        payment.due = Math.min(payment.due, this.#moment);
        return 'ok';
      case 'capture':
        return this.#capture(payment, step.amount ?? payment.amount - payment.captured);
      case 'extend':
        return this.#extend(payment, this.#moment + step.expires);
      case 'edit':
        return this.#edit(payment, step.amount, step.delay);
    }
  }

  #extend(payment: Pay, expires: number): string {
    if (expires <= payment.executes) return 'EXPIRY_BEFORE_EXECUTION';
    payment.expires = expires;
    payment.due = Math.min(payment.due, expires);
    return 'ok';
  }

  #capture(payment: Pay, amount: number): string {
    if (payment.funding !== 'reserve') return 'PAYMENT_STATE_CONFLICT';
    if (this.paused) return 'PAUSED';
    const rest = payment.amount - payment.captured;
    if (amount > rest) return 'CAPTURE_EXCEEDS_HOLD';
    const refused = this.#pay(payment, amount);
    if (refused) return refused;
    payment.captured += amount;
    if (payment.captured === payment.amount) this.#end(payment, 'settled');
    return 'ok';
  }

  #edit(payment: Pay, wanted: number | null, delay: number | null): string {
    const executes = delay === null ? payment.executes : this.#moment + delay;
    if (payment.expires !== null && payment.expires <= executes) return 'EXPIRY_BEFORE_EXECUTION';
    const amount = wanted ?? payment.amount;
    if (amount !== payment.amount) {
      if (payment.legs.length > 1) return 'LEGS_INVALID';
      if (payment.captured > 0) return 'PAYMENT_STATE_CONFLICT';
      const more = amount - payment.amount;
      if (payment.funding === 'reserve') {
        const refused = more > 0 ? this.#hold(payment.from, more) : null;
        if (refused) return refused;
        if (more < 0) this.#unhold(payment.from, -more);
      }
      payment.amount = amount;
      for (const leg of payment.legs) leg.amount = amount;
    }
    payment.executes = executes;
    if (delay !== null) payment.due = executes;
    // No credit brings a payment forward whose instant is ahead.
    if (payment.lacksFunds) payment.waiting = executes <= this.#moment;
    return 'ok';
  }

  #refund(payment: Pay, wanted: number | null, leg: number | null): string {
    const paid = payment.status === 'settled' || (payment.status === 'failed' && payment.captured > 0);
    if (!paid) return 'PAYMENT_STATE_CONFLICT';
    if (this.paused) return 'PAUSED';
    const chosen = leg === null ? payment.legs : payment.legs.filter((_, n) => n === leg % payment.legs.length);
    const got = gotBy(payment, payment.captured);
    const left = chosen.map((part) => ({ part, most: (got.get(part.to) ?? 0) - part.refunded }));
    const most = left.reduce((sum, { most }) => sum + most, 0);
    const amount = wanted ?? most;
    if (amount > most) return 'REFUND_EXCEEDS_PAYMENT';
    if (amount < most && chosen.length > 1) return 'LEGS_INVALID';
    if (amount === 0) return 'REFUND_EXCEEDS_PAYMENT';
    const back = amount === most ? left : left.map(({ part }) => ({ part, most: amount }));
    const payer = this.holder(payment.from);
    for (const { part, most } of back) {
      if (most === 0) continue;
      const refused = mayPay(this.holder(part.to), most) ?? (payer.active ? null : 'ACCOUNT_NOT_ACTIVE');
      if (refused) return refused;
    }
    for (const { part, most } of back) {
      this.#credit(this.holder(part.to), -most);
      this.#credit(payer, most);
      part.refunded += most;
    }
    return 'ok';
  }

  #retry(payment: Pay): string {
    if (payment.status !== 'failed') return 'PAYMENT_STATE_CONFLICT';
    const rest = payment.amount - payment.captured;
    const refused = payment.funding === 'reserve' ? this.#hold(payment.from, rest) : null;
    if (refused) return refused;
    const due = Math.max(this.#moment, payment.executes);
    Object.assign(payment, { status: 'scheduled', attempts: 0, lacksFunds: false, released: 0, due });
    return 'ok';
  }

  /** Runs of a processor until nothing is left to do: first the wakes, then one batch. */
  #process(): void {
    for (;;) {
      this.#moment += MOMENT;
      const woken = this.#wake();
      const due = this.payments
        .map((payment, n) => ({ payment, n }))
        .filter(({ payment: { status, due } }) => {
          return status === 'scheduled' && due <= this.#now;
        });
      if (due.length === 0 && woken === 0) return;
      const order = (pay: Pay): number => (pay.funding === 'reserve' ? 0 : 1);
      due.sort(
        ({ payment: a, n }, { payment: b, n: m }) =>
          order(a) - order(b) || a.priority - b.priority || a.due - b.due || n - m,
      );
      for (const { payment } of due) this.#attempt(payment);
    }
  }

  #wake(): number {
    let woken = 0;
    for (const [name, holder] of this.accounts) {
      if (!holder.wake) continue;
      holder.wake = false;
      let left = holder.available;
      for (const payment of this.payments) {
        if (!payment.waiting || payment.from !== name || payment.amount > left) continue;
        left -= payment.amount;
        if (payment.due <= this.#now) continue;
        payment.due = this.#now;
        woken += 1;
      }
    }
    return woken;
  }

  #attempt(payment: Pay): void {
    // Whatever comes of it, everybody involved has a balance afterwards.
    for (const { to } of payment.legs) this.holder(to).known = true;
    this.holder(payment.from).known = true;
    const soonest = (at: number): number => (payment.expires === null ? at : Math.min(at, payment.expires));
    if (payment.expires !== null && this.#now >= payment.expires) return this.#expire(payment);
    if (this.paused) {
      payment.due = soonest(this.#now + BLOCKED_SECONDS);
      return;
    }
    payment.attempts += 1;
    const refused = this.#pay(payment, payment.amount - payment.captured);
    if (refused === null) {
      payment.captured = payment.amount;
      return this.#end(payment, 'settled');
    }
    if (payment.attempts === ATTEMPTS) {
      this.#release(payment);
      return this.#end(payment, 'failed');
    }
    // After a failed run-now the next attempt is not before the instant, and no credit brings it forward.
    const next = this.#now + RETRY_SECONDS * 2 ** (payment.attempts - 1);
    payment.due = soonest(Math.max(next, payment.executes));
    payment.lacksFunds = refused === 'FUNDS_INSUFFICIENT';
    payment.waiting = payment.lacksFunds && payment.executes <= this.#now;
  }

  #expire(payment: Pay): void {
    this.#release(payment);
    this.#end(payment, payment.captured > 0 ? 'settled' : 'expired');
  }

  /** To all payees or to none. */
  #pay(payment: Pay, amount: number): string | null {
    const payer = this.holder(payment.from);
    const [before, after] = [gotBy(payment, payment.captured), gotBy(payment, payment.captured + amount)];
    const legs = payment.legs
      .map(({ to }) => ({ to, amount: (after.get(to) ?? 0) - (before.get(to) ?? 0) }))
      .filter((leg) => leg.amount > 0);
    let left = payer.available;
    for (const leg of legs) {
      if (!payer.active) return 'ACCOUNT_NOT_ACTIVE';
      if (payment.funding === 'at_execution' && left < leg.amount) return 'FUNDS_INSUFFICIENT';
      if (!this.holder(leg.to).active) return 'ACCOUNT_NOT_ACTIVE';
      left -= leg.amount;
    }
    if (payment.funding === 'reserve') payer.reserved -= amount;
    else payer.available -= amount;
    for (const leg of legs) this.#credit(this.holder(leg.to), leg.amount);
    return null;
  }

  #hold(account: string, amount: number): string | null {
    const holder = this.holder(account);
    const refused = mayPay(holder, amount);
    if (refused) return refused;
    holder.available -= amount;
    holder.reserved += amount;
    return null;
  }

  #unhold(account: string, amount: number): void {
    const holder = this.holder(account);
    holder.reserved -= amount;
    this.#credit(holder, amount);
  }

  #release(payment: Pay): void {
    if (payment.funding !== 'reserve') return;
    const rest = payment.amount - payment.captured - payment.released;
    payment.released += rest;
    if (rest > 0) this.#unhold(payment.from, rest);
  }

  #end(payment: Pay, status: Pay['status']): void {
    payment.status = status;
    payment.waiting = false;
  }

  #credit(holder: Holder, amount: number): void {
    holder.known = true;
    holder.available += amount;
    if (amount > 0) holder.wake = true;
  }
}

function shares(to: readonly string[], amount: number): Pay['legs'] {
  return to.map((payee, n) => ({ to: payee, amount: n === 0 ? amount - (to.length - 1) : 1, refunded: 0 }));
}

/** How much each payee has once so much is captured: in order, each rounded half up out of what is left for it and those after it. */
function gotBy({ legs }: Pay, captured: number): Map<string, number> {
  const got = new Map<string, number>();
  const given = (): number => [...got.values()].reduce((sum, part) => sum + part, 0);
  legs.forEach(({ to, amount }, n) => {
    const ahead = legs.slice(n).reduce((sum, leg) => sum + leg.amount, 0);
    got.set(to, Math.round(((captured - given()) * amount) / ahead));
  });
  return got;
}

function mayPay(holder: Holder, amount: number): string | null {
  if (!holder.known) return 'FUNDS_INSUFFICIENT';
  if (!holder.active) return 'ACCOUNT_NOT_ACTIVE';
  return holder.available < amount ? 'FUNDS_INSUFFICIENT' : null;
}
