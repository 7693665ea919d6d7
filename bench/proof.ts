// The findings of `verify`: a rate that was reached with wrong books is worth nothing.
import { createEngine } from '../src/engine.ts';
import type { BenchDatabase } from './server.ts';

/** Findings of one check that are shown. */
const SHOWN = 10;

export async function troublesOf(database: BenchDatabase): Promise<string[]> {
  const usance = await createEngine({ databaseUrl: database.runtimeUrl, migrate: false, poolSize: 1 });
  try {
    const results = await usance.verify();
    return results.flatMap(({ name, offenders }) => {
      const found = offenders.filter(({ details }) => !isLaid(name, details));
      const shown = found.slice(0, SHOWN).map(({ details }) => `${name}: ${JSON.stringify(details)}`);
      return found.length > SHOWN ? [...shown, `${name}: ${found.length - SHOWN} more`] : shown;
    });
  } finally {
    await usance.close();
  }
}

/** An account or payment that books.ts inserted: no event tells of its creation. The end of such a payment has one. */
function isLaid(check: string, details: Readonly<Record<string, unknown>>): boolean {
  const { made, ended, status, event, guardians } = details;
  if (check === 'accounts-are-told') return event === null && status === 'active' && guardians === '';
  return check === 'payments-are-told' && made === false && (ended === true || status === 'scheduled');
}
