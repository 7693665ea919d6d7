// Texts of others (an imported file, a name, a reason) reach the operator's terminal: no character of theirs moves the cursor,
// clears the screen, starts a line or turns the reading direction.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aligned, bold, createScreen, green, red } from '../../src/cli/screen.ts';
import { useUsance } from '../support/database.ts';
import { useFolder, usanceHere } from './cli.ts';

describe('the screen', () => {
  const screen = createScreen(false);
  const machine = createScreen(true);
  let out = '';
  let err = '';
  beforeEach(() => {
    out = err = '';
    vi.stubEnv('FORCE_COLOR', '1');
    vi.stubEnv('NO_COLOR', undefined);
    vi.stubEnv('NODE_DISABLE_COLORS', undefined);
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => (out += String(text)) !== '');
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => (err += String(text)) !== '');
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  test.each([
    ['clears the screen', '\u001B[2J', String.raw`\u001b[2J`],
    ['paints', '\u001B[8mhidden', String.raw`\u001b[8mhidden`],
    ['is a control sequence in one character', '\u009B2J', String.raw`\u009b2J`],
    ['returns to the start of the line', 'x\r0 refused', String.raw`x\u000d0 refused`],
    ['starts a line', 'x\n0 refused', String.raw`x\u000a0 refused`],
    ['separates lines', 'x\u2028y\u2029', String.raw`x\u2028y\u2029`],
    ['deletes', 'x\b\u007F', String.raw`x\u0008\u007f`],
    ['turns the reading direction', '\u202Etxt.exe\u2066\u2069\u200F', String.raw`\u202etxt.exe\u2066\u2069\u200f`],
    ['is half a surrogate pair', '\uD800', String.raw`\ud800`],
  ])('shows a text that %s by its code', (_what, text, shown) => {
    screen.line(`${green('plan')} ${text} ${red(text)}`);
    screen.notice(text);
    expect(stripVTControlCharacters(out)).toBe(`plan ${shown} ${shown}\n`);
    expect(out.startsWith('\u001B[32mplan\u001B[39m ')).toBe(true);
    expect(err).toBe(`${shown}\n`);
  });

  test('leaves every letter as it is', () => {
    screen.line('Zoë 東京 👩‍👧 سلام می‌خواهم');
    expect(out).toBe('Zoë 東京 👩‍👧 سلام می‌خواهم\n');
  });

  test('escapes the same characters in JSON, which stays the same value', () => {
    const value = { name: 'a\u001B[2J\u009B2J\u202Eb\n\u007F\u2028', list: [1n] };
    machine.document(value);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
    expect(JSON.parse(out)).toEqual({ ...value, list: ['1'] });
  });

  test('aligns columns by what is seen of them', () => {
    for (const line of aligned([
      [bold('a'), 'x'],
      ['bcd', 'y'],
      ['e\u001Bf', 'z'],
    ]))
      screen.line(line);
    expect(stripVTControlCharacters(out)).toBe(
      ['  a         x', '  bcd       y', String.raw`  e\u001bf  z`, ''].join('\n'),
    );
  });
});

describe('a file of somebody else', () => {
  const folder = useFolder();
  const store = useUsance();

  test('writes nothing to the terminal but what is wrong with it', async () => {
    const row = { reference: 'r-1', plan: '\u001B[2J\n0 refused', payer: 'ann', next_due_at: '2030-01-01T00:00:00Z' };
    writeFileSync(join(folder, 'evil.jsonl'), `${JSON.stringify(row)}\n`);
    const args = ['subscriptions', 'import', 'evil.jsonl', '--tenant', 'shop', '--dry-run'];
    const { out, err } = await usanceHere(folder, args, { DATABASE_URL: store.runtimeUrl });
    expect(out + err).toContain(String.raw`\u001b[2J\u000a0 refused`);
    expect(out + err).not.toContain('\u001B');
    expect(out + err).not.toMatch(/^0 refused/m);
  });
});
