// `usance dead-letters`: lists payments, occurrences and executions that failed for good, with their errors and amounts. A person retries or
// discards each, audited under the name of the user that runs the command.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import type { DeadLetter, DeadLetterFilter, LetterKind, Retried, TenantHandle, TenantVerbs } from '../engine.ts';
import { LETTER_KINDS } from '../engine.ts';
import { ID_PREFIX, formatAmount, fromTypeId, isUuid, toTypeId } from '../kernel/index.ts';
import { describePayment, describeTimeline, timelineDocument, wholeTimeline } from './payment-lines.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, counted, grouped } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface DeadLetterOptions extends CommonOptions, TenantOptions {}

interface FilterOptions extends DeadLetterOptions {
  readonly kind?: LetterKind;
  readonly code?: string;
  readonly asset?: string;
  readonly job?: string;
}

interface RetryOptions extends FilterOptions, DryRunOption {
  readonly all?: boolean;
  readonly batch?: number;
  readonly reason?: string;
}

const MOST_LISTED = 1_000;
const MOST_AT_ONCE = 1_000;
const ID = 'id of the dead letter, such as pay_01jd…, occ_01jd… or exe_01jd…';
const kindOption = (says: string): Option => new Option('--kind <kind>', says).choices(LETTER_KINDS);

export function addDeadLetters(program: Command): void {
  const letters = program
    .command('dead-letters')
    .description('list dead letters; retry or discard them')
    .addHelpText('after', '\nExample:\n  usance dead-letters list --code FUNDS_INSUFFICIENT');
  /** A subcommand, with what they all take. */
  const sub = (name: string, says: string, example: string, isDefault = false): Command =>
    letters
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance dead-letters ${example}`);

  sub('list', 'list the newest dead letters and their totals', 'list --asset USD/2', true)
    .option('--code <code>', 'only those with this error code')
    .option('--asset <asset>', 'only those in this asset')
    .option('--job <job>', 'only executions of this job: its id or name')
    .addOption(kindOption('only payments, only occurrences (slots of schedules), or only executions of jobs'))
    .action((options: FilterOptions) =>
      run('dead-letters', options, (screen, config) => list(screen, config, options)),
    );
  sub('get', 'show one dead letter and its timeline', 'get pay_01jd…')
    .argument('<id>', ID)
    .action((id: string, options: DeadLetterOptions) =>
      run('dead-letters', options, (screen, config) => show(screen, config, id, options)),
    );
  sub(
    'retry',
    'retry it: it gets all its attempts, and a payment reserves its funds again',
    'retry --all --code FUNDS_INSUFFICIENT',
  )
    .argument('[id]', 'id of the dead letter, or --all')
    .option('--all', 'retry all, or all with a code or an asset')
    .option('--code <code>', 'with --all, only those with this error code')
    .option('--asset <asset>', 'with --all, only those in this asset')
    .option('--job <job>', 'with --all, only executions of this job: its id or name')
    .addOption(kindOption('with --all, only those of this kind'))
    .option(
      '--batch <count>',
      `with --all, dead letters per transaction, up to ${MOST_AT_ONCE}`,
      numberUpTo(MOST_AT_ONCE),
      MOST_AT_ONCE,
    )
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string | undefined, options: RetryOptions) =>
      run('dead-letters', options, (screen, config) => retry(screen, config, id, options)),
    );
  sub('discard', 'discard it: it stays failed', 'discard pay_01jd… --reason "paid by other means"')
    .argument('<id>', ID)
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: DeadLetterOptions & DryRunOption & { reason: string }) =>
      run('dead-letters', options, (screen, config) => discard(screen, config, id, options)),
    );
}

function list(screen: Screen, config: Config, options: FilterOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const letters = await tenant.deadLetters(await filterOf(tenant, options), { limit: MOST_LISTED });
    if (letters.length === 0) screen.line('No dead letter.');
    else {
      const rows = letters.map((letter) => [
        toTypeId(letter.kind, letter.id),
        amountOf(letter),
        letter.code,
        letter.failedAt.toISOString(),
        letter.detail,
      ]);
      for (const line of aligned([['id', 'at stake', 'cause', 'failed at', ''], ...rows], '')) screen.line(line);
      screen.line();
      for (const [asset, total] of totals(letters)) screen.line(`${formatAmount(total, asset)} at stake`);
    }
    screen.document({ deadLetters: letters.map(documentOf) });
    return EXIT.fine;
  });
}

function show(screen: Screen, config: Config, id: string, options: DeadLetterOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const letter = await tenant.deadLetter(uuidOf(id));
    if (letter.kind === 'execution') return showExecution(screen, tenant, letter);
    const atStake = ['at stake', amountOf(letter)];
    if (letter.kind === 'occurrence') {
      for (const line of aligned([atStake, ...(await describeSlot(tenant, letter))], '')) screen.line(line);
      screen.document(documentOf(letter));
      return EXIT.fine;
    }
    const payment = await tenant.payment(letter.id);
    const timeline = await wholeTimeline(tenant, letter.id);
    for (const line of aligned([atStake, ...(await describePayment(tenant, payment))], '')) screen.line(line);
    screen.line();
    for (const line of aligned(describeTimeline(timeline))) screen.line(line);
    screen.document({ ...documentOf(letter), timeline: timelineDocument(payment, timeline) });
    return EXIT.fine;
  });
}

async function showExecution(screen: Screen, tenant: TenantHandle, letter: DeadLetter): Promise<number> {
  const { attemptNumber, eventId } = await tenant.execution(letter.id);
  const rows = [
    ['execution', toTypeId('execution', letter.id)],
    ['job', toTypeId('job', letter.jobId ?? '')],
    ['event', toTypeId('event', eventId)],
    ['attempts', String(attemptNumber)],
    ['failed at', letter.failedAt.toISOString()],
    ['cause', `${letter.code}: ${letter.detail}`],
  ];
  for (const line of aligned(rows, '')) screen.line(line);
  screen.document(documentOf(letter));
  return EXIT.fine;
}

async function describeSlot(tenant: TenantHandle, letter: DeadLetter): Promise<string[][]> {
  const { id, status, payerId, legs, timing } = await tenant.schedule(letter.scheduleId ?? '');
  const refs = await Promise.all(
    [payerId, ...legs.map((leg) => leg.accountId)].map(async (each) => (await tenant.account(each)).ref),
  );
  const [from, ...to] = refs;
  return [
    ['occurrence', toTypeId('occurrence', letter.id)],
    ['schedule', `${toTypeId('schedule', id)} (${status})`],
    ['slot', `${letter.slot} ${timing.zone}`],
    ['parties', `${from} → ${to.join(' + ')}`],
    ['failed at', letter.failedAt.toISOString()],
    ['cause', `${letter.code}: ${letter.detail}`],
  ];
}

function retry(screen: Screen, config: Config, id: string | undefined, options: RetryOptions): Promise<number> {
  if ((id === undefined) !== (options.all ?? false)) throw new UsageError('give an id, or --all');
  return withTenant(screen, config, options, async (tenant) => {
    const why = options.reason === undefined ? {} : { reason: options.reason };
    if (id !== undefined) {
      const { kind, id: uuid } = await tenant.deadLetter(uuidOf(id));
      const now = kind === 'occurrence' ? 'has its payment now' : 'gets all its attempts again';
      const document = { retried: [toTypeId(kind, uuid)], refused: [], more: false };
      const shown = { line: `${toTypeId(kind, uuid)} ${now}.`, document };
      await change(
        screen,
        tenant,
        options,
        (verbs) => verbs.retryDeadLetter(uuid, why),
        () => shown,
      );
      return EXIT.fine;
    }
    const filter = await filterOf(tenant, options);
    const { refused, next } = await change(
      screen,
      tenant,
      options,
      (verbs) => retryAll(screen, verbs, filter, options),
      (done) => ({
        line: `${counted(done.retried.length, 'dead letter')} retried.`,
        document: {
          retried: done.retried.map((one) => toTypeId(one.kind, one.id)),
          refused: done.refused.map((left) => ({ ...left, id: toTypeId(left.kind, left.id) })),
          more: done.next !== null,
        },
      }),
    );
    for (const left of refused) screen.line(`${toTypeId(left.kind, left.id)} stays: ${left.code}: ${left.detail}`);
    if (next !== null) screen.line('More dead letters match: a dry run tries one batch.');
    return refused.length === 0 ? EXIT.fine : EXIT.wrong;
  });
}

/** Batch after batch, each in its own transaction, behind those that were refused. A dry run is one transaction, and ends after one batch. */
async function retryAll(
  screen: Screen,
  verbs: TenantVerbs,
  filter: DeadLetterFilter,
  { dryRun = false, batch, reason }: RetryOptions,
): Promise<Retried> {
  const options = { ...(reason === undefined ? {} : { reason }), ...(batch === undefined ? {} : { limit: batch }) };
  let done = await verbs.retryDeadLetters(filter, options);
  if (dryRun) return done;
  while (done.next !== null) {
    screen.line(
      `${counted(done.retried.length, 'dead letter')} retried, ${grouped(done.refused.length)} refused so far.`,
    );
    const part = await verbs.retryDeadLetters(filter, { ...options, after: done.next });
    done = {
      retried: [...done.retried, ...part.retried],
      refused: [...done.refused, ...part.refused],
      next: part.next,
    };
  }
  return done;
}

function discard(
  screen: Screen,
  config: Config,
  id: string,
  options: DeadLetterOptions & DryRunOption & { reason: string },
): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const { kind, id: uuid } = await tenant.deadLetter(uuidOf(id));
    const line = `${toTypeId(kind, uuid)} is discarded and stays failed.`;
    const shown = { line, document: { discarded: toTypeId(kind, uuid) } };
    await change(
      screen,
      tenant,
      options,
      (verbs) => verbs.discardDeadLetter(uuid, options.reason),
      () => shown,
    );
    return EXIT.fine;
  });
}

function withTenant(
  screen: Screen,
  config: Config,
  options: DeadLetterOptions,
  work: (tenant: TenantHandle) => Promise<number>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => work(await chosenTenant(engine, options)));
}

async function filterOf(tenant: TenantHandle, { kind, code, asset, job }: FilterOptions): Promise<DeadLetterFilter> {
  return {
    ...(job === undefined ? {} : { jobId: await jobIdOf(tenant, job) }),
    ...(kind === undefined ? {} : { kind }),
    ...(code === undefined ? {} : { code }),
    ...(asset === undefined ? {} : { asset }),
  };
}

/** A deleted job has dead letters too, and is named by its id. */
async function jobIdOf(tenant: TenantHandle, job: string): Promise<string> {
  if (isUuid(job)) return job;
  return job.startsWith(`${ID_PREFIX.job}_`) ? fromTypeId('job', job) : (await tenant.job(job)).id;
}

const amountOf = ({ amount, asset }: DeadLetter): string =>
  amount === null || asset === null ? '–' : formatAmount(amount, asset);

function totals(letters: readonly DeadLetter[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { asset, amount } of letters)
    if (asset !== null) sums.set(asset, (sums.get(asset) ?? 0n) + (amount ?? 0n));
  return sums;
}

const documentOf = ({ scheduleId, jobId, ...letter }: DeadLetter): object => ({
  ...letter,
  id: toTypeId(letter.kind, letter.id),
  schedule: scheduleId === null ? null : toTypeId('schedule', scheduleId),
  job: jobId === null ? null : toTypeId('job', jobId),
});

/** Both forms of an id: the one people see, and the one in the database. */
function uuidOf(id: string): string {
  if (isUuid(id)) return id;
  return fromTypeId(LETTER_KINDS.find((kind) => id.startsWith(`${ID_PREFIX[kind]}_`)) ?? 'payment', id);
}
