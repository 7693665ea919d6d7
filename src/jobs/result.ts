// Results and errors of processors as they are stored. A processor can return or throw anything; its execution must end all the same.
const LONGEST_RESULT_BYTES = 64 * 1024;
const LONGEST_ERROR_BYTES = 8 * 1024;

/** U+0000, or half of a surrogate pair, as JSON.stringify writes it: PostgreSQL can store neither. After an even number of backslashes. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** A result that is JSON already: that of a child process. */
export class StoredResult {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/** JSON of a result, null for none. A result that is too long or has no JSON is replaced by a note of that. */
export function storableResult(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof StoredResult) return value.json;
  let text: string | undefined;
  try {
    text = JSON.stringify(isRecord(value) ? value : { value }, withoutBigint);
  } catch {
    return '{"truncated":true,"bytes":null}';
  }
  // An object whose toJSON gives something else.
  if (text === undefined || !text.startsWith('{')) return null;
  if (text.includes('\\u')) text = text.replaceAll(UNSTORABLE, '$1\\ufffd');
  return text.length * 3 > LONGEST_RESULT_BYTES ? cutResult(text) : text;
}

function cutResult(text: string): string {
  const bytes = Buffer.byteLength(text);
  return bytes > LONGEST_RESULT_BYTES ? noteOfLength(bytes) : text;
}

/** Stored instead of a result of so many bytes. */
export const noteOfLength = (bytes: number): string => `{"truncated":true,"bytes":${bytes}}`;

const withoutBigint = (_name: string, item: unknown): unknown => (typeof item === 'bigint' ? item.toString() : item);

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that PostgreSQL can store, of at most 8 KiB. */
export function storableText(text: string): string {
  const whole = text.replaceAll('\0', '\ufffd').toWellFormed();
  if (whole.length * 3 <= LONGEST_ERROR_BYTES) return whole;
  const bytes = Buffer.from(whole);
  if (bytes.length <= LONGEST_ERROR_BYTES) return whole;
  // Half a character at the cut becomes U+FFFD, which is three bytes.
  return `${bytes
    .subarray(0, LONGEST_ERROR_BYTES - 6)
    .toString()
    .replace(/\ufffd$/, '')}…`;
}

/** The message of an error: what was thrown may be no error, and its properties may throw. */
export function errorText(error: unknown): string {
  try {
    if (error instanceof Error) return storableText(error.message === '' ? error.name : error.message);
    return storableText(typeof error === 'string' ? error : `threw ${JSON.stringify(error) ?? typeof error}`);
  } catch {
    return 'threw something that cannot be shown';
  }
}

/** An error that says that it would happen again: `retryable` is false. */
export function isPermanent(error: unknown): boolean {
  try {
    return typeof error === 'object' && error !== null && 'retryable' in error && error.retryable === false;
  } catch {
    return false;
  }
}
