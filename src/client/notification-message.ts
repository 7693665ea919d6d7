// The type of messages of notification channels of the kind `webhook`. Written by hand: they are sent, and not an answer of the API.

/** The event of a message, without its data. */
export interface NotifiedEvent {
  /** TypeID, `evt_…`. */
  readonly id: string;
  /** The type of the event, such as `payment.failed`. */
  readonly type: string;
  /** The noun that the event is about, such as `payment`. */
  readonly resource: string;
  /** The id of the resource, such as `pay_…`. */
  readonly resourceId: string;
  /** When it happened. RFC 3339, UTC. */
  readonly occurredAt: string;
}

/** A message of a notification channel of the kind `webhook`: one sentence about one event, or a summary of several. */
export interface NotificationMessage {
  /** The header `webhook-id`, `exe_…`: the same whenever the message is sent again. Deduplicate by it. */
  readonly id: string;
  /** One sentence in English. Programs decide by `event.type`. */
  readonly text: string;
  /** The name of the tenant. */
  readonly tenant: string;
  /** Whether it is a test tenant. */
  readonly test: boolean;
  /** The page of the dashboard about the resource. Null: `USANCE_DASHBOARD_URL` is not set, there is no such page, or it is a summary. */
  readonly link: string | null;
  /** The event; of a summary one of its events. */
  readonly event: NotifiedEvent;
  /** How many events a summary counts, by type. Null: the message is no summary. */
  readonly counts: Readonly<Record<string, number>> | null;
}
