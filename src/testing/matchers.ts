// Matchers for `expect.extend` of vitest and jest. They are plain functions: neither library is imported.
import { inspect } from 'node:util';
import type { Event, Job } from '../library/index.ts';
import { contains } from './contains.ts';
import type { TestTenant } from './world.ts';

/** The result of a matcher, as vitest and jest take it. */
export interface MatcherResult {
  /** Whether the expectation holds. */
  readonly pass: boolean;
  /** The sentence of a failed expectation, with `not` if it was negated. */
  readonly message: () => string;
}

/** The matchers as methods of `expect(world)`. The README of `usance/testing` shows how to declare them to TypeScript. */
export interface UsanceMatchers {
  /** An event of this type was emitted; with `data`, one whose data contains these fields. */
  toHaveEmitted(type: string, data?: object): Promise<void>;
  /** The job (its name, its id or the job) completed an execution; with `event` (its id or the event), one for that event. */
  toHaveExecuted(job: string | Pick<Job, 'id'>, event?: string | Pick<Event, 'id'>): Promise<void>;
  /** The account (its ref or id) has this amount of the asset available, in minor units. */
  toHaveBalance(account: string, asset: string, amount: bigint | number | string): Promise<void>;
}

/** For `expect.extend(usanceMatchers)`. The received value is a test world, or a tenant of one. */
export const usanceMatchers = {
  async toHaveEmitted(received: unknown, type: string, data?: object): Promise<MatcherResult> {
    const events = await tenantOf(received, 'toHaveEmitted').events.list();
    const ofType = events.filter((event) => event.type === type);
    const pass = ofType.some((event) => data === undefined || contains(event.data, data));
    const wanted = data === undefined ? type : `${type} with ${shown(data)}`;
    return {
      pass,
      message: () =>
        pass
          ? `expected no event ${wanted}`
          : `expected an event ${wanted}; ${ofType.length > 0 && data !== undefined ? `those of the type have ${ofType.map((event) => shown(event.data)).join(', ')}` : `emitted: ${countsOf(events)}`}`,
    };
  },

  async toHaveExecuted(
    received: unknown,
    job: string | Pick<Job, 'id'>,
    event?: string | Pick<Event, 'id'>,
  ): Promise<MatcherResult> {
    const [jobName, eventId] = [job, event].map(idOf);
    const executions = await tenantOf(received, 'toHaveExecuted').jobs.executions(jobName);
    const found = executions.filter((execution) => eventId === undefined || execution.eventId === eventId);
    const pass = found.some(({ status }) => status === 'completed');
    const wanted = `completed an execution${eventId === undefined ? '' : ` for ${eventId}`}`;
    const others = found.map(({ status, attemptNumber, error }) =>
      [status, `attempt ${attemptNumber}`, ...(error === null ? [] : [error])].join(', '),
    );
    return {
      pass,
      message: () =>
        pass
          ? `expected job "${jobName}" not to have ${wanted}`
          : `expected job "${jobName}" to have ${wanted}; ${others.length === 0 ? 'it has no execution' : `its executions: ${others.join('; ')}`}`,
    };
  },

  async toHaveBalance(
    received: unknown,
    account: string,
    asset: string,
    amount: bigint | number | string,
  ): Promise<MatcherResult> {
    const { balances } = await tenantOf(received, 'toHaveBalance').shop.accounts.get(account);
    const balance = balances.find((one) => one.asset === asset || one.asset.split('/')[0] === asset);
    const available = balance?.available ?? '0';
    const pass = available === String(amount);
    return {
      pass,
      message: () =>
        pass
          ? `expected account "${account}" not to have ${amount} of ${asset} available`
          : `expected account "${account}" to have ${amount} of ${asset} available; it has ${available}`,
    };
  },
} as const;

function tenantOf(received: unknown, matcher: string): TestTenant {
  if (typeof received === 'object' && received !== null && 'shop' in received && 'events' in received)
    return received as TestTenant;
  throw new TypeError(`${matcher} needs a test world: expect(world).${matcher}(…), with world of createTestWorld`);
}

/** Without types anything can be given; an object without an id would leave out the filter, and the expectation would hold. */
function idOf(one: string | { readonly id: string } | undefined): string | undefined {
  const id = typeof one === 'object' ? one.id : one;
  if (one === undefined || typeof id === 'string') return id;
  throw new TypeError('toHaveExecuted takes a job, its name or its id, and an event or its id');
}

const shown = (value: unknown): string => inspect(value, { depth: 4, breakLength: Infinity });

/** "payment.created, payment.settled ×2". */
function countsOf(events: readonly Event[]): string {
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  const texts = [...counts].map(([type, count]) => (count === 1 ? type : `${type} ×${count}`));
  return texts.length === 0 ? 'none' : texts.join(', ');
}
