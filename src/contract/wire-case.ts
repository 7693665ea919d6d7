// Field names of refusals as the wire writes them.
export const paramOf = (refused: { readonly param?: string }): { param?: string } =>
  refused.param === undefined ? {} : { param: inOurCase(refused.param) };

// The library speaks of executeAt, HTTP of execute_at. Only these words: a detail may quote what the caller wrote.
const WORDS =
  'executeAt|expiresAt|executeFrom|executeBefore|failedFrom|failedBefore|resourceId|timeZone|maxAttempts|idempotencyKey|perSecond|' +
  'afterFailure|businessDays|daysOfMonth|everySeconds|guardAmount|guardCount|missedCap|missedWindow|monthEnd|termsVersion|' +
  'maxAmount|dailyAmount|defaultDailyAmount|tenantDailyAmount|approvalAbove';
const FIELDS = new RegExp(`\\b(?:${WORDS})\\b`, 'g');

export function inOurCase(text: string): string {
  return text.replace(FIELDS, (word) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
