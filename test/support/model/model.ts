// What the ledger should do, written a second time and as plainly as possible: numbers in maps, one step after the other,
// no database, no locks, nothing shared with the real one. Where the two differ, one of them is wrong.

/** One verb with its arguments. `slot` names a reservation by the order in which they were made. */
export type Step =
  | { readonly verb: 'open' | 'suspend' | 'reactivate'; readonly account: string }
  | { readonly verb: 'deposit' | 'withdraw' | 'reserve'; readonly account: string; readonly amount: number }
  | { readonly verb: 'transfer'; readonly from: string; readonly to: string; readonly amount: number }
  | { readonly verb: 'capture'; readonly slot: number; readonly to: string; readonly amount: number }
  | { readonly verb: 'release'; readonly slot: number; readonly amount: number | null };

interface Holder {
  active: boolean;
  /** Somebody has paid it: until then it has no balance at all. */
  paid: boolean;
  available: number;
  reserved: number;
}

export interface Hold {
  readonly account: string;
  readonly amount: number;
  captured: number;
  released: number;
}

export class Model {
  readonly accounts = new Map<string, Holder>();
  readonly holds: Hold[] = [];
  /** What came in, less what went out. */
  outside = 0;

  /** 'ok', or the code of the refusal. */
  take(step: Step): string {
    switch (step.verb) {
      case 'open':
        if (this.accounts.has(step.account)) return 'ACCOUNT_EXISTS';
        this.accounts.set(step.account, { active: true, paid: false, available: 0, reserved: 0 });
        return 'ok';
      case 'suspend':
      case 'reactivate': {
        const holder = this.accounts.get(step.account);
        if (!holder) return 'ACCOUNT_NOT_FOUND';
        holder.active = step.verb === 'reactivate';
        return 'ok';
      }
      case 'deposit': {
        const holder = this.accounts.get(step.account);
        if (!holder) return 'ACCOUNT_NOT_FOUND';
        if (!holder.active) return 'ACCOUNT_NOT_ACTIVE';
        credit(holder, step.amount);
        this.outside += step.amount;
        return 'ok';
      }
      case 'withdraw': {
        const refused = this.#debit(step.account, step.amount);
        if (refused === null) this.outside -= step.amount;
        return refused ?? 'ok';
      }
      case 'transfer':
        return this.#transfer(step.from, step.to, step.amount);
      case 'reserve': {
        const refused = this.#debit(step.account, step.amount);
        if (refused !== null) return refused;
        const holder = this.accounts.get(step.account);
        if (holder) holder.reserved += step.amount;
        this.holds.push({ account: step.account, amount: step.amount, captured: 0, released: 0 });
        return 'ok';
      }
      case 'capture':
        return this.#capture(step.slot, step.to, step.amount);
      case 'release': {
        const hold = this.hold(step.slot);
        const holder = hold && this.accounts.get(hold.account);
        if (!hold || !holder) return 'RESERVATION_NOT_FOUND';
        const amount = step.amount ?? left(hold);
        if (left(hold) === 0) return 'RESERVATION_RESOLVED';
        if (amount > left(hold)) return 'RESERVATION_TOO_SMALL';
        hold.released += amount;
        holder.reserved -= amount;
        holder.available += amount;
        return 'ok';
      }
    }
  }

  hold(slot: number): Hold | undefined {
    return this.holds.length === 0 ? undefined : this.holds[slot % this.holds.length];
  }

  #debit(account: string, amount: number): string | null {
    const holder = this.accounts.get(account);
    if (!holder) return 'ACCOUNT_NOT_FOUND';
    const refused = mayPay(holder, amount);
    if (refused === null) holder.available -= amount;
    return refused;
  }

  #transfer(from: string, to: string, amount: number): string {
    const payer = this.accounts.get(from);
    const payee = this.accounts.get(to);
    if (!payer || !payee) return 'ACCOUNT_NOT_FOUND';
    if (payer === payee) return 'SELF_TRANSFER';
    const refused = mayPay(payer, amount);
    if (refused !== null) return refused;
    if (!payee.active) return 'ACCOUNT_NOT_ACTIVE';
    payer.available -= amount;
    credit(payee, amount);
    return 'ok';
  }

  #capture(slot: number, to: string, amount: number): string {
    const payee = this.accounts.get(to);
    if (!payee) return 'ACCOUNT_NOT_FOUND';
    const hold = this.hold(slot);
    const payer = hold && this.accounts.get(hold.account);
    if (!hold || !payer) return 'RESERVATION_NOT_FOUND';
    if (left(hold) === 0) return 'RESERVATION_RESOLVED';
    if (amount > left(hold)) return 'RESERVATION_TOO_SMALL';
    if (payer === payee) return 'SELF_TRANSFER';
    if (!payer.active || !payee.active) return 'ACCOUNT_NOT_ACTIVE';
    hold.captured += amount;
    payer.reserved -= amount;
    credit(payee, amount);
    return 'ok';
  }
}

function left(hold: Hold): number {
  return hold.amount - hold.captured - hold.released;
}

function mayPay(holder: Holder, amount: number): string | null {
  if (!holder.paid) return 'FUNDS_INSUFFICIENT';
  if (!holder.active) return 'ACCOUNT_NOT_ACTIVE';
  return holder.available < amount ? 'FUNDS_INSUFFICIENT' : null;
}

function credit(holder: Holder, amount: number): void {
  holder.paid = true;
  holder.available += amount;
}
