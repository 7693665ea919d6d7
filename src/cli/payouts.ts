// `usance payouts`: payments over chains with their attempts, the reason of their chain, and the decision about one in review. Every action is
// audited under the name of the user that runs the command.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import type { ExplainedRoute, Payment, PayoutAttempt, TenantHandle, TenantVerbs } from '../engine.ts';
import { RESOLUTIONS } from '../engine.ts';
import { formatAmount, refuse, showIds, shownActor, toTypeId } from '../kernel/index.ts';
import { inTenant } from './chosen-tenant.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { describePayment, paymentDocument } from './payment-lines.ts';
import { uuidOf } from './payments.ts';
import { addPayoutGuards } from './payout-guards.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, bold, dim } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface PayoutOptions extends CommonOptions, TenantOptions {}

interface ListOptions extends PayoutOptions {
  readonly status?: Payment['status'];
  readonly reference?: string;
  readonly limit: number;
}

interface CancelOptions extends PayoutOptions, DryRunOption {
  readonly reason?: string;
}

interface ResolveOptions extends PayoutOptions, DryRunOption {
  readonly outcome: (typeof RESOLUTIONS)[number];
  readonly transaction?: string;
  readonly reason: string;
}

const STATUSES: readonly Payment['status'][] = [
  'scheduled',
  'processing',
  'submitted',
  'review',
  'settled',
  'failed',
  'cancelled',
  'expired',
];
const MOST_LISTED = 1_000;

export function addPayouts(program: Command): void {
  const payouts = program
    .command('payouts')
    .description('payments over chains: attempts, routes, payouts in review, and what a tenant allows')
    .addHelpText('after', '\nExample:\n  usance payouts list --status review');
  payouts
    .command('list', { isDefault: true })
    .description('the newest payouts')
    .option(...TENANT_OPTION)
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .option('--reference <text>', 'only the payout with this reference')
    .option('--limit <count>', `at most this many, up to ${MOST_LISTED}`, numberUpTo(MOST_LISTED), 20)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance payouts list --status review')
    .action((options: ListOptions) => run('payouts', options, (screen, config) => list(screen, config, options)));

  /** A subcommand on one payout. */
  const one = (name: string, says: string, example: string): Command =>
    payouts
      .command(name)
      .description(says)
      .argument('<id>', 'id of the payout, such as pay_01jd…')
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance payouts ${example}`);

  one('get', 'show one payout, its attempts, and why it is not paid yet', 'get pay_01jd…').action(
    (id: string, options: PayoutOptions) =>
      run('payouts', options, (screen, config) => show(screen, config, id, options)),
  );
  one('route', 'explain the chain of a payout', 'route pay_01jd…').action((id: string, options: PayoutOptions) =>
    run('payouts', options, (screen, config) => route(screen, config, id, options)),
  );
  one('cancel', 'cancel a payout of which no attempt has begun', 'cancel pay_01jd… --reason "the address changed"')
    .option(...DRY_RUN_OPTION)
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .action((id: string, options: CancelOptions) =>
      run('payouts', options, (screen, config) =>
        changeOne(screen, config, id, options, (verbs, uuid) =>
          verbs.cancelPayment(uuid, options.reason === undefined ? {} : { reason: options.reason }),
        ),
      ),
    );
  one(
    'resolve',
    'resolve a payout in review; the chain is asked first',
    'resolve pay_01jd… --outcome dead --reason "no explorer has it, and block 160 is final"',
  )
    .addOption(
      new Option(
        '--outcome <outcome>',
        'paid: by its transaction, which is final. dead: it has not paid, and never will',
      )
        .choices(RESOLUTIONS)
        .makeOptionMandatory(),
    )
    .option('--transaction <id>', 'the transaction that you looked up; required for paid')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ResolveOptions) =>
      run('payouts', options, (screen, config) => {
        const { outcome, transaction, reason } = options;
        if (outcome === 'paid' && transaction === undefined)
          throw new UsageError('--outcome paid needs --transaction, the id of the transaction that paid');
        const order = { outcome, reason, ...(transaction === undefined ? {} : { transactionId: transaction }) };
        return changeOne(screen, config, id, options, (verbs, uuid) => verbs.resolvePayout(uuid, order));
      }),
    );
  addPayoutGuards(payouts);
}

function list(screen: Screen, config: Config, options: ListOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const { status, reference, limit } = options;
    const filter = { payouts: true, ...(status && { status }), ...(reference && { reference }) };
    const found = await tenant.payments(filter, { limit });
    const attempts = new Map(
      (await tenant.shownAttempts(found.map(({ id }) => id))).map((attempt) => [attempt.paymentId, attempt]),
    );
    if (found.length === 0) screen.line(`No payout ${inTenant(tenant)}.`);
    else
      for (const line of aligned([HEADING, ...found.map((each) => rowOf(each, attempts.get(each.id)))], ''))
        screen.line(line);
    screen.document({
      payouts: found.map((each) => {
        const attempt = attempts.get(each.id);
        return { ...paymentDocument(each), attempt: attempt ? attemptDocument(attempt) : null };
      }),
    });
    return EXIT.fine;
  });
}

const HEADING = ['id', 'status', 'amount', 'chain', 'to', 'execute at', ''];

function rowOf(payment: Payment, attempt: PayoutAttempt | undefined): string[] {
  const { destinations = {} } = payment.payout ?? {};
  const sent = attempt?.sent;
  return [
    toTypeId('payment', payment.id),
    payment.status,
    formatAmount(payment.amount, payment.asset),
    sent?.chain ?? payment.rail,
    sent?.address ?? Object.values(destinations).join(' '),
    payment.executeAt.toISOString(),
    payment.lastCode ?? '',
  ];
}

function show(screen: Screen, config: Config, id: string, options: PayoutOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const payment = await payoutOf(tenant, id);
    const nextAttemptAt = await tenant.nextAttemptAt(payment.id);
    const attempts = await tenant.payoutAttempts(payment.id, { limit: MOST_LISTED });
    const why = payment.endedAt === null ? await tenant.whyPayment(payment.id) : null;
    for (const line of aligned(await describePayment(tenant, payment, nextAttemptAt), '')) screen.line(line);
    for (const [chain, address] of Object.entries(payment.payout?.destinations ?? {}))
      screen.line(`pays ${address} on ${chain}`);
    if (why) screen.line(bold(`${why.sentence.slice(0, 1).toUpperCase()}${why.sentence.slice(1)} (${why.code})`));
    for (const { sentence } of why?.changes ?? []) screen.line(`  → ${sentence}`);
    if (attempts.length > 0) screen.line();
    for (const line of aligned(attempts.map(attemptRow), '')) screen.line(line);
    screen.document({
      ...paymentDocument(payment),
      nextAttemptAt,
      attemptList: attempts.map(attemptDocument),
      why: why && showIds(why),
    });
    return EXIT.fine;
  });
}

function attemptRow(attempt: PayoutAttempt): string[] {
  const { number, state, sent, fee, claimedAt, detail, resolvedBy } = attempt;
  const cost = sent && fee !== null ? `fee ${formatAmount(fee, sent.feeAsset)}` : '';
  const by = resolvedBy === null ? '' : `resolved by ${shownActor(resolvedBy)}`;
  return [
    `attempt ${number}`,
    state,
    dim(claimedAt.toISOString()),
    sent ? `${sent.chain} ${sent.signed.transactionId}` : '',
    [cost, by, detail ?? ''].filter((part) => part !== '').join('; '),
  ];
}

function attemptDocument(attempt: PayoutAttempt): object {
  const { sent, resolvedBy } = attempt;
  return {
    number: attempt.number,
    state: attempt.state,
    chain: sent?.chain ?? null,
    destination: sent?.address ?? null,
    transactionId: sent?.signed.transactionId ?? null,
    lastValidHeight: sent?.signed.lastValidHeight.toString() ?? null,
    lastSeen: attempt.lastSeen,
    broadcasts: attempt.broadcasts,
    checks: attempt.checks,
    fee: attempt.fee?.toString() ?? null,
    feeAsset: sent?.feeAsset ?? null,
    height: attempt.height?.toString() ?? null,
    code: attempt.code,
    detail: attempt.detail,
    beganAt: attempt.claimedAt,
    sentAt: sent?.sentAt ?? null,
    endedAt: attempt.endedAt,
    resolvedBy: resolvedBy === null ? null : shownActor(resolvedBy),
  };
}

function route(screen: Screen, config: Config, id: string, options: PayoutOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const explained: ExplainedRoute = await tenant.payoutRoute((await payoutOf(tenant, id)).id);
    const { explanation, replays, routes, quote } = explained;
    for (const line of explanation) screen.line(line);
    if (!replays) screen.line('The stored inputs give another choice now: see "usance verify".');
    screen.document({
      explanation,
      replays,
      quote: quote && toTypeId('quote', quote.id),
      routes: routes.map(({ number, attempt, cause, chain, chosenAt }) => ({
        number,
        attempt,
        cause,
        chain,
        chosenAt,
      })),
    });
    return EXIT.fine;
  });
}

function changeOne(
  screen: Screen,
  config: Config,
  id: string,
  options: PayoutOptions & DryRunOption,
  work: (verbs: TenantVerbs, id: string) => Promise<Payment>,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const payment = await payoutOf(tenant, id);
    await change(
      screen,
      tenant,
      options,
      (verbs) => work(verbs, payment.id),
      (after) => ({
        line: `${id} is ${after.status}${after.status === 'scheduled' ? ': another attempt follows, or it fails after its last' : ''}.`,
        document: paymentDocument(after),
      }),
    );
    return EXIT.fine;
  });
}

/** A payment between accounts is no payout. */
async function payoutOf(tenant: TenantHandle, id: string): Promise<Payment> {
  const payment = await tenant.payment(uuidOf(id));
  return payment.payout ? payment : refuse('PAYMENT_NOT_FOUND', { payment: payment.id });
}
