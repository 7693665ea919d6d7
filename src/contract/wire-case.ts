// Field names and ids of refusals as the wire writes them.
import type { IdKind } from '../kernel/index.ts';
import { toTypeId } from '../kernel/index.ts';

export const paramOf = (refused: { readonly param?: string }): { param?: string } =>
  refused.param === undefined ? {} : { param: inOurCase(refused.param) };

// The library speaks of executeAt, HTTP of execute_at. Only these words: a detail may quote what the caller wrote.
const WORDS =
  'executeAt|expiresAt|executeFrom|executeBefore|failedFrom|failedBefore|resourceId|timeZone|maxAttempts|idempotencyKey|perSecond|' +
  'afterFailure|businessDays|daysOfMonth|everySeconds|guardAmount|guardCount|missedCap|missedWindow|monthEnd|termsVersion|' +
  'maxAmount|dailyAmount|defaultDailyAmount|tenantDailyAmount|approvalAbove';
const FIELDS = new RegExp(`\\b(?:${WORDS})\\b`, 'g');

// The modules name a resource by its UUID, the wire by its TypeID.
const NAMED = /\b(account|outage|payment|plan|schedule|subscription) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

export function inOurCase(given: string): string {
  const text = given.replace(NAMED, (_all, kind: IdKind, id: string) => `${kind} ${toTypeId(kind, id)}`);
  return text.replace(FIELDS, (word) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
