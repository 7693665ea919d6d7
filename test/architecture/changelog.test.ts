// CHANGELOG.md has every section and every entry once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const lines = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8').split('\n');

/** The release of each section, the section with its release, and the entries without their line breaks. */
function contents(): { readonly releases: string[]; readonly sections: string[]; readonly entries: string[] } {
  const releases: string[] = [];
  const sections: string[] = [];
  const entries: string[] = [];
  for (const line of lines) {
    if (line.startsWith('## ')) releases.push(line);
    else if (line.startsWith('### ')) sections.push(`${releases.at(-1)} ${line}`);
    else if (line.startsWith('- ')) entries.push(line.trim());
    else if (line.startsWith('  ')) entries.push(`${entries.pop()} ${line.trim()}`);
  }
  return { releases, sections, entries };
}

const twice = (texts: readonly string[]): string[] => texts.filter((text, index) => texts.indexOf(text) !== index);

test('no release, section or entry of the changelog is there twice', () => {
  const { releases, sections, entries } = contents();
  expect(sections.length).toBeGreaterThanOrEqual(3);
  expect(entries.length).toBeGreaterThan(100);
  expect({ releases: twice(releases), sections: twice(sections), entries: twice(entries) }).toEqual({
    releases: [],
    sections: [],
    entries: [],
  });
});
