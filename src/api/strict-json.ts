// JSON as a payment service has to read it. JSON.parse rounds 9007199254740993 to …992 and takes the last of two fields with
// one name, without a word: both have moved other people's money. It decides what is well-formed; a scan over the same text
// then refuses what it let through: repeated names, numbers it could not keep exactly, nesting without bound, and characters
// that the database cannot store.
import { refuse } from '../kernel/index.ts';

export const MAX_DEPTH = 32;

/** Throws a Refusal that names the place. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const value = parse(text);
  scan(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('JSON_MALFORMED', 'the body is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's own message quotes the text, and a text may have a secret in it: only the place is told.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    return refuse(
      'JSON_MALFORMED',
      position === undefined ? 'the JSON of the body ends too early' : `the JSON of the body breaks at ${position}`,
    );
  }
}

/** An object or array that is open at this point of the text. */
interface Frame {
  /** Names seen so far; null for an array. */
  readonly names: Set<string> | null;
  name: string;
  index: number;
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const NUMBER = /-?[0-9][0-9.eE+-]*/y;

/** The text is well-formed already, so a look at each character says what it begins. */
function scan(text: string): void {
  const open: Frame[] = [];
  let nameNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const frame = open.at(-1);
    if (character === QUOTE) {
      const end = endOfString(text, at);
      const value = stringAt(text, at, end, open);
      if (nameNext && frame?.names) {
        frame.name = value;
        if (frame.names.has(value)) {
          refuse('JSON_DUPLICATE_KEY', `${placeOf(open)} is there twice; give it once`, { param: placeOf(open) });
        }
        frame.names.add(value);
        nameNext = false;
      }
      at = end;
    } else if (character === COMMA) {
      if (frame?.names) nameNext = true;
      else if (frame) frame.index += 1;
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      if (open.length === MAX_DEPTH) refuse('JSON_MALFORMED', `the body is nested more than ${MAX_DEPTH} deep`);
      nameNext = character === OPEN_OBJECT;
      open.push({ names: nameNext ? new Set() : null, name: '', index: 0 });
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) {
      open.pop();
      nameNext = false;
    } else if (character === MINUS || (character >= 48 && character <= 57)) {
      at += numberAt(text, at, open).length - 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
}

function stringAt(text: string, start: number, end: number, open: readonly Frame[]): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  const value = JSON.parse(text.slice(start, end + 1)) as string;
  if (value.includes('\0') || !value.isWellFormed()) {
    const param = placeOf(open);
    refuse('FIELD_INVALID', `${param} has a character that cannot be stored: NUL, or half of a surrogate pair`, {
      param,
    });
  }
  return value;
}

function numberAt(text: string, at: number, open: readonly Frame[]): string {
  NUMBER.lastIndex = at;
  const [token = ''] = NUMBER.exec(text) ?? [];
  const value = Number(token);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    const param = placeOf(open);
    refuse('JSON_INTEGER_UNSAFE', `${param} is a number that JSON readers round: write it as a string of digits`, {
      param,
    });
  }
  return token;
}

/** `payments[3].amount`. */
function placeOf(open: readonly Frame[]): string {
  const path = open
    .map((frame) => (frame.names ? `.${frame.name}` : `[${frame.index}]`))
    .join('')
    .replace(/^\./, '');
  return path === '' ? 'the body' : path;
}
