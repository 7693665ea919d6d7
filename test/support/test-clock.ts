// A test tenant and its clock, and advancing it to the end in this process.
import type { ClockReport } from '../../src/engine.ts';
import { orderEvents } from '../../src/events/index.ts';
import { fromTypeId } from '../../src/kernel/index.ts';
import type { TenantHandle, Engine } from '../../src/engine.ts';

export const START = '2027-01-01T00:00:00.000Z';

/** An instant by how long after the start it is. */
export const after = (ms: number): Date => new Date(Date.parse(START) + ms);

export interface TestTenant {
  readonly tenant: TenantHandle;
  /** The clock's id. */
  readonly clock: string;
}

let count = 0;

export async function testTenant(usance: Engine, now: Date | string = START): Promise<TestTenant> {
  const tenant = await usance.createTenant({ name: `test-${process.pid}-${(count += 1)}`, kind: 'test' });
  const { id } = await tenant.createTestClock({ name: 'clock', now });
  await tenant.createAsset('USD/2');
  return { tenant, clock: id };
}

export const runLoop = async (usance: Engine, name: 'clocks' | 'sequencer'): Promise<boolean> =>
  (await usance.loops.find((loop) => loop.name === name)?.runOnce())?.more ?? false;

/** Until no clock is on its way and every event is ordered. */
export async function drive(usance: Engine): Promise<void> {
  while (await runLoop(usance, 'clocks'));
  while (((await orderEvents(usance.db))?.events ?? 0) > 0);
}

export async function advance(usance: Engine, of: TestTenant, to: Date | string): Promise<ClockReport> {
  await of.tenant.advanceTestClock(of.clock, to);
  await drive(usance);
  return of.tenant.testClock(of.clock);
}

const DAY_MS = 86_400_000;

/** A year of one tenant, made beforehand: a hold, a payment that is never funded and one that expires, every so many days. */
export async function fillYear(of: TestTenant, everyDays: number): Promise<number> {
  const { tenant } = of;
  for (const ref of ['rich', 'poor', 'payee']) await tenant.openAccount({ ref });
  await tenant.deposit({ account: 'rich', asset: 'USD', amount: 1_000_000, idempotencyKey: 'year' });
  const days = Array.from({ length: Math.floor(365 / everyDays) }, (_, n) => (n + 1) * everyDays * DAY_MS - 3_600_000);
  const unfunded = { from: 'poor', to: 'payee', asset: 'USD', amount: 5, funding: 'at_execution' } as const;
  const orders = days.flatMap((ms) => [
    { from: 'rich', to: 'payee', asset: 'USD', amount: 10, executeAt: after(ms) },
    { ...unfunded, executeAt: after(ms) },
    { ...unfunded, executeAt: after(ms), expiresAt: after(ms + 90_000) },
  ]);
  await tenant.createPayments(orders, { idempotencyKey: 'a year', atomic: true });
  return days.length;
}

/** What was told of a tenant since it has a clock, without what differs from run to run: ids become #1, #2 and so on. */
export async function normalised(tenant: TenantHandle): Promise<string[]> {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? names.set(id, `#${names.size + 1}`).get(id) ?? '';
  const told: string[] = [];
  for (let seen = 0n; ;) {
    const page = await tenant.events({}, { after: seen, limit: 1_000 });
    for (const { type, resource, resourceId, actor, data, occurredAt } of page) {
      const text = JSON.stringify(data)
        .replaceAll(/\bacct_[0-9a-hjkmnp-tv-z]{26}\b/g, (id) => fromTypeId('account', id))
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, nameOf);
      const who = actor.replace(/[0-9a-f-]{36}$/, nameOf);
      told.push(`${occurredAt.toISOString()} ${type} ${resource} ${nameOf(resourceId)} ${who} ${text}`);
    }
    if (page.length < 1_000) return told.slice(told.findIndex((line) => line.includes(' test_clock.created ')));
    seen = page.at(-1)?.seq ?? seen;
  }
}
