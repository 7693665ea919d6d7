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

  test('is told whose event it is: it serves all tenants', async () => {
    const seen: string[] = [];
    const note: JobProcessorDefinition = {
      name: 'note whose',
      description: '',
      processor: async (_event, _execution, { tenantId }) => void seen.push((await usance.tenant(tenantId)).name),
    };
    const { usance, shop } = await createShop([note]);
    const other = await usance.tenants.create({ name: `other-${named}` });
    const job = { name: 'notes', eventPattern: 'account.created', processorName: note.name };
    for (const tenant of [shop, other]) await tenant.jobs.create(job);
    usance.start();
    for (const tenant of [shop, other]) await tenant.accounts.create({ ref: 'alice' });
    await expect.poll(() => seen.toSorted()).toEqual([other.name, shop.name]);
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
    expect(job).toMatchObject({
      eventPattern: patterns,
      name: expect.stringMatching(/^on orders_0.{70,90} [0-9a-f]{16}$/),
    });
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

  // Behind the name of its tenant it is too long for a processor, and is cut in one of the two inside a character of two units.
  test.each(['🧾'.repeat(50), `x${'🧾'.repeat(49)}`])('can have the name %s', async (name) => {
    const { shop } = await createShop();
    const { job } = await shop.events.subscribe('account.created', async () => undefined, { name });
    expect(job).toMatchObject({ name });
    expect(job.processorName.length).toBeLessThanOrEqual(100);
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

  test('is not there for another tenant: no job of it can give the handler its events', async () => {
    const { usance, shop } = await createShop();
    const seen: unknown[] = [];
    const { job } = await shop.events.subscribe('posts.paid', async (event) => void seen.push(event.data));
    const other = await usance.tenants.create({ name: `other-${named}` });
    const own = { name: 'own', eventPattern: 'posts.paid', processorName: `own ${named}` };
    expect((await other.processors.list().page()).data.map(({ name }) => name)).not.toContain(job.processorName);
    expect((await shop.processors.list().page()).data.map(({ name }) => name)).toContain(job.processorName);
    const taken = other.jobs.create({ ...own, processorName: job.processorName });
    await expect(taken).rejects.toMatchObject({ code: 'JOB_PROCESSOR_UNKNOWN' });
    // One that was created before the processor had a tenant.
    await database.owner.query(`insert into usance.processors (name, description) values ($1::text, '')`, [
      own.processorName,
    ]);
    const { id } = await other.jobs.create(own);
    const renamed = other.jobs.update(id, { processorName: job.processorName });
    await expect(renamed).rejects.toMatchObject({ code: 'JOB_PROCESSOR_UNKNOWN' });
    await database.owner.query('update usance.jobs set processor_name = $1::text where processor_name = $2::text', [
      job.processorName,
      own.processorName,
    ]);
    usance.start();
    await other.events.append({ type: 'posts.paid', resource: 'post', resourceId: '1', data: { to: 'mallory' } });
    await expect
      .poll(async () => (await other.executions.list({ jobId: id }).page()).data)
      .toMatchObject([{ status: 'failed', attemptNumber: 1, code: 'PROCESSOR_MISSING' }]);
    await shop.events.append({ type: 'posts.paid', resource: 'post', resourceId: '2', data: { to: 'alice' } });
    await expect.poll(() => seen).toEqual([{ to: 'alice' }]);
  });

  test('is refused in a process that runs loops without jobs', async () => {
    const { usance, shop } = await createShop();
    usance.start(['sequencer']);
    await expect(shop.events.subscribe('*', async () => undefined)).rejects.toThrow('call usance.start()');
  });
});
