// What a test clock sets off. A module with work that falls due registers it in the engine; the order of registration is
// the order at one instant. Payments are last: what something else makes due now is paid now.
import type { Database, Sql, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';

export interface TimedWork {
  readonly name: string;
  /** When the next of it is due, by rows that carry the clock's id; null when nothing waits. The past is due now. */
  nextDue(sql: Sql, clock: Clock & { readonly clockId: Uuid }): Promise<Date | null>;
  /**
   * Does one batch of what is due at the instant. Every transaction in it asks `readClock` for the time, before it writes:
   * that moves the clock there, in that transaction, and throws where another has taken the advance over.
   */
  runDue(db: Database, clockId: Uuid, readClock: (tx: Transaction) => Promise<Clock>): Promise<void>;
}

/** The advance went on without us: whatever we were about to write must not be. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('another process has taken this over');
  }
}
