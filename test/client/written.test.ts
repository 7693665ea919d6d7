// What is written from the contract is what the contract says, runs as documented, and needs nothing of Node.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clientSchema } from '../../scripts/client-schema.ts';
import { useFolder } from '../cli/cli.ts';
import { useServer } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'src/client');
const run = promisify(execFile);
const server = useServer();
const folder = useFolder();

test('src/client/schema.ts is what the OpenAPI document says: npm run docs:client', async () => {
  expect(readFileSync(join(CLIENT, 'schema.ts'), 'utf8')).toBe(await clientSchema());
});

test('the example of its README runs as it stands', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? [];
  const placed = example
    .replace(`'usance/client'`, `'${pathToFileURL(join(CLIENT, 'index.ts')).href}'`)
    .replace('http://127.0.0.1:3001', server.url)
    .replace('usk_…', server.key);
  writeFileSync(join(folder, 'example.ts'), placed);
  server.world.usance.start(['sequencer']);
  const { stdout } = await run(process.execPath, [join(folder, 'example.ts')]);
  expect(stdout).toBe('scheduled\n1000 250\npayment.created\npayment.captured\nFUNDS_INSUFFICIENT true\n');
});

test('it type-checks with a browser’s types and none of Node’s', async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--ignoreConfig', '--lib', 'es2024,dom,dom.iterable', '--types', ''];
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions'];
  await run(process.execPath, [compiler, ...options, ...modules, join(CLIENT, 'index.ts')], { cwd: folder });
});
