// Hands the ends of attempts to the `record` of their processors, in the transaction that writes them: only those whose fence held.
import type { Transaction } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { EndedAttempt } from './flush.ts';
import type { RecordedEnd, RunnableProcessor } from './processor.ts';
import type { FailedAttempt } from './fail-attempts.ts';

export const isRecorded = ({ invocation }: EndedAttempt): boolean => invocation.processor?.record !== undefined;

/** The ends of a set that were written. */
export interface WrittenEnds {
  readonly completed: ReadonlySet<Uuid>;
  readonly failed: readonly FailedAttempt[];
}

export async function recordEnds(tx: Transaction, ends: readonly EndedAttempt[], written: WrittenEnds): Promise<void> {
  const failed = new Map(written.failed.map((one) => [one.executionId, one]));
  const byProcessor = new Map<RunnableProcessor, RecordedEnd[]>();
  for (const { invocation, outcome } of ends) {
    const { processor, claimed, detail } = invocation;
    if (!processor?.record || outcome.kind === 'given_back') continue;
    const failure = failed.get(claimed.executionId);
    const became = written.completed.has(claimed.executionId) ? 'completed' : failure?.outcome;
    if (became === undefined) continue;
    const own = byProcessor.get(processor) ?? [];
    byProcessor.set(processor, own);
    own.push({ claimed, outcome, became, nextAt: failure?.nextAt ?? null, detail });
  }
  for (const [processor, own] of byProcessor) await processor.record?.(tx, own);
}
