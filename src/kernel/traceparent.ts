// The header `traceparent` of W3C Trace Context. An invalid one is ignored, as the recommendation asks: tracing must not keep a
// payment from being made.

/** Version, trace id, parent id, flags. Version ff is invalid, and so are ids of zeros. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
/** The length of the fields that every version has. */
const LENGTH = 55;

/** The fields that every version has; null if the text is no `traceparent`. Only later versions than 00 may have more fields. */
export function parseTraceparent(text: string | null | undefined): string | null {
  const [, version, more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (text === null || text === undefined || version === undefined) return null;
  return version === '00' && more !== undefined ? null : text.slice(0, LENGTH);
}
