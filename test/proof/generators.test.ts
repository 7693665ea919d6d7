// Clients that four generators make from the OpenAPI document: a program that creates a hold with metadata, compares the code of a
// refusal and reads the data of events compiles in strict mode, without a cast. The generators are no dependencies: they are
// installed into a folder of their own, at the versions below. Without a package registry the proof is skipped, and says so.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import { banner } from './banner.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

const PACKAGES = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '8.38.0',
  oazapfts: '7.5.0',
  // The compiler that the generators use; programs are compiled with that of this repository.
  typescript: '5.9.3',
} as const;

const HOLD = `{ from: 'alice', to: 'bob', amount: '100', asset: 'USD/2', delay: '1h', metadata: { order: 'A-1' } }`;

interface Generator {
  readonly name: string;
  readonly command: readonly string[];
  readonly program: string;
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'made.d.ts'],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './made.d.ts';
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3001' });
const { data, error } = await client.POST('/v1/holds', {
  params: { header: { 'Idempotency-Key': 'order-1' } },
  body: ${HOLD},
});
if (error?.code === 'FUNDS_INSUFFICIENT') console.log(error.detail);
if (data && 'id' in data) console.log(data.id, data.metadata?.['order']);
const events = await client.GET('/v1/events', { params: { query: { type: 'payment.*' } } });
for (const event of events.data?.data ?? []) console.log(event.type, event.data['new']);`,
  },
  {
    name: 'hey-api',
    command: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'made'],
    program: `
import { eventsList, holdsCreate } from './made';
const { data, error } = await holdsCreate({ headers: { 'Idempotency-Key': 'order-1' }, body: ${HOLD} });
if (error?.code === 'FUNDS_INSUFFICIENT') console.log(error.detail);
if (data && 'id' in data) console.log(data.id, data.metadata?.['order']);
const events = await eventsList({ query: { type: 'payment.*' } });
for (const event of events.data?.data ?? []) console.log(event.type, event.data['new']);`,
  },
  {
    name: 'orval',
    command: ['orval/dist/bin/orval.mjs', '--input', 'openapi.json', '--output', 'made.ts', '--client', 'fetch'],
    program: `
import { eventsList, holdsCreate } from './made';
const made = await holdsCreate(${HOLD}, { headers: { 'Idempotency-Key': 'order-1' } });
if (made.status === 422 && made.data.code === 'FUNDS_INSUFFICIENT') console.log(made.data.detail);
if (made.status === 201) console.log(made.data.id, made.data.metadata?.['order']);
const events = await eventsList({ type: 'payment.*' });
if (events.status === 200) for (const event of events.data.data) console.log(event.type, event.data['new']);`,
  },
  {
    name: 'oazapfts',
    command: ['oazapfts/dist/cli.js', 'openapi.json', 'made.ts'],
    program: `
import { eventsList, holdsCreate } from './made';
const made = await holdsCreate('order-1', ${HOLD});
if ('code' in made.data && made.data.code === 'FUNDS_INSUFFICIENT') console.log(made.data.detail);
if ('metadata' in made.data) console.log(made.data.id, made.data.metadata?.['order']);
const events = await eventsList({ $type: 'payment.*' });
if ('data' in events.data) for (const event of events.data.data) console.log(event.type, event.data['new']);`,
  },
];

const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  files: ['program.ts'],
};

const folder = mkdtempSync(join(tmpdir(), 'usance-generators-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = await install();

/** False, with a line that says why, if the packages cannot be installed. */
async function install(): Promise<boolean> {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES }),
  );
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  try {
    await run('npm', args, { cwd: folder, timeout: 5 * 60_000 });
    return true;
  } catch (error) {
    process.stdout.write(`generators: SKIPPED, the packages cannot be installed: ${String(error)}\n`);
    return false;
  }
}

describe.skipIf(!installed)('a client made from the OpenAPI document', () => {
  beforeAll(() => banner('generators', PACKAGES));

  test.each(GENERATORS)('by $name compiles in a program without a cast', async ({ name, command, program }) => {
    const own = join(folder, name);
    mkdirSync(own);
    writeFileSync(join(own, 'openapi.json'), JSON.stringify(openApiDocument()));
    writeFileSync(join(own, 'program.ts'), program);
    writeFileSync(join(own, 'tsconfig.json'), JSON.stringify(OPTIONS));
    const [script = '', ...args] = command;
    await run(process.execPath, [join(folder, 'node_modules', script), ...args], { cwd: own, timeout: 120_000 });
    const compiled = await run(process.execPath, [TSC, '-p', own], { cwd: own, timeout: 120_000 }).catch(
      (error: unknown) => ({ stdout: String((error as { stdout?: unknown }).stdout) }),
    );
    expect(compiled.stdout).toBe('');
    expect(program).not.toMatch(/\bas (?!const)|\bany\b|@ts-/);
  });

  test('by openapi-typescript does not compile in a program that gives a field another type', async () => {
    const own = join(folder, 'openapi-typescript');
    const program = GENERATORS[0]?.program ?? '';
    writeFileSync(join(own, 'program.ts'), program.replace("from: 'alice'", 'from: 5'));
    const compiled = await run(process.execPath, [TSC, '-p', own], { cwd: own }).catch((error: unknown) => error);
    expect(String((compiled as { stdout?: unknown }).stdout)).toMatch(/program\.ts\(\d+,\d+\): error TS2322/);
  });
});
