// A short list of constructions that readers had to read twice, and the search for them in a text. Code and headings are not checked.

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

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The prose of a page, each line at its number. */
function prose(page: string): string {
  return page
    .replaceAll(/^```.*?^```$/gms, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
    .replaceAll(/\]\([^)\n]*\)/g, (target) => `]${' '.repeat(target.length - 1)}`)
    .replaceAll(/^#+ .*$/gm, blank)
    .replaceAll('**', '')
    .replaceAll(/(?<=[^\s.!?:|] ?)\n(?= *[^\s|#*-])/g, JOINT);
}

export function findings(file: string, page: string, firstLine = 1): string[] {
  const text = prose(page);
  return RULES.flatMap(({ banned, instead }) =>
    [...text.matchAll(banned)].map((match) => {
      const line = text.slice(0, match.index).split(/[\n\u{E000}]/u).length - 1 + firstLine;
      return `${file}:${line} "${match[0].slice(0, 60).replaceAll(JOINT, ' ').trim()}": ${instead}`;
    }),
  );
}
