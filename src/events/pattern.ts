// Patterns of event types: one grammar for lists, the stream, jobs and webhooks.
//
//   payment.settled   this type
//   payment.*         every type that begins with `payment.`
//   *.settled         every type that ends with `.settled`
//   *                 every type
//   a.created,b.*     every type that one of several patterns matches
import type { Uuid } from '../kernel/index.ts';
import { nearestName, refuse } from '../kernel/index.ts';
import { reservedNoun } from './reserved-names.ts';
import { EVENT_CATALOGUE } from './schemas/index.ts';

const WORD = '[a-z][a-z0-9_]*';
/** The longest type, and the longest single pattern. */
export const LONGEST_TYPE = 100;
/** The longest list of patterns, and how many it has at most. */
export const LONGEST_PATTERN = 1_000;
export const MOST_PATTERNS = 20;

/** A type: two or more words with dots between them. Types of the catalogue and of applications have this form. */
export const EVENT_TYPE_FORM = `^${WORD}(\\.${WORD})+$`;
const ONE = `(\\*|${WORD}(\\.${WORD})+|${WORD}(\\.${WORD})*\\.\\*|\\*(\\.${WORD})+)`;
export const EVENT_PATTERN_FORM = `^${ONE}(,${ONE}){0,${MOST_PATTERNS - 1}}$`;

const TYPE = new RegExp(EVENT_TYPE_FORM);
const PATTERN = new RegExp(`^${ONE}$`);

export const isEventType = (text: string): boolean => text.length <= LONGEST_TYPE && TYPE.test(text);

/**
 * The pattern, or the list of patterns without repetitions; refused with EVENT_PATTERN_INVALID if it is neither. `param` names the field it
 * was given in.
 */
export function parsePattern(text: string, param = 'type'): string {
  const patterns = typeof text === 'string' && text.length <= LONGEST_PATTERN ? patternsOf(text) : [];
  const isOne = (pattern: string): boolean => pattern.length <= LONGEST_TYPE && PATTERN.test(pattern);
  const isList = patterns.length > 0 && patterns.length <= MOST_PATTERNS && patterns.every(isOne);
  if (!isList) return refuse('EVENT_PATTERN_INVALID/form', { param });
  for (const pattern of patterns) if (!pattern.includes('*')) requireKnown(pattern, param);
  return [...new Set(patterns)].join(',');
}

const MOST_TYPOS = 2;

/** A type that begins with a noun of usance and is not in the catalogue is misspelt: nothing would ever match it. Others are of applications. */
function requireKnown(type: string, param: string): void {
  const noun = reservedNoun(type);
  if (noun === null || Object.hasOwn(EVENT_CATALOGUE, type)) return;
  const meant = nearestName(type, Object.keys(EVENT_CATALOGUE), MOST_TYPOS);
  if (meant !== null) refuse('EVENT_PATTERN_INVALID/similar', { param, type, meant });
  refuse('EVENT_PATTERN_INVALID/unknown', { param, type, noun });
}

/** The single patterns of a list. */
export const patternsOf = (list: string): string[] => list.split(',');

/** Whether one of the patterns of a list matches a type. */
export function matchesType(list: string, type: string): boolean {
  return list.includes(',') ? patternsOf(list).some((one) => matchesOne(one, type)) : matchesOne(list, type);
}

function matchesOne(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('*')) return type.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

/** The same as patterns of LIKE. */
export function likePatterns(list: string): string[] {
  return patternsOf(list).map((pattern) =>
    pattern.replaceAll(/[\\%_]/g, (character) => `\\${character}`).replaceAll('*', '%'),
  );
}

/**
 * Whether a type is about jobs and their work, or about endpoints and channels that belong to jobs. Only an exact pattern subscribes to them: a job
 * for every event would otherwise run on events about its own executions, and a webhook endpoint would get the events about its own failures.
 */
export const isAboutJobs = (type: string): boolean =>
  ['job.', 'execution.', 'delivery.', 'webhook_endpoint.', 'notification_channel.'].some((noun) =>
    type.startsWith(noun),
  );

/**
 * Types whose events are for one job: the one with the UUID of their resource, whatever its pattern. Other jobs get them only by an exact
 * pattern.
 */
export const ADDRESSED_TYPES: readonly string[] = ['webhook_endpoint.tested', 'notification_channel.tested'];

/** Whether an event is for the job of this id, whatever the job's pattern. */
export const isAddressedTo = (jobId: Uuid, { type, resourceId }: { type: string; resourceId: Uuid | null }): boolean =>
  resourceId === jobId && ADDRESSED_TYPES.includes(type);

/** Whether a job with this pattern, or list of patterns, gets events of a type. */
export function subscribes(list: string, type: string): boolean {
  if (patternsOf(list).includes(type)) return true;
  const isOnlyExact = ADDRESSED_TYPES.includes(type) || isAboutJobs(type);
  return !isOnlyExact && matchesType(list, type);
}
