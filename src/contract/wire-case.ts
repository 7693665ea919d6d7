// Field names and ids of refusals as the wire writes them.
import type { IdKind, Refused } from '../kernel/index.ts';
import { detailOf, fieldsOf, paramOf, toTypeId } from '../kernel/index.ts';

export const wireDetailOf = (refused: Refused): string => inOurCase(detailOf(refused, 'snake'));

/** One problem of a list. */
export function wireErrorOf(refused: Refused): { code: string; detail: string; param?: string } {
  const param = paramOf(refused, 'snake');
  return { code: refused.code, detail: wireDetailOf(refused), ...(param === undefined ? {} : { param }) };
}

/** The reason and the values of the sentence, where there are any. */
export function wireFieldsOf(refused: Refused): { reason?: string; fields?: Record<string, unknown> } {
  if (refused.reason === 'legacy') return {};
  const fields = fieldsOf(refused, 'snake');
  return {
    ...(refused.reason === undefined ? {} : { reason: refused.reason }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

// The library speaks of executeAt, HTTP of execute_at. Only these words, and none in quotes: that is what the caller wrote.
const WORDS =
  'executeAt|expiresAt|executeFrom|executeBefore|failedFrom|failedBefore|resourceId|timeZone|maxAttempts|idempotencyKey|perSecond|' +
  'afterFailure|businessDays|daysOfMonth|everySeconds|guardAmount|guardCount|missedCap|missedWindow|monthEnd|termsVersion|' +
  'maxAmount|dailyAmount|defaultDailyAmount|tenantDailyAmount|approvalAbove';
const FIELDS = new RegExp(`\\b(?:${WORDS})\\b`, 'g');

// The modules name a resource by its UUID, the wire by its TypeID.
const NAMED = /\b(account|outage|payment|plan|schedule|subscription) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

const QUOTED = /("(?:[^"\\]|\\.)*")/;

export function inOurCase(given: string): string {
  return given
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : renamed(part)))
    .join('');
}

function renamed(given: string): string {
  const text = given.replace(NAMED, (_all, kind: IdKind, id: string) => `${kind} ${toTypeId(kind, id)}`);
  return text.replace(FIELDS, (word) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
