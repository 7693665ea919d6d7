// Refusals are data: the catalogue has the sentences, every sentence is used, and no other place builds one.
import { expect, test } from 'vitest';
import type { Entry } from '../../src/kernel/index.ts';
import { CATALOGUE } from '../../src/kernel/index.ts';
import { isCode, readTree } from './source.ts';
import type { SourceFile } from './source.ts';

const CODES = Object.entries<Entry>(CATALOGUE);
const KEYS = CODES.flatMap(([code, { detail }]): (readonly [string, string | null])[] =>
  typeof detail === 'object' ? Object.keys(detail).map((reason) => [code, reason]) : [[code, null]],
);

const files = (await readTree('src')).filter((file) => isCode(file) && !file.path.startsWith('src/kernel/errors/'));
const text = files.map((file) => file.text).join('\n');

/** Written out, or put together of the code and a reason: `refuse(`AUTH_INVALID/${reason}`)`. */
function isUsed(code: string, reason: string | null): boolean {
  if (reason === null) return text.includes(`'${code}'`);
  return text.includes(`'${code}/${reason}'`) || (text.includes(`\`${code}/\${`) && text.includes(`'${reason}'`));
}

test('every code and reason of the catalogue is one that the program refuses with', () => {
  const unused = KEYS.filter(([code, reason]) => !isUsed(code, reason)).map((key) => key.join('/'));
  expect(unused).toEqual([]);
});

test('the cause and the remedy of every code are whole sentences', () => {
  const incomplete = CODES.filter(
    ([, { cause, remedy }]) => !/^[A-Z`].*\.$/.test(cause) || !/^[A-Z`].*\.$/.test(remedy),
  );
  expect(incomplete.map(([code]) => code)).toEqual([]);
});

// A code with a text beside it: the sentence was built at the place of the refusal.
const THROWN = /\b(?:refuse|refused|Refusal)\(\s*'[A-Z_.]+',\s*[`'"]/;
const AS_VALUE = /\bcode: '[A-Z_.]+'(?: as const)?,\s*detail: /;
// A sentence put together beside the code, or given to a code whose sentence is that field.
const STORED = /\bstoredRefusal\([^)]*[`'"]/;
const AS_FIELD = /\b(?:refuse|refused)\(\s*['`][A-Z_.]+(?:\/\w+)?['`],\s*\{[^}]*\b(?:error|problem|explanation): [`'"]/;
/** The contract has examples of answers. */
const builds = ({ path, text: code }: SourceFile): boolean =>
  [THROWN, STORED, AS_FIELD].some((pattern) => pattern.test(code)) ||
  (AS_VALUE.test(code) && !path.startsWith('src/contract/'));

test('no file builds the sentence of a refusal', () => {
  const bad = (line: string): SourceFile => ({ path: 'src/ledger/reserve.ts', text: line });
  expect(builds(bad("refuse('BUSY', `wait`)"))).toBe(true);
  expect(builds(bad("return { code: 'BUSY', detail: 'wait' }"))).toBe(true);
  expect(builds(bad('storedRefusal(outcome.code, `line 3: ${outcome.detail}`)'))).toBe(true);
  expect(builds(bad("refused('UNEXPECTED', { error: `${tries} tries: ${last}` })"))).toBe(true);
  expect(builds(bad("refused('UNEXPECTED/error', { error: last })"))).toBe(false);
  expect(builds(bad("refuse('BUSY/deadlock')"))).toBe(false);
  expect(builds(bad("refuse('ASSET_NOT_FOUND', { asset })"))).toBe(false);
  expect(files.filter(builds).map(({ path }) => path)).toEqual([]);
});
