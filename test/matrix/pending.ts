// Cells whose finding is not fixed yet: the oracle says what should hold, the program does not do it. Empty at the end.
import type { Cell } from './axes.ts';

const PENDING: Readonly<Record<string, (cell: Cell) => boolean>> = {
  A5: ({ condition, state }) => condition === 'past expiry' || state === 'expired',
  B10: ({ verb, state, actor }) =>
    verb === 'revokeApiKey' && state === 'of an admin' && actor === 'key without ledger:money',
};

/** The finding that a cell waits for, or null. */
export const pending = (cell: Cell): string | null =>
  Object.entries(PENDING).find(([, waits]) => waits(cell))?.[0] ?? null;
