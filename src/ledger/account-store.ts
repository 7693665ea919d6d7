import type { Row, Sql } from '../db/index.ts';
import { asBigInt, asDate, asNumber, asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Asset, Uuid } from '../kernel/index.ts';
import { isStorable } from '../kernel/index.ts';
import { writingSecrets } from '../secrets/index.ts';
import type { AccountKind, AccountStatus, StoredAccount, StoredContact } from './account.ts';

export const COLUMNS = `tenant_id, id, ref, kind, status, status_reason, name, contact::text as contact, encode(contact_encrypted, 'hex') as contact_encrypted, to_jsonb(guardian_ids)::text as guardian_ids, created_at, updated_at`;

export function account(row: Row): StoredAccount {
  const guardianIds = JSON.parse(asText(row['guardian_ids'])) as Uuid[];
  return {
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    ref: asText(row['ref']),
    kind: asText(row['kind']) as AccountKind,
    status: asText(row['status']) as AccountStatus,
    statusReason: asTextOrNull(row['status_reason']),
    name: asTextOrNull(row['name']),
    contact: storedContact(row),
    guardianId: guardianIds[0] ?? null,
    guardianIds,
    createdAt: asDate(row['created_at']),
    updatedAt: asDate(row['updated_at']),
  };
}

/** A process of an older version writes plain contacts: such a one is the later. */
function storedContact(row: Row): StoredContact | null {
  if (row['contact'] !== null) return { plain: asRecord(row['contact']) };
  const encrypted = asTextOrNull(row['contact_encrypted']);
  return encrypted === null ? null : { encrypted: Buffer.from(encrypted, 'hex') };
}

/** The two columns of a stored contact: hexadecimal digits, and JSON from before encryption. */
function contactColumns(contact: StoredContact | null): { encrypted: string | null; plain: string | null } {
  if (contact === null) return { encrypted: null, plain: null };
  return 'plain' in contact
    ? { encrypted: null, plain: JSON.stringify(contact.plain) }
    : { encrypted: contact.encrypted.toString('hex'), plain: null };
}

/** Accounts whose ref is taken are left out of what is returned. */
export async function insertAccounts(sql: Sql, accounts: readonly StoredAccount[]): Promise<StoredAccount[]> {
  const inserted = sql.query(
    `insert into usance.accounts (tenant_id, id, ref, kind, name, contact_encrypted, contact_key, guardian_ids, created_at, updated_at)
     select tenant_id, id, ref, kind, name, decode(contact, 'hex'), usance.encryption_key_of(decode(contact, 'hex')),
            guardian_ids::uuid[], created_at, created_at
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       v (tenant_id, id, ref, kind, name, contact, guardian_ids, created_at)
     on conflict on constraint accounts_ref_key do nothing
     returning ${COLUMNS}`,
    [
      accounts.map((item) => item.tenantId),
      accounts.map((item) => item.id),
      accounts.map((item) => item.ref),
      accounts.map((item) => item.kind),
      accounts.map((item) => item.name),
      accounts.map((item) => contactColumns(item.contact).encrypted),
      accounts.map((item) => `{${item.guardianIds.join(',')}}`),
      accounts.map((item) => item.createdAt),
    ],
  );
  return (await writingSecrets(inserted)).map(account);
}

/** By id or by ref; ids win. */
export async function findAccounts(sql: Sql, tenantId: Uuid, idsOrRefs: readonly string[]): Promise<StoredAccount[]> {
  const rows = await sql.query(
    `select ${COLUMNS}, 2 as choice from usance.accounts where tenant_id = $1::uuid and ref = any ($2::text[])
     union all
     select ${COLUMNS}, 1 as choice from usance.accounts where tenant_id = $1::uuid and id = any ($3::uuid[])
     order by choice`,
    [tenantId, idsOrRefs.filter(isStorable), idsOrRefs.filter((text) => UUID.test(text))],
  );
  return rows.map(account);
}

/** Only what decides whether they can pay and be paid: creating payments in bulk reads two for each. */
export async function findAccountNames(
  sql: Sql,
  tenantId: Uuid,
  idsOrRefs: readonly string[],
): Promise<Pick<StoredAccount, 'id' | 'ref' | 'status'>[]> {
  const rows = await sql.query(
    `select id, ref, status from usance.accounts where tenant_id = $1::uuid and ref = any ($2::text[])
     union all
     select id, ref, status from usance.accounts where tenant_id = $1::uuid and id = any ($3::uuid[])`,
    [tenantId, idsOrRefs.filter(isStorable), idsOrRefs.filter((text) => UUID.test(text))],
  );
  return rows.map((row) => ({
    id: asText(row['id']),
    ref: asText(row['ref']),
    status: asText(row['status']) as AccountStatus,
  }));
}

/** The one of that id or ref and what it holds, in one statement. */
export async function findHolder(
  sql: Sql,
  tenantId: Uuid,
  idOrRef: string,
): Promise<{ account: StoredAccount; balances: HeldBalance[] } | null> {
  const rows = await sql.query(
    `select a.*, b.asset, b.available, b.reserved
     from (select ${COLUMNS}, 2 as choice from usance.accounts where tenant_id = $1::uuid and ref = any ($2::text[])
           union all
           select ${COLUMNS}, 1 as choice from usance.accounts where tenant_id = $1::uuid and id = any ($3::uuid[])
           order by choice limit 1) a
     left join usance.balances b on b.account_id = a.id and b.tenant_id = a.tenant_id
     order by b.asset`,
    [tenantId, [idOrRef].filter(isStorable), [idOrRef].filter((text) => UUID.test(text))],
  );
  const [first] = rows;
  if (!first) return null;
  const held = rows.filter((row) => row['asset'] !== null);
  return {
    account: account(first),
    balances: held.map((row) => ({
      asset: asText(row['asset']),
      available: asBigInt(row['available']),
      reserved: asBigInt(row['reserved']),
    })),
  };
}

export interface HeldBalance {
  readonly asset: string;
  readonly available: bigint;
  readonly reserved: bigint;
}

/** The ref of an account, as a column of a statement of another module: `tenant` and `id` are columns there. */
export const refColumn = (tenant: string, id: string): string =>
  `(select a.ref from usance.accounts a where a.tenant_id = ${tenant} and a.id = ${id})`;

/** The tenants' own names of some accounts, by id. */
export async function accountRefs(sql: Sql, keys: readonly { tenantId: Uuid; id: Uuid }[]): Promise<Map<Uuid, string>> {
  const rows = await sql.query(
    `select distinct a.id, a.ref from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id) join usance.accounts a using (tenant_id, id)`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return new Map(rows.map((row) => [asText(row['id']), asText(row['ref'])]));
}

/** What some accounts hold, by account and asset. */
export async function balancesOf(
  sql: Sql,
  tenantId: Uuid,
  accountIds: readonly Uuid[],
): Promise<Map<Uuid, Map<string, HeldBalance>>> {
  const rows = await sql.query(
    `select b.account_id, b.asset, b.available, b.reserved from unnest($2::uuid[]) k (account_id)
     join usance.balances b on b.account_id = k.account_id and b.tenant_id = $1::uuid order by b.account_id, b.asset`,
    [tenantId, accountIds],
  );
  const found = new Map<Uuid, Map<string, HeldBalance>>();
  for (const row of rows) {
    const [id, asset] = [asText(row['account_id']), asText(row['asset'])];
    const own = found.get(id) ?? new Map<string, HeldBalance>();
    found.set(
      id,
      own.set(asset, { asset, available: asBigInt(row['available']), reserved: asBigInt(row['reserved']) }),
    );
  }
  return found;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function lockAccount(sql: Sql, tenantId: Uuid, id: Uuid): Promise<StoredAccount | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.accounts where tenant_id = $1::uuid and id = $2::uuid for no key update`,
    [tenantId, id],
  );
  return row ? account(row) : null;
}

/** The account, which keeps its guardians and its state until the transaction ends. */
export async function shareAccount(sql: Sql, tenantId: Uuid, id: Uuid): Promise<StoredAccount | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.accounts where tenant_id = $1::uuid and id = $2::uuid for share`,
    [tenantId, id],
  );
  return row ? account(row) : null;
}

export async function updateAccount(sql: Sql, next: StoredAccount): Promise<void> {
  const { encrypted, plain } = contactColumns(next.contact);
  const updated = sql.query(
    `update usance.accounts
     set status = $3::text, status_reason = $4::text, name = $5::text, contact = $6::jsonb, guardian_ids = $7::uuid[],
         updated_at = $8::timestamptz, contact_encrypted = decode($9::text, 'hex'),
         contact_key = usance.encryption_key_of(decode($9::text, 'hex'))
     where tenant_id = $1::uuid and id = $2::uuid`,
    [
      next.tenantId,
      next.id,
      next.status,
      next.statusReason,
      next.name,
      plain,
      next.guardianIds,
      next.updatedAt,
      encrypted,
    ],
  );
  await writingSecrets(updated);
}

/** The accounts that have this one among their guardians, oldest first. */
export async function listJuniors(
  sql: Sql,
  tenantId: Uuid,
  guardianId: Uuid,
  page: { limit: number; after: Uuid | null },
): Promise<StoredAccount[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.accounts
     where tenant_id = $1::uuid and guardian_ids @> array[$2::uuid] and guardian_ids <> '{}' and ($3::uuid is null or id > $3::uuid)
     order by id limit $4::int`,
    [tenantId, guardianId, page.after, page.limit],
  );
  return rows.map(account);
}

/** The one change of a ref there is. */
export async function forgetAccount(sql: Sql, next: StoredAccount): Promise<void> {
  await sql.query(
    `update usance.accounts set ref = $3::text, name = null, contact = null, contact_encrypted = null, contact_key = null, status_reason = null,
       updated_at = $4::timestamptz
     where tenant_id = $1::uuid and id = $2::uuid`,
    [next.tenantId, next.id, next.ref, next.updatedAt],
  );
}

/** The flags that the hot path reads instead of the account. The account's row is locked already; balances come after. */
export async function setBalanceFlags(sql: Sql, tenantId: Uuid, accountId: Uuid, active: boolean): Promise<void> {
  await sql.query(
    `with locked as (
       select tenant_id, account_id, asset from usance.balances
       where tenant_id = $1::uuid and account_id = $2::uuid order by asset for no key update
     )
     update usance.balances b set may_debit = $3::boolean, may_credit = $3::boolean, version = b.version + 1
     from locked l where b.tenant_id = l.tenant_id and b.account_id = l.account_id and b.asset = l.asset`,
    [tenantId, accountId, active],
  );
}

/** False when the tenant has the code already, at this scale or another. */
export async function insertAsset(sql: Sql, tenantId: Uuid, asset: Asset): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.assets (tenant_id, asset, code, scale) values ($1::uuid, $2::text, $3::text, $4::smallint)
     on conflict do nothing returning 1 as made`,
    [tenantId, asset.name, asset.code, asset.scale],
  );
  return rows.length === 1;
}

/** By full name (`USD/2`) or by code alone. */
export async function findAsset(sql: Sql, tenantId: Uuid, nameOrCode: string): Promise<Asset | null> {
  if (!isStorable(nameOrCode)) return null;
  const [found] = await findAssets(sql, tenantId, [nameOrCode]);
  return found ?? null;
}

/** Many of them; what there is not is left out. */
export async function findAssets(sql: Sql, tenantId: Uuid, namesOrCodes: readonly string[]): Promise<Asset[]> {
  const rows = await sql.query(
    `select asset, code, scale from usance.assets
     where tenant_id = $1::uuid and (asset = any ($2::text[]) or code = any ($2::text[]))`,
    [tenantId, namesOrCodes.filter(isStorable)],
  );
  return rows.map(asset);
}

function asset(row: Row): Asset {
  return { name: asText(row['asset']), code: asText(row['code']), scale: asNumber(row['scale']) };
}

export async function listAssets(sql: Sql, tenantId: Uuid): Promise<Asset[]> {
  const rows = await sql.query(
    'select asset, code, scale from usance.assets where tenant_id = $1::uuid order by asset',
    [tenantId],
  );
  return rows.map(asset);
}

/** So many are sooner read than thousands of ids looked up. */
const FEW_INACTIVE = 100;

/**
 * Which accounts are not active, each with what it is: those among these ids, and where there are few also others. Rides
 * accounts_inactive.
 */
export async function findInactive(
  sql: Sql,
  tenantId: Uuid,
  ids: () => readonly Uuid[],
): Promise<{ id: Uuid; status: AccountStatus }[]> {
  const inactive = `select id, status from usance.accounts where tenant_id = $1::uuid and status <> 'active'`;
  const few = await sql.query(`${inactive} limit ${FEW_INACTIVE + 1}`, [tenantId]);
  const rows =
    few.length <= FEW_INACTIVE ? few : await sql.query(`${inactive} and id = any ($2::uuid[])`, [tenantId, ids()]);
  return rows.map((row) => ({ id: asText(row['id']), status: asText(row['status']) as AccountStatus }));
}

/** Which of these accounts are closed. */
export async function findClosed(
  sql: Sql,
  keys: readonly { tenantId: Uuid; id: Uuid }[],
): Promise<{ tenantId: Uuid; id: Uuid }[]> {
  const rows = await sql.query(
    `select a.tenant_id, a.id from unnest($1::uuid[], $2::uuid[]) k (tenant_id, id)
     join usance.accounts a using (tenant_id, id) where a.status = 'closed'`,
    [keys.map((key) => key.tenantId), keys.map((key) => key.id)],
  );
  return rows.map((row) => ({ tenantId: asText(row['tenant_id']), id: asText(row['id']) }));
}
