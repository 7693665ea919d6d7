// The catalogue: every type of event with its sentence, the version and schema of its data, and an example. The compiler rejects an event
// that is not listed here; the types of the client and the library, the OpenAPI document and docs/reference/events.md are written from it,
// and tests compare every event that they append with it.
import type { Uuid } from '../../kernel/index.ts';
import { ACCESS_EVENTS } from './access.ts';
import { ALERT_EVENTS } from './alerts.ts';
import type { Data, EventDefinition } from './define.ts';
import { JOB_EVENTS } from './jobs.ts';
import { NOTIFICATION_EVENTS } from './notifications.ts';
import { LEDGER_EVENTS } from './ledger.ts';
import { OPERATING_EVENTS } from './operating.ts';
import type { PaymentTexts } from './payment-data.ts';
import { PAYMENT_EVENTS } from './payments.ts';
import { PAYOUT_EVENTS } from './payouts.ts';
import { SCHEDULE_EVENTS } from './schedules.ts';
import { SUBSCRIPTION_EVENTS } from './subscriptions.ts';
import { WEBHOOK_EVENTS } from './webhooks.ts';

const ALL = {
  ...ACCESS_EVENTS,
  ...ALERT_EVENTS,
  ...JOB_EVENTS,
  ...LEDGER_EVENTS,
  ...NOTIFICATION_EVENTS,
  ...OPERATING_EVENTS,
  ...PAYMENT_EVENTS,
  ...PAYOUT_EVENTS,
  ...SCHEDULE_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...WEBHOOK_EVENTS,
};

/** Every type of event. An event is named after the verb that causes it: `payments.cancel` emits `payment.cancelled`. */
export type EventType = keyof typeof ALL;

/** By type, in the order of their names. */
export const EVENT_CATALOGUE: Readonly<Record<EventType, EventDefinition>> = Object.fromEntries(
  Object.entries<EventDefinition>(ALL).toSorted(([one], [other]) => (one < other ? -1 : 1)),
) as Record<EventType, EventDefinition>;

/** An event with its data as stored. */
export interface StoredData {
  readonly type: string;
  /** The version of the schema that it was appended with. */
  readonly version: number;
  readonly resourceId: Uuid;
  readonly data: Data;
}

type Form = Pick<EventDefinition, 'data' | 'complete' | 'showsTexts'>;

/** How the data of a type and version are stored and shown; undefined for a type or version that only another release knows. */
export function definitionOf({ type, version }: Pick<StoredData, 'type' | 'version'>): Form | undefined {
  const current = Object.hasOwn(EVENT_CATALOGUE, type) ? EVENT_CATALOGUE[type as EventType] : undefined;
  return current?.version === version ? current : current?.earlier?.[version];
}

/** Whether the details of an event were erased. */
export const isErasedData = (data: Data): boolean => data['erased'] === true;

/**
 * Stored data with what storing left out: usual values, and the texts that the payment has now (`paymentsShownIn`). Erased data stay as
 * they are.
 */
export const completeData = (event: StoredData, texts?: PaymentTexts): Data =>
  isErasedData(event.data)
    ? event.data
    : (definitionOf(event)?.complete?.(event.data, event.resourceId, texts) ?? event.data);

/** The payments whose texts these events show and do not store. */
export function paymentsShownIn(events: readonly StoredData[]): Uuid[] {
  const shown = events.filter((event) => definitionOf(event)?.showsTexts === true && !isErasedData(event.data));
  return [...new Set(shown.map(({ resourceId }) => resourceId))];
}

/** The version of the schema that events of this type are appended with. */
export const eventVersion = (type: string): number =>
  Object.hasOwn(EVENT_CATALOGUE, type) ? EVENT_CATALOGUE[type as EventType].version : 1;

export type { Data, EventDefinition } from './define.ts';
export { PaymentEventData } from './payments.ts';
export { paymentData, textsData } from './payment-data.ts';
export type { PaymentSnapshot, PaymentTexts } from './payment-data.ts';
