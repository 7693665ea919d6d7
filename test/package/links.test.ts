// Documents of the package link only to files that the package contains.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
const packed = new Set(
  files.flatMap((each) => globSync(each.includes('.') || each === 'LICENSE' ? each : `${each}/**`, { cwd: ROOT })),
);
const documents = [...packed].filter((path) => path.endsWith('.md'));

test.each(documents)('%s', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const files = links.filter((link) => !/^[a-z]+:/.test(link) && !link.startsWith('/'));
  expect(files.filter((link) => !packed.has(normalize(join(dirname(path), link)).replace(/\/$/, '')))).toEqual([]);
});
