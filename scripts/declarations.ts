// Declarations that are written by hand, with their doc comments: read as text, because TypeScript 7 has no compiler API.
// The formatter fixes the shape that this relies on: a declaration starts in the first column, a member two spaces further in.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Member {
  /** `close()`, `name`, `signal?`. */
  readonly name: string;
  /** The type of a field, or what a method returns. */
  readonly type: string;
  readonly doc: string;
  /** Members of a field whose type is written in place. */
  readonly members: readonly Member[];
}

export interface Declaration {
  /** On one line, up to its body. */
  readonly signature: string;
  readonly kind: string;
  readonly doc: string;
  readonly members: readonly Member[];
}

const ROOT = join(import.meta.dirname, '..');

export function declarationIn(file: string, name: string): Declaration {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = new RegExp(
    String.raw`^((?:/\*\*(?:(?!\*/).)*\*/\n)?)(export (?:async )?(interface|class|type|function|const) ${name}\b.*?(?:^\}|\{\}$|;$|\{$))`,
    'ms',
  ).exec(text);
  if (!found) throw new Error(`${file} does not declare ${name}`);
  const [, comment = '', head = '', kind = ''] = found;
  const hasBody = (kind === 'interface' || kind === 'class') && head.endsWith('{');
  const from = found.index + found[0].length;
  const body = hasBody ? text.slice(from, text.indexOf('\n}', from) + 1) : '';
  return { signature: signatureOf(head, kind), kind, doc: docOf(comment), members: membersIn(body) };
}

function signatureOf(head: string, kind: string): string {
  const line = onOneLine(head.replace(/^export (async )?/, '')).replace(/ ?\{\}?$/, '');
  if (kind === 'const') return line.replace(/ =>.*$/, '').replace(/ =( \{.*)?$|;$/, '');
  return line.replace(/;$/, '');
}

/** The members of a body, each from its doc comment to the line that ends it. */
function membersIn(body: string): Member[] {
  const members: Member[] = [];
  let lines: string[] = [];
  let depth = 0;
  for (const line of body.split('\n').filter((each) => each.trim() !== '')) {
    lines.push(line);
    if (isComment(line)) continue;
    depth += (line.match(/[{([]/g)?.length ?? 0) - (line.match(/[})\]]/g)?.length ?? 0);
    if (depth > 0) continue;
    const member = memberOf(lines);
    if (member) members.push(member);
    lines = [];
  }
  return members;
}

const isComment = (line: string): boolean => /^\s*(\/\*\*|\*|\/\/)/.test(line);

function memberOf(lines: readonly string[]): Member | null {
  const start = lines.findIndex((line) => !isComment(line));
  const doc = docOf(lines.slice(0, start).join('\n'));
  if (doc.includes('@internal')) return null;
  const code = lines.slice(start);
  const text = onOneLine(code.filter((line) => !isComment(line)).join('\n')).replace(/;$/, '');
  if (/^(#|readonly #|constructor|override readonly name)/.test(text)) return null;
  const getter = /^get (\w+)\(\): (\w+) \{/.exec(text);
  if (getter) return { name: getter[1] ?? '', type: getter[2] ?? '', doc, members: [] };
  const method = /^(\w*\??(?:<.*>)?\(.*\)): (.*)$/.exec(text);
  if (method) return { name: method[1] ?? '', type: method[2] ?? '', doc, members: [] };
  const field = /^(?:readonly )?(\w+\??): (.*)$/.exec(text);
  if (!field) return null;
  const opens = code[0]?.endsWith('{') ?? false;
  const members = opens ? membersIn(code.slice(1, -1).join('\n')) : [];
  const type = (field[2] ?? '').replace(/\{ .* \}$/, members.length > 0 ? '{ … }' : '$&');
  return { name: field[1] ?? '', type, doc, members };
}

function docOf(comment: string): string {
  return onOneLine(
    comment
      .replaceAll(/^\s*\/\/.*$/gm, '')
      .replaceAll(/^\s*(\/\*\*|\*(?!\/))/gm, '')
      .replaceAll('*/', ''),
  );
}

const onOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/\( /g, '(').replaceAll(/,? \)/g, ')').trim();
