// The oracle: what the law says of a cell.
import type { Cell, Resource } from '../axes.ts';
import { paymentVerdict } from './payments.ts';
import type { Verdict } from './verdict.ts';

type Oracle = (cell: never) => Verdict;

/** Resources that the matrix runs. */
export const ORACLES = {
  payment: paymentVerdict,
} as const satisfies Partial<Record<Resource, Oracle>>;

export type Covered = keyof typeof ORACLES;

export const verdictOf = (cell: Cell): Verdict => (ORACLES[cell.resource as Covered] as (cell: Cell) => Verdict)(cell);
