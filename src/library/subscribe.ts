// `events.subscribe`: a handler in this process, and a job that runs it on the events of a pattern. The job outlives the process: events that
// happen while no process has the subscription wait for the next one.
import { createHash } from 'node:crypto';
import type { AnyEvent, Event, Job, JobCreateParams, JobUpdateParams } from '../client/index.ts';
import type { Engine } from '../engine.ts';
import { LONGEST_JOB_NAME } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import { Refusal, SetupError } from '../kernel/index.ts';
import type { JobProcessor } from './processor.ts';
import type { JobsResource } from './resources.ts';

/** Options of `events.subscribe`: those of the job, and its name. */
export interface SubscribeOptions extends Omit<JobCreateParams, 'name' | 'eventPattern' | 'processorName' | 'enabled'> {
  /** The name of the job, unique within the tenant and the process. Default: `on ` and the pattern, shortened to 100 characters. */
  readonly name?: string;
}

/** A handler that runs on events. */
export interface Subscription {
  /** The job. */
  readonly job: Job;
  /**
   * This process starts no further executions. The job stays, and its events wait for the next subscription of this name; `jobs.delete` ends
   * it for good.
   */
  stop(): void;
}

/**
 * Runs the handler on the events of a pattern, as a job of this name: tracked, retried, at least once. Creates the job, or updates the one that has
 * the name. The handler runs in processes that have subscribed and called `usance.start()`, before or after this call. For events of your
 * application, name their types: `subscribe<OwnEvent<'posts.created', Post>>('posts.created', handler)`.
 */
export type SubscribeEvents = <E extends AnyEvent = Event>(
  pattern: string,
  handler: JobProcessor<E>,
  options?: SubscribeOptions,
) => Promise<Subscription>;

const START_MS = 3_000;

interface Surroundings {
  readonly engine: Pick<Engine, 'jobWorker'>;
  /** The loops that run in this process. */
  readonly started: ReadonlySet<string>;
  readonly isClosed: () => boolean;
  readonly tenant: { readonly id: Uuid; readonly name: string };
  readonly jobs: JobsResource;
}

export function createSubscribe(around: Surroundings): SubscribeEvents {
  const { engine, started, tenant, jobs } = around;
  return async (pattern, handler, { name = shortened(`on ${pattern}`), ...terms } = {}) => {
    const processorName = processorNameOf(tenant.name, name);
    if (engine.jobWorker.processors.includes(processorName))
      throw new SetupError(`this process already has a subscription named "${name}": give each its own name`);
    if (started.size > 0 && !started.has('jobs'))
      throw new SetupError(
        'this process runs loops, and not "jobs": call usance.start() without names, or name it too',
      );
    const remove = engine.jobWorker.add({
      name: processorName,
      description: `The subscription "${name}" of tenant ${tenant.name}`,
      // Its handler was written for this tenant: a job of another one would give it that tenant's events.
      tenantId: tenant.id,
      run: handler,
    });
    try {
      await engine.jobWorker.announce();
      const job = await ensureJob(jobs, { ...terms, name, eventPattern: pattern, processorName });
      warnIfNotStarted(name, around);
      return { job, stop: remove };
    } catch (error) {
      remove();
      throw error;
    }
  };
}

/** Processors are known to all tenants of the database by their names, so the name of the tenant is part of it. */
const processorNameOf = (tenant: string, name: string): string => shortened(`${tenant}: ${name}`);

/** A name that is too long ends with a digest of all of it. */
function shortened(whole: string): string {
  if (whole.length <= LONGEST_JOB_NAME) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  // A surrogate pair that the cut divides could not be stored.
  return `${whole.slice(0, LONGEST_JOB_NAME - digest.length - 1).toWellFormed()} ${digest}`;
}

async function ensureJob(jobs: JobsResource, params: JobCreateParams): Promise<Job> {
  try {
    return await jobs.create(params);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'JOB_NAME_TAKEN')) throw error;
    const known = await jobs.get(params.name);
    if (known.processorName !== params.processorName)
      throw new SetupError(
        `the job "${params.name}" runs the processor "${known.processorName}": choose another name for the subscription`,
      );
    // The first event of a job was decided when it was created.
    const { after: _after, name: _name, processorName: _processor, ...terms } = params;
    const changes = changesOf(known, terms);
    return changes === null ? known : jobs.update(known.id, changes);
  }
}

/** The given terms that differ; null if none does. A retry policy is compared by what it sets. */
function changesOf(job: Job, terms: JobUpdateParams): JobUpdateParams | null {
  const known = job as unknown as Readonly<Record<string, unknown>>;
  const differs = (name: string, given: unknown): boolean => {
    if (given === undefined) return false;
    if (typeof given !== 'object' || given === null) return known[name] !== given;
    const present = known[name];
    if (typeof present !== 'object' || present === null) return true;
    return Object.entries(given).some(
      ([field, value]) => (present as Readonly<Record<string, unknown>>)[field] !== value,
    );
  };
  const changed = Object.entries(terms).filter(([name, given]) => differs(name, given));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function warnIfNotStarted(name: string, { started, isClosed }: Surroundings): void {
  setTimeout(() => {
    if (started.size === 0 && !isClosed())
      process.emitWarning(
        `the subscription "${name}" runs on no event until usance.start() is called`,
        'UsanceWarning',
      );
  }, START_MS).unref();
}
