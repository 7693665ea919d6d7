// A seam for tests, which hold every event against the catalogue. It is not set in production: an event that does not fit its schema is a
// defect, but no reason to keep a payment from being made.
import type { Fact } from './event.ts';

export const APPEND_WATCH: { onAppend: ((facts: readonly Fact[]) => void) | null } = { onAppend: null };
