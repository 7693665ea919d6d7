// docs/reference/requirements.md, from test/conformance/rows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof, Requirement } from '../test/conformance/rows/row.ts';
import { REQUIREMENTS } from '../test/conformance/rows/index.ts';

export function requirementsReference(): string {
  return `${[INTRODUCTION, ...Object.entries(REQUIREMENTS).map(sectionOf)].join('\n\n')}\n`;
}

const INTRODUCTION = `# Requirements

Written from \`test/conformance/rows\` by \`npm run docs:requirements\`. Each row is one requirement of the designs that usance combines, in short, with
the tests or commands that show it. A test checks that each of them exists. "waits for" names a part of the product that does not exist yet; "open" names
what is missing. [compatibility.md](compatibility.md) has the words, tables, queries and commands of each design.`;

function sectionOf([title, rows]: [string, readonly Requirement[]]): string {
  const lines = rows.map(({ id, says, shown }) => `| ${id} | ${says} | ${shown.map(cellOf).join('<br>')} |`);
  return [`## ${title}`, countOf(rows), ['| id | requirement | shown by |', '|---|---|---|', ...lines].join('\n')].join(
    '\n\n',
  );
}

function countOf(rows: readonly Requirement[]): string {
  const having = (kind: 'waits' | 'open'): number =>
    rows.filter(({ shown }) => shown.some((proof) => kind in proof)).length;
  return `${rows.length} requirements: ${having('waits')} wait for another part, wholly or in part, and ${having('open')} are open, wholly or in part.`;
}

function cellOf(proof: Proof): string {
  if ('command' in proof) return `\`${proof.command}\``;
  if ('waits' in proof) return `waits for ${proof.waits}`;
  if ('open' in proof) return `open: ${proof.open}`;
  const groups = proof.scenario === undefined ? groupsOf(proof.file, proof.title) : [proof.scenario];
  return [proof.file, ...groups, proof.title].join(' › ').replaceAll('|', String.raw`\|`);
}

/** The names of the `describe` blocks around a test, outermost first: many a title is only half of a sentence. */
function groupsOf(file: string, title: string): string[] {
  const lines = readFileSync(join(import.meta.dirname, '..', file), 'utf8').split('\n');
  const found = lines.findIndex((line) => ["'", '"', '`'].some((quote) => line.includes(`${quote}${title}${quote}`)));
  // A title on a line of its own is an argument of the line before.
  const first = /^\s*['"`]/.test(lines[found] ?? '') ? found - 1 : found;
  let indent = indentOf(lines[first] ?? '');
  const groups: string[] = [];
  for (const line of lines.slice(0, Math.max(first, 0)).toReversed()) {
    const [, name] = /^\s*describe.*?\((?:'([^']+)'|"([^"]+)")/.exec(line)?.filter((part) => part !== undefined) ?? [];
    if (name === undefined || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    groups.unshift(name);
  }
  return groups;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
