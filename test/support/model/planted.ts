// Bugs to be found. Each is put between the ledger and its database, where a statement's values or its answer are bent, so
// that the ledger's own code stays what it is. If a statement is rewritten and one of these no longer bites, the test that
// expects the bug to be found fails and says so.
import type { Database, Row, Sql, Transaction, Value } from '../../../src/db/index.ts';

interface Before {
  available: bigint;
  reserved: bigint;
}

type Forward = () => Promise<Row[]>;
type Bug = (memory: Map<string, Before>, text: string, values: Value[], forward: Forward) => Promise<Row[]>;

const LOCKS_BALANCES = /from unnest[\s\S]*join usance\.balances b[\s\S]*for no key update/;
const WRITES_BALANCES = /update usance\.balances b\s+set available/;
const WRITES_RESERVATIONS = /update usance\.reservations r/;
const GENEROUS = 1_000n;
const NOTHING: Before = { available: 0n, reserved: 0n };

/** Where a column is among the values: the statement says it itself, `v (place, account_id, available, …)`. */
function positions(text: string): Record<string, number> {
  const names = /\bv \(([^)]*)\)/.exec(text)?.[1]?.split(',') ?? [];
  return Object.fromEntries(names.map((name, index) => [name.trim(), index]));
}

interface Written {
  readonly accounts: readonly string[];
  readonly available: readonly bigint[];
  readonly reserved: readonly bigint[];
}

function written(text: string, values: readonly Value[]): Written {
  const at = positions(text);
  const column = (name: string): unknown => values[at[name] ?? -1] ?? [];
  return {
    accounts: column('account_id') as string[],
    available: column('available') as bigint[],
    reserved: column('reserved') as bigint[],
  };
}

function setAvailable(text: string, values: Value[], available: bigint[]): void {
  values[positions(text)['available'] ?? -1] = available;
}

/** Whether a balance has less reserved than when it was locked, and its available went that way. */
function gaveReserved(
  { accounts, available, reserved }: Written,
  memory: Map<string, Before>,
  way: 'up' | 'level',
): boolean {
  return accounts.some((id, n) => {
    const before = memory.get(id);
    if (!before || (reserved[n] ?? 0n) >= before.reserved) return false;
    return way === 'level' ? available[n] === before.available : (available[n] ?? 0n) > before.available;
  });
}

export const BUGS: Readonly<Record<string, Bug>> = {
  'a capture that credits twice': async (memory, text, values, forward) => {
    if (WRITES_BALANCES.test(text)) {
      const now = written(text, values);
      const twice = now.available.map((amount, n) => {
        const gained = amount - (memory.get(now.accounts[n] ?? '')?.available ?? amount);
        return gained > 0n ? amount + gained : amount;
      });
      if (gaveReserved(now, memory, 'level')) setAvailable(text, values, twice);
    }
    return remember(memory, text, await forward());
  },

  'a transfer that skips the funds check': async (memory, text, values, forward) => {
    if (WRITES_BALANCES.test(text)) {
      const { available } = written(text, values);
      setAvailable(
        text,
        values,
        available.map((amount) => (amount > GENEROUS ? amount - GENEROUS : 0n)),
      );
    }
    const rows = remember(memory, text, await forward());
    if (!LOCKS_BALANCES.test(text)) return rows;
    return rows.map((row) => ({ ...row, available: BigInt(String(row['available'])) + GENEROUS }));
  },

  'a release that forgets the reservation': async (memory, text, values, forward) => {
    if (WRITES_BALANCES.test(text) && gaveReserved(written(text, values), memory, 'up')) memory.set('release', NOTHING);
    if (WRITES_RESERVATIONS.test(text) && memory.delete('release'))
      return [{ written: (values[1] as string[]).length }];
    return remember(memory, text, await forward());
  },
};

function remember(memory: Map<string, Before>, text: string, rows: Row[]): Row[] {
  if (LOCKS_BALANCES.test(text)) {
    for (const row of rows) {
      memory.set(String(row['account_id']), {
        available: BigInt(String(row['available'])),
        reserved: BigInt(String(row['reserved'])),
      });
    }
  }
  return rows;
}

export function plant(db: Database, bug: Bug): Database {
  const bent = (sql: Sql, memory: Map<string, Before>): Sql => ({
    query: async <R extends Row>(text: string, values: readonly Value[] = []) => {
      const own = [...values];
      return (await bug(memory, text, own, () => sql.query(text, own))) as R[];
    },
  });
  const inside = (tx: Transaction, memory: Map<string, Before>): Transaction => ({
    ...bent(tx, memory),
    begunAt: tx.begunAt,
    together: (steps) => tx.together(steps),
    note: tx.note,
    journal: tx.journal,
    savepoint: (work) => tx.savepoint((inner) => work(inside(inner, memory))),
  });
  return {
    ...db,
    transaction: (work, options) => db.transaction((tx) => work(inside(tx, new Map())), options),
  };
}
