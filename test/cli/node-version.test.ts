// An older Node is told so by every command, before anything is loaded that it cannot read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tooOldNode } from '../../src/cli/node-version.ts';
import { examineNode } from '../../src/ops/machine.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };

test.each(['18.20.8', '20.20.2', '22.17.1'])('Node %s is refused with what to install', (version) => {
  expect(tooOldNode(version, engines.node)).toBe(`usance: Node ${version} is too old: install Node 22.18 or newer\n`);
  expect(examineNode(version).level).toBe('fail');
});

test.each(['22.18.0', '24.0.0', process.versions.node])('Node %s is fine', (version) => {
  expect(tooOldNode(version, engines.node)).toBeNull();
  expect(examineNode(version).level).toBe('ok');
});

test('nothing else is loaded before Node is known to be new enough', () => {
  const main = read('src/cli/main.ts');
  expect([...main.matchAll(/^import .* from '(.+)';$/gm)].map(([, from]) => from)).toEqual([
    'node:fs',
    './node-version.ts',
  ]);
  expect(read('src/cli/node-version.ts')).not.toMatch(/^import /m);
  expect(main).toMatch(/if \(trouble === null\) \{\n {2}const \{ start \} = await import\('\.\/start\.ts'\);/);
});
