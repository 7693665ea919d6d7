// docs/operating/security.md says which test holds which promise: the names are real, all ten are there, and what can be run is.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROLES, SCOPES, allowedBy, allows } from '../../src/access/index.ts';
import { readPieces } from '../museum/pieces.ts';
import { useUsance } from '../support/database.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = await readFile(join(ROOT, 'docs/operating/security.md'), 'utf8');

describe('the page on security', () => {
  const sections = page.split(/^### /m).slice(1);
  const named = (text: string): string[][] =>
    [...text.matchAll(/^- `([^`]+)`: "(.+)"$/gm)].map(([, ...parts]) => parts);

  test('has every item of the list, each with a test', () => {
    expect(sections.map((section) => section.split(' ', 1)[0])).toEqual(
      Array.from({ length: 10 }, (_, n) => `API${n + 1}`),
    );
    for (const section of sections) expect(named(section).length, section.split('\n', 1)[0]).toBeGreaterThan(0);
  });

  test.each(named(page))('names a test of %s: %s', async (file, title) => {
    const text = (await readFile(join(ROOT, file ?? ''), 'utf8')).replaceAll(/\(\s+/g, '(');
    expect(["'", '"', '`'].some((quote) => text.includes(`(${quote}${title}${quote}`))).toBe(true);
  });

  test('lists every scope, in the words of the command help', () => {
    const table = page.split('| scope | allows a key to |')[1]?.split('\n\n')[0] ?? '';
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(Object.entries(SCOPES));
  });

  test('gives each role the scopes it has', () => {
    for (const scope of ROLES.viewer) expect(page).toMatch(new RegExp(`\\| \`viewer\` \\|[^\\n]*\`${scope}\``));
    const more = ROLES.operator.filter((scope) => !allows(allowedBy('viewer', []), scope));
    for (const scope of more) expect(page).toMatch(new RegExp(`\\| \`operator\` \\|[^\\n]*\`${scope}\``));
  });
});

describe('the threat model', async () => {
  const model = await readFile(join(ROOT, 'docs/operating/threat-model.md'), 'utf8');
  const rows = [...model.matchAll(/^\| (.+?) \| (yes|later|no) \| (.+) \|$/gm)].map(([, control, answer, why]) => ({
    control,
    answer,
    why: why ?? '',
  }));

  test('answers every control with a test, with what it waits for, or with a reason', () => {
    expect(rows.length).toBeGreaterThan(40);
    const all = [...model.matchAll(/^\| .+ \| .+ \| .+ \|$/gm)].map(([line]) => line);
    const inControls = all.slice(all.findIndex((line) => line.startsWith('| control |')));
    const headings = inControls.filter((line) => line.startsWith('| control |')).length;
    expect(inControls.length - headings, 'a row whose answer is not yes, later or no').toBe(rows.length);
    for (const { control, answer, why } of rows) {
      if (answer === 'yes') expect(why, control).toMatch(/^`test\/[^`]+`: ".+"$/);
      else expect(why.length, control).toBeGreaterThan(20);
    }
  });

  const shown = rows
    .filter(({ answer }) => answer === 'yes')
    .map(({ control, why }) => {
      const [, file = '', title = ''] = /^`([^`]+)`: "(.+)"$/.exec(why) ?? [];
      return { control, file, title };
    });

  test.each(shown)('names a test that shows: $control', async ({ file, title }) => {
    const text = (await readFile(join(ROOT, file), 'utf8')).replaceAll(/([([])\s+/g, '$1');
    const written = ["'", '"', '`'].flatMap((quote) => [`(${quote}${title}${quote}`, `[${quote}${title}${quote}`]);
    expect(
      written.some((one) => text.includes(one)),
      `${file}: ${title}`,
    ).toBe(true);
  });

  /** What these tests look at is no part of src, which is all that a piece of the museum may change. */
  const OUTSIDE = ['test/architecture/dependencies.test.ts'];

  test.each(shown.filter(({ file }) => !OUTSIDE.includes(file)))(
    'has a piece of the museum in which this control is missing: $control',
    ({ file, title }) => {
      const isIn = (caughtBy: string): boolean =>
        // A suite that several files run is caught by one of them.
        file.endsWith('.test.ts') ? caughtBy === file : dirname(caughtBy) === dirname(file);
      const parts = title.split(/%s|\$\w+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
      const pattern = new RegExp(parts.join('.+'));
      const pieces = readPieces().filter(
        (piece) => isIn(piece.caughtBy) && (title.includes(piece.title) || pattern.test(piece.title)),
      );
      expect(pieces.map(({ name }) => name)).not.toEqual([]);
    },
  );
});

describe('the token made by hand', () => {
  const JWT_SECRET = 'a-secret-of-thirty-two-characters-or-more';
  const store = useUsance({ jwt: { secret: JWT_SECRET, audience: 'usance', issuer: null } });

  test('is believed', async () => {
    await store.tenant.openAccount({ ref: 'alice' });
    const [, snippet = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    const env = { ...process.env, JWT_SECRET };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', snippet], { env });
    const shown = await store.usance.authenticate(stdout.trim());
    expect((await shown?.handle.accounts())?.map(({ ref }) => ref)).toEqual(['alice']);
  });
});
