import type { IdKind, Uuid } from '../kernel/index.ts';
import { ID_PREFIX, fromTypeId, refuse } from '../kernel/index.ts';

/** An id of whatever kind its prefix says. */
export function fromAnyTypeId(text: string, param: string): Uuid {
  const kind = (Object.keys(ID_PREFIX) as IdKind[]).find((one) => text.startsWith(`${ID_PREFIX[one]}_`));
  return kind
    ? fromTypeId(kind, text, param)
    : refuse('ID_INVALID', `${param} must be an id such as "pay_01jd…"`, { param });
}
