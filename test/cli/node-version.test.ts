// Every command refuses an older Node before it loads anything that such a Node cannot parse.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { OLDEST_NODE, tooOldNode } from '../../src/kernel/index.ts';
import { examineNode } from '../../src/ops/machine.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };

test.each(['18.20.8', '20.20.2', '22.17.1'])('Node %s is refused with what to install', (version) => {
  expect(tooOldNode(version)).toBe(`Node ${version} is too old: install Node 22.18 or newer`);
  expect(examineNode(version).level).toBe('fail');
});

test.each(['22.18.0', '24.0.0', process.versions.node])('Node %s is fine', (version) => {
  expect(tooOldNode(version)).toBeNull();
  expect(examineNode(version).level).toBe('ok');
});

test('the oldest Node is that of package.json', () => {
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
});

test('the library says so too, before it loads anything else', async () => {
  const old = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}});delete Map.groupBy`;
  const library = pathToFileURL(join(ROOT, 'src/index.ts')).href;
  const given = ['--import', `data:text/javascript,${old}`, '-e', `await import('${library}')`, '--input-type=module'];
  const { stderr } = await promisify(execFile)(process.execPath, given).catch((error: { stderr: string }) => error);
  expect(stderr).toContain('SetupError: Node 20.20.2 is too old: install Node 22.18 or newer');
  expect(read('README.md')).toContain(`Node ${OLDEST_NODE} or newer`);
});

test('nothing else is loaded before Node is known to be new enough', () => {
  const main = read('src/cli/main.ts');
  expect([...main.matchAll(/^import .* from '(.+)';$/gm)].map(([, from]) => from)).toEqual([
    'node:fs',
    '../kernel/node-version.ts',
  ]);
  expect(read('src/kernel/node-version.ts')).not.toMatch(/^import /m);
  expect(main).toMatch(/if \(trouble === null\) \{\n {2}const \{ start \} = await import\('\.\/start\.ts'\);/);
});
