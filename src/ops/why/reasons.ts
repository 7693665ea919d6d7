// Why a payment has not been paid yet. Pure: facts in, reasons out, in the order in which the processor would meet them.
import { BrokenInvariant, CATALOGUE, formatAmount, userActor } from '../../kernel/index.ts';
import { endedBy, retryPolicyOf } from '../../payments/index.ts';
import { accountReasons, limitReasons } from './account-reasons.ts';
import type { Facts } from './facts.ts';
import { MOST_AHEAD } from './facts.ts';
import type { Change, Listener, Reason } from './reason.ts';
import { change, plural, reason, waiting } from './reason.ts';

/** A processor runs every second and reports every 15 seconds. */
const IDLE_MS = 60_000;

/** The operations that an end user can call for a payment that they made. A payment of the tenant is the tenant's to change. */
const OF_THE_MAKER: readonly string[] = ['payments.update', 'payments.cancel'];

/** At least one; the first is the primary one. */
export function reasonsOf(facts: Facts, to: Listener): readonly [Reason, ...Reason[]] {
  const [first, ...others] = allReasons(facts, to);
  if (!to.isPayer) return [first, ...others];
  const isMaker = facts.payment.createdBy === userActor(facts.payment.payerId);
  const forPayer = (each: Reason): Reason => ({
    ...each,
    changes: each.changes.flatMap((one) => {
      // The payments of end users are holds.
      if (one.operation === 'payments.create') return [change('holds.create', 'Create a new hold.')];
      const isOpen = one.operation === null || (isMaker && OF_THE_MAKER.includes(one.operation));
      return isOpen ? [one] : [];
    }),
  });
  return [forPayer(first), ...others.map(forPayer)];
}

function allReasons(facts: Facts, to: Listener): readonly [Reason, ...Reason[]] {
  const { status } = facts.payment;
  if (status === 'processing' || status === 'submitted' || status === 'review') return [withChain(facts, status, to)];
  if (status !== 'scheduled' || facts.due === null) return [ended(facts, to)];
  const expired = endedBy(facts.payment, facts.now);
  if (expired) return [expiring(facts, expired)];
  const [first, ...others] = [
    clockMissing(facts),
    approval(facts, to),
    notDue(facts),
    clockStands(facts),
    ...(to.ops ? [processorIdle(facts), rateCapped(facts)] : []),
    chargesByCron(facts),
    locked(facts),
    ...pausedOf(facts, to),
    ...limitReasons(facts, to),
    frozen(facts, to),
    ...accountReasons(facts, to),
    payoutWaits(facts, to),
    retrying(facts),
    setAside(facts),
  ].filter((each) => each !== null);
  return first ? [first, ...others] : [DUE];
}

const DUE = reason('due', 'the payment is due and is about to be tried', {
  changes: [change(null, 'A processor tries it within seconds.')],
});

const dueAtOf = ({ due, payment }: Facts): Date => due?.dueAt ?? payment.executeAt;
const isDue = (facts: Facts): boolean => dueAtOf(facts) <= facts.now;
const isAwaited = ({ payment }: Facts): boolean => payment.approval === 'awaited';
/** Tried or put back before, and not due again yet. */
const isPutBack = (facts: Facts): boolean => !isDue(facts) && !isAwaited(facts) && facts.payment.executeAt <= facts.now;

/** Time passes by itself, or by a test clock. */
function atTime({ payment }: Facts, at: Date): Change {
  const instant = at.toISOString();
  return payment.clockId === null
    ? change(null, `It is tried at ${instant}.`)
    : change('testClocks.advance', `Advance the test clock to ${instant} or later.`);
}

/** A failed payment that has expired, or whose subscription refuses it, cannot be retried. */
function afterFailure({ payment: { expiresAt }, now, retryRefused }: Facts): Change {
  if (expiresAt !== null && expiresAt <= now)
    return change('payments.create', 'Create a new payment: this one is past its expiry.');
  if (retryRefused)
    return change('payments.create', 'Create a new payment: the subscription does not allow a retry of this charge.');
  return change('payments.retry', 'Retry the payment: it gets its attempts again.');
}

/** A payout whose attempt runs: the chain decides, and nothing here hastens it. */
function withChain(facts: Facts, status: 'processing' | 'submitted' | 'review', to: Listener): Reason {
  const { payment } = facts;
  const watched =
    payment.clockId === null
      ? change(null, 'The chain is asked until it has decided; then the payout ends by itself.')
      : change('testClocks.advance', 'Advance the test clock: the chain is asked again on the way.');
  if (status === 'processing')
    return reason('processing', 'a worker is signing the transaction of the payout', {
      changes: [change(null, 'It is sent, or given up and tried again, within a minute.')],
    });
  if (status === 'submitted')
    return reason('submitted', 'the transaction of the payout was sent and is not final yet', { changes: [watched] });
  const detail = to.isPayer || payment.lastDetail === null ? '' : `: ${payment.lastDetail}`;
  const resolved = to.isPayer ? [] : [change('payments.resolve', 'Resolve the review, if you know the outcome.')];
  return reason('review', `it is not known yet whether the payout landed${detail}`, {
    changes: [watched, ...resolved],
  });
}

const isOverCap = ({ payment }: Facts): boolean => payment.lastCode === 'PAYOUT_CAP_EXCEEDED';

const isWaitingPayout = (facts: Facts): boolean => facts.payment.lastCode === 'PAYOUT_WAITS' || isOverCap(facts);

function payoutWaits(facts: Facts, to: Listener): Reason | null {
  if (!isPutBack(facts) || !isWaitingPayout(facts)) return null;
  const at = dueAtOf(facts);
  const because = (!to.isPayer && facts.payment.lastDetail) || 'its chain or its wallet is not ready';
  const raised = change('payoutCaps.set', 'Raise the cap, then run the payment now.');
  return reason('payout_waits', `the payout waits: ${because}`, {
    until: at,
    changes: [
      atTime(facts, at),
      ...(isOverCap(facts) && !to.isPayer ? [raised] : []),
      change('payments.cancel', 'Cancel the payout: no attempt is under way.'),
    ],
  });
}

function ended(facts: Facts, to: Listener): Reason {
  const { payment, ending } = facts;
  const { status, asset, amount, captured, attempts, lastCode, lastDetail } = payment;
  const at = payment.endedAt ? ` at ${payment.endedAt.toISOString()}` : '';
  const isTenant = !to.isPayer;
  if (status === 'settled') {
    const part =
      captured < amount
        ? ` ${formatAmount(captured, asset)} of ${formatAmount(amount, asset)}; the rest was released`
        : '';
    return reason('settled', `the payment was paid${at}${part === '' ? '' : ':'}${part}`, {});
  }
  if (status === 'failed') {
    const code = lastCode ?? 'UNEXPECTED';
    const title = code in CATALOGUE ? CATALOGUE[code as 'UNEXPECTED'].title : code;
    const tried = attempts > 0 ? ` after ${plural(attempts, 'attempt')}` : '';
    return reason('failed', `the payment failed${at}${tried} with ${code}: ${(isTenant && lastDetail) || title}`, {
      changes: [isTenant ? afterFailure(facts) : change('payments.create', 'Create a new payment.')],
    });
  }
  const again = [change('payments.create', 'Create a new payment.')];
  const told = ending?.data['reason'];
  if (status === 'expired')
    return reason('expired', `the payment expired${at}${told === 'approval_not_given' ? ' without approval' : ''}`, {
      changes: again,
    });
  if (status === 'cancelled') {
    const rejected = ending?.type === 'payment.rejected';
    const because = isTenant && typeof told === 'string' ? `: ${told}` : '';
    return reason('cancelled', `the payment was ${rejected ? 'rejected' : 'cancelled'}${at}${because}`, {
      changes: again,
      by: isTenant ? (ending?.actor ?? null) : null,
    });
  }
  throw new BrokenInvariant(`expected no payment to be ${status}`);
}

function expiring({ payment: { expiresAt, approvalUntil } }: Facts, why: string): Reason {
  const [end, how] = why === 'expires_at' ? [expiresAt, ''] : [approvalUntil, ' without approval'];
  return reason(
    'expired',
    `the payment expired at ${end?.toISOString()}${how}, and the next run of a processor ends it`,
    {
      changes: [change('payments.create', 'Create a new payment.')],
    },
  );
}

function clockMissing({ payment, clock }: Facts): Reason | null {
  if (payment.clockId === null || clock !== null) return null;
  return reason('clock_missing', 'the test tenant has no clock, so its time does not pass', {
    changes: [change('testClocks.create', 'Create a test clock: the payment continues with it.')],
  });
}

function approval({ payment, approvalAbove }: Facts, to: Listener): Reason | null {
  if (payment.approval !== 'awaited') return null;
  const until = payment.approvalUntil;
  const above = approvalAbove === null || !to.ops ? '' : ` above ${formatAmount(approvalAbove, payment.asset)}`;
  const ends = until ? `; without it the payment expires at ${until.toISOString()}` : '';
  return reason('approval_awaited', `the payment awaits approval, which payments${above} need${ends}`, {
    until,
    changes: to.isPayer ? [] : [change('payments.approve', 'A second person approves it.')],
  });
}

function notDue(facts: Facts): Reason | null {
  const { payment, now } = facts;
  const { executeAt, owner } = payment;
  const isOwned = owner?.kind === 'subscription' || owner?.kind === 'allowance';
  if (executeAt <= now || (isDue(facts) && !isAwaited(facts))) return null;
  return reason('not_due', `the payment runs at ${executeAt.toISOString()}`, {
    until: executeAt,
    changes: [
      atTime(facts, executeAt),
      // A subscription or an allowance decides when its payments run.
      ...(isOwned ? [] : [change('payments.update', 'Move the payment to an earlier instant.')]),
      change('payments.runNow', 'Run the payment now.'),
    ],
  });
}

function clockStands(facts: Facts): Reason | null {
  const { clock } = facts;
  if (!clock || isAwaited(facts)) return null;
  const to = clock.status === 'advancing' ? clock.advance?.to : undefined;
  if (to && dueAtOf(facts) <= to)
    return waiting(
      'clock_advancing',
      `the test clock is advancing from ${clock.now.toISOString()} to ${to.toISOString()}, and the payment is tried on the way`,
      'The advance completes; it needs a process that runs the loop "clocks", such as `usance worker`.',
    );
  if (!isDue(facts)) return null;
  return reason(
    'clock_standing',
    `the test clock is at ${clock.now.toISOString()}: due payments run when it advances`,
    {
      changes: [change('testClocks.advance', 'Advance the test clock, to the same instant or a later one.')],
    },
  );
}

function processorIdle(facts: Facts): Reason | null {
  const { idleMs } = facts;
  if (!isDue(facts) || (idleMs !== null && idleMs < IDLE_MS)) return null;
  const since = idleMs === null ? 'no processor has run yet' : `no processor has run for ${lengthOf(idleMs)}`;
  return waiting(
    'processor_idle',
    `the payment has been due since ${dueAtOf(facts).toISOString()}, and ${since}`,
    `Start \`usance ${facts.payment.payout ? 'worker' : 'processor'}\`, or call \`usance.start()\` in your process.`,
  );
}

function rateCapped(facts: Facts): Reason | null {
  const { cap, ahead, now } = facts;
  if (cap === null || ahead === 0 || !isDue(facts)) return null;
  const payments = ahead >= MOST_AHEAD ? `at least ${MOST_AHEAD} payments` : plural(ahead, 'payment');
  const count = `${payments} ${ahead === 1 ? 'is' : 'are'}`;
  return reason(
    'rate_capped',
    `the tenant executes at most ${plural(cap, 'payment')} per second, and ${count} due before this one`,
    {
      until: new Date(now.getTime() + Math.ceil(ahead / cap) * 1_000),
      changes: [
        change(null, 'The payments before it run first.'),
        change('executionCap.set', 'Raise or remove the cap of the tenant.'),
      ],
    },
  );
}

function chargesByCron(facts: Facts): Reason | null {
  const { cronAt, now, payment } = facts;
  if (cronAt === null || cronAt <= now) return null;
  const isItsTime = !isDue(facts) && cronAt.getTime() === dueAtOf(facts).getTime();
  if (isItsTime && (payment.attempts > 0 || payment.executeAt > now || isAwaited(facts))) return null;
  return reason(
    'charges_by_cron',
    `charges of subscriptions are tried when a cron runs, next at ${cronAt.toISOString()}`,
    {
      until: cronAt,
      changes: [atTime(facts, cronAt)],
    },
  );
}

function locked(facts: Facts): Reason | null {
  const { due } = facts;
  if (!due || due.blocked === 0 || isAwaited(facts)) return null;
  const until = isDue(facts) ? null : due.dueAt;
  const again = until ? `; it is tried again at ${until.toISOString()}` : '';
  return reason('locked', `another transaction held the balance that the payment needs${again}`, {
    until,
    changes: [change(null, 'The other transaction ends; the payment is then tried within a second.')],
  });
}

function pausedOf({ pauses }: Facts, to: Listener): Reason[] {
  return pauses.map(({ scope, value, reason: because, pausedBy, pausedAt }) => {
    const what = scope === 'tenant' ? 'payments of the tenant' : `payments of the ${scope} ${value}`;
    if (!to.ops) return reason('paused', 'outgoing payments are paused', {});
    return reason('paused', `${what} have been paused since ${pausedAt.toISOString()}: ${because}`, {
      by: pausedBy,
      changes: [change('pauses.lift', 'Lift the pause; the payment is tried within 15 seconds.')],
    });
  });
}

function frozen({ freeze, payment: { asset } }: Facts, to: Listener): Reason | null {
  if (freeze === null) return null;
  if (!to.ops) return reason('frozen', `outgoing ${asset} is stopped`, {});
  const says = `outgoing ${asset} has been frozen since ${freeze.frozenAt.toISOString()}: the check "${freeze.violation}" failed`;
  return waiting('frozen', says, 'Examine it with `usance verify`, then lift it with `usance freezes lift`.');
}

function retrying(facts: Facts): Reason | null {
  const { payment, cronAt } = facts;
  if (!isPutBack(facts) || payment.attempts === 0 || payment.lastCode === null || isWaitingPayout(facts)) return null;
  const at = cronAt ?? dueAtOf(facts);
  const { maxAttempts } = retryPolicyOf(payment);
  const failed = `attempt ${payment.attempts} of ${maxAttempts} failed with ${payment.lastCode}`;
  return reason('retrying', `${failed}; the next attempt is at ${at.toISOString()}`, {
    until: at,
    changes: [atTime(facts, at), change('payments.runNow', 'Run the payment now.')],
  });
}

/** Put back without an attempt: after a pause or a freeze, or after an error that a person has to look at. */
function setAside(facts: Facts): Reason | null {
  if (!isPutBack(facts) || facts.payment.attempts > 0 || (facts.due?.blocked ?? 0) > 0 || isWaitingPayout(facts))
    return null;
  const at = dueAtOf(facts);
  if (facts.cronAt?.getTime() === at.getTime()) return null;
  return reason('set_aside', `the payment was set aside without an attempt and is tried at ${at.toISOString()}`, {
    until: at,
    changes: [atTime(facts, at), change('payments.runNow', 'Run the payment now.')],
  });
}

/** 90,000 is "90 seconds". */
function lengthOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 120) return plural(seconds, 'second');
  if (seconds < 7_200) return plural(Math.floor(seconds / 60), 'minute');
  return seconds < 172_800 ? plural(Math.floor(seconds / 3_600), 'hour') : plural(Math.floor(seconds / 86_400), 'day');
}
