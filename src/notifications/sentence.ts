// One plain sentence about an event: ids, amounts, codes and names of checks, and no text of a caller. Other text could not be erased from Slack.
import type { SequencedEvent } from '../events/index.ts';
import { completeData, isErasedData } from '../events/index.ts';
import { formatAmount, kindOfResource, toTypeId } from '../kernel/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { AlertFacts } from './alert-sentence.ts';
import { alertSentence } from './alert-sentence.ts';

type Data = Readonly<Record<string, unknown>>;

export const idOf = (resource: string, id: Uuid): string => {
  const kind = kindOfResource(resource);
  return kind === null ? id : toTypeId(kind, id);
};

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const money = (amount: unknown, asset: unknown): string => formatAmount(BigInt(text(amount)), text(asset));
/** ` at host`, of a URL in an event; nothing if the event has none. */
const atHostOf = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url) ? ` at ${new URL(url).host}` : '';
const attempts = (count: unknown): string => (count === 1 ? '1 attempt' : `${text(count)} attempts`);

/** What the managed job of a failed execution belongs to. */
export interface JobOwner {
  readonly resource: 'webhook_endpoint' | 'notification_channel';
  readonly host: string;
}

/** Operators know endpoints and channels: the jobs of those are part of how they work. */
function whatFailed(id: string, jobId: string, owner: JobOwner | null): string {
  if (owner === null) return `Execution ${id} of job ${idOf('job', jobId)}`;
  const [what, noun] =
    owner.resource === 'webhook_endpoint' ? ['Delivery', 'webhook endpoint'] : ['Message', 'notification channel'];
  return `${what} ${id} to ${noun} ${idOf(owner.resource, jobId)} at ${owner.host}`;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const alertOf = (data: Data): AlertFacts => ({
  kind: text(data['kind']),
  chain: textOrNull(data['chain']),
  asset: textOrNull(data['asset']),
  value: text(data['value']),
  threshold: text(data['threshold']),
  count: Number(text(data['count'])),
  windowMs: typeof data['windowMs'] === 'number' ? data['windowMs'] : null,
});

type Say = (data: Data, id: string, owner: JobOwner | null) => string;

const SENTENCES: Readonly<Record<string, Say>> = {
  'payment.failed': (data, id) =>
    `Payment ${id} of ${money(data['amount'], data['asset'])} failed for good after ${attempts(data['attempt'])}: ${text(data['code'])}. It is a dead letter.`,
  'schedule.occurrence_failed': (data, id) =>
    `The slot ${text(data['slot'])} of schedule ${id} could not become a payment: ${text(data['code'])}. It is a dead letter.`,
  'execution.failed': (data, id, owner) =>
    `${whatFailed(id, text(data['jobId']), owner)} failed for good after ${attempts(data['attemptNumber'])}: ${text(data['code'])}. It is a dead letter.`,
  'payment.manual_review': (data, id) =>
    `Payment ${id} of ${money(data['amount'], data['asset'])} needs a review: whether it was paid is unknown.`,
  'payment.approval_requested': (data, id) =>
    `Payment ${id} of ${money(data['amount'], data['asset'])} needs the approval of a second person.`,
  'freeze.created': (data) =>
    `${text(data['asset'])} is frozen: the integrity check ${text(data['violation'])} failed. Outgoing payments in it wait until the freeze is lifted.`,
  'books.violation_found': (data) =>
    `The integrity check ${text(data['violation'])} found a row that disagrees with the books. No amount is wrong.`,
  'account.shortfall_expected': (data, id) =>
    `Account ${id} will lack ${money(data['missing'], data['asset'])} at ${text(data['at'])}.`,
  'alert.raised': (data) => `Alert: ${alertSentence(alertOf(data))}`,
  'alert.cleared': (data) => `Cleared: ${alertSentence(alertOf(data))} That was when the alert was raised.`,
  'webhook_endpoint.failing': (data, id) =>
    `Webhook endpoint ${id}${atHostOf(data['url'])} has failed since ${text(data['failingSince'])}, and will be disabled at ${text(data['disablesAt'])}.`,
  'webhook_endpoint.disabled': (data, id) =>
    `Webhook endpoint ${id}${atHostOf(data['url'])} was disabled (${text(data['reason'])}): it gets no more events.`,
  'notification_channel.disabled': (data, id) =>
    `Notification channel ${id} at ${text(data['targetHost'])} was disabled (${text(data['reason'])}): it sends no more messages.`,
  'notification_channel.tested': (_data, id) => `This is a test of the notification channel ${id}.`,
};

/**
 * An event whose details were erased, or that another release emitted, is named by its type. `owner`: of a failed execution, whose job belongs to an
 * endpoint or a channel.
 */
export function sentenceOf(event: SequencedEvent, owner: JobOwner | null = null): string {
  const { type, resource, resourceId } = event;
  const data = completeData(event);
  const id = idOf(resource, resourceId);
  const say = isErasedData(data) || !Object.hasOwn(SENTENCES, type) ? undefined : SENTENCES[type];
  return say?.(data, id, owner) ?? `${type}: ${resource.replaceAll('_', ' ')} ${id}.`;
}

/** Of events beyond the limit, by type. */
export function summaryOf(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, count]) => `${count} × ${type}`);
  return `${total} more ${total === 1 ? 'event' : 'events'} beyond the limit of messages per minute: ${parts.join(', ')}.`;
}
