// What holds for every operation, as sections of the reference page.
export interface Basic {
  readonly id: string;
  readonly title: string;
  /** Paragraphs, with `code` in backquotes. */
  readonly says: readonly string[];
}

export const BASICS: readonly Basic[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    says: [
      'Every request under `/v1` carries `Authorization: Bearer <API key>`. A key belongs to one tenant and has scopes; each operation names the scope that it needs.',
      'End users send a JWT of a token issuer instead of a key, and see and move only the money of their own account. `Usance-Tenant` names the tenant if several tenants trust the issuer.',
    ],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    says: [
      'A change takes an `Idempotency-Key`: 1 to 255 printable ASCII characters, a new one for each new request. Operations that create or move money require it.',
      'The same key with the same request returns the first response, identical to the byte, with `Idempotent-Replayed: true`, and changes nothing. The same key with another request is refused with `IDEMPOTENCY_MISMATCH`. Refusals are not stored. Keys are kept for 30 days unless `USANCE_KEEP_IDEMPOTENCY_KEYS` sets another time.',
      'After a lost connection, send the same request with the same key: it runs once.',
    ],
  },
  {
    id: 'reasons',
    title: 'Reasons',
    says: [
      'A change takes `Usance-Reason`: why you make it, in at most 500 characters of percent-encoded UTF-8, as `encodeURIComponent` writes it. `GET /v1/audit-events` shows it as `reason` of every event of the request, and the timeline of a payment does. An end user sees only the reasons of their own requests; jobs, the event stream and webhooks get none. Requests to erase record none.',
      'Some operations take a `reason` in their body as well: that one belongs to the change, is part of its event, and both can be given.',
    ],
  },
  {
    id: 'dry-runs',
    title: 'Dry runs',
    says: [
      'Every change takes `dry_run: true`: in its body or, for `DELETE`, in its query. The server executes the request and rolls it back. Status 200, `application/vnd.usance.dry-run+json`: `result` is the response that the change would have given, `postings` the movements of the ledger, `events` the types of its events.',
      'A refusal is the same as without it. Scopes and rate limits apply; no `Idempotency-Key` is needed or stored. Secrets are null. Work that background loops do afterwards is not part of it.',
    ],
  },
  {
    id: 'pagination',
    title: 'Pagination',
    says: [
      'Lists take `limit` (1 to 100, default 50) and `cursor`. The response has `data` and `next_cursor`; send it as `cursor` for the next page. It is null on the last page.',
      'A page can be short, or empty, without being the last one: only `next_cursor` says so. A cursor points at a row, so inserts by others neither repeat nor hide items.',
      'Filters narrow a list: `status=settled,failed` takes several words, `created_from` and `created_before` a range of creation, `metadata[order]=A-1001` the metadata of payments, schedules and subscriptions.',
    ],
  },
  {
    id: 'versions',
    title: 'Versions',
    says: [
      'Every response has the header `Usance-Version`, a date. Send the same header to name the version that your program was written for: a server that does not have it refuses the request with `VERSION_UNKNOWN`.',
      'Within a version, responses can get new fields and lists new values; nothing is removed or renamed.',
    ],
  },
  {
    id: 'conditional',
    title: 'ETag and If-Match',
    says: [
      'A payment, hold, schedule, subscription or account has an `ETag`. Send it as `If-Match` with a change: if the resource has changed since you read it, the change is refused with `PRECONDITION_FAILED` (412). The comparison and the change are one transaction.',
      'Send it as `If-None-Match` with a read: the response is 304 without a body while the resource is the same. Balances do not count for `If-Match`, because every payment changes them.',
    ],
  },
  {
    id: 'compression',
    title: 'Compression',
    says: [
      'Send `Accept-Encoding: gzip` (most HTTP libraries do) to get responses of 1,024 bytes and more compressed. The event stream and responses with a secret are never compressed.',
      'The compressed form of a resource has a separate ETag. `If-Match` accepts the ETag of either form.',
    ],
  },
  {
    id: 'accounts',
    title: 'Refs and expanded accounts',
    says: [
      'Requests name an account by its id or ref. Responses have the id and next to it the ref: `from` and `from_ref`.',
      '`expand=from,to` on payments, holds and schedules, and `expand=payer,receiver` on subscriptions, adds the account itself: `from_account`. It needs the scope `ledger:read`.',
    ],
  },
  {
    id: 'events',
    title: 'Events',
    says: [
      'Every change appends an event in its own transaction. `seq` counts the events of a tenant without gaps. `GET /v1/events` lists them, `GET /v1/events/stream` follows them as Server-Sent Events.',
      'To resume a stream without loss, send the last `seq` as `Last-Event-ID`. Types can have stars: `payment.*`.',
    ],
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    says: [
      '`POST /v1/webhook-endpoints` creates an endpoint: matching events are posted to its URL, at least once, signed as Standard Webhooks describes, in `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
      'Verify each delivery before you read it: `verifyWebhook(body, headers, secret)` of `usance/client` takes the bytes as they arrived and returns the event. It refuses a wrong signature and one that is older than five minutes.',
      'An event can arrive twice: store its `id`, answer with 2xx within 10 seconds, and do the work afterwards.',
    ],
  },
];
