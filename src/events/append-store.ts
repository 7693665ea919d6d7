// Events and the inbox row of their call, in one statement or in two of the same transaction. `recorded_at` is one instant for both,
// read once, because the hash chain covers it. The columns are sent as arrays, and the pool takes them apart (docs/decisions/0026).
import type { Sql, Value } from '../db/index.ts';
import { invariant } from '../kernel/index.ts';
import type { NewBlock } from './blocks.ts';

const CALL = 'with call as materialized (select clock_timestamp() as recorded_at)';

const eventsStatement = (columns: string, types: string): string =>
  `insert into usance.events
     (recorded_at, tenant_id, id, type, version, resource, resource_id, data, actor, trace_context, occurred_at, salt${columns})
   select (select recorded_at from call), v.*
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int2[], $5::text[], $6::uuid[], $7::json[], $8::text[], $9::text[],
               $10::timestamptz[], $11::uuid[]${types})
   v (tenant_id, id, type, version, resource, resource_id, data, actor, trace_context, occurred_at, salt${columns})`;

const inboxStatement = (first: number): string =>
  `insert into usance.event_inbox (recorded_at, tenant_ids, block_ids, counts, digests)
   select recorded_at, $${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::int[], decode($${first + 3}::text, 'hex')`;

const statements = (
  columns: string,
  types: string,
  count: number,
): { readonly events: string; readonly append: string } => {
  const events = eventsStatement(columns, types);
  return {
    events: `${CALL} ${events}`,
    append: `${CALL}, appended as (${events} returning 1) ${inboxStatement(count + 1)} from call`,
  };
};
const OF_THE_ENGINE = statements('', '', 11);
const OF_CALLERS = statements(
  ', ip, user_agent, request_id, reason',
  ', $12::text[], $13::text[], $14::text[], $15::text[]',
  15,
);

/** Events and inbox row in one statement. */
export async function insertBlocks(sql: Sql, blocks: readonly NewBlock[]): Promise<void> {
  const { statement, columns } = eventColumns(blocks);
  await sql.query(statement.append, [...columns, ...inboxColumns(blocks)]);
}

export async function insertEvents(sql: Sql, blocks: readonly NewBlock[]): Promise<void> {
  const { statement, columns } = eventColumns(blocks);
  await sql.query(statement.events, columns);
}

/** The inbox row of events that the transaction has written. */
export async function insertInbox(sql: Sql, blocks: readonly NewBlock[]): Promise<void> {
  const [first] = blocks;
  const rows = await sql.query(
    `${inboxStatement(1)} from usance.events where tenant_id = $5::uuid and id = $6::uuid returning 1 as placed`,
    [...inboxColumns(blocks), first?.tenantId ?? null, first?.blockId ?? null],
  );
  invariant(rows.length === 1, 'events to be written before their place in the order');
}

/** Changes by the engine itself have no origin: a batch of a thousand settlements sends four columns less. */
function eventColumns(blocks: readonly NewBlock[]): { statement: typeof OF_CALLERS; columns: Value[] } {
  const events = blocks.flatMap((block) => block.events);
  const facts = events.map((event) => event.fact);
  const hasOrigin = facts.some(({ ip, userAgent, requestId, reason }) => ip || userAgent || requestId || reason);
  const origins = hasOrigin
    ? [
        facts.map((fact) => fact.ip ?? null),
        facts.map((fact) => fact.userAgent ?? null),
        facts.map((fact) => fact.requestId ?? null),
        facts.map((fact) => fact.reason ?? null),
      ]
    : [];
  const columns = [
    facts.map((fact) => fact.tenantId),
    events.map((event) => event.id),
    facts.map((fact) => fact.type),
    events.map((event) => event.version),
    facts.map((fact) => fact.resource),
    facts.map((fact) => fact.resourceId),
    events.map((event) => event.data),
    facts.map((fact) => fact.actor),
    facts.map((fact) => fact.traceContext ?? null),
    facts.map((fact) => fact.occurredAt),
    events.map((event) => event.salt),
    ...origins,
  ];
  return { statement: hasOrigin ? OF_CALLERS : OF_THE_ENGINE, columns };
}

const inboxColumns = (blocks: readonly NewBlock[]): Value[] => [
  blocks.map((block) => block.tenantId),
  blocks.map((block) => block.blockId),
  blocks.map((block) => block.events.length),
  Buffer.concat(blocks.map((block) => block.digest)).toString('hex'),
];
