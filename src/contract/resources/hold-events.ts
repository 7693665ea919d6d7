// The life of a hold, step by step, as `usance_docs.hold_events` has it (src/db/views/holds.sql): some events are several steps, each with
// the id of its event in another version, which sorts it before or after it.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { TenantVerbs, TimelineEntry } from '../../engine.ts';
import { shownActor } from '../../kernel/index.ts';
import type { ShowingVerbs } from '../event-data.ts';
import { dataShower } from '../event-data.ts';
import { Instant, closed, forCompatibility, nullable, oneOf, textOrNull } from '../schemas.ts';
import { HOLD_STATUS, HOLD_WORDS, STATUSES } from './payment-shape.ts';

export const HoldEvent = closed(
  {
    event_type: Type.String({
      description:
        'The type, such as CREATED, SCHEDULED, PROCESSING, COMPLETED, FAILED, RELEASED, CANCELLED or EXPIRED.',
    }),
    from_status: nullable(oneOf(HOLD_WORDS), forCompatibility('The state before; null for the first.')),
    to_status: nullable(oneOf(HOLD_WORDS), forCompatibility('The state after.')),
    type: Type.String({ description: 'The type of the event in the event stream.', examples: ['payment.created'] }),
    at: Instant,
    actor: Type.String(),
    cause: textOrNull(),
    duration_ms: nullable(Type.Integer(), {
      description: 'The duration of an attempt in milliseconds, as in the timeline.',
    }),
    details: Type.Unsafe<unknown>({ type: 'object' }),
  },
  { title: 'HoldEvent' },
);

type Word = (typeof HOLD_WORDS)[number];

export interface ShownEntry extends TimelineEntry {
  /** Its data as the outside sees it. */
  readonly shown: unknown;
}

type Reading = Pick<TenantVerbs, 'timeline'> & ShowingVerbs;

/** The timeline of a payment, with its data as the outside sees it. */
export async function shownTimeline(
  tenant: Reading,
  id: string,
  range: { readonly limit: number; readonly after: string | undefined },
): Promise<ShownEntry[]> {
  const entries = await tenant.timeline(id, range);
  const events = entries.map((entry) => ({ ...entry, resourceId: id }));
  const show = await dataShower(tenant, events);
  return events.map((event) => ({ ...event, shown: show(event) }));
}

interface Step {
  readonly id: string;
  readonly name: string;
  readonly from: Word | null;
  readonly to: Word;
  readonly entry: ShownEntry;
}

/** Events of one hold in one millisecond, at most. */
const IN_ONE_MS = 20;

/** Oldest first, after a step. */
export async function holdSteps(
  tenant: Reading,
  id: string,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<Step[]> {
  // From the first event of the step's millisecond on: the steps of all events of one millisecond are in one order.
  const from = after === undefined ? undefined : `${after.slice(0, 13)}-0000-0000-000000000000`;
  const entries = await shownTimeline(tenant, id, { limit: limit + IN_ONE_MS, after: from });
  return entries
    .flatMap(stepsOf)
    .filter((step) => after === undefined || step.id > after)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

const GIVES_BACK = ['payment.cancelled', 'payment.rejected', 'payment.expired', 'payment.failed'];

function stepsOf(entry: ShownEntry): Step[] {
  const { id, type, data, durationMs } = entry;
  const isAttempt = durationMs !== null;
  // A hold is discarded once it has failed; every other event that names no state happens while it is scheduled.
  const kept: Word = type === 'payment.discarded' ? 'FAILED' : 'PENDING';
  const before = isAttempt ? 'PROCESSING' : (wordOf(data['old']) ?? kept);
  // Every event has the state after it; those that changed it have the state before it too.
  const to = (wordOf(data['old']) && wordOf(data)) ?? kept;
  const name = type === 'payment.settled' ? 'COMPLETED' : type.replace(/^payment\./, '').toUpperCase();
  const from = type === 'payment.created' ? null : before;
  const steps: Step[] = [{ id, name, from, to, entry }];
  const also = (version: string, step: Omit<Step, 'id' | 'entry'>): void => {
    steps.push({ ...step, id: id.slice(0, 14) + version + id.slice(15), entry });
  };
  if (isAttempt) also('5', { name: 'PROCESSING', from: 'PENDING', to: 'PROCESSING' });
  if (GIVES_BACK.includes(type)) also('6', { name: 'RELEASED', from: before, to: before });
  if (type === 'payment.created' || (type === 'payment.updated' && movesExecution(data)))
    also('8', { name: 'SCHEDULED', from: to, to });
  return steps;
}

const fieldOf = (side: unknown, name: string): unknown =>
  typeof side === 'object' && side !== null ? (side as Readonly<Record<string, unknown>>)[name] : undefined;

function wordOf(side: unknown): Word | null {
  const status = fieldOf(side, 'status');
  const known = STATUSES.find((one) => one === status);
  return known ? HOLD_STATUS[known] : null;
}

const movesExecution = (data: TimelineEntry['data']): boolean =>
  fieldOf(data['old'], 'executeAt') !== fieldOf(data['new'], 'executeAt');

export function showStep({ name, from, to, entry }: Step): Static<typeof HoldEvent> {
  return {
    event_type: name,
    from_status: from,
    to_status: to,
    type: entry.type,
    at: entry.at.toISOString(),
    actor: shownActor(entry.actor),
    cause: entry.cause,
    duration_ms: name === 'PROCESSING' ? null : entry.durationMs,
    details: entry.shown,
  };
}
