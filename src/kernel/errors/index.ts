// Three kinds of trouble, never mixed. A *refusal* is the caller's to fix: it has a code of the catalogue and is thrown, so
// that its transaction rolls back. An *outcome* of the outside world is a stored value, not an error. A *broken invariant*
// means that this program is wrong: it is never caught to carry on.
export { CATALOGUE } from './catalogue.ts';
export type { Code } from './catalogue.ts';
export type { Entry, FieldValue, Fields, Money } from './entry.ts';
export { REQUEST_ID as EXAMPLE_REQUEST_ID } from './example-values.ts';
export { BrokenInvariant, SetupError, invariant } from './invariant.ts';
export {
  Refusal,
  detailOf,
  errorOf,
  exampleOf,
  fieldsOf,
  namingAccount,
  paramOf,
  refuse,
  refused,
  sentenceOf,
  storedRefusal,
} from './refusal.ts';
export { MOST_ERRORS, eachTogether, refuseAny, together, unlessRefused, within } from './together.ts';
export type { RefusalError, RefusalFields, RefusalKey, Refused } from './refusal.ts';
export { COUNTED, spelled } from './render.ts';
export type { Spelling } from './render.ts';
