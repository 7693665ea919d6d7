// Verbs on jobs and on their executions.
import type { Cell } from '../axes.ts';
import type { Code, Rule, Verdict } from './verdict.ts';
import { advancing, firstOf, overHttp, scope } from './verdict.ts';

/** The name of a deleted job is free again; over HTTP a job is looked up by its id before it is changed. */
export function jobVerdict(cell: Cell<'job'>): Verdict {
  const state = ({ verb, way, state: at }: Cell<'job'>): Code | null => {
    if (verb === 'createJob') return at === 'deleted' || way === 'with another name' ? null : 'JOB_NAME_TAKEN';
    return at === 'deleted' ? 'JOB_NOT_FOUND' : null;
  };
  const lookedUp = overHttp(cell) && cell.verb !== 'createJob';
  const rules = lookedUp ? [scope, state, advancing] : [scope, advancing, state];
  return firstOf(cell, rules as readonly Rule<Cell<'job'>>[]);
}

/** Only a failed execution of a job that exists is retried; one that has ended is not cancelled. */
export function executionVerdict(cell: Cell<'execution'>): Verdict {
  const state = ({ verb, state: at }: Cell<'execution'>): Code | null => {
    if (verb === 'cancelExecution') return at === 'pending' || at === 'running' ? null : 'EXECUTION_NOT_CANCELLABLE';
    if (at === 'failed, of a deleted job') return 'JOB_DELETED';
    return at === 'failed' ? null : 'EXECUTION_NOT_RETRYABLE';
  };
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'execution'>>[]);
}
