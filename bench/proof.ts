// What `verify` finds: a number got with wrong books is worth nothing.
import { createUsance } from '../src/index.ts';
import type { BenchDatabase } from './server.ts';

export async function troublesOf(database: BenchDatabase): Promise<string[]> {
  const usance = await createUsance({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1 });
  try {
    const results = await usance.verify();
    return results.flatMap(({ name, offenders }) =>
      offenders.map((found) => `${name}: ${JSON.stringify(found.details)}`),
    );
  } finally {
    await usance.close();
  }
}
