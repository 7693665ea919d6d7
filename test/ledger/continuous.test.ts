// The continuous check beside a living store: it reads little, never wrongs a healthy one, and cannot be fooled for ever.
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { liveAt } from '../../src/kernel/index.ts';
import { HISTORY_SINCE_CHECKPOINT } from '../../src/ledger/checks.ts';
import type { SliceOptions, SliceReport } from '../../src/ledger/index.ts';
import { checkSlice, postTransfers } from '../../src/ledger/index.ts';
import { BOOK_CHECKS, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const HOUR = 60 * 60_000;

describe('the continuous check', () => {
  const store = useUsance({ poolSize: 16 });
  afterEach(() => vi.useRealTimers());
  // Ids never go back: those of this process are ahead of time now. The next file of the worker begins with modules of its own.
  afterAll(() => void vi.resetModules());

  const check = (options: Partial<SliceOptions> = {}): Promise<SliceReport> =>
    checkSlice(store.db, liveAt(new Date()), BOOK_CHECKS, {
      after: null,
      accounts: 3_000,
      fromBeginning: false,
      ...options,
    });
  const later = (ms: number): void => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + ms);
  };
  const transfer = (from: string, to: string): Promise<unknown> =>
    store.tenant.transfer({ from, to, asset: 'USD', amount: 1, idempotencyKey: key() });
  const checkpoints = async (): Promise<number> =>
    Number((await store.owner.query('select count(*) as n from usance.balance_checkpoints'))[0]?.['n']);

  /** Transfers that the short form of the check reads for some accounts, as the executor counted them. */
  const transfersRead = async (...refs: string[]): Promise<number> => {
    const ids = await Promise.all(refs.map(async (ref) => (await store.tenant.account(ref)).id));
    const [row] = await store.owner.query(`explain (analyze, format json) ${HISTORY_SINCE_CHECKPOINT}`, [ids]);
    return rowsOfTransfers(row?.['QUERY PLAN']);
  };

  test('goes through the accounts slice by slice, and begins again', async () => {
    await open(store.tenant, { a: 1_000, b: 1_000, c: 1_000 });
    const sizes: number[] = [];
    let after: SliceReport['next'] = null;
    do {
      const report: SliceReport = await check({ after, accounts: 2 });
      sizes.push(report.checked);
      after = report.next;
    } while (after);
    // Three of our own and the three that every tenant has.
    expect(sizes.reduce((sum, size) => sum + size)).toBe(6);
    expect(Math.max(...sizes)).toBe(2);
  });

  test('reads, once an account’s history is old enough, only what is newer', async () => {
    const lines = Array.from({ length: 2_000 }, (_, n) =>
      JSON.stringify({ account: `other${n}`, asset: 'USD', amount: 1 }),
    );
    const crowd = async function* (): AsyncGenerator<string> {
      yield* lines;
    };
    await store.tenant.importOpeningBalances({ name: 'crowd', format: 'jsonl', open: crowd });
    // Everybody pays somebody, as in a real store: else the planner rightly finds that most transfers are the world's.
    const others = (await store.tenant.accounts({ limit: 3_000 })).filter((account) => account.ref.startsWith('other'));
    const movements = others.map(({ id }, n) => ({
      tenantId: store.tenant.id,
      debitAccountId: id,
      creditAccountId: others.at(n - 1)?.id ?? '',
      asset: 'USD/2',
      amount: 1n,
      kind: 'transfer',
    }));
    await store.db.transaction((tx) => postTransfers(tx, liveAt(new Date()), movements));
    for (let n = 0; n < 100; n += 1) await transfer('a', 'b');
    await store.owner.query('analyze');
    expect(await transfersRead('a', 'b', 'c')).toBeGreaterThan(200);
    later(2 * HOUR);
    expect(await check()).toMatchObject({ checked: 2_006, violations: [] });
    expect(await checkpoints()).toBe(2_003);
    expect(await transfersRead('a', 'b', 'c', 'world')).toBe(0);
    for (let n = 0; n < 3; n += 1) await transfer('b', 'c');
    // Three transfers, from both sides. PostgreSQL 15 rounds the rows of each loop, so not to the last digit.
    expect(await transfersRead('a', 'b', 'c', 'world')).toBeLessThan(10);
    expect(await check()).toMatchObject({ violations: [] });
  });

  test('is not misled by a transfer that was written below a checkpoint', async () => {
    // A machine whose clock is hours behind makes such ids. The shortcut looks wrong, the whole count does not.
    later(9 * HOUR);
    await check();
    vi.useRealTimers();
    await open(store.tenant, { behind: 0 });
    await store.owner.query(
      `insert into usance.balance_checkpoints select tenant_id, account_id, asset, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 5, now()
       from usance.balances where account_id = $1::uuid
       on conflict (tenant_id, account_id, asset) do update set through = excluded.through, total = excluded.total`,
      [(await store.tenant.account('c')).id],
    );
    await transfer('a', 'c');
    expect(await check()).toMatchObject({ violations: [], frozen: 0 });
  });

  test('overlooks a change far below its checkpoints, until the pass that uses none', async () => {
    await store.owner.query('delete from usance.balance_checkpoints');
    later(20 * HOUR);
    await check();
    await store.owner.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        `update usance.transfers set amount = 2 where id = (select min(id::text)::uuid from usance.transfers where kind = 'transfer')`,
      );
    });
    expect(await check()).toMatchObject({ violations: [], frozen: 0 });
    const deep = await check({ fromBeginning: true });
    expect(deep.frozen).toBe(1);
    expect(new Set(deep.violations.map((violation) => violation.check))).toEqual(new Set(['balances-equal-history']));
    expect(await refusalOf(transfer('a', 'b'))).toBe('ASSET_FROZEN');
  });
});

describe('a healthy store under load', () => {
  const store = useUsance({ poolSize: 16 });

  test('is never frozen, however often it is looked at', async () => {
    const refs = ['a', 'b', 'c', 'd', 'e', 'f'];
    await open(store.tenant, Object.fromEntries(refs.map((ref) => [ref, 1_000])));
    const pick = (n: number): string => refs[n % refs.length] ?? 'a';
    const order = (amount: number) => ({ asset: 'USD', amount, idempotencyKey: key() });
    const load = { done: false };
    const worker = async (seed: number): Promise<void> => {
      for (let n = seed; n < seed + 12; n += 1) {
        const [from, to] = [pick(n), pick(n * 7 + 1)];
        await refusalOf(store.tenant.transfer({ ...order((n % 50) + 1), from, to }));
        const reserved = await store.tenant.reserve({ ...order((n % 90) + 1), account: from }).catch(() => null);
        if (reserved) {
          const { reservation } = reserved;
          await refusalOf(store.tenant.capture({ reservation, to, amount: 1, idempotencyKey: key() }));
          await refusalOf(store.tenant.release({ reservation, idempotencyKey: key() }));
        }
        if (n % 10 === 0) await store.tenant.suspendAccount(from, 'load');
        if (n % 10 === 0) await store.tenant.reactivateAccount(from, 'load');
      }
    };
    const looked: SliceReport[] = [];
    const watcher = async (fromBeginning: boolean): Promise<void> => {
      while (!load.done) {
        const clock = liveAt(new Date(Date.now() + (fromBeginning ? 0 : 2 * HOUR)));
        looked.push(await checkSlice(store.db, clock, BOOK_CHECKS, { after: null, accounts: 100, fromBeginning }));
      }
    };
    const watching = [watcher(true), watcher(false)];
    const verified: string[] = [];
    await Promise.all(Array.from({ length: 8 }, (_, n) => worker(n * 100))).finally(() => (load.done = true));
    verified.push(...(await troubles(store.usance)));
    await Promise.all(watching);
    expect(looked.length).toBeGreaterThan(4);
    expect(looked.flatMap((report) => report.violations)).toEqual([]);
    expect(verified).toEqual([]);
    expect(await store.usance.freezes({ activeOnly: false })).toEqual([]);
  });
});

/** Sums the rows that scans of transfers gave, over a plan of EXPLAIN. */
function rowsOfTransfers(plan: unknown): number {
  if (Array.isArray(plan)) return plan.reduce<number>((sum, item) => sum + rowsOfTransfers(item), 0);
  if (typeof plan !== 'object' || plan === null) return 0;
  const node = plan as Record<string, unknown>;
  const relation = node['Relation Name'];
  const scanned = typeof relation === 'string' && relation.startsWith('transfers');
  const own = scanned ? Math.round(Number(node['Actual Rows']) * Number(node['Actual Loops'])) : 0;
  return own + rowsOfTransfers(node['Plans'] ?? node['Plan'] ?? null);
}
