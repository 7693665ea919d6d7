// The stage of the demo world's chapters: the tenant, its clock, and names for idempotency keys. Every step is safe to repeat, so
// a fill that was killed is repeated from its beginning and continues where it stopped.
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../engine.ts';
import { Refusal } from '../../kernel/index.ts';
import type { TenantHandle, Usance } from '../../library/index.ts';
import { loopOf } from '../tick.ts';

/** The asset of the market, and that of payouts. */
export const USD = 'USD/2';
export const USDC = 'USDC/6';
export const GEMS = 'GEMS/0';

const DAY_MS = 24 * 3_600_000;
/** The history of the world: from its first instant to the start of `usance dev`. */
export const DAYS = 28;

/** Four weeks before an instant. */
export const beginOf = (end: Date): Date => new Date(end.getTime() - DAYS * DAY_MS);

/** The actor of the fill, and so part of its idempotency keys. Not the user's name, which can change. */
export const FILLER = 'cli:dev';

export interface Key {
  readonly idempotencyKey: string;
}

export interface Stage {
  readonly engine: Engine;
  readonly shop: TenantHandle;
  /** The tenant for a person of its company: the audit log has several. */
  as(actor: string): Promise<TenantHandle>;
  /** An instant of the history, in days since its beginning. */
  at(days: number): Date;
  /** An instant of the last day, in minutes before its end. */
  before(minutes: number): Date;
  /** The key of a step: its own name, the same in every fill. */
  key(name: string): Key;
  /** Advances the clock to an instant. No change if it is there or later. */
  pass(to: Date): Promise<void>;
  /** The same in one leap: the tenant gets another clock, and what fell due on the way runs late, as after an outage. */
  leap(to: Date): Promise<void>;
  /** The instant of the clock. */
  now(): Promise<Date>;
  /** The workers of this process for the jobs that there are now. An advance waits for executions only while a worker can run them. */
  workers(): Promise<void>;
  /** Simulated faults of the chain of this tenant. */
  faults(faults: { readonly expire?: number; readonly error?: number }): Promise<void>;
}

const AT_ONCE = 4;

/** Steps that need no order, a few at the same time: the first tenant keeps most of the pool. */
export async function together(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...steps];
  const lane = async (): Promise<void> => {
    for (let step = left.shift(); step; step = left.shift()) await step();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Thrown by the next step after the command was asked to stop. The next start continues. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  constructor() {
    super('the fill of the demo world was stopped');
  }
}

const PAUSE_MS = 20;
const LOOKS_A_RUN = 10;

interface Standing {
  readonly id: string;
  readonly now: Date;
}

export async function openStage(
  engine: Engine,
  usance: Pick<Usance, 'tenant'>,
  name: string,
  { began, stop }: { readonly began: Date; readonly stop: AbortSignal },
): Promise<Stage> {
  const shop = await usance.tenant(name, { actor: FILLER });
  const handle = await engine.tenant(name);
  const people = new Map<string, Promise<TenantHandle>>();
  const at = (days: number): Date => new Date(began.getTime() + days * DAY_MS);

  /** The loop runs in this process; a run of our own now and then spares the wait for its next poll. */
  async function arrive(): Promise<Standing> {
    for (let looks = 0; ; looks += 1) {
      if (stop.aborted) throw new Stopped();
      const [clock] = (await shop.testClocks.list().page()).data;
      if (!clock) throw new Error(`the clock of ${name} was deleted`);
      if (clock.status === 'failed')
        throw new Error(`the clock of ${name} stopped at ${clock.now}: ${clock.advance?.detail ?? ''}`);
      if (clock.status === 'ready') return { id: clock.id, now: new Date(clock.now) };
      if (looks % LOOKS_A_RUN === 0) await loopOf(engine, 'clocks').runOnce();
      else await pause(PAUSE_MS);
    }
  }

  /** Only a fill moves the clock: this is its last instant. */
  let known: Standing | null = null;
  const standing = async (): Promise<Standing> => (known ??= await arrive());

  async function advance(id: string, to: Date): Promise<void> {
    try {
      await shop.testClocks.advance(id, { to });
    } catch (error) {
      // Another process that fills the same database was faster.
      if (!(error instanceof Refusal && ['CLOCK_ADVANCING', 'CLOCK_BACKWARDS'].includes(error.code))) throw error;
    }
    known = await arrive();
  }

  return {
    engine,
    shop,
    as: (actor) => {
      const known = people.get(actor) ?? usance.tenant(name, { actor });
      people.set(actor, known);
      return known;
    },
    at,
    before: (minutes) => new Date(at(DAYS).getTime() - minutes * 60_000),
    key: (step) => ({ idempotencyKey: `demo-world ${step}` }),
    now: async () => (await standing()).now,
    async pass(to) {
      const { id, now } = await standing();
      if (now < to) await advance(id, to);
    },
    async leap(to) {
      const before = await standing();
      if (before.now < to) {
        await shop.testClocks.delete(before.id);
        await shop.testClocks.create({ name, now: to });
      }
      const { id, now } = (known = await arrive());
      await advance(id, now);
    },
    async workers() {
      for (const name of ['jobs', 'webhooks']) await loopOf(engine, name).runOnce();
    },
    async faults(faults) {
      const [clock] = await handle.testClocks();
      if (clock) await engine.chains.sandbox?.setFaults({ clockId: clock.timelineId, now: clock.now }, faults);
    },
  };
}
