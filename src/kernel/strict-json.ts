// JSON from outside, as a payment service has to read it. JSON.parse rounds 9007199254740993 to …992 and takes the last of two
// fields with one name, without a word: both have moved other people's money. A first scan over the text refuses what would be
// dear to parse (nesting, and more values than a request has use for: a few megabytes of brackets become hundreds of megabytes
// of arrays). JSON.parse decides what is well-formed; a second scan refuses what it let through: repeated names, numbers it
// could not keep exactly, and characters that the database cannot store.
import { refuse } from './errors/index.ts';
import { isStorable } from './text.ts';

export const MAX_DEPTH = 32;
/** Values (fields, items, objects and lists) where the caller does not say how many it has use for. */
export const MAX_VALUES = 16_384;

/** Bytes are read as UTF-8. Throws a Refusal that names the place, and quotes nothing: there may be a secret in the text. */
export function parseStrictJson(source: string | Uint8Array, mostValues = MAX_VALUES): unknown {
  const text = typeof source === 'string' ? source : decoded(source);
  requireSize(text, mostValues);
  const value = parsed(text);
  scan(text);
  return value;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return refuse('JSON_MALFORMED/not_utf8');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuseBroken(error instanceof Error ? error.message : '');
  }
}

/** Keeps only the position of the engine's message, if it has one: the rest quotes the text. */
function refuseBroken(message: string): never {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return refuse('JSON_MALFORMED/breaks', { at: Number(position) });
  return refuse(message.includes('end of JSON') ? 'JSON_MALFORMED/ends_early' : 'JSON_MALFORMED/not_json');
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
const ZERO = 48;
const NINE = 57;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Before anything is made of the text, which may be no JSON at all: how deep it goes, and how many values it has. */
function requireSize(text: string, mostValues: number): void {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) return;
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) refuse('JSON_MALFORMED/too_deep', { max: MAX_DEPTH });
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) depth -= 1;
    else if (character === COMMA) values += 1;
    if (values > mostValues) refuse('JSON_TOO_COMPLEX', { max: mostValues });
  }
}

/** The text is well-formed already, so a look at each character says what it begins. */
function scan(text: string): void {
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let nameNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfString(text, at);
      const value = stringAt(text, at, end, open);
      if (nameNext && frame?.names) {
        frame.name = value;
        if (frame.names.has(value)) refuse('JSON_DUPLICATE_KEY', { param: placeOf(open) });
        frame.names.add(value);
        nameNext = false;
      }
      at = end;
    } else if (character === COMMA) {
      if (frame?.names) nameNext = true;
      else if (frame) frame.index += 1;
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      nameNext = character === OPEN_OBJECT;
      frame = { names: nameNext ? new Set() : null, name: '', index: 0 };
      open.push(frame);
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) {
      open.pop();
      frame = open.at(-1);
      nameNext = false;
    } else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      at += numberAt(text, at, open).length - 1;
    }
  }
}

/** -1 where it has none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end === -1) return end;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

function stringAt(text: string, start: number, end: number, open: readonly Frame[]): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  const value = JSON.parse(text.slice(start, end + 1)) as string;
  if (!isStorable(value)) refuse('FIELD_INVALID/not_storable', { param: placeOf(open) });
  return value;
}

const NUMBER = /-?[0-9][0-9.eE+-]*/y;

function numberAt(text: string, at: number, open: readonly Frame[]): string {
  NUMBER.lastIndex = at;
  const [token = ''] = NUMBER.exec(text) ?? [];
  const value = Number(token);
  if (!isKept(token, value)) refuse('JSON_INTEGER_UNSAFE', { param: placeOf(open) });
  return token;
}

/** Whether the value says what was written: 1.10 and 11e-1 are 1.1; 0.1000000000000000055 and 4503599627370497.1 are rounded. */
function isKept(token: string, value: number): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  if (!Number.isFinite(value)) return false;
  // Nearly every number is written as it is read.
  const text = String(value);
  return text === token || decimalOf(text) === decimalOf(token);
}

/** One text for each number: its digits without zeros at either end, and the power of ten of the last of them. */
function decimalOf(token: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE](.+))?$/.exec(token) ?? [];
  const digits = whole + fraction;
  let from = 0;
  while (from < digits.length && digits.charCodeAt(from) === ZERO) from += 1;
  if (from === digits.length) return '0';
  let to = digits.length;
  while (digits.charCodeAt(to - 1) === ZERO) to -= 1;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/** `payments[3].amount`. */
function placeOf(open: readonly Frame[]): string {
  const path = open
    .map((frame) => (frame.names ? `.${frame.name}` : `[${frame.index}]`))
    .join('')
    .replace(/^\./, '');
  return path === '' ? 'the JSON' : path;
}
