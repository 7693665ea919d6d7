// npm run bench [name…] [--json] [--quick]
//
// Each bench starts a server of its own, durable, in a temporary folder, and takes it down again. Exit code 1 when a
// number is below what its file defends, or `verify` found anything.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, BenchResult } from './bench.ts';
import { create } from './create.ts';
import { drain } from './drain.ts';
import { growth } from './growth.ts';
import { hot } from './hot.ts';
import { http } from './http.ts';
import { lateness } from './lateness.ts';
import { schedules } from './schedules.ts';
import { settle } from './settle.ts';

const BENCHES: readonly Bench[] = [settle, schedules, hot, growth, lateness, drain, create, http];

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown) {
  console.error(`there is no bench "${unknown}"; there are ${BENCHES.map((bench) => bench.name).join(', ')}`);
  process.exit(2);
}
const wanted = BENCHES.filter((bench) => names.length === 0 || names.includes(bench.name));

installDependencies();
const machine = {
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? 'unknown',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
};
const commit = commitNow();
const durability = 'fsync, synchronous_commit and full_page_writes on; the settings of the embedded server';
if (!options.json) {
  console.log(
    `usance ${commit}, ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, Node ${machine.node}`,
  );
  console.log(`durability: ${durability}${options.quick ? '\nquick: small sizes, not for quoting' : ''}`);
}

const results: Record<string, BenchResult> = {};
for (const bench of wanted) {
  if (!options.json) console.log(`\n${bench.name}: ${bench.defends}`);
  const say = (line: string): void => console.error(`  ${line}`);
  results[bench.name] = await bench.run({ quick: options.quick, say });
  if (!options.json) show(results[bench.name]);
}
if (options.json) {
  const [only] = wanted;
  const ratio = wanted.length === 1 && only ? { ratio: results[only.name]?.ratio } : {};
  console.log(JSON.stringify({ ...ratio, commit, machine, durability, quick: options.quick, results }, null, 2));
}
process.exitCode = Object.values(results).every(holds) ? 0 : 1;

function holds(result: BenchResult): boolean {
  return (
    result.ratio >= result.atLeast && result.troubles.length === 0 && Object.values(result.claims ?? {}).every(Boolean)
  );
}

function show(result: BenchResult | undefined): void {
  if (!result) return;
  console.table(result.table);
  console.log(
    `ratio ${result.ratio}, defended ${result.atLeast}: ${result.ratio >= result.atLeast ? 'holds' : 'MISSED'}`,
  );
  for (const [claim, held] of Object.entries(result.claims ?? {}))
    console.log(`${claim}: ${held ? 'holds' : 'MISSED'}`);
  console.log(result.troubles.length === 0 ? 'verify: clean' : `verify: ${result.troubles.join('\n  ')}`);
}

function installDependencies(): void {
  if (existsSync(join(import.meta.dirname, 'node_modules', 'graphile-worker'))) return;
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function commitNow(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', '../src') ? ' with changes' : '');
  } catch {
    return 'unknown commit';
  }
}
