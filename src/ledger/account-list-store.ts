// Lists of accounts, oldest first, as bounded scans: a page looks through a bounded number of accounts whatever its filter finds.
import type { Sql } from '../db/index.ts';
import { asText, readStretch, stretchStatement } from '../db/index.ts';
import type { Stretch, Uuid } from '../kernel/index.ts';
import { NIL_UUID, pageOf } from '../kernel/index.ts';
import type { Account, AccountKind, AccountStatus, StoredAccount } from './account.ts';
import { COLUMNS, account } from './account-store.ts';

export interface AccountFilter {
  /** Any of these. */
  readonly status?: readonly AccountStatus[];
  /** Any of these. */
  readonly kind?: readonly AccountKind[];
  readonly createdFrom?: Date;
  readonly createdBefore?: Date;
}

export interface AccountPage<A = Account> {
  readonly accounts: readonly A[];
  /** The id to go on from; null at the end. A page can be short, or empty, without being the last. */
  readonly next: Uuid | null;
}

interface PageOrder {
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly after: Uuid | null;
}

/** How many candidates a page looks through at most. */
export const ACCOUNT_SCAN = 20_000;

/** One page, in bounded time whatever the filter. */
export async function pageOfAccounts(
  sql: Sql,
  tenantId: Uuid,
  filter: AccountFilter,
  { limit, after }: PageOrder,
  scan?: number,
): Promise<AccountPage<StoredAccount>> {
  const { items, next } = await pageOf(
    limit,
    (most) => listAccounts(sql, tenantId, filter, { limit: most, after }, scan),
    ({ id }) => id,
  );
  return { accounts: items, next };
}

/** `reached` is the id to go on from, where the scan ended before the page was full. Rides the primary key, or accounts_inactive. */
export async function listAccounts(
  sql: Sql,
  tenantId: Uuid,
  filter: AccountFilter,
  page: PageOrder,
  scan = ACCOUNT_SCAN,
): Promise<Stretch<StoredAccount, Uuid>> {
  const { status = null, kind = null, createdFrom = null, createdBefore = null } = filter;
  const leavesOut = [status, kind, createdFrom, createdBefore].some((value) => value !== null);
  const inactive = status !== null && !status.includes('active') ? `and status <> 'active'` : '';
  const candidates = `select * from usance.accounts where tenant_id = $1::uuid and id > $2::uuid ${inactive} order by id limit $3::int`;
  const text = stretchStatement({
    page: `select ${COLUMNS} from (${candidates}) a
       where ($5::text[] is null or status = any ($5::text[])) and ($6::text[] is null or kind = any ($6::text[]))
         and ($7::timestamptz is null or created_at >= $7::timestamptz)
         and ($8::timestamptz is null or created_at < $8::timestamptz)
       order by id limit $4::int`,
    limit: '$4::int',
    end: leavesOut ? `select id from (${candidates}) e order by id offset $3::int - 1 limit 1` : null,
    order: 'id',
  });
  const values = [tenantId, page.after ?? NIL_UUID, leavesOut ? scan : page.limit, page.limit];
  const rows = await sql.query(text, [...values, status, kind, createdFrom, createdBefore]);
  return readStretch(rows, account, asText);
}

/** The same question about one account. */
export function accountFits(account: Account, filter: AccountFilter): boolean {
  const { status, kind, createdFrom, createdBefore } = filter;
  return (
    (status === undefined || status.includes(account.status)) &&
    (kind === undefined || kind.includes(account.kind)) &&
    (createdFrom === undefined || account.createdAt >= createdFrom) &&
    (createdBefore === undefined || account.createdAt < createdBefore)
  );
}
