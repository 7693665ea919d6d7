// `usance executions`: events that jobs handle, with their attempts. An operator retries a failed execution or cancels a waiting one,
// audited under the name of the user that runs the command.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import type { Execution, ExecutionStatus, TenantHandle, TenantVerbs } from '../engine.ts';
import { EXECUTION_STATUSES } from '../engine.ts';
import type { IdKind, Uuid } from '../kernel/index.ts';
import { fromTypeId, isUuid, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import {
  describeExecution,
  describeInvocations,
  executionDocument,
  executionRows,
  invocationDocument,
} from './job-lines.ts';
import { jobKey } from './jobs.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface ExecutionOptions extends CommonOptions, TenantOptions {}

interface ListOptions extends ExecutionOptions {
  readonly job?: string;
  readonly event?: string;
  readonly status?: ExecutionStatus;
  readonly limit: number;
}

interface ChangeOptions extends ExecutionOptions, DryRunOption {
  readonly reason?: string;
}

const ID = 'id of the execution, such as exe_01jd…';
const MOST_LISTED = 1_000;
const MOST_JOBS = 1_000;

export function addExecutions(program: Command): void {
  const executions = program
    .command('executions')
    .description('events that jobs handle: list them, show every attempt, retry or cancel')
    .addHelpText('after', '\nExample:\n  usance executions list --job receipts --status failed');
  /** A subcommand, with the options that they all take. */
  const sub = (name: string, says: string, example: string, isDefault = false): Command =>
    executions
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance executions ${example}`);

  sub('list', 'list the newest executions', 'list --job receipts --status failed', true)
    .option('--job <job>', 'only those of this job: its id or name')
    .option('--event <id>', 'only those for this event, such as evt_01jd…')
    .addOption(new Option('--status <status>', 'only those with this status').choices(EXECUTION_STATUSES))
    .option('--limit <number>', `how many, 1 to ${MOST_LISTED}`, numberUpTo(MOST_LISTED), 50)
    .action((options: ListOptions) => run('executions', options, (screen, config) => list(screen, config, options)));
  sub('get', 'show one execution and every attempt', 'get exe_01jd…')
    .argument('<id>', ID)
    .action((id: string, options: ExecutionOptions) =>
      run('executions', options, (screen, config) => show(screen, config, id, options)),
    );
  sub('retry', 'retry a failed execution: it gets all its attempts again', 'retry exe_01jd… --reason "fixed"')
    .argument('<id>', ID)
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('executions', options, (screen, config) =>
        changed(screen, config, options, (verbs) => verbs.retryExecution(uuidOf('execution', id), reasonOf(options))),
      ),
    );
  sub('cancel', 'cancel an execution that waits or runs', 'cancel exe_01jd… --reason "sent by hand"')
    .argument('<id>', ID)
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('executions', options, (screen, config) =>
        changed(screen, config, options, (verbs) => verbs.cancelExecution(uuidOf('execution', id), reasonOf(options))),
      ),
    );
}

function list(screen: Screen, config: Config, options: ListOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const found = await newest(tenant, options);
    if (found.length === 0) screen.line('No execution.');
    else for (const line of aligned(executionRows(found, await jobNames(tenant)), '')) screen.line(line);
    screen.document({ executions: found.map(executionDocument) });
    return EXIT.fine;
  });
}

/** One bounded scan after the other, until there are enough. */
async function newest(tenant: TenantHandle, { job, event, status, limit }: ListOptions): Promise<Execution[]> {
  const filter = {
    ...(job === undefined ? {} : { jobId: await jobIdOf(tenant, job) }),
    ...(event === undefined ? {} : { eventId: uuidOf('event', event) }),
    ...(status === undefined ? {} : { status }),
  };
  const found: Execution[] = [];
  let before: Uuid | null = null;
  do {
    const range: { limit: number; before?: Uuid } = { limit: limit - found.length, ...(before ? { before } : {}) };
    const { executions, next } = await tenant.executions(filter, range);
    found.push(...executions);
    before = next;
  } while (before !== null && found.length < limit);
  return found;
}

/** A deleted job is found by its id only. */
const jobIdOf = async (tenant: TenantHandle, job: string): Promise<Uuid> => {
  const key = jobKey(job);
  return isUuid(key) ? key : (await tenant.job(key)).id;
};

function show(screen: Screen, config: Config, id: string, options: ExecutionOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const execution = await tenant.execution(uuidOf('execution', id));
    const invocations = await tenant.invocations(execution.id);
    const name = (await jobNames(tenant)).get(execution.jobId);
    for (const line of aligned(describeExecution(execution, name), '')) screen.line(line);
    screen.line();
    for (const line of aligned(describeInvocations(invocations))) screen.line(line);
    screen.document({ ...executionDocument(execution), invocations: invocations.map(invocationDocument) });
    return EXIT.fine;
  });
}

function changed(
  screen: Screen,
  config: Config,
  options: ChangeOptions,
  act: (verbs: TenantVerbs) => Promise<Execution>,
): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    await change(screen, tenant, options, act, (execution) => ({
      line: `execution ${toTypeId('execution', execution.id)} is ${outcomeOf(execution)}.`,
      document: executionDocument(execution),
    }));
    return EXIT.fine;
  });
}

/** A running execution is cancelled when its attempt has ended. */
const outcomeOf = ({ status }: Execution): string =>
  status === 'pending'
    ? 'pending with all its attempts'
    : status === 'running'
      ? 'running, and is cancelled when its attempt ends'
      : status;

const jobNames = async (tenant: TenantHandle): Promise<ReadonlyMap<string, string>> =>
  new Map((await tenant.jobs({}, { limit: MOST_JOBS })).map(({ id, name }) => [id, name]));

function withTenant(
  screen: Screen,
  config: Config,
  options: ExecutionOptions,
  work: (tenant: TenantHandle) => Promise<number>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => work(await chosenTenant(engine, options)));
}

const reasonOf = ({ reason }: ChangeOptions): { reason?: string } => (reason === undefined ? {} : { reason });

/** Both forms of an id: the one people see, and the one in the database. */
const uuidOf = (kind: IdKind, id: string): Uuid => (isUuid(id) ? id : fromTypeId(kind, id));
