// Erasing an event erases what processors returned and said about it, whatever state its executions are in.
import { afterAll, expect, test } from 'vitest';
import { AS_STORED } from '../../src/jobs/processor.ts';
import type { RunnableProcessor } from '../../src/jobs/index.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addJob } from '../support/jobs.ts';
import { freshTenant, matchAll, order } from './matcher.ts';
import type { TestWorker } from './queue.ts';
import { processor, testWorker } from './queue.ts';

const store = useUsance({ poolSize: 25 });
const open: TestWorker[] = [];
afterAll(() => Promise.all(open.map((worker) => worker.stop())));

const MAIL = 'jane.roe@example.org';
const OTHER = 'someone.else@example.org';

/** The tables in which a text is, in any column of any row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await store.owner.query(
    `select relname from pg_class where relnamespace = 'usance'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const found: string[] = [];
  for (const { relname } of tables) {
    const rows = await store.owner.query(`select from usance.${String(relname)} t where t::text like $1 limit 1`, [
      `%${text}%`,
    ]);
    if (rows.length > 0) found.push(String(relname));
  }
  return found.toSorted();
}

test('an erased event leaves no trace in results, errors, dead letters and events of its executions', async () => {
  const tenant = await freshTenant(store.usance);
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const mailOf = (event: unknown): string => (event as { data: { data: { mail: string } } }).data.data.mail;
  const passed = async (): Promise<void> => {
    waiting += 1;
    await gate.promise;
  };
  const fail = (event: unknown, retryable: boolean): never => {
    throw Object.assign(new Error(`${mailOf(event)} does not exist`), { retryable });
  };
  const runs: Record<string, RunnableProcessor['run']> = {
    returns: (event) => ({ to: mailOf(event) }),
    'fails for good': (event) => fail(event, false),
    'fails and waits': (event) => fail(event, true),
    'runs and returns': async (event) => (await passed(), { to: mailOf(event) }),
    'runs and fails': async (event) => (await passed(), fail(event, true)),
  };
  const retryConfig = { initialDelayMs: 60_000 };
  for (const processorName of Object.keys(runs))
    await addJob(store.owner, tenant, { name: processorName, eventPattern: 'mail.*', processorName, retryConfig });
  const append = (mail: string) =>
    tenant.appendEvent({ type: 'mail.wanted', resource: 'order', resourceId: mail, data: { mail } });
  const [event] = [await append(MAIL), await append(OTHER)];
  await order(store.usance);
  await matchAll(store.usance);
  const worker = testWorker(
    store.db,
    store.runtimeUrl,
    Object.entries(runs).map(([name, run]) => processor(run, name)),
    { presenter: AS_STORED },
  );
  open.push(worker);
  await worker.step();
  await expect.poll(() => waiting).toBe(4);
  const places = ['events', 'execution_dead_letters', 'execution_queue', 'executions', 'invocations'];
  await expect.poll(() => tablesWith(MAIL)).toEqual(places);

  await tenant.eraseAuditEvent(event.id, 'an erase request');
  expect(await tablesWith(MAIL)).toEqual([]);
  gate.resolve();
  await worker.drain();
  expect(await tablesWith(MAIL)).toEqual([]);

  const names = new Map((await tenant.jobs()).map(({ id, name }) => [id, name]));
  const { executions } = await tenant.executions({ eventId: event.id });
  const shown = executions.map(({ jobId, status, code, error, result }) => [
    names.get(jobId),
    { status, code, error, result },
  ]);
  const erased = { status: 'failed', code: 'EVENT_ERASED', error: 'the event was erased', result: null };
  expect(Object.fromEntries(shown)).toEqual({
    returns: { status: 'completed', code: null, error: null, result: null },
    'fails for good': { ...erased, code: 'PROCESSOR_FAILED' },
    // Due again in a minute: it then fails, because there is no event to read.
    'fails and waits': { ...erased, status: 'pending' },
    'runs and returns': { status: 'completed', code: null, error: null, result: null },
    'runs and fails': erased,
  });
  // Executions of other events, also of the same instant, are as they were.
  expect(await tablesWith(OTHER)).toEqual(places);
  expect(await troubles(store.usance)).toEqual([]);
});
