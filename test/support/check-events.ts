// Runs before every test file: each event that a test appends in this process is held against the catalogue, and a test that appended
// one that does not fit fails with the fields that do not.
import { afterAll, afterEach } from 'vitest';
import { APPEND_WATCH } from '../../src/events/index.ts';
import { noteMisfits, startChecking, takeMisfits } from './event-check.ts';

startChecking();
APPEND_WATCH.onAppend = noteMisfits;

function requireFits(): void {
  const misfits = takeMisfits();
  if (misfits.length > 0) throw new Error([...new Set(misfits)].slice(0, 10).join('\n'));
}

afterEach(requireFits);
afterAll(requireFits);
