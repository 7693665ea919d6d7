// Processors in a child process: one that exits, throws, blocks or leaks takes nothing with it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProcessorHost } from '../../src/jobs/child/host.ts';
import { openProcessorFile } from '../../src/jobs/child/host.ts';
import { SetupError, toTypeId } from '../../src/kernel/index.ts';
import { presenterOf } from '../../src/library/present.ts';
import { useFolder } from '../cli/cli.ts';
import { useUsance } from '../support/database.ts';
import type { TestWorker } from './queue.ts';
import { SINGLE, ended, enqueue, insertJob, invocationsOf, queueRow, someEvent, testWorker } from './queue.ts';

const setup = useUsance();
const folder = useFolder();
const ROUGH = join(import.meta.dirname, 'processors/rough.ts');
process.env['USANCE_TEST_PLANS'] = folder;
beforeAll(() => someEvent(setup.usance, setup.tenant));
const open: { worker: TestWorker; host: ProcessorHost }[] = [];
afterAll(() =>
  Promise.all(
    open.map(async ({ worker, host }) => {
      await worker.stop();
      await host.close();
    }),
  ),
);

let cases = -1;

interface Case {
  readonly notices: string[];
  readonly ids: readonly string[];
}

/** Runs executions with these plans, until all have ended. */
async function runPlans(
  plans: readonly string[],
  { timeoutMs = 60_000, memoryMb }: { timeoutMs?: number; memoryMb?: number } = {},
): Promise<Case> {
  const name = `rough-${(cases += 1)}`;
  const job = await insertJob(setup.db, setup.tenant.id, { processor: name, retry: SINGLE, timeoutMs });
  const [event] = await setup.tenant.events({}, { limit: 1 });
  const ids = await enqueue(setup.db, job, { count: plans.length, ...(event ? { event } : {}) });
  for (const [index, id] of ids.entries()) writeFileSync(join(folder, toTypeId('execution', id)), plans[index] ?? '');
  const notices: string[] = [];
  const onNotice = (line: string): void => void notices.push(line);
  const host = await openProcessorFile(ROUGH, { onNotice, graceMs: 300, ...(memoryMb ? { memoryMb } : {}) });
  const own = host.processors.filter((processor) => processor.name === name);
  const worker = testWorker(setup.db, setup.runtimeUrl, own, {
    onNotice,
    presenter: presenterOf({ accountRefs: setup.usance.accountRefs, paymentTexts: () => Promise.resolve(new Map()) }),
    timing: { graceMs: 2_000 },
  });
  open.push({ worker, host });
  const haveEnded = async (): Promise<void> => {
    await worker.drain();
    const rows = await Promise.all(ids.map((id) => ended(setup.db, id)));
    if (rows.includes(null)) throw new Error('some executions have not ended');
  };
  await vi.waitFor(haveEnded, { timeout: 50_000, interval: 50 });
  return { notices, ids };
}

const statuses = async ({ ids }: Case): Promise<unknown[]> =>
  Promise.all(
    ids.map(async (id) => {
      const row = await ended(setup.db, id);
      return [row?.['status'], row?.['attempt'], row?.['code']];
    }),
  );

const DONE = ['completed', 1, null];

describe.concurrent('a processor in a child process', { timeout: 60_000 }, () => {
  test('runs there, and its results and errors come back', async () => {
    const run = await runPlans(['done', 'fail']);
    expect(await statuses(run)).toEqual([DONE, ['failed', 1, 'PROCESSOR_FAILED']]);
    const row = await ended(setup.db, run.ids[0] ?? '');
    expect(row?.['result']).toEqual({ pid: expect.any(Number) as number });
    expect(row?.['result']).not.toEqual({ pid: process.pid });
  });

  test('is told the tenant of the event', async () => {
    const run = await runPlans(['tenant']);
    const row = await ended(setup.db, run.ids[0] ?? '');
    expect(row?.['result']).toEqual({ tenantId: toTypeId('tenant', setup.tenant.id) });
  });

  test('that sends messages of its own to its parent takes nothing with it', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', note);
    const run = await runPlans(['send', 'wait', 'done']).finally(() => process.off('uncaughtException', note));
    expect(await statuses(run)).toEqual([DONE, DONE, DONE]);
    // One of these would end a worker.
    expect(uncaught).toEqual([]);
  });

  test('that exits loses its own attempt and no other', async () => {
    const run = await runPlans(['wait', 'exit', 'wait', 'wait']);
    expect(await statuses(run)).toEqual([DONE, ['failed', 1, 'PROCESSOR_EXITED'], DONE, DONE]);
    expect(run.notices).toContain('the process of the processors exited with code 7');
    for (const id of run.ids) expect(await invocationsOf(setup.db, id)).toEqual([]);
  });

  test('that throws where nothing catches it loses its own attempt and no other', async () => {
    const run = await runPlans(['wait', 'throw', 'wait']);
    expect(await statuses(run)).toEqual([DONE, ['failed', 1, 'PROCESSOR_EXITED'], DONE]);
  });

  test('that exits by accident completes when it runs by itself', async () => {
    const run = await runPlans(['once', 'wait']);
    expect(await statuses(run)).toEqual([DONE, DONE]);
    expect(await queueRow(setup.db, run.ids[0] ?? '')).toBeNull();
  });
});

// One after the other: their time limits are short, and two of them use a whole processor.
describe('a processor in a child process', () => {
  test('that blocks its process beyond its time limit is killed, and others complete', async () => {
    const run = await runPlans(['wait', 'spin', 'wait'], { timeoutMs: 800 });
    expect(await statuses(run)).toEqual([DONE, ['failed', 1, 'PROCESSOR_TIMED_OUT'], DONE]);
  });

  test('that leaks is ended at the bound of memory, and others complete', async () => {
    const run = await runPlans(['wait', 'leak', 'wait'], { memoryMb: 256 });
    expect(await statuses(run)).toEqual([DONE, ['failed', 1, 'PROCESSOR_EXITED'], DONE]);
  });

  test('that ignores its signal fails at its limit; its process is replaced when the others have ended', async () => {
    const run = await runPlans(['ignore', 'wait', 'done'], { timeoutMs: 800 });
    expect(await statuses(run)).toEqual([['failed', 1, 'PROCESSOR_TIMED_OUT'], DONE, DONE]);
  });
});

test.each([
  ['that does not exist', 'missing.ts', null, /missing\.ts: there is no such file$/],
  ['without processors', 'empty.ts', 'export const nothing = 1;', 'must export a list'],
  [
    'whose processor has another name',
    'handler.ts',
    `export default [{ name: 'a', handler() {} }];`,
    'no function `processor`',
  ],
  [
    'with one name twice',
    'twice.ts',
    `const one = { name: 'a', processor() {} }; export default [one, one];`,
    'two processors named "a"',
  ],
  ['of CommonJS with an import', 'common.cts', `import 'node:fs';`, 'set "type": "module"'],
  ['with a syntax error', 'syntax.ts', 'const x = ;', /syntax\.ts:1$/],
  ['that throws when it is loaded', 'broken.ts', `throw new Error('no key');`, 'no key'],
])('a module %s is refused before anything runs', async (_title, name, text, says) => {
  const file = join(folder, name);
  if (text !== null) writeFileSync(file, text);
  const opened = openProcessorFile(file);
  await expect(opened).rejects.toThrow(says);
  await expect(opened).rejects.toBeInstanceOf(SetupError);
});
