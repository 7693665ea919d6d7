// The terms of a job as callers give them.
import { parsePattern } from '../events/index.ts';
import type { RetryPolicy } from '../kernel/index.ts';
import { isStorable, isTypeId, isUuid, parseRetryPolicy, refuse } from '../kernel/index.ts';
import type { Job, JobParams } from './job.ts';
import { DEFAULT_JOB_RETRY, DEFAULT_TIMEOUT_MS, LONGEST_DESCRIPTION, LONGEST_JOB_NAME, isName } from './job.ts';

export type JobTerms = Pick<
  Job,
  | 'name'
  | 'description'
  | 'eventPattern'
  | 'processorName'
  | 'enabled'
  | 'retry'
  | 'timeoutMs'
  | 'maxConcurrency'
  | 'maxPerSecond'
>;

const TIMEOUT_MS = { min: 100, max: 86_400_000 };
const CONCURRENCY = { min: 1, max: 10_000 };
const PER_SECOND = { min: 1, max: 100_000 };

export function parseJob(params: Omit<JobParams, 'after'>): JobTerms {
  return {
    name: parseJobName(params.name),
    description: parseDescription(params.description ?? ''),
    eventPattern: parsePattern(params.eventPattern, 'eventPattern'),
    processorName: parseName(params.processorName, 'processorName'),
    enabled: parseEnabled(params.enabled ?? true),
    retry: parseRetry(params.retryConfig),
    timeoutMs: parseWhole(params.timeoutMs ?? DEFAULT_TIMEOUT_MS, 'timeoutMs', TIMEOUT_MS),
    maxConcurrency: parseLimit(params.maxConcurrency, 'maxConcurrency', CONCURRENCY),
    maxPerSecond: parseLimit(params.maxPerSecond, 'maxPerSecond', PER_SECOND),
  };
}

/** A job is looked up by its id or its name: a name must not be the id of another one. */
function parseJobName(text: unknown): string {
  const name = parseName(text, 'name');
  return isUuid(name) || isTypeId('job', name) ? refuse('FIELD_INVALID/like_an_id', { param: 'name' }) : name;
}

function parseName(text: unknown, param: string): string {
  return isName(text) ? text : refuse('FIELD_INVALID/not_visible', { param, min: 1, max: LONGEST_JOB_NAME });
}

function parseDescription(text: unknown): string {
  const param = 'description';
  if (typeof text !== 'string') return refuse('FIELD_INVALID/wrong_type', { param, expected: ['text'] });
  if (text.length > LONGEST_DESCRIPTION) refuse('FIELD_INVALID/too_long', { param, max: LONGEST_DESCRIPTION });
  return isStorable(text) ? text : refuse('FIELD_INVALID/not_storable', { param });
}

function parseEnabled(value: unknown): boolean {
  return typeof value === 'boolean'
    ? value
    : refuse('FIELD_INVALID/wrong_type', { param: 'enabled', expected: ['true', 'false'] });
}

/** Field by field, over the default; `backoffMultiplier` is the name that other systems use for `multiplier`. */
function parseRetry(input: unknown): RetryPolicy | null {
  const param = 'retryConfig';
  if (input === undefined || input === null) return null;
  if (typeof input !== 'object' || Array.isArray(input))
    return refuse('FIELD_INVALID/wrong_type', { param, expected: ['an object', 'null'] });
  if (!('backoffMultiplier' in input)) return parseRetryPolicy(input, DEFAULT_JOB_RETRY, param);
  const { backoffMultiplier, ...rest } = input;
  if ('multiplier' in rest)
    refuse('FIELD_INVALID/both_given', { first: `${param}.multiplier`, param: `${param}.backoffMultiplier` });
  return parseRetryPolicy({ ...rest, multiplier: backoffMultiplier }, DEFAULT_JOB_RETRY, param);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const isWhole = (value: unknown, { min, max }: Range): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;

function parseWhole(value: unknown, param: string, range: Range): number {
  return isWhole(value, range) ? value : refuse('FIELD_INVALID/not_whole_number', { param, ...range });
}

function parseLimit(value: unknown, param: string, range: Range): number | null {
  if (value === undefined || value === null) return null;
  return isWhole(value, range) ? value : refuse('FIELD_INVALID/not_whole_number_or_null', { param, ...range });
}
