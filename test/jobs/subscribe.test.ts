// `events.subscribe`, and processors of the library: what they see, and when they run.
import { afterEach, describe, expect, test } from 'vitest';
import type { Event, JobProcessorDefinition, TenantHandle, Usance } from '../../src/index.ts';
import { SetupError, createUsance } from '../../src/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const open: Usance[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((usance) => usance.close()));
});

let named = 0;

async function createShop(
  processors: readonly JobProcessorDefinition[] = [],
): Promise<{ usance: Usance; shop: TenantHandle }> {
  const usance = await createUsance({ databaseUrl: database.runtimeUrl, processors, jobs: { drainMs: 1_000 } });
  open.push(usance);
  const shop = await usance.tenants.create({ name: `shop-${(named += 1)}` });
  await shop.assets.create({ asset: 'USD/2' });
  return { usance, shop };
}

const fund = (shop: TenantHandle, ref: string) =>
  shop.accounts.deposit(ref, { asset: 'USD', amount: 500n }, { idempotencyKey: `fund ${ref}` });

describe('a processor of the library', () => {
  test('sees the event and the execution as the library shows them, refs included', async () => {
    const seen: unknown[][] = [];
    const { usance, shop } = await createShop([
      {
        name: 'note',
        description: 'Notes what it sees.',
        processor: async (event, execution, { signal }) => {
          seen.push([event, execution, signal.aborted]);
          return { noted: true };
        },
      },
    ]);
    // Announced before the loops start.
    const job = await shop.jobs.create({ name: 'notes', eventPattern: 'transfer.posted', processorName: 'note' });
    usance.start();
    await shop.accounts.create({ ref: 'alice' });
    await fund(shop, 'alice');
    await expect.poll(() => seen.length).toBe(1);
    let listed: Event | undefined;
    for await (const event of shop.events.list({ type: 'transfer.posted' })) listed = event;
    const [[event, execution, isAborted] = []] = seen;
    expect(event).toEqual(listed);
    expect(JSON.stringify(event)).toContain('alice');
    expect(execution).toMatchObject({ jobId: job.id, eventId: listed?.id, status: 'running', attemptNumber: 1 });
    expect(isAborted).toBe(false);
    const { id } = execution as { id: string };
    await expect
      .poll(() => shop.executions.get(id))
      .toMatchObject({ status: 'completed', result: { noted: true }, jobId: job.id });
  });

  test('without a function is refused', async () => {
    const wrong = [{ name: 'x', description: '' }] as unknown as JobProcessorDefinition[];
    await expect(createUsance({ databaseUrl: database.runtimeUrl, processors: wrong })).rejects.toThrow(SetupError);
  });
});

describe('a subscription', () => {
  test('runs its handler on new events, whether it begins before or after the loops start', async () => {
    const { usance, shop } = await createShop();
    const seen: string[] = [];
    const before = await shop.events.subscribe('account.created', async ({ type }) => void seen.push(`before ${type}`));
    expect(before.job).toMatchObject({ name: 'on account.created', eventPattern: 'account.created', enabled: true });
    usance.start();
    await shop.events.subscribe('account.*', async ({ type }) => void seen.push(`after ${type}`), { name: 'second' });
    await shop.accounts.create({ ref: 'bob' });
    await expect.poll(() => seen.toSorted()).toEqual(['after account.created', 'before account.created']);
  });

  test('can have several patterns, and a name of at most 100 characters for them', async () => {
    const { usance, shop } = await createShop();
    usance.start();
    const seen: string[] = [];
    const patterns = [...Array.from({ length: 15 }, (_, n) => `orders_${n}.created`), 'account.created'].join(',');
    const { job } = await shop.events.subscribe(patterns, async ({ type }) => void seen.push(type));
    expect(job).toMatchObject({ eventPattern: patterns, name: expect.stringMatching(/^on orders_0.{70,90} [0-9a-f]{16}$/) });
    expect(job.name).toHaveLength(100);
    await shop.accounts.create({ ref: 'erin' });
    await expect.poll(() => seen).toEqual(['account.created']);
  });

  test('is retried when its handler throws', async () => {
    const { usance, shop } = await createShop();
    usance.start();
    const attempts: number[] = [];
    await shop.events.subscribe('account.created', async (_event, { attemptNumber }) => {
      attempts.push(attemptNumber);
      if (attemptNumber === 1) throw new Error('not yet');
    });
    await shop.accounts.create({ ref: 'carol' });
    await expect.poll(() => attempts).toEqual([1, 2]);
  });

  test('of a name that the process has is refused', async () => {
    const { shop } = await createShop();
    await shop.events.subscribe('account.created', async () => undefined);
    const again = shop.events.subscribe('account.created', async () => undefined);
    await expect(again).rejects.toThrow('already has a subscription named "on account.created"');
  });

  test('stops; its events wait for the next one of the name, which may have another pattern', async () => {
    const { usance, shop } = await createShop();
    usance.start();
    const seen: string[] = [];
    const first = await shop.events.subscribe('account.created', async () => void seen.push('first'), { name: 'mail' });
    first.stop();
    await shop.accounts.create({ ref: 'dave' });
    const second = await shop.events.subscribe('account.*', async () => void seen.push('second'), { name: 'mail' });
    expect(second.job).toMatchObject({ id: first.job.id, eventPattern: 'account.*' });
    await expect.poll(() => seen).toEqual(['second']);
  });

  test('does not take a job that runs another processor', async () => {
    const { shop } = await createShop([{ name: 'other', description: '', processor: async () => undefined }]);
    await shop.jobs.create({ name: 'taken', eventPattern: '*', processorName: 'other' });
    const taken = shop.events.subscribe('account.created', async () => undefined, { name: 'taken' });
    await expect(taken).rejects.toThrow('runs the processor "other"');
  });

  test('is refused in a process that runs loops without jobs', async () => {
    const { usance, shop } = await createShop();
    usance.start(['sequencer']);
    await expect(shop.events.subscribe('*', async () => undefined)).rejects.toThrow('call usance.start()');
  });
});
