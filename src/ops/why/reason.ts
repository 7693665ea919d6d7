// One reason, and what would change it.

/** `payer`: for an end user, without reasons, actors and amounts that are the tenant's. */
export type Audience = 'tenant' | 'payer';

/** The scopes that decide how much `why` shows: no more than the caller may read elsewhere. */
export interface Sight {
  /** Pauses, limits, freezes and caps: their texts, actors and numbers. */
  readonly ops: boolean;
  /** Balances, and why an account is suspended. */
  readonly ledger: boolean;
}

export interface Listener extends Sight {
  readonly isPayer: boolean;
}

/** A payer sees their own balance. */
export const listenerOf = (audience: Audience, sight: Sight): Listener =>
  audience === 'payer' ? { isPayer: true, ops: false, ledger: true } : { isPayer: false, ...sight };

export const WHY_CODES = [
  'settled',
  'failed',
  'cancelled',
  'expired',
  'processing',
  'submitted',
  'review',
  'clock_missing',
  'approval_awaited',
  'not_due',
  'clock_advancing',
  'clock_standing',
  'processor_idle',
  'rate_capped',
  'charges_by_cron',
  'locked',
  'paused',
  'daily_limit',
  'frozen',
  'account_suspended',
  'account_closed',
  'funds_insufficient',
  'retrying',
  'payout_waits',
  'set_aside',
  'due',
] as const;
export type WhyCode = (typeof WHY_CODES)[number];

export interface Change {
  /** The operation that brings it about, such as `payments.approve`; null where no call does. */
  readonly operation: string | null;
  readonly sentence: string;
}

export interface Reason {
  readonly code: WhyCode;
  readonly sentence: string;
  /** When it ends by itself; null where that is not known. */
  readonly until: Date | null;
  /** The amount that the payer's balance lacks. */
  readonly missing: bigint | null;
  /** The actor that brought it about. */
  readonly by: string | null;
  readonly changes: readonly Change[];
}

type Rest = Partial<Omit<Reason, 'code' | 'sentence'>>;

export const reason = (code: WhyCode, sentence: string, rest: Rest): Reason => ({
  code,
  sentence,
  until: null,
  missing: null,
  by: null,
  changes: [],
  ...rest,
});

export const change = (operation: string | null, sentence: string): Change => ({ operation, sentence });

/** A reason that no call changes. */
export const waiting = (code: WhyCode, sentence: string, changes: string): Reason =>
  reason(code, sentence, { changes: [change(null, changes)] });

/** "1 attempt", "2 attempts". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
