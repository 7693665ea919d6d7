// Patterns of event types: one grammar for lists, the stream, jobs and webhooks.
//
//   payment.settled   this type
//   payment.*         every type that begins with `payment.`
//   *.settled         every type that ends with `.settled`
//   *                 every type
import { refuse } from '../kernel/index.ts';

const WORD = '[a-z][a-z0-9_]*';
/** The longest type, and the longest pattern. */
export const LONGEST_TYPE = 100;

/** A type: two or more words with dots between them. Types of the catalogue and of applications have this form. */
export const EVENT_TYPE_FORM = `^${WORD}(\\.${WORD})+$`;
export const EVENT_PATTERN_FORM = `^(\\*|${WORD}(\\.${WORD})+|${WORD}(\\.${WORD})*\\.\\*|\\*(\\.${WORD})+)$`;

const TYPE = new RegExp(EVENT_TYPE_FORM);
const PATTERN = new RegExp(EVENT_PATTERN_FORM);

export const isEventType = (text: string): boolean => text.length <= LONGEST_TYPE && TYPE.test(text);

/** The pattern, refused with EVENT_PATTERN_INVALID if it is none. `param` names the field it was given in. */
export function parsePattern(text: string, param = 'type'): string {
  if (text.length <= LONGEST_TYPE && PATTERN.test(text)) return text;
  return refuse('EVENT_PATTERN_INVALID', { param });
}

/** Whether a pattern matches a type. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('*')) return type.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

/** The same as a pattern of LIKE. */
export function likePattern(pattern: string): string {
  return pattern.replaceAll(/[\\%_]/g, (character) => `\\${character}`).replaceAll('*', '%');
}

/** Whether a type is about jobs and their work. Jobs on such events could feed themselves: only an exact pattern subscribes to them. */
export const isAboutJobs = (type: string): boolean =>
  ['job.', 'execution.', 'delivery.'].some((noun) => type.startsWith(noun));

/** Whether a job with this pattern gets events of a type. */
export function subscribes(pattern: string, type: string): boolean {
  if (pattern === type) return true;
  return matchesType(pattern, type) && !isAboutJobs(type);
}
