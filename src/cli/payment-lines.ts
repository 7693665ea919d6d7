// A payment in words, for the commands that show one.
import type { Payment, TenantHandle, TimelineEntry } from '../engine.ts';
import { formatAmount, isUuid, shownActor, toTypeId } from '../kernel/index.ts';
import { eventDocument, ownerDocument } from './event-document.ts';

/** A table with its heading. */
export async function paymentRows(tenant: TenantHandle, payments: readonly Payment[]): Promise<string[][]> {
  const refs = await refsOf(tenant, payments);
  const rows = payments.map((payment) => [
    toTypeId('payment', payment.id),
    payment.status,
    formatAmount(payment.amount, payment.asset),
    parties(payment, refs),
    payment.executeAt.toISOString(),
    payment.approval === 'awaited' ? 'awaits approval' : (payment.lastCode ?? ''),
  ]);
  return [['id', 'status', 'amount', 'from → to', 'execute at', ''], ...rows];
}

/** Pairs of a name and a value, without those that do not apply. */
export async function describePayment(
  tenant: TenantHandle,
  payment: Payment,
  nextAttemptAt: Date | null = null,
): Promise<string[][]> {
  const money = (amount: bigint): string => formatAmount(amount, payment.asset);
  const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
  const some = (amount: bigint): string | null => (amount > 0n ? money(amount) : null);
  const cause = payment.lastCode && `${payment.lastCode}: ${payment.lastDetail ?? ''}`;
  const facts: [string, string | null][] = [
    ['payment', toTypeId('payment', payment.id)],
    ['status', payment.status],
    ['approval', payment.approval],
    ['approval until', payment.approval === 'awaited' ? instant(payment.approvalUntil) : null],
    ['terms version', String(payment.termsVersion)],
    ['amount', money(payment.amount)],
    ['captured', some(payment.captured)],
    ['released', some(payment.released)],
    ['refunded', some(payment.refunded)],
    ['parties', parties(payment, await refsOf(tenant, [payment]))],
    ['funding', payment.funding],
    ['execute at', instant(payment.executeAt)],
    ['next attempt at', instant(nextAttemptAt)],
    ['expires at', instant(payment.expiresAt)],
    ['ended at', instant(payment.endedAt)],
    ['attempts', String(payment.attempts)],
    ['last cause', cause],
    ['reference', payment.reference],
    ['created by', actorText(payment.createdBy)],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/** An actor as lists show it: a key or a schedule by its id. */
export function actorText(actor: string): string {
  const [, kind = '', id = ''] = /^(key|schedule):(.*)$/.exec(actor) ?? [];
  if (!isUuid(id)) return actor;
  return kind === 'key' ? toTypeId('apiKey', id) : `schedule ${toTypeId('schedule', id)}`;
}

/** One page after the other. */
export async function wholeTimeline(tenant: TenantHandle, id: string): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  for (;;) {
    const next = await tenant.timeline(id, { after: all.at(-1)?.id });
    if (next.length === 0) return all;
    all.push(...next);
  }
}

export function describeTimeline(entries: readonly TimelineEntry[]): string[][] {
  return entries.map(({ at, type, actor, cause, reason, durationMs }) => [
    at.toISOString(),
    type,
    actorText(actor),
    [durationMs === null ? '' : `${durationMs} ms`, cause ?? '', reason === null ? '' : `reason: ${reason}`]
      .filter((part) => part !== '')
      .join('  '),
  ]);
}

export function timelineDocument(payment: Payment, entries: readonly TimelineEntry[]): Record<string, unknown>[] {
  return entries.map((entry) => ({
    ...entry,
    id: toTypeId('event', entry.id),
    actor: shownActor(entry.actor),
    data: eventDocument({ ...entry, resourceId: payment.id }, payment),
  }));
}

/** The JSON form: public ids, amounts as strings. */
export function paymentDocument(payment: Payment): Record<string, unknown> {
  const { tenantId: _tenantId, clockId: _clockId, legs, payerId, owner, ...rest } = payment;
  return {
    ...rest,
    owner: ownerDocument(owner),
    createdBy: shownActor(payment.createdBy),
    termsBy: payment.termsBy.map(shownActor),
    id: toTypeId('payment', payment.id),
    payer: toTypeId('account', payerId),
    legs: legs.map(({ accountId, amount }) => ({ account: toTypeId('account', accountId), amount })),
  };
}

function parties({ payerId, legs }: Payment, refs: ReadonlyMap<string, string>): string {
  const [from, ...to] = [payerId, ...legs.map((leg) => leg.accountId)].map(
    (id) => refs.get(id) ?? toTypeId('account', id),
  );
  return `${from} → ${to.join(' + ')}`;
}

async function refsOf(tenant: TenantHandle, payments: readonly Payment[]): Promise<Map<string, string>> {
  const ids = new Set(payments.flatMap(({ payerId, legs }) => [payerId, ...legs.map((leg) => leg.accountId)]));
  return new Map(await Promise.all([...ids].map(async (id) => [id, (await tenant.account(id)).ref] as const)));
}
