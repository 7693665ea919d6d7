import { createEngine } from '../src/engine.ts';
import type { BenchDatabase } from './server.ts';

/** A key of the bench's tenant that may do everything. */
export async function apiKey(database: BenchDatabase): Promise<string> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1 });
  try {
    const tenant = await usance.tenant('bench');
    return (await tenant.createApiKey({ name: 'bench', role: 'admin' })).secret;
  } finally {
    await usance.close();
  }
}
