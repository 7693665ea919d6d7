// docs/operating/security.md says which test holds which promise: the names are real, all ten are there, and what can be run is.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROLES, allowedBy, allows } from '../../src/access/index.ts';
import { readTree } from '../architecture/source.ts';
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

  test('gives each role the scopes it has', () => {
    for (const scope of ROLES.viewer) expect(page).toMatch(new RegExp(`\\| \`viewer\` \\|[^\\n]*\`${scope}\``));
    const more = ROLES.operator.filter((scope) => !allows(allowedBy('viewer', []), scope));
    for (const scope of more) expect(page).toMatch(new RegExp(`\\| \`operator\` \\|[^\\n]*\`${scope}\``));
  });
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

/** The doctor asks the port of this machine that it is to open itself. */
const ASKS_ITSELF = 'src/ops/machine.ts';

test('nothing that serves asks the network for anything', async () => {
  const OUTWARD =
    /\bfetch\(|\bhttps?\.(?:request|get)\(|from '(?:undici|node:https|node:http2|node:tls|node:dgram|node:dns)/;
  const asking = (await readTree('src'))
    .filter(({ path, text }) => path.endsWith('.ts') && !path.startsWith('src/client/') && OUTWARD.test(text))
    .map(({ path }) => path);
  expect(asking).toEqual([ASKS_ITSELF]);
});
