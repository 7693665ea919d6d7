// The ETags of resources that were read: `etagOf(payment)` for `ifMatch`. Beside the objects, so that a resource stays plain JSON.
const ETAGS = new WeakMap<object, string>();

/** The ETag of a payment, hold, schedule, subscription or account that a call returned; undefined for anything else. A copy has none. */
export function etagOf(resource: object): string | undefined {
  return ETAGS.get(resource);
}

/** Gives a resource an ETag, for `etagOf`. */
export function rememberETag<T>(value: T, etag: string | null | undefined): T {
  if (typeof value === 'object' && value !== null && typeof etag === 'string') ETAGS.set(value, etag);
  return value;
}
