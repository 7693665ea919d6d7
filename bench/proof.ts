// What `verify` finds: a number got with wrong books is worth nothing.
import { createEngine } from '../src/engine.ts';
import type { BenchDatabase } from './server.ts';

export async function troublesOf(database: BenchDatabase): Promise<string[]> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1 });
  try {
    const results = await usance.verify();
    return results.flatMap(({ name, offenders }) =>
      offenders.flatMap(({ details }) => (isLaid(name, details) ? [] : [`${name}: ${JSON.stringify(details)}`])),
    );
  } finally {
    await usance.close();
  }
}

/** A payment that books.ts laid: nobody was told of its making, but its end has to be. */
function isLaid(check: string, { made, ended, status }: Readonly<Record<string, unknown>>): boolean {
  return check === 'payments-are-told' && made === false && (ended === true || status === 'scheduled');
}
