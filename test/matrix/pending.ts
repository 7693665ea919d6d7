// Cells whose finding is not fixed yet: the oracle says what should hold, the program does not do it. Empty at the end.
import type { Cell } from './axes.ts';

const PENDING: Readonly<Record<string, (cell: Cell) => boolean>> = {
  A2: ({ owner, verb, way }) =>
    ['subscription', 'ended subscription', 'allowance'].includes(owner) &&
    ((verb === 'editPayment' && way !== 'metadata') || verb.startsWith('re')),
  A3: ({ way }) => way === 'as it was',
  A4: ({ verb }) => verb === 'retryPayment' || verb.startsWith('replay') || verb === 'editPayment',
  A5: ({ condition, state }) => condition === 'past expiry' || state === 'expired',
  B1: ({ actor, money }) => actor === 'key without ledger:money' && money !== 'inside',
  B2: ({ condition, actor }) => condition === 'awaiting approval' && ['rotated key', 'child key'].includes(actor),
};

/** The finding that a cell waits for, or null. */
export const pending = (cell: Cell): string | null =>
  Object.entries(PENDING).find(([, waits]) => waits(cell))?.[0] ?? null;
