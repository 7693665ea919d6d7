// Each request of a guide is shown with curl and in TypeScript. Other tests paste the commands into a shell (here and in test/cli);
// this one runs the TypeScript in a world like theirs, and expects the results that the page shows for both.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ensureDemo } from '../../src/cli/demo.ts';
import { wirePresenterOf } from '../../src/library/present.ts';
import { useApi } from '../api/api.ts';
import { useFolder } from '../cli/cli.ts';
import {
  blocksOf,
  fromSources,
  guides,
  pageOf,
  printedBy,
  runProgram,
  sendsRequest,
  textsOf,
  typeFindings,
} from './guide.ts';
import { NOTIFY_GUIDE, sinkPort } from './notify-people.ts';
import { WEBHOOK_GUIDE, startBeside } from './receive-webhooks.ts';

const store = useApi({ usance: { outbound: { loopback: true }, webhooks: { presenter: wirePresenterOf } } });
const folder = useFolder();
/** A program starts commands, one after the other. */
const LONG = 120_000;

test.each(guides())('every request of %s has its TypeScript next', (guide) => {
  const blocks = blocksOf(guide);
  const requests = blocks.flatMap((block, index) => (sendsRequest(block) ? [blocks[index + 1]?.language] : []));
  expect(requests.length).toBeGreaterThan(1);
  expect(new Set(requests)).toEqual(new Set(['ts']));
});

test('the TypeScript of the guides has no type errors', { timeout: LONG }, async () => {
  expect(await typeFindings(folder)).toBe('');
});

test('the check of the types finds a name that the client lacks', { timeout: LONG }, async () => {
  const wrong = `import { createClient } from 'usance/client';\nawait createClient({ url: '', key: '' }).holds.make({});\n`;
  expect(await typeFindings(folder, { 'wrong.md': wrong })).toContain("Property 'make' does not exist");
});

describe('the TypeScript of a guide prints the results that the page shows', () => {
  beforeAll(async () => {
    // A payout takes a chain whose health was measured.
    await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
    store.usance.start(['clocks', 'sequencer', 'matcher', 'rescuer', 'webhooks', 'notifications']);
    await addDemo();
  });

  test.each(guides())('%s', { timeout: LONG }, async (guide) => {
    const world = { url: store.url, databaseUrl: store.runtimeUrl, folder };
    const beside = await besideOf(guide);
    const printed = await runProgram(guide, { ...world, ...beside });
    const lines = printed.map((line) => beside.asOnPage?.(line) ?? line);
    expect(lines).toEqual(printedBy(guide));
    if (RUNS_AGAIN.has(guide))
      expect(await runProgram(guide, { ...world, ...beside }, { again: true })).toEqual(printed);
    if (guide === REPORTED.guide) expect(read(REPORTED.file)).toMatchObject(JSON.parse(textsOf(guide, 'json').join()));
    else for (const value of shownBy(guide)) expect(lines.join('\n')).toMatch(asWord(value));
  });

  test('the dry runs stored nothing: the one payment is that of the real call', async () => {
    const rehearsal = await store.usance.tenant('rehearsal');
    expect(await rehearsal.payments()).toMatchObject([{ amount: 1_000n }]);
  });
});

/** Their pages say that the program can be run again. */
const RUNS_AGAIN = new Set([NOTIFY_GUIDE]);

/** What runs beside a guide. */
async function besideOf(guide: string): Promise<Beside> {
  if (guide === WEBHOOK_GUIDE) return webhooks();
  if (guide !== NOTIFY_GUIDE) return {};
  const { withPort, asOnPage } = await sinkPort();
  return { beside: withPort, asOnPage };
}

interface Beside {
  readonly beside?: (program: string) => string;
  readonly asOnPage?: (line: string) => string;
}

/** The receiver of the guide to webhooks, and `usance listen`. */
async function webhooks() {
  const [receiver = ''] = textsOf(WEBHOOK_GUIDE, 'ts');
  const files = { receiver: fromSources(receiver), page: pageOf(WEBHOOK_GUIDE) };
  const { withPort, stop } = await startBeside(folder, store.url, files);
  onTestFinished(stop);
  return { beside: withPort };
}

/** The JSON of this guide is the report of a command. */
const REPORTED = { guide: 'importing.md', file: 'again.json' };

const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** The values of the answers that a page shows in JSON: the program prints each of them. */
function shownBy(guide: string): string[] {
  const values = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(values) : [String(value)];
  return textsOf(guide, 'json').flatMap((text) => values(JSON.parse(text)));
}

/** The value, not as a part of a longer word or number. */
const asWord = (value: string): RegExp => new RegExp(`(?<![\\w.-])${value.replaceAll(/[^\w]/g, '\\$&')}(?![\\w.-])`);

/** The tenant of `usance dev` and the file of its key. */
async function addDemo(): Promise<void> {
  await store.usance.createTenant({ name: 'demo' });
  const demo = await ensureDemo(store.usance);
  const key = await demo?.createApiKey({ name: 'demo', role: 'admin' });
  mkdirSync(join(folder, '.usance'));
  writeFileSync(join(folder, '.usance/api-key'), key?.secret ?? '');
}
