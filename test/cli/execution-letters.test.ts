// `usance dead-letters` on executions of jobs.
import { expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { addExecution, addJob } from '../support/jobs.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) => usanceHere(folder, ['dead-letters', ...args], { DATABASE_URL: world.runtimeUrl });

test('a failed execution is listed, shown, retried by its job and discarded', async () => {
  const [job, other] = [
    await addJob(world.owner, world.tenant, { name: 'receipts' }),
    await addJob(world.owner, world.tenant),
  ];
  const retried = toTypeId('execution', await addExecution(world.owner, job, 'failed'));
  const discarded = toTypeId('execution', await addExecution(world.owner, other, 'failed'));
  const [list, shown] = await Promise.all([run('list', '--kind', 'execution'), run('get', retried)]);
  expect(list.out).toMatch(new RegExp(`${retried} +– +PROCESSOR_FAILED .* the mail server did not answer\n`));
  expect(list.out).not.toContain('at stake\n');
  expect(shown.out).toMatch(/^execution +exe_/);
  expect(shown.out).toContain(toTypeId('job', job.id));
  expect(shown.out).toMatch(/cause +PROCESSOR_FAILED: the mail server did not answer\n/);
  const again = await run('retry', '--all', '--job', 'receipts', '--json');
  expect(again.json()).toEqual({ retried: [retried], refused: [], more: false });
  const gone = await run('discard', discarded, '--reason', 'sent by hand');
  expect(gone.out).toContain(`${discarded} is discarded and stays failed.`);
  expect(await world.tenant.deadLetters()).toEqual([]);
});
