// A program that ends without `close` leaves its embedded server running. It says how to stop it, and `usance stop` does.
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { usance, useFolder } from './cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = useFolder();
const isServing = (): boolean => existsSync(join(folder, '.usance/cluster/pgdata/postmaster.pid'));

const run = (text: string): Promise<{ code: number; err: string }> => {
  const file = join(folder, 'program.ts');
  writeFileSync(file, text.replace(`'usance'`, `'${pathToFileURL(join(ROOT, 'src/index.ts')).href}'`));
  const { PATH, HOME, USER, NODE_COMPILE_CACHE } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file],
      { cwd: folder, env: { PATH, HOME, USER, NODE_COMPILE_CACHE } },
      (error, _out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, err }),
    );
  });
};

test('a program that throws says how to stop its server, and usance stop stops it', async () => {
  expect(await usance(folder, ['stop'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('No embedded PostgreSQL'),
  });
  const { code, err } = await run(
    `import { createUsance } from 'usance';\nawait createUsance();\nthrow new Error('a mistake');\n`,
  );
  expect({ code, serving: isServing() }).toEqual({ code: 1, serving: true });
  expect(err).toMatch(/embedded PostgreSQL in .*\.usance keeps running.*`npx usance stop` stops it/);
  const stopped = await usance(folder, ['stop', '--json']);
  expect(stopped.json()).toEqual({ dataDir: join(folder, '.usance'), outcome: 'stopped' });
  expect(isServing()).toBe(false);
});

test('a program that closes says nothing', async () => {
  const text = `import { createUsance } from 'usance';\nconst usance = await createUsance();\nawait usance.close();\n`;
  expect(await run(text)).toEqual({ code: 0, err: '' });
  expect(isServing()).toBe(false);
});
