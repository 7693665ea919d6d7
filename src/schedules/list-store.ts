// Lists of schedules, newest first, as bounded scans. A reference and an account are looked up by their indexes; the other
// filters are looked for among the candidates, a bounded number of them for a page.
import type { Sql, Value } from '../db/index.ts';
import { asText, hasMetadata, readStretch, stretchStatement } from '../db/index.ts';
import type { Stretch, Uuid } from '../kernel/index.ts';
import { MAX_UUID } from '../kernel/index.ts';
import type { ScheduleStatus } from './schedule.ts';
import type { StoredSchedule } from './store.ts';
import { COLUMNS, storedAll } from './store.ts';

export interface ScheduleFilter {
  /** Any of these. */
  readonly status?: readonly ScheduleStatus[];
  /** Payer or payee. */
  readonly accountId?: Uuid;
  readonly reference?: string;
  readonly createdFrom?: Date;
  readonly createdBefore?: Date;
  /** Every pair; a value that is not text is compared as its JSON. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** How many candidates a page looks through at most. */
export const SCHEDULE_SCAN = 5_000;

/** `before` is the id to go on from; `reached` the same, where the scan ended before the page was full. */
export async function listSchedules(
  sql: Sql,
  tenantId: Uuid,
  filter: ScheduleFilter,
  page: { readonly limit: number; readonly before: Uuid | null },
  scan = SCHEDULE_SCAN,
): Promise<Stretch<StoredSchedule, Uuid>> {
  const leavesOut = Object.keys(filter).length > 0;
  const values: Value[] = [tenantId, page.before ?? MAX_UUID, leavesOut ? scan : page.limit, page.limit];
  const given = (value: Value): string => `$${values.push(value)}`;
  const candidates = candidatesOf(filter, given);
  const conditions = conditionsOf(filter, given);
  const text = stretchStatement({
    page: `select ${COLUMNS} from (${candidates}) s ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
       order by s.id desc limit $4::int`,
    limit: '$4::int',
    end: leavesOut ? `select e.id from (${candidates}) e order by e.id desc offset $3::int - 1 limit 1` : null,
    order: 'id desc',
  });
  const { items, reached } = readStretch(await sql.query(text, values), (row) => row, asText);
  return { items: await storedAll(sql, items), reached };
}

function candidatesOf({ accountId, reference }: ScheduleFilter, given: (value: Value) => string): string {
  if (reference !== undefined) return among(`s.reference = ${given(reference)}::text`);
  if (accountId === undefined) return among('true');
  const account = `${given(accountId)}::uuid`;
  // No schedule pays its own payer, so none is found twice. Each side rides its index.
  return `select * from ((${among(`s.payer_id = ${account}`)}) union all (${among(`s.payee_id = ${account}`)})) s
    order by s.id desc limit $3::int`;
}

const among = (where: string): string =>
  `select s.* from usance.schedules s where s.tenant_id = $1::uuid and s.id < $2::uuid and ${where}
   order by s.id desc limit $3::int`;

function conditionsOf(filter: ScheduleFilter, given: (value: Value) => string): string[] {
  const { status, accountId, reference, createdFrom, createdBefore, metadata } = filter;
  const account = accountId === undefined || reference === undefined ? null : `${given(accountId)}::uuid`;
  return [
    ...(account === null ? [] : [`(s.payer_id = ${account} or s.payee_id = ${account})`]),
    ...(status === undefined ? [] : [`s.status = any (${given(status)}::text[])`]),
    ...madeWithin('s', { createdFrom, createdBefore, metadata }, given),
  ];
}

/** What lists of schedules and of subscriptions are both filtered by: fields of the schedule. */
export function madeWithin(
  table: string,
  filter: {
    readonly createdFrom: Date | undefined;
    readonly createdBefore: Date | undefined;
    readonly metadata: Readonly<Record<string, string>> | undefined;
  },
  given: (value: Value) => string,
): string[] {
  const { createdFrom, createdBefore, metadata } = filter;
  return [
    ...(createdFrom === undefined ? [] : [`${table}.created_at >= ${given(createdFrom)}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [`${table}.created_at < ${given(createdBefore)}::timestamptz`]),
    ...(metadata === undefined
      ? []
      : [
          hasMetadata(
            `${table}.metadata`,
            `${given(Object.keys(metadata))}::text[]`,
            `${given(Object.values(metadata))}::text[]`,
          ),
        ]),
  ];
}
