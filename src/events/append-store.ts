// Events and the inbox row of their call in one statement: there is never one without the other. `recorded_at` is one instant for both,
// read once, because the hash chain covers it. The columns travel as arrays, and the pool takes them apart (docs/decisions/0026).
import type { Sql } from '../db/index.ts';
import type { NewBlock } from './blocks.ts';

const appendStatement = (columns: string, types: string, first: number): string =>
  `with call as materialized (select clock_timestamp() as recorded_at),
   appended as (
     insert into usance.events
       (recorded_at, tenant_id, id, type, version, resource, resource_id, data, actor, trace_context, occurred_at, salt${columns})
     select (select recorded_at from call), v.*
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int2[], $5::text[], $6::uuid[], $7::json[], $8::text[], $9::text[],
                 $10::timestamptz[], $11::uuid[]${types})
     v (tenant_id, id, type, version, resource, resource_id, data, actor, trace_context, occurred_at, salt${columns})
     returning 1
   )
   insert into usance.event_inbox (recorded_at, tenant_ids, block_ids, counts, digests)
   select recorded_at, $${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::int[], decode($${first + 3}::text, 'hex') from call`;

const OF_THE_ENGINE = appendStatement('', '', 12);
const OF_CALLERS = appendStatement(', ip, user_agent, request_id', ', $12::text[], $13::text[], $14::text[]', 15);

/** What the engine does by itself has no origin, and a thousand settlements are spared three columns of nulls. */
export async function insertBlocks(sql: Sql, blocks: readonly NewBlock[]): Promise<void> {
  const events = blocks.flatMap((block) => block.events);
  const facts = events.map((event) => event.fact);
  const hasOrigin = facts.some(({ ip, userAgent, requestId }) => ip || userAgent || requestId);
  const origins = hasOrigin
    ? [
        facts.map((fact) => fact.ip ?? null),
        facts.map((fact) => fact.userAgent ?? null),
        facts.map((fact) => fact.requestId ?? null),
      ]
    : [];
  await sql.query(hasOrigin ? OF_CALLERS : OF_THE_ENGINE, [
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
    blocks.map((block) => block.tenantId),
    blocks.map((block) => block.blockId),
    blocks.map((block) => block.events.length),
    Buffer.concat(blocks.map((block) => block.digest)).toString('hex'),
  ]);
}
