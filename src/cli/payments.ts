// `usance payments`: lists and shows payments, and the actions of an operator. Every action is audited under the name of the user that
// runs the command.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Payment, PaymentKind, RanNow, TenantHandle, TenantVerbs } from '../engine.ts';
import { PAYMENT_KINDS } from '../engine.ts';
import { fromTypeId, isUuid, toTypeId } from '../kernel/index.ts';
import {
  describePayment,
  describeTimeline,
  paymentDocument,
  paymentRows,
  timelineDocument,
  wholeTimeline,
} from './payment-lines.ts';
import { addArchive } from './archive.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, counted, green } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface PaymentsOptions extends CommonOptions, TenantOptions {}

interface ListOptions extends PaymentsOptions {
  readonly status?: Payment['status'];
  readonly account?: string;
  readonly reference?: string;
  readonly awaiting?: boolean;
  readonly limit: number;
}

interface RunNowOptions extends PaymentsOptions {
  readonly account?: string;
  readonly reference?: string;
  readonly from?: string;
  readonly retries?: boolean;
  readonly charges?: boolean;
  readonly kind?: PaymentKind;
  readonly code?: string;
  readonly before?: string;
  readonly dryRun?: boolean;
  readonly expect?: number;
  readonly limit?: number;
  readonly reason?: string;
}

const STATUSES: readonly Payment['status'][] = ['scheduled', 'settled', 'failed', 'cancelled', 'expired'];
const MOST_LISTED = 1_000;

export function addPayments(program: Command): void {
  const payments = program
    .command('payments')
    .description('list and get payments; run, fail, retry or archive them')
    .addHelpText('after', '\nExample:\n  usance payments list --status failed');
  payments
    .command('list', { isDefault: true })
    .description('the newest payments')
    .option(...TENANT_OPTION)
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .option('--account <ref>', 'only payments of this payer or payee')
    .option('--reference <text>', 'only the payment with this reference')
    .option('--awaiting', 'only those that await approval')
    .option('--limit <count>', `at most this many, up to ${MOST_LISTED}`, numberUpTo(MOST_LISTED), 20)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance payments list --status failed --account alice')
    .action((options: ListOptions) => run('payments', options, (screen, config) => list(screen, config, options)));

  /** A subcommand on one payment. */
  const one = (name: string, says: string, example: string): Command =>
    payments
      .command(name)
      .description(says)
      .argument('<id>', 'id of the payment, such as pay_01jd…')
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance payments ${example}`);

  one('get', 'show one payment and its timeline', 'get pay_01jd…').action((id: string, options: PaymentsOptions) =>
    run('payments', options, (screen, config) => show(screen, config, id, options)),
  );
  payments
    .command('run-now')
    .description('make a scheduled payment due now, or all payments that match a filter')
    .argument('[id]', 'id of the payment, such as pay_01jd…; or a filter')
    .option(...TENANT_OPTION)
    .option('--account <ref>', 'payments of this payer or payee')
    .option('--from <ref>', 'payments of this payer')
    .option('--reference <text>', 'the payment with this reference')
    .option('--retries', 'payments that failed at least once')
    .option('--charges', 'charges of subscriptions')
    .addOption(new Option('--kind <kind>', 'payments of this kind').choices(PAYMENT_KINDS))
    .option('--code <code>', 'payments whose last attempt failed with this error code')
    .option('--before <instant>', 'payments whose execute_at is before this instant')
    .option('--dry-run', 'print the outcome, with a filter which payments and how many; change nothing')
    .option(
      '--expect <count>',
      'with a filter: how many payments match; if another number matches, nothing is changed',
      count,
    )
    .option('--limit <count>', `with a filter: at most this many, up to ${MOST_LISTED}`, numberUpTo(MOST_LISTED))
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Example:
  usance payments run-now pay_01jd…
  usance payments run-now --retries --code FUNDS_INSUFFICIENT --dry-run
  usance payments run-now --retries --code FUNDS_INSUFFICIENT --expect 12 --reason "the bank answers again"`,
    )
    .action((id: string | undefined, options: RunNowOptions) =>
      run('payments', options, (screen, config) => runNow(screen, config, id, options)),
    );
  one('fail', 'fail a scheduled payment; its reserved funds are released', 'fail pay_01jd… --reason "wrong payee"')
    .option(...DRY_RUN_OPTION)
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((id: string, options: PaymentsOptions & DryRunOption & { reason: string }) =>
      run('payments', options, (screen, config) =>
        changeOne(screen, config, id, options, (tenant, uuid) => tenant.failPayment(uuid, options.reason)),
      ),
    );
  one(
    'retry',
    'retry a failed payment: it gets all its attempts and reserves its funds again',
    'retry pay_01jd… --reason "funds arrived"',
  )
    .option(...DRY_RUN_OPTION)
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .action((id: string, options: PaymentsOptions & DryRunOption & { reason?: string }) =>
      run('payments', options, (screen, config) =>
        changeOne(screen, config, id, options, (tenant, uuid) =>
          tenant.retryPayment(uuid, options.reason === undefined ? {} : { reason: options.reason }),
        ),
      ),
    );
  addArchive(payments);
}

/** One by its id, or some by a filter; a filter cannot be empty. */
function runNow(screen: Screen, config: Config, id: string | undefined, options: RunNowOptions): Promise<number> {
  const { account, from, reference, retries, charges, kind, code, before } = options;
  const { dryRun = false, expect, limit: most, reason } = options;
  const filter = {
    ...(account && { account }),
    ...(from && { from }),
    ...(reference && { reference }),
    ...(retries && { retries }),
    ...(charges && { charges }),
    ...(kind && { kind }),
    ...(code && { code }),
    ...(before && { executeBefore: before }),
  };
  if ((id === undefined) !== Object.keys(filter).length > 0)
    throw new UsageError(
      'give an id, or a filter: --account, --from, --reference, --retries, --charges, --kind, --code or --before',
    );
  const why = reason === undefined ? {} : { reason };
  if (id !== undefined) {
    if (expect !== undefined || most !== undefined) throw new UsageError('--expect and --limit require a filter');
    return changeOne(screen, config, id, options, (tenant, uuid) => tenant.runPaymentNow(uuid, why));
  }
  if (!dryRun && expect === undefined && most === undefined)
    throw new UsageError('count the matching payments with --dry-run first, then give --expect <count>, or --limit');
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const bound = { ...(expect === undefined ? {} : { expect }), ...(most === undefined ? {} : { limit: most }) };
    const ran = await tenant.runPaymentsNow(filter, { dryRun, ...bound, ...why });
    await showRan(screen, tenant, ran, dryRun);
    return EXIT.fine;
  });
}

async function showRan(screen: Screen, tenant: TenantHandle, ran: RanNow, dryRun: boolean): Promise<void> {
  const { payments, refused, found, remaining } = ran;
  for (const line of payments.length === 0 ? [] : aligned(await paymentRows(tenant, payments), '')) screen.line(line);
  for (const one of refused) screen.line(`${toTypeId('payment', one.id)}  unchanged: ${one.detail} (${one.code})`);
  const number = counted(payments.length, 'payment');
  screen.line(dryRun ? `${number} would be due now; nothing was changed.` : `${green('Done:')} ${number} due now.`);
  if (dryRun) screen.line(`${found} match the filter: run them with --expect ${found}.`);
  if (remaining > 0) screen.line(`${counted(remaining, 'more payment')} match; run it again for the next ones.`);
  const documents = refused.map((one) => ({ id: toTypeId('payment', one.id), code: one.code, detail: one.detail }));
  screen.document({ dryRun, found, remaining, payments: payments.map(paymentDocument), refused: documents });
}

function list(screen: Screen, config: Config, options: ListOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const { status, account, reference, awaiting } = options;
    const filter = {
      ...(status && { status }),
      ...(account && { account }),
      ...(reference && { reference }),
      ...(awaiting && { approval: 'awaited' as const }),
    };
    const found = await tenant.payments(filter, { limit: options.limit });
    if (found.length === 0) screen.line('No payment.');
    else for (const line of aligned(await paymentRows(tenant, found), '')) screen.line(line);
    screen.document({ payments: found.map(paymentDocument) });
    return EXIT.fine;
  });
}

function show(screen: Screen, config: Config, id: string, options: PaymentsOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const payment = await tenant.payment(uuidOf(id));
    const nextAttemptAt = await tenant.nextAttemptAt(payment.id);
    const timeline = await wholeTimeline(tenant, payment.id);
    for (const line of aligned(await describePayment(tenant, payment, nextAttemptAt), '')) screen.line(line);
    screen.line();
    for (const line of aligned(describeTimeline(timeline))) screen.line(line);
    screen.document({ ...paymentDocument(payment), nextAttemptAt, timeline: timelineDocument(payment, timeline) });
    return EXIT.fine;
  });
}

function changeOne(
  screen: Screen,
  config: Config,
  id: string,
  options: PaymentsOptions & DryRunOption,
  deed: (tenant: TenantVerbs, id: string) => Promise<Payment>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const shown = (payment: Payment): { line: string; document: object } => {
      const when = payment.status === 'scheduled' ? `, due ${payment.executeAt.toISOString()}` : '';
      return { line: `${id} is ${payment.status}${when}.`, document: paymentDocument(payment) };
    };
    await change(screen, tenant, options, (verbs) => deed(verbs, uuidOf(id)), shown);
    return EXIT.fine;
  });
}

/** Both forms of an id: the one people see, and the one in the database. */
export function uuidOf(id: string): string {
  return isUuid(id) ? id : fromTypeId('payment', id);
}

function count(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= 0) return number;
  throw new InvalidArgumentError('It must be a whole number.');
}
