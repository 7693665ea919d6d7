// JSON from outside, read without loss. JSON.parse takes the last of two equal keys and rounds a number it cannot hold, both
// without a word: with money in the text, either is a way to say one amount and mean another.
import { refuse } from './errors.ts';

/**
 * Throws SyntaxError. A number that is not written as a plain integer comes back as its text, for a parser to refuse; one that
 * is too large to be exact stays a number, which parseAmount refuses for the same reason.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text, exactNumber);
  const twice = keyTwice(text);
  if (twice !== null) throw new SyntaxError(`the key ${twice} is there twice`);
  return value;
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return /^(-?[1-9][0-9]*|0)$/.test(context.source) ? value : context.source;
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{[]|[}\]]/g;

/** Of text that is known to be JSON: in it a string before a colon is a key of the innermost object. */
function keyTwice(text: string): string | null {
  const open: Set<unknown>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (string === undefined) open.pop();
    else if (colon !== undefined) {
      const keys = open.at(-1);
      // "a" and "\u0061" are one key.
      const key: unknown = JSON.parse(string);
      if (keys?.has(key)) return string;
      keys?.add(key);
    }
  }
  return null;
}

/**
 * JSON for storing: amounts become decimal strings, as they are over HTTP, and a NUL, which PostgreSQL cannot keep in
 * JSON, is refused.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) => {
    if (typeof item === 'bigint') return item.toString();
    if (typeof item === 'string' && item.includes('\0'))
      refuse('FIELD_INVALID', 'text must not contain a NUL character');
    return item;
  });
}
