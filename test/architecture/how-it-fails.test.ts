// docs/operating/how-it-fails.md names a test for each fault: the named tests exist, and every section has some.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = await readFile(join(ROOT, 'docs/operating/how-it-fails.md'), 'utf8');

describe('the page "How it fails"', () => {
  const named = (text: string): (readonly [string, string])[] =>
    [...text.matchAll(/^- `([^`]+)`: "(.+)"$/gm)].map(([, file = '', title = '']) => [file, title] as const);

  test('names a test in every section that has a table', () => {
    const tables = page.split(/^## /m).filter((section) => section.includes('| fault |'));
    expect(tables.length).toBeGreaterThan(0);
    for (const section of tables) expect(named(section).length, section.split('\n', 1)[0]).toBeGreaterThan(0);
  });

  test.each(named(page))('%s has the test "%s"', async (file, title) => {
    const text = (await readFile(join(ROOT, file), 'utf8')).replaceAll(/\(\s+/g, '(');
    expect(["'", '"', '`'].some((quote) => text.includes(`(${quote}${title}${quote}`))).toBe(true);
  });
});
