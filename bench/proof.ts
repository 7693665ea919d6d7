// The findings of `verify`: a rate that was reached with wrong books is worth nothing.
import { createEngine } from '../src/engine.ts';
import type { BenchDatabase } from './server.ts';

/** Findings of one check that are shown. */
const SHOWN = 10;

/**
 * books.ts inserts accounts and payments without the events of their creation. `verify` stops a check after 100 findings, so that these
 * would hide all others: the benches ask the same question of the rest. A payment that was inserted has the event of its end.
 */
const ASKED_HERE: Readonly<Record<string, string>> = {
  'accounts-are-told': `
    select a.id from usance.accounts a left join bench.accounts b on b.id = a.id
    where a.kind <> 'system' and (
      a.status <> 'active' or cardinality(a.guardian_ids) > 0
      or b.id is null and a.id not in (select resource_id from usance.events where type = 'account.created'))`,
  'payments-are-told': `
    with told as (
      select resource_id as id, bool_or(type = 'payment.created') as made, bool_or(type <> 'payment.created') as ended
      from usance.events
      where type in ('payment.created', 'payment.settled', 'payment.failed', 'payment.cancelled', 'payment.rejected', 'payment.expired')
      group by 1)
    select p.id from usance.payments p left join told t on t.id = p.id
    where not ((p.created_by = 'bench' or coalesce(t.made, false)) and (p.ended_at is null or coalesce(t.ended, false)))`,
};

export async function troublesOf(database: BenchDatabase): Promise<string[]> {
  // Checks read no secret.
  const encryption = { isOptional: true };
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1, encryption });
  const troubles: string[] = [];
  const add = (check: string, found: readonly unknown[]): void => {
    troubles.push(...found.slice(0, SHOWN).map((each) => `${check}: ${JSON.stringify(each)}`));
    if (found.length > SHOWN) troubles.push(`${check}: ${found.length - SHOWN} more`);
  };
  try {
    const [books] = await database.owner.query(`select to_regclass('bench.accounts') is not null as are_there`);
    for (const { name, offenders } of await usance.verify()) {
      const question = books?.['are_there'] === true ? ASKED_HERE[name] : undefined;
      add(
        name,
        question === undefined ? offenders.map(({ details }) => details) : await database.owner.query(question),
      );
    }
    return troubles;
  } finally {
    await usance.close();
  }
}
