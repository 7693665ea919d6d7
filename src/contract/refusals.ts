// Refusals as HTTP writes them.
import type { Refused } from '../kernel/index.ts';
import { detailOf, errorOf, fieldsOf } from '../kernel/index.ts';

export const wireDetailOf = (refused: Refused): string => detailOf(refused, 'snake');

/** One problem of a list. */
export function wireErrorOf(refused: Refused): { code: string; detail: string; param?: string } {
  return errorOf(refused, 'snake');
}

/** The reason and the values of the sentence, where there are any. */
export function wireFieldsOf(refused: Refused): { reason?: string; fields?: Record<string, unknown> } {
  const fields = fieldsOf(refused, 'snake');
  return {
    ...(refused.reason === undefined ? {} : { reason: refused.reason }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}
