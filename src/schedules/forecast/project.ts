// What a balance comes to when everything ahead of it happens: pure. Each instant is taken as a whole, what comes in before
// what goes out, for a payment that lacks money is tried again as soon as a credit comes.
//
// Where the money does not suffice, the lines go on as if it had been paid: below zero. So the lowest point says what would have
// to be there for all of it, and a deposit of that much makes every line come true.
import type { Uuid } from '../../kernel/index.ts';

/** Money that is to come or go. */
export interface Flow {
  /** In milliseconds. */
  readonly at: number;
  readonly asset: string;
  /** Negative where it goes out. */
  readonly amount: bigint;
  /** It goes out of what is reserved for it already. */
  readonly held: boolean;
  /** The payment, where there is one already; else the schedule that will make it, and its slot. */
  readonly paymentId: Uuid | null;
  readonly scheduleId: Uuid | null;
  readonly slot: string | null;
  readonly priority: number;
}

export interface Funds {
  readonly available: bigint;
  readonly reserved: bigint;
}

export interface Line extends Flow, Funds {}

export interface Shortfall {
  readonly line: Line;
  /** How much is lacking at that instant. */
  readonly missing: bigint;
}

export interface Projection {
  /** In order, each with the balance after it. */
  readonly lines: readonly Line[];
  /** The first payment that cannot be covered. */
  readonly shortfall: Shortfall | null;
  /** What is lacking at the worst: with so much more now, everything is covered. */
  readonly needed: bigint;
}

/** Of one asset. */
export function project(funds: Funds, flows: readonly Flow[]): Projection {
  let { available, reserved } = funds;
  const lines = flows.toSorted(inOrder).map((flow): Line => {
    if (flow.held) reserved += flow.amount;
    else available += flow.amount;
    return { ...flow, available, reserved };
  });
  const lowest = lines.reduce((least, line) => (line.available < least ? line.available : least), 0n);
  return { lines, shortfall: firstShortfall(lines), needed: -lowest };
}

/** Only what takes from the available can find too little. */
const isUncovered = (line: Line): boolean => line.available < 0n && line.amount < 0n && !line.held;

function firstShortfall(lines: readonly Line[]): Shortfall | null {
  const index = lines.findIndex(isUncovered);
  const line = lines[index];
  if (!line) return null;
  const lastOfInstant = lines.findLast((each) => each.at === line.at) ?? line;
  return { line, missing: -lastOfInstant.available };
}

/** As the engine would settle them; who is paid before who pays. */
function inOrder(a: Flow, b: Flow): number {
  if (a.at !== b.at) return a.at - b.at;
  return stageOf(a) - stageOf(b) || a.priority - b.priority || compare(keyOf(a), keyOf(b));
}

const stageOf = ({ amount, held }: Flow): number => (amount > 0n ? 0 : held ? 1 : 2);
/** What is there already comes before what is made that instant. */
const keyOf = ({ paymentId, scheduleId, slot }: Flow): string => paymentId ?? `g${scheduleId}${slot}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
