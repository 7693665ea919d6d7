// Every resource that the matrix runs.
import type { Covered } from '../oracle/index.ts';
import { PAYMENTS } from './payments.ts';

export const DRIVERS = {
  payment: PAYMENTS,
} as const satisfies Record<Covered, object>;
