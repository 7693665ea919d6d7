// The comments and the texts of a source file, each with its line. Texts are string literals on one line with at least three words;
// SQL and other templates over several lines are not texts.

export interface Text {
  readonly kind: 'comment' | 'literal';
  readonly line: number;
  readonly text: string;
}

const LINE_COMMENT = /^\s*\/\/ ?(?<text>.*)$/;
const DOC_COMMENT = /^\s*\/\*\*? ?(?<text>.*?)(?:\*\/)?\s*$/;
const DOC_LINE = /^\s*\*(?!\/) ?(?<text>.*?)(?:\*\/)?\s*$/;
const LITERAL = /'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g;
const THREE_WORDS = /[a-z]+[^a-z]+[a-z]+[^a-z]+[a-z]+/i;

const commentOf = (line: string): string | null =>
  (LINE_COMMENT.exec(line) ?? DOC_COMMENT.exec(line) ?? DOC_LINE.exec(line))?.groups?.['text'] ?? null;

function literalsOf(line: string): string[] {
  return [...line.matchAll(LITERAL)]
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\$\{[^}]*\}/g, 'x').replaceAll('\\n', ' '))
    .filter((text) => text.includes(' ') && THREE_WORDS.test(text));
}

/** Consecutive lines of comments are one text. */
export function textsOf(source: string): Text[] {
  const texts: Text[] = [];
  let comment: { kind: 'comment'; line: number; text: string } | null = null;
  for (const [index, line] of source.split('\n').entries()) {
    const said = commentOf(line);
    if (said === null) {
      comment = null;
      texts.push(...literalsOf(line).map((text) => ({ kind: 'literal' as const, line: index + 1, text })));
    } else if (comment === null) {
      comment = { kind: 'comment', line: index + 1, text: said };
      texts.push(comment);
    } else {
      comment.text += `\n${said}`;
    }
  }
  return texts;
}
