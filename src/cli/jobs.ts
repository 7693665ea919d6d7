// `usance jobs`: code that runs on events. Lists, shows, creates and changes jobs; every change is audited under the name of the user that
// runs the command.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Job, JobChanges, JobParams, TenantHandle, TenantVerbs } from '../engine.ts';
import { parseCursor, parseDelayMs } from '../engine.ts';
import type { RetryPolicy } from '../kernel/index.ts';
import { idOrName, refuse, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { describeJob, jobDocument, jobRows, processorRows } from './job-lines.ts';
import { noticeUnmatched } from './pattern-notice.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface JobOptions extends CommonOptions, TenantOptions {}
interface ChangeOptions extends JobOptions, DryRunOption {}

interface ListOptions extends JobOptions {
  readonly enabled?: boolean;
  readonly disabled?: boolean;
  readonly processor?: string;
}

/** Options that `create` and `update` share. */
interface TermsOptions extends ChangeOptions {
  readonly name?: string;
  readonly events?: string;
  readonly processor?: string;
  readonly description?: string;
  readonly maxAttempts?: number;
  readonly initialDelay?: string;
  readonly multiplier?: number;
  readonly maxDelay?: string;
  readonly jitter?: number;
  readonly timeout?: string;
  readonly maxConcurrency?: number | null;
  readonly maxPerSecond?: number | null;
}

interface CreateOptions extends TermsOptions {
  readonly name: string;
  readonly events: string;
  readonly processor: string;
  readonly disabled?: boolean;
  readonly after?: string;
}

interface UpdateOptions extends TermsOptions {
  readonly defaultRetry?: boolean;
}

const ID = 'id of the job, such as job_01jd…, or its name';
const MOST_LISTED = 1_000;

export function addJobs(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('code that runs on events: list, create, change, enable, disable and delete jobs; list processors')
    .addHelpText(
      'after',
      '\nExample:\n  usance jobs create --name receipts --events payment.settled --processor send-receipt',
    );
  /** A subcommand, with the options that they all take. */
  const sub = (name: string, says: string, example: string, isDefault = false): Command =>
    jobs
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance jobs ${example}`);

  sub('list', 'list the jobs of a tenant', 'list --processor send-receipt', true)
    .addOption(new Option('--enabled', 'only enabled jobs').conflicts('disabled'))
    .option('--disabled', 'only disabled jobs')
    .option('--processor <name>', 'only jobs that run this processor')
    .action((options: ListOptions) => run('jobs', options, (screen, config) => list(screen, config, options)));
  sub('get', 'show one job, and when a worker with its processor was last seen', 'get receipts')
    .argument('<job>', ID)
    .action((job: string, options: JobOptions) =>
      run('jobs', options, (screen, config) => show(screen, config, job, options)),
    );
  withTerms(
    sub(
      'create',
      'create a job: it runs a processor on every later event that matches',
      'create --name receipts --events payment.settled --processor send-receipt --max-attempts 5',
    )
      .requiredOption('--name <text>', 'name of the job, unique within the tenant')
      .requiredOption('--events <pattern>', 'an event type, payment.*, *.settled or *')
      .requiredOption('--processor <name>', 'a processor that a worker has announced'),
  )
    .option('--disabled', 'create it disabled')
    .option('--after <event>', 'seq or cursor of an event: only later events; default the newest')
    .option(...DRY_RUN_OPTION)
    .action((options: CreateOptions) => run('jobs', options, (screen, config) => create(screen, config, options)));
  withTerms(
    sub('update', 'change a job; executions that wait follow the new terms', 'update receipts --max-attempts 10')
      .argument('<job>', ID)
      .option('--name <text>', 'new name')
      .option('--events <pattern>', 'an event type, payment.*, *.settled or *')
      .option('--processor <name>', 'a processor that a worker has announced'),
  )
    .option('--default-retry', 'retry by the default again: 3 attempts, 1 and 2 seconds apart')
    .option(...DRY_RUN_OPTION)
    .action((job: string, options: UpdateOptions) =>
      run('jobs', options, (screen, config) => update(screen, config, job, options, changesOf(options))),
    );
  for (const [name, enabled, says] of [
    ['enable', true, 'handle events again, from the next one on'],
    ['disable', false, 'handle no new events, and start no execution'],
  ] as const)
    sub(name, says, `${name} receipts`)
      .argument('<job>', ID)
      .option(...DRY_RUN_OPTION)
      .action((job: string, options: ChangeOptions) =>
        run('jobs', options, (screen, config) => update(screen, config, job, options, { enabled })),
      );
  sub('delete', 'delete a job; executions that wait are cancelled, its history stays', 'delete receipts')
    .argument('<job>', ID)
    .option(...DRY_RUN_OPTION)
    .action((job: string, options: ChangeOptions) =>
      run('jobs', options, (screen, config) => remove(screen, config, job, options)),
    );
  sub(
    'processors',
    'list the processors that workers have announced, and when each was last seen',
    'processors',
  ).action((options: JobOptions) => run('jobs', options, (screen, config) => listProcessors(screen, config, options)));
}

const withTerms = (command: Command): Command =>
  command
    .option('--description <text>', 'a text for people')
    .option('--max-attempts <number>', 'attempts in all; default 3', numberOf)
    .option('--initial-delay <duration>', 'wait after the first failed attempt, such as 5s or PT1M; default 1s')
    .option('--multiplier <number>', 'each wait is this many times the previous one; default 2', numberOf)
    .option('--max-delay <duration>', 'longest wait; default 60s')
    .option('--jitter <share>', 'random part of each wait, 0 to 1; default 0', numberOf)
    .option('--timeout <duration>', 'time limit of one attempt; default 60s')
    .option('--max-concurrency <number>', 'executions that run at the same time at most; none: no limit', limitOf)
    .option('--max-per-second <number>', 'executions that start per second at most; none: no limit', limitOf);

function numberOf(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number.');
}

function limitOf(text: string): number | null {
  if (text === 'none') return null;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1, or none.');
}

function list(screen: Screen, config: Config, options: ListOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const { enabled, disabled, processor } = options;
    const filter = {
      ...(enabled ? { enabled: true } : disabled ? { enabled: false } : {}),
      ...(processor === undefined ? {} : { processorName: processor }),
    };
    const found = await tenant.jobs(filter, { limit: MOST_LISTED });
    if (found.length === 0) screen.line('No job. Create one with "usance jobs create".');
    else for (const line of aligned(jobRows(found), '')) screen.line(line);
    screen.document({ jobs: found.map(jobDocument) });
    return EXIT.fine;
  });
}

function show(screen: Screen, config: Config, named: string, options: JobOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const job = await tenant.job(jobKey(named));
    const processor = (await tenant.processors()).find(({ name }) => name === job.processorName);
    for (const line of aligned(describeJob(job, processor), '')) screen.line(line);
    screen.document(jobDocument(job));
    return EXIT.fine;
  });
}

function listProcessors(screen: Screen, config: Config, options: JobOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const found = await tenant.processors();
    if (found.length === 0)
      screen.line('No worker has announced a processor. Start one with "usance worker --processors ./processors.ts".');
    else for (const line of aligned(processorRows(found), '')) screen.line(line);
    screen.document({ processors: found });
    return EXIT.fine;
  });
}

function create(screen: Screen, config: Config, options: CreateOptions): Promise<number> {
  const { name, events: eventPattern, processor: processorName, disabled, after } = options;
  const params: JobParams = {
    ...changesOf(options),
    name,
    eventPattern,
    processorName,
    ...(disabled ? { enabled: false } : {}),
  };
  const cursor = after === undefined ? null : (parseCursor(after) ?? refuse('FIELD_INVALID/not_an_event_id', AFTER));
  return changed(screen, config, options, 'created', async (verbs) => {
    const from = cursor === null ? {} : { after: (await verbs.requireEventCursor(cursor)).seq };
    const made = await verbs.createJob({ ...params, ...from });
    await noticeUnmatched(screen, verbs, made.eventPattern);
    return made;
  });
}

const AFTER = { param: 'after' };

function update(
  screen: Screen,
  config: Config,
  named: string,
  options: ChangeOptions,
  changes: JobChanges,
): Promise<number> {
  if (Object.keys(changes).length === 0) throw new UsageError('name a change, such as --max-attempts 5');
  const word = changes.enabled === undefined ? 'updated' : changes.enabled ? 'enabled' : 'disabled';
  return changed(screen, config, options, word, async (verbs) => {
    const job = await verbs.job(jobKey(named));
    // An option changes one field of the policy: the others stay.
    const retryConfig = changes.retryConfig && { ...job.retry, ...changes.retryConfig };
    const updated = await verbs.updateJob(job.id, retryConfig ? { ...changes, retryConfig } : changes);
    if (changes.eventPattern !== undefined) await noticeUnmatched(screen, verbs, updated.eventPattern);
    return updated;
  });
}

function remove(screen: Screen, config: Config, named: string, options: ChangeOptions): Promise<number> {
  return changed(screen, config, options, 'deleted', async (verbs) =>
    verbs.deleteJob((await verbs.job(jobKey(named))).id),
  );
}

function changed(
  screen: Screen,
  config: Config,
  options: ChangeOptions,
  word: string,
  act: (verbs: TenantVerbs) => Promise<Job>,
): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    await change(screen, tenant, options, act, (job) => ({
      line: `job "${job.name}" (${toTypeId('job', job.id)}) ${word}.`,
      document: jobDocument(job),
    }));
    return EXIT.fine;
  });
}

function changesOf(options: TermsOptions & Pick<UpdateOptions, 'defaultRetry'>): JobChanges {
  const { name, events, processor, description, timeout, maxConcurrency, maxPerSecond, defaultRetry } = options;
  const retryConfig = retryOf(options);
  if (defaultRetry && retryConfig !== undefined)
    throw new UsageError('give --default-retry, or the fields of a retry policy');
  return {
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { eventPattern: events }),
    ...(processor === undefined ? {} : { processorName: processor }),
    ...(description === undefined ? {} : { description }),
    ...(defaultRetry ? { retryConfig: null } : {}),
    ...(retryConfig === undefined ? {} : { retryConfig }),
    ...(timeout === undefined ? {} : { timeoutMs: parseDelayMs(timeout, 'timeout') }),
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
  };
}

function retryOf(options: TermsOptions): Partial<RetryPolicy> | undefined {
  const { maxAttempts, initialDelay, multiplier, maxDelay, jitter } = options;
  const policy = {
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(initialDelay === undefined ? {} : { initialDelayMs: parseDelayMs(initialDelay, 'initialDelay') }),
    ...(multiplier === undefined ? {} : { multiplier }),
    ...(maxDelay === undefined ? {} : { maxDelayMs: parseDelayMs(maxDelay, 'maxDelay') }),
    ...(jitter === undefined ? {} : { jitter }),
  };
  return Object.keys(policy).length === 0 ? undefined : policy;
}

function withTenant(
  screen: Screen,
  config: Config,
  options: JobOptions,
  work: (tenant: TenantHandle) => Promise<number>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => work(await chosenTenant(engine, options)));
}

/** The id in the form of the database, or a name. */
export const jobKey = (text: string): string => idOrName('job', text);
