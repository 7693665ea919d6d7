// Field names and ids of refusals as the wire writes them.
import type { IdKind } from '../kernel/index.ts';
import { toTypeId } from '../kernel/index.ts';

/** A field that is not known is named as the caller spelled it. */
export const paramOf = ({ param, code }: { readonly param?: string; readonly code?: string }): { param?: string } =>
  param === undefined ? {} : { param: code === 'FIELD_UNKNOWN' ? param : inOurCase(param) };

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
