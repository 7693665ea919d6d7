// Documents are plain technical English: subject first, active verb, the usual term (CONTRIBUTING.md, "How to write"). rules.ts
// lists the constructions that this test rejects.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findings } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', 'src/**/README.md'], { cwd: ROOT }).toSorted();

describe('the voice of documents', () => {
  test.each(DOCUMENTS)('%s has no banned construction', (file) => {
    expect(findings(file, readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
  });

  test('covers every kind of document', () => {
    for (const file of [
      'README.md',
      'CHANGELOG.md',
      'docs/guides/importing.md',
      'deploy/README.md',
      'src/db/README.md',
      'src/schedules/forecast/README.md',
      'docs/reference/requirements.md',
    ])
      expect(DOCUMENTS).toContain(file);
  });
});

describe('a banned construction', () => {
  test.each([
    ['What is released no longer counts.', 'Released amounts no longer count. What is a slot? See below.'],
    ['It ends. Where a limit is set, it waits.', 'If a limit is set, it waits. Find out where it is.'],
    [
      'Money moves.\nOf a trial nothing is charged.',
      'A trial is never charged, in the words\nOf the plan: `Of a trial`.',
    ],
    ['1. Who pays is charged.', '1. A payer who pays is charged.'],
    ['The key is somebody’s.', 'The key belongs to a caller.'],
    ['- They see their own money\n  alone.', '- They see only their own money.'],
    ['| a | it has a limit of its own |', '| a | it has its own limit, in the row of its own tenant |'],
    ['- `test/a.test.ts`: "no event tells it"', '- `test/a-told.test.ts`: "no event has it"'],
  ])('is found in "%s", not in "%s"', (rejected, accepted) => {
    expect(findings('a.md', rejected)).toHaveLength(1);
    expect(findings('a.md', accepted)).toEqual([]);
  });

  test('is reported with its file and line', () => {
    expect(findings('a.md', '# A page\n\nA line\nand what nobody reads.')).toEqual([
      'a.md:4 "nobody": name the caller, operator, tenant, process or end user',
    ]);
  });
});
