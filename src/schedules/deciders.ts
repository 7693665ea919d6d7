// The people who decided what a schedule or plan pays. They cannot approve its payments, which count for each of them.
import type { Caller } from '../kernel/index.ts';

export interface Deciders {
  readonly createdBy: string;
  /** Every actor that changed the terms, in order. */
  readonly changedBy: readonly string[];
  /** The names (`Caller.countsFor`) of all of them. */
  readonly countsFor: readonly string[];
}

/** After the caller changed the terms. */
export const alsoMadeBy = (
  { actor, countsFor }: Caller,
  before: Deciders,
): Pick<Deciders, 'changedBy' | 'countsFor'> => ({
  changedBy: [...new Set([...before.changedBy, actor])],
  countsFor: [...new Set([...before.countsFor, ...countsFor])],
});

/** After a subscription's schedule took over the terms of a plan. */
export const alsoDecidedBy = (plan: Deciders, { createdBy, changedBy, countsFor }: Deciders): Deciders => ({
  createdBy,
  changedBy: [
    ...new Set([...changedBy, ...[plan.createdBy, ...plan.changedBy].filter((actor) => actor !== createdBy)]),
  ],
  countsFor: [...new Set([...countsFor, ...plan.countsFor])],
});
