// The guide to events of an application: its commands are pasted into a shell. Its TypeScript runs in typescript.test.ts.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import { textsOf } from './guide.ts';

// The first block makes a tenant and its key by a command, as those of the other guides do (test/cli); here the key is in the file already.
const [, ...commands] = textsOf('own-events.md', 'sh');
const run = promisify(execFile);
const store = useApi();
const folder = useFolder();
beforeAll(() => {
  store.usance.start(['sequencer']);
  writeFileSync(join(folder, 'posts.json'), JSON.stringify({ key: { secret: store.secret } }));
});

test('what the guide to events of an application shows happens when it is pasted', async () => {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, API: `${store.url}/v1` };
  const { stdout } = await run('sh', ['-e', '-c', commands.join('\n')], { env, cwd: folder });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers).toMatchObject([
    { type: 'posts.created', version: 1 },
    { appended: 2 },
    {
      data: [
        { source: 'application', type: 'posts.created', data: { title: 'Hello', wordCount: 120 } },
        { type: 'posts.published', resource: 'post', resource_id: 'post-1', data: {} },
      ],
    },
    { data: [{ type: 'comments.created', resource_id: 'c-7', version: 2, data: { post: 'post-1' } }] },
  ]);
});
