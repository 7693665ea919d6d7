// The ETags of resources that were read: `etagOf(payment)` for `ifMatch`. Beside the objects, so that a resource stays plain JSON.
const ETAGS = new WeakMap<object, string>();

/**
 * The ETag of a payment, hold, schedule, subscription or account that `get` or a change of it returned. Throws a TypeError for any other
 * object: the answer of a create or of a replay, an item of a list and a copy have no ETag. Read the resource with `get`.
 */
export function etagOf(resource: object): string {
  const etag = ETAGS.get(resource);
  if (etag !== undefined) return etag;
  throw new TypeError(
    'this object has no ETag: only an object that `get` or a change of the resource returned has one, not the answer of a create or of a replay, ' +
      'an item of a list or a copy; read the resource with `get`',
  );
}

/** Gives a resource an ETag, for `etagOf`. */
export function rememberETag<T>(value: T, etag: string | null | undefined): T {
  if (typeof value === 'object' && value !== null && typeof etag === 'string') ETAGS.set(value, etag);
  return value;
}

/** Gives another form of a resource the ETag of the first one, if that has one. */
export function withETagOf<T>(source: unknown, value: T): T {
  return rememberETag(value, typeof source === 'object' && source !== null ? ETAGS.get(source) : null);
}
