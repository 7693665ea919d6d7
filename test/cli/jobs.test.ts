// `usance jobs` and `usance executions`, on one database, without a worker.
import { userInfo } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { contents } from '../support/contents.ts';
import { useUsance } from '../support/database.ts';
import { PROCESSOR, addExecution, addInvocation, addJob, announce } from '../support/jobs.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });
const actor = `cli:${userInfo().username}`;
const CREATE = ['jobs', 'create', '--name', 'receipts', '--events', 'payment.settled', '--processor', PROCESSOR];

beforeAll(() => announce(world.owner));

describe('jobs', () => {
  test('are created by a command, after a dry run that changes nothing', async () => {
    const before = await contents(world.owner);
    const dry = await run(...CREATE, '--dry-run', '--json');
    expect(dry.json()).toMatchObject({ dryRun: true, result: { name: 'receipts' }, events: ['job.created'] });
    expect(await contents(world.owner)).toEqual(before);

    const { code, out } = await run(...CREATE, '--max-attempts', '5', '--initial-delay', '5s', '--timeout', '10s');
    expect(code).toBe(0);
    expect(out).toMatch(/^Done: job "receipts" \(job_[0-9a-z]{26}\) created\.\n$/);
    const made = await world.tenant.job('receipts');
    expect(made).toMatchObject({ timeoutMs: 10_000, createdBy: actor, enabled: true });
    expect(made.retry).toMatchObject({ maxAttempts: 5, initialDelayMs: 5_000, multiplier: 2 });
  });

  test('are listed and shown in words, and as documents with the fields of the library', async () => {
    const { id } = await world.tenant.job('receipts');
    const shown = toTypeId('job', id);
    expect((await run('jobs', 'list')).out).toMatch(
      new RegExp(`^id +name +events +processor\\n${shown}  receipts  payment\\.settled  ${PROCESSOR}\\n$`),
    );
    const { out } = await run('jobs', 'get', 'receipts');
    expect(out).toMatch(/status +enabled\n/);
    expect(out).toMatch(/retry +5 attempts, 5 s after the first, then ×2, at most 60 s\n/);
    expect(out).toMatch(/last worker seen +2\d{3}-/);
    expect((await run('jobs', 'get', shown, '--json')).json()).toMatchObject({
      id: shown,
      eventPattern: 'payment.settled',
      processorName: PROCESSOR,
      retryConfig: { maxAttempts: 5 },
      after: expect.any(Number) as number,
    });
  });

  test('have a list of the processors that workers have announced', async () => {
    expect((await run('jobs', 'processors')).out).toMatch(
      new RegExp(`^name +last seen +description\\n${PROCESSOR} +2\\d{3}-`),
    );
    expect((await run('jobs', 'processors', '--json')).json()).toMatchObject({ processors: [{ name: PROCESSOR }] });
  });

  test('keep the fields of their retry policy that an update does not name', async () => {
    const retryConfig = { maxAttempts: 5, initialDelayMs: 5_000 };
    const terms = { name: 'patient', eventPattern: 'payment.settled', processorName: PROCESSOR, retryConfig };
    const { id } = await world.tenant.createJob(terms);
    await run('jobs', 'update', 'patient', '--max-attempts', '7');
    expect((await world.tenant.job('patient')).retry).toMatchObject({ maxAttempts: 7, initialDelayMs: 5_000 });
    await world.tenant.deleteJob(id);
  });

  test('are changed, disabled, enabled and deleted by name', async () => {
    expect((await run('jobs', 'update', 'receipts', '--max-concurrency', '3', '--default-retry')).out).toContain(
      'updated',
    );
    expect(await world.tenant.job('receipts')).toMatchObject({ maxConcurrency: 3, retry: null });
    expect((await run('jobs', 'disable', 'receipts')).out).toContain('disabled.');
    expect((await run('jobs', 'list', '--disabled')).out).toMatch(/disabled\n$/);
    expect((await run('jobs', 'delete', 'receipts')).out).toContain('deleted.');
    expect(await run('jobs', 'get', 'receipts')).toMatchObject({
      code: 1,
      err: expect.stringContaining('JOB_NOT_FOUND'),
    });
  });

  test.each([
    [['jobs', 'update', 'receipts'], 2, 'name a change'],
    [['jobs', 'update', 'receipts', '--max-concurrency', '0'], 2, 'at least 1, or none'],
    [['jobs', 'update', 'receipts', '--max-attempts', 'many'], 2, 'must be a number'],
    [[...CREATE.slice(0, -1), 'send-recipt'], 1, 'JOB_PROCESSOR_UNKNOWN'],
    [[...CREATE, '--after', 'yesterday'], 1, 'cursor or the seq'],
  ])('%j ends with %i', async (args, code, words) => {
    const ended = await run(...args);
    expect(ended.code, ended.err).toBe(code);
    expect(ended.err).toContain(words);
  });
});

describe('executions', () => {
  test('are listed by job and status, and shown with every attempt in words', async () => {
    const job = await addJob(world.owner, world.tenant, { name: 'mails' });
    const failed = await addExecution(world.owner, job, 'failed');
    for (const attempt of [1, 2]) await addInvocation(world.owner, { id: failed, tenantId: job.tenantId }, attempt);
    await addExecution(world.owner, job, 'completed');
    const id = toTypeId('execution', failed);
    expect((await run('executions', 'list', '--job', 'mails', '--status', 'failed')).out).toMatch(
      new RegExp(`^id +status.*\\n${id}  failed  3 +mails +evt_\\w+ +2.*Z +PROCESSOR_FAILED\\n$`),
    );
    const { out } = await run('executions', 'get', id);
    expect(out).toMatch(/job +mails \(job_/);
    expect(out).toMatch(/last cause +PROCESSOR_FAILED: the mail server did not answer\n/);
    expect(out.match(/attempt [123] +failed +2.*PROCESSOR_FAILED: the mail/g)).toHaveLength(3);
    expect((await run('executions', 'get', failed, '--json')).json()).toMatchObject({
      id,
      jobId: toTypeId('job', job.id),
      attemptNumber: 3,
      invocations: [{ attemptNumber: 1, status: 'failed' }, { attemptNumber: 2 }, { attemptNumber: 3 }],
    });
  });

  test('are retried and cancelled, after dry runs that change nothing', async () => {
    const job = await addJob(world.owner, world.tenant);
    const failed = toTypeId('execution', await addExecution(world.owner, job, 'failed'));
    const before = await contents(world.owner);
    const dry = await run('executions', 'retry', failed, '--dry-run');
    expect(dry.out).toBe(`Dry run, nothing was changed: execution ${failed} is pending with all its attempts.\n`);
    expect(await contents(world.owner)).toEqual(before);
    expect((await run('executions', 'retry', failed, '--reason', 'fixed')).out).toMatch(/^Done: execution exe_/);
    expect((await run('executions', 'cancel', failed, '--reason', 'by hand', '--json')).json()).toMatchObject({
      id: failed,
      status: 'cancelled',
    });
    expect(await run('executions', 'cancel', failed)).toMatchObject({
      code: 1,
      err: expect.stringContaining('EXECUTION_NOT_CANCELLABLE'),
    });
    const running = toTypeId('execution', await addExecution(world.owner, job, 'running'));
    expect((await run('executions', 'cancel', running)).out).toContain('is cancelled when its attempt ends');
  });

  test('of a job that does not exist are refused', async () => {
    expect((await run('executions', 'list', '--job', 'nothing')).err).toContain('JOB_NOT_FOUND');
  });
});
