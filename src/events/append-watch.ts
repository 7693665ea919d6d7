// A hook for tests, which compare every event with the catalogue. It is not set in production: an event that does not fit its schema is a
// defect, but no reason to refuse a payment.
import type { Fact } from './event.ts';

export const APPEND_WATCH: { onAppend: ((facts: readonly Fact[]) => void) | null } = { onAppend: null };
