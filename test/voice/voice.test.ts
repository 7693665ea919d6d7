// Documents are plain technical English: subject first, active verb, the usual term (CONTRIBUTING.md, "How to write"). This test rejects a
// short list of constructions that readers had to read twice. Code, quoted titles of tests and headings are not checked.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Replaces the line break inside a sentence, so that `^` matches only at the start of one, and lines can still be counted. */
const JOINT = '\u{E000}';
const words = (text: string): string => text.replaceAll(' ', `[ ${JOINT}]+`);
const anywhere = (text: string): RegExp => new RegExp(String.raw`\b(?:${words(text)})\b`, 'gi');
/** At the start of a sentence, a list item or a table cell, and not a question. */
const leading = (text: string): RegExp =>
  new RegExp(String.raw`(?<=^ *(?:[-*] |\d+\. )?|[.!?:][ ${JOINT}]+|\| )(?:${text})\b[^.?|\n]*(?:[.|\n]|$)`, 'gm');

const RULES: readonly { readonly banned: RegExp; readonly instead: string }[] = [
  {
    banned: anywhere('whoever|somebody|someone|nobody|anybody'),
    instead: 'name the caller, operator, tenant, process or end user',
  },
  { banned: anywhere('he|him|his|himself'), instead: 'name the person' },
  { banned: leading('What'), instead: 'start with the noun: "Released amounts", not "What is released"' },
  { banned: leading('Who|Whose'), instead: 'start with the noun: "A caller that"' },
  { banned: leading('Where'), instead: 'start with "If", "When" or the noun' },
  { banned: leading('Of'), instead: 'start with the noun' },
  { banned: anywhere('alone'), instead: 'write "only" or "by itself"' },
  {
    banned: anywhere('of (?:its|their|your|our|her) own(?! [a-z])'),
    instead: 'write "its own" before the noun, or "separate"',
  },
  { banned: anywhere('stands? (?:for|at|in|still|where|above|before|apart)|as it stands'), instead: 'write "is"' },
  { banned: anywhere('lies? (?:ahead|in|there|where|behind)'), instead: 'write "is", or "future"' },
  { banned: anywhere('to be had|to come|theirs to'), instead: 'write "available" or "planned"' },
  { banned: anywhere('tells?|told'), instead: 'write "emits", "reports" or "says"' },
  { banned: anywhere('on record|the record'), instead: 'write "audited", "recorded" or "the audit log"' },
  { banned: anywhere('mend|mends|mended|deeds?'), instead: 'write "fix" or "action"' },
  { banned: anywhere('stretch|stretches|anew'), instead: 'write "bounded scan" or "again"' },
  { banned: anywhere('comes? by|came by|at its hour'), instead: 'write "runs" or "when due"' },
  { banned: anywhere('strangers?'), instead: 'write "unauthenticated client"' },
  { banned: anywhere('what(?:ever)? became of'), instead: 'write "the outcome of"' },
  { banned: anywhere('where wanted|as wanted'), instead: 'write "on request"' },
  { banned: anywhere('documents? 00[0-9]'), instead: 'name the design; docs/reference/compatibility.md has its words' },
];

/** Pages that are not checked, each with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  'docs/reference/requirements.md': 'quotes the titles of tests',
};

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', 'src/*/README.md'], { cwd: ROOT })
  .filter((file) => !(file in UNCHECKED))
  .toSorted();

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The prose of a page, each line where it was. */
function prose(page: string): string {
  return page
    .replaceAll(/^```.*?^```$/gms, blank)
    .replaceAll(/`test\/[^`]+`: ".*?"(?=$| \|)/gm, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
    .replaceAll(/\]\([^)\n]*\)/g, (target) => `]${' '.repeat(target.length - 1)}`)
    .replaceAll(/^#+ .*$/gm, blank)
    .replaceAll('**', '')
    .replaceAll(/(?<=[^\s.!?:|] ?)\n(?= *[^\s|#*-])/g, JOINT);
}

function findings(file: string, page: string): string[] {
  const text = prose(page);
  return RULES.flatMap(({ banned, instead }) =>
    [...text.matchAll(banned)].map((match) => {
      const line = text.slice(0, match.index).split(/[\n\u{E000}]/u).length;
      return `${file}:${line} "${match[0].slice(0, 60).replaceAll(JOINT, ' ').trim()}": ${instead}`;
    }),
  );
}

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
    ['No event tells it.', '- `test/a.test.ts`: "no event tells it"'],
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
