// The laws of money, asked of the store after the verbs: whatever the oracle and the program agree on, these hold.
import type { Sql } from '../../src/db/index.ts';
import { asDate, asText } from '../../src/db/index.ts';
import { systemAccountId } from '../../src/ledger/index.ts';
import type { World } from './world.ts';

/** Rows whose instants were moved into the past, and when that was: what they paid before is not judged by them. */
export type BackDated = ReadonlyMap<string, number>;

/** What is wrong in the world of a tenant, in words. */
export async function brokenLaws(world: World, backDated: BackDated): Promise<string[]> {
  const { owner, tenant } = world;
  const found = await Promise.all([
    early(owner, tenant.id),
    late(owner, tenant.id, backDated),
    unapproved(owner, tenant.id),
    overcharged(owner, tenant.id),
    selfApproved(world),
  ]);
  return found.flat();
}

const ids = async (sql: Sql, what: string, tenantId: string, text: string): Promise<string[]> =>
  (await sql.query(text, [tenantId])).map((row) => `${what}: ${asText(row['id'])}`);

/** Nothing settles before execute_at unless it was run now. A capture is early by its nature. */
const early = (sql: Sql, tenantId: string): Promise<string[]> =>
  ids(
    sql,
    'settled before execute_at',
    tenantId,
    `select p.id from usance.all_payments p join usance.transfers t on t.tenant_id = p.tenant_id and t.payment_id = p.id
     where p.tenant_id = $1::uuid and t.kind = 'settlement' and t.posted_at < p.execute_at
       and not exists (select from usance.events e where e.tenant_id = p.tenant_id and e.resource_id = p.id
                       and e.type = 'payment.run_now')`,
  );

async function late(sql: Sql, tenantId: string, backDated: BackDated): Promise<string[]> {
  const rows = await sql.query(
    `select p.id, t.kind, t.posted_at from usance.all_payments p
     join usance.transfers t on t.tenant_id = p.tenant_id and t.payment_id = p.id
     where p.tenant_id = $1::uuid and t.kind in ('settlement', 'capture') and t.posted_at >= p.expires_at`,
    [tenantId],
  );
  return rows
    .filter((row) => asDate(row['posted_at']).getTime() > (backDated.get(asText(row['id'])) ?? 0))
    .map((row) => `${asText(row['kind'])} after expires_at: ${asText(row['id'])}`);
}

/** What was captured before other terms asked again was approved. */
const unapproved = (sql: Sql, tenantId: string): Promise<string[]> =>
  ids(
    sql,
    'paid while approval was awaited',
    tenantId,
    `select p.id from usance.all_payments p join usance.transfers t on t.tenant_id = p.tenant_id and t.payment_id = p.id
     where p.tenant_id = $1::uuid and p.approval = 'awaited'
       and not exists (select from usance.events e where e.tenant_id = p.tenant_id and e.resource_id = p.id
                       and e.type = 'payment.approval_requested' and e.id > t.id)`,
  );

const overcharged = (sql: Sql, tenantId: string): Promise<string[]> =>
  ids(
    sql,
    'charged beyond what the payer approved',
    tenantId,
    `select s.schedule_id as id
     from (select distinct on (schedule_id) * from usance.subscription_terms where tenant_id = $1::uuid order by schedule_id, version desc) s
     join usance.all_payments p on p.tenant_id = s.tenant_id and p.owner_id = s.schedule_id
     group by s.schedule_id, s.approved
     having sum(case when p.status in ('scheduled', 'settled') then p.amount else p.captured end) > s.approved`,
  );

/** The key that makes rows, what replaced it and what it made are one person. */
async function selfApproved({ owner, tenant, samePerson }: World): Promise<string[]> {
  const rows = await owner.query(
    `select e.actor, coalesce(e.data ->> 'termsBy', '') as terms_by from usance.events e
     where e.tenant_id = $1::uuid and e.type = 'payment.approved'`,
    [tenant.id],
  );
  return rows
    .map((row) => ({ actor: asText(row['actor']), termsBy: asText(row['terms_by']) }))
    .filter(({ actor, termsBy }) =>
      (samePerson.has(actor) ? [...samePerson] : [actor]).some((same) => termsBy.includes(same)),
    )
    .map(({ actor, termsBy }) => `approved by the person who asked: ${actor}, terms by ${termsBy}`);
}

export interface External {
  readonly transfers: number;
  /** Payments that will move money from or to `world` or out of `fees`, with their terms. */
  readonly open: ReadonlySet<string>;
}

export async function externalMoney({ owner, tenant }: World): Promise<External> {
  const [world, fees] = [systemAccountId(tenant.id, 'world'), systemAccountId(tenant.id, 'fees')];
  const outside = `(t.debit_account_id in ($2::uuid, $3::uuid) or t.credit_account_id = $2::uuid)`;
  const [moved] = await owner.query(
    `select count(*)::int as count from usance.transfers t where t.tenant_id = $1::uuid and ${outside}`,
    [tenant.id, world, fees],
  );
  const open = await owner.query(
    `select concat_ws(' ', p.id, p.amount, p.execute_at, p.expires_at, p.approval, d.due_at) as terms
     from usance.payments p join usance.due d on d.tenant_id = p.tenant_id and d.payment_id = p.id
     where p.tenant_id = $1::uuid and (p.payer_id in ($2::uuid, $3::uuid) or p.payee_id = $2::uuid)`,
    [tenant.id, world, fees],
  );
  return { transfers: Number(moved?.['count'] ?? 0), open: new Set(open.map((row) => asText(row['terms']))) };
}

/** Without ledger:money nothing of the kind moves, comes about or changes its terms. */
export function externalMoneyMoved(before: External, after: External): string[] {
  const moved = after.transfers === before.transfers ? [] : ['moved money from or to `world`, or out of `fees`'];
  const added = [...after.open].filter((terms) => !before.open.has(terms));
  return [...moved, ...added.map((terms) => `will move money from or to \`world\`, or out of \`fees\`: ${terms}`)];
}
