// The guide to dry runs: its commands are pasted into a shell, and its program runs.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/dry-runs.md'), 'utf8');
const blocksOf = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
// The first block makes a key by a command, as those of the other guides do (test/cli); here it is in the environment.
const [, ...commands] = blocksOf('sh');
const run = promisify(execFile);
const store = useApi();
const folder = useFolder();

test('what the guide to dry runs shows happens when it is pasted', async () => {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    API: `${store.url}/v1`,
    KEY: store.secret,
  };
  const { stdout } = await run('sh', ['-e', '-c', commands.join('\n')], { env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const shown = blocksOf('json').map((text) => JSON.parse(text) as object);
  expect(answers).toHaveLength(6);
  expect(shown).toHaveLength(2);
  expect(answers.slice(4)).toMatchObject(shown);
  expect(await store.tenant.payments()).toEqual([]);

  const [program = ''] = blocksOf('ts');
  const placed = program
    .replace(`'usance/client'`, `'${pathToFileURL(join(ROOT, 'src/client/index.ts')).href}'`)
    .replace('http://127.0.0.1:3001', store.url)
    .replace('usk_…', store.secret);
  writeFileSync(join(folder, 'program.ts'), placed);
  const printed = await run(process.execPath, [join(folder, 'program.ts')]);
  expect(printed.stdout).toBe("scheduled [ 'payment.created' ]\nreserve alice 1000\nscheduled\n");
  expect(await store.tenant.payments()).toHaveLength(1);
});
