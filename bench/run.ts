// npm run bench [name…] [--json] [--quick | --smoke] [--without-peers] [--record]
//
// Each bench starts a durable server of its own in a temporary folder, and removes it afterwards. The exit code is 1 if a
// number misses the bound that its file defends, or if `verify` finds anything.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, BenchResult, Size } from './bench.ts';
import { boundOf, claimHolds, claimsOf } from './bench.ts';
import { create } from './create.ts';
import { drain } from './drain.ts';
import type { Provenance } from './figures.ts';
import { record } from './figures.ts';
import { growth } from './growth.ts';
import { hot } from './hot.ts';
import { http } from './http.ts';
import { jobs } from './jobs.ts';
import { lateness } from './lateness.ts';
import { lists } from './lists.ts';
import { payouts } from './payouts.ts';
import { peerVersion } from './peers/peer.ts';
import { schedules } from './schedules.ts';
import { settle } from './settle.ts';
import { webhooks } from './webhooks.ts';

const BENCHES: readonly Bench[] = [
  settle,
  schedules,
  hot,
  growth,
  lateness,
  drain,
  create,
  http,
  lists,
  jobs,
  webhooks,
  payouts,
];

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    'without-peers': { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const size: Size = options.smoke ? 'smoke' : options.quick ? 'quick' : 'full';
const commit = commitNow();

const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown) leave(`there is no bench "${unknown}"; there are ${BENCHES.map((bench) => bench.name).join(', ')}`);
if (options.record && (size !== 'full' || options['without-peers']))
  leave('only a full run with its peers is recorded');
if (options.record && !/^[0-9a-f]+$/.test(commit)) leave(`only a commit is recorded, not "${commit}": commit first`);
if (options.list) {
  for (const bench of BENCHES) console.log(`${bench.name}: ${bench.defends}`);
  process.exit(0);
}
const wanted = BENCHES.filter((bench) => names.length === 0 || names.includes(bench.name));
const peers = !options['without-peers'] && wanted.some((bench) => bench.hasPeers);

if (peers) installDependencies();
const provenance: Provenance = {
  commit,
  machine: {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  },
  durability: 'fsync, synchronous_commit and full_page_writes on; the settings of the embedded server',
};
if (!options.json) {
  const { cores, processor, memoryGb, node } = provenance.machine;
  console.log(`usance ${commit}, ${cores} cores (${processor}), ${memoryGb} GB, Node ${node}`);
  if (peers) console.log(`peer: ${peerVersion()}`);
  console.log(`durability: ${provenance.durability}`);
  if (size !== 'full') console.log(`${size}: small sizes, not for quoting`);
}

const results: Record<string, BenchResult> = {};
for (const bench of wanted) {
  if (!options.json) console.log(`\n${bench.name}: ${bench.defends}`);
  const say = (line: string): void => console.error(`  ${line}`);
  const result = await bench.run({ size, peers, say });
  results[bench.name] = result;
  if (!options.json) show(bench, result);
  if (options.record) record(bench, result, provenance);
}
if (options.json) {
  const [only] = wanted;
  const ratio = wanted.length === 1 && only ? { ratio: results[only.name]?.ratio } : {};
  console.log(JSON.stringify({ ...ratio, ...provenance, size, results }, null, 2));
}
process.exitCode = wanted.every(holds) ? 0 : 1;

function holds({ name, defends }: Bench): boolean {
  const result = results[name];
  return result !== undefined && result.troubles.length === 0 && claimsOf(defends, result).every(claimHolds);
}

function show({ defends }: Bench, result: BenchResult): void {
  console.table(result.table);
  if (result.peer !== undefined) console.log(`peer: ${result.peer}`);
  for (const claim of claimsOf(defends, result)) {
    const bound = boundOf(claim);
    const verdict = bound === '' ? '' : `, ${bound}: ${claimHolds(claim) ? 'holds' : 'MISSED'}`;
    console.log(`${claim.what}: ${claim.is}${verdict}`);
  }
  console.log(result.troubles.length === 0 ? 'verify: clean' : `verify: ${result.troubles.join('\n  ')}`);
}

function leave(why: string): never {
  console.error(why);
  process.exit(2);
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
    const changed = git('status', '--porcelain', '--', '../src', '*.ts', 'package-lock.json');
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '');
  } catch {
    return 'unknown commit';
  }
}
