// The guide to dry runs: its commands are pasted into a shell. Its TypeScript runs in typescript.test.ts.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useApi } from '../api/api.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/dry-runs.md'), 'utf8');
const blocksOf = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
// The first block makes a tenant and its key by a command, as those of the other guides do (test/cli); here the key is in the environment.
const [, ...commands] = blocksOf('sh');
const run = promisify(execFile);
const store = useApi();

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
  expect(answers).toHaveLength(7);
  expect(shown).toHaveLength(2);
  expect(answers.slice(4, 6)).toMatchObject(shown);
  expect(answers[6]).toMatchObject({ status: 'scheduled', amount: '1000' });
  // The dry runs stored nothing: the one payment is that of the last command.
  expect(await store.tenant.payments()).toMatchObject([{ amount: 1_000n }]);
});
