// `usance worker --processors`: a module of processors, in a child process of the worker.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { usance, useFolder } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) =>
  usance(folder, ['worker', ...args], { DATABASE_URL: world.runtimeUrl, GREETING: 'hello' });

writeFileSync(
  join(folder, 'processors.ts'),
  `interface Definition { name: string; description: string; processor: (event: { type: string }) => Promise<object> }
   const processors: Definition[] = [{
     name: 'greet',
     description: 'Greets.',
     processor: async ({ type }) => {
       console.log('this is no part of the answer');
       return { greeting: process.env['GREETING'], type };
     },
   }];
   export default processors;`,
);

test('a worker announces the processors of a module, and runs them in a child process', async () => {
  const announced = await run('--once', '--json', '--processors', 'processors.ts');
  expect(announced).toMatchObject({ code: 0 });
  expect(await world.tenant.processors()).toMatchObject([{ name: 'greet', description: 'Greets.' }]);
  const job = await world.tenant.createJob({
    name: 'greetings',
    eventPattern: 'account.created',
    processorName: 'greet',
  });
  await world.tenant.openAccount({ ref: 'alice' });
  const done = await run('--once', '--json', '--processors', './processors.ts');
  expect(done.json()).toMatchObject({ jobs: { claimed: 1, completed: 1 } });
  expect(done.err).toContain('this is no part of the answer');
  const { executions } = await world.tenant.executions({ jobId: job.id });
  expect(executions).toMatchObject([
    { status: 'completed', attemptNumber: 1, result: { greeting: 'hello', type: 'account.created' } },
  ]);
});

test('a module that is not there is a problem of the set-up, and one without the loop one of the usage', async () => {
  const [missing, unused] = await Promise.all([
    run('--once', '--processors', 'missing.ts'),
    run('--once', '--only', 'sequencer', '--processors', 'processors.ts'),
  ]);
  expect(missing.code).toBe(3);
  expect(missing.err).toContain('missing.ts');
  expect(unused.code).toBe(2);
  expect(unused.err).toContain('--processors needs the loop "jobs"');
});
