// npm run bench:compare <commit> <bench…> [--rounds 5] [--quick | --smoke] [--own-benches]
//
// The same benches on this tree and on an earlier commit, in turns on the same machine, so that other work on the machine
// disturbs both. Prints the median of each rate and cost, and this tree's as a multiple of the other's. Exit code 1 if
// a rate has fallen by more than 5 %, 2 if there was nothing to compare.
//
// The earlier commit is measured by the benches of this tree, without their peers, so that both figures mean the same. If they do
// not load there, or with --own-benches, each side runs its own; only figures of the same name are then compared.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchResult } from './bench.ts';
import { rounded } from './bench.ts';
import { median } from './measure.ts';

const ROOT = join(import.meta.dirname, '..');
const MOST_LOST = 0.05;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    'own-benches': { type: 'boolean', default: false },
  },
});
const [commit, ...names] = positionals;
if (commit === undefined || names.length === 0) {
  console.error('say which commit to compare with, and which benches: npm run bench:compare 5a3a3c9 settle create');
  process.exit(2);
}

/** One number of a bench's table, such as `settle, 1 tenant, uniform, usance, all in: payments/s`. */
type Figures = Map<string, number[]>;

const folder = checkOut(commit);
try {
  const shared = !options['own-benches'] && shareBenches(folder);
  console.error(`${commit} is measured by ${shared ? 'the benches of this tree' : 'its own benches'}`);
  const [before, now]: [Figures, Figures] = [new Map(), new Map()];
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    // The second of two runs finds a warmer machine: each side is the second every other time.
    const sides = [
      { root: folder, figures: before },
      { root: ROOT, figures: now },
    ];
    for (const { root, figures } of round % 2 === 1 ? sides : sides.toReversed()) {
      console.error(`round ${round}: ${root === ROOT ? 'this tree' : commit}`);
      for (const name of names) collect(name, runBench(root, name, shared), figures);
    }
  }
  process.exitCode = report(before, now);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkOut(revision: string): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'usance-compare-')));
  // Open to the account that the embedded server runs as when root starts it.
  chmodSync(made, 0o755);
  const archive = execFileSync('git', ['archive', revision], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', made], { input: archive });
  for (const modules of ['node_modules', 'bench/node_modules'])
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(made, modules));
  return made;
}

/** Replaces the benches of the folder by those of this tree. False, with the folder as it was, if they do not load there. */
function shareBenches(root: string): boolean {
  const [own, kept] = [join(root, 'bench'), join(root, 'bench-own')];
  cpSync(own, kept, { recursive: true, verbatimSymlinks: true });
  rmSync(own, { recursive: true });
  cpSync(join(ROOT, 'bench'), own, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  const modules = join(ROOT, 'bench', 'node_modules');
  if (existsSync(modules)) symlinkSync(modules, join(own, 'node_modules'));
  try {
    // Loads every bench, and with them the parts of the engine that they name.
    execFileSync(process.execPath, ['bench/run.ts', '--list'], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    rmSync(own, { recursive: true });
    cpSync(kept, own, { recursive: true, verbatimSymlinks: true });
    return false;
  }
}

/** The peer of an earlier commit sometimes stops before it has written its last completion, and then refuses the run. */
const MOST_TRIES = 3;

function runBench(root: string, name: string, shared: boolean, attempt = 1): BenchResult | undefined {
  // Benches of an earlier commit may know neither --smoke nor --without-peers.
  const size = options.smoke && shared ? ['--smoke'] : options.quick || options.smoke ? ['--quick'] : [];
  const args = ['bench/run.ts', name, '--json', ...size, ...(shared ? ['--without-peers'] : [])];
  const env = { ...process.env, NO_COLOR: '1' };
  let printed: string;
  try {
    printed = execFileSync(process.execPath, args, {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } catch (error) {
    // A bench that misses its own number says so with its exit code, and has printed what it measured.
    printed = String((error as { stdout?: unknown }).stdout);
  }
  if (printed.trim() === '') {
    if (attempt === MOST_TRIES) throw new Error(`${name} printed no result in ${root}, ${MOST_TRIES} times`);
    console.error(`${name} printed no result; attempt ${attempt + 1} of ${MOST_TRIES}`);
    return runBench(root, name, shared, attempt + 1);
  }
  return (JSON.parse(printed) as { results: Record<string, BenchResult> }).results[name];
}

function collect(name: string, result: BenchResult | undefined, figures: Figures): void {
  for (const row of result?.table ?? []) {
    const labels = Object.values(row).filter((value) => typeof value === 'string' && value !== '');
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== 'number') continue;
      const figure = `${[name, ...labels].join(', ')}: ${column}`;
      figures.set(figure, [...(figures.get(figure) ?? []), value]);
    }
  }
}

/** Returns the exit code. */
function report(before: Figures, now: Figures): number {
  const rows = [...now].flatMap(([figure, values]) => {
    const earlier = before.get(figure);
    if (earlier === undefined) return [];
    const [was, is] = [median(earlier), median(values)];
    return [{ figure, [commit ?? '']: was, now: is, ratio: rounded(is / was) }];
  });
  console.table(rows);
  sayUnmatched(`only in ${commit}`, before, now);
  sayUnmatched('only in this tree', now, before);
  const rates = rows.filter(({ figure }) => isOurs(figure));
  if (rates.length === 0) {
    console.log('nothing was compared: the two sides have no rate in common');
    return 2;
  }
  const slower = rates.filter(({ ratio }) => ratio < 1 - MOST_LOST);
  for (const { figure, ratio } of slower) console.log(`MISSED: ${figure} is ${ratio} of what it was`);
  return slower.length === 0 ? 0 : 1;
}

function sayUnmatched(where: string, these: Figures, those: Figures): void {
  const rows = [...these].flatMap(([figure, values]) =>
    those.has(figure) ? [] : [{ [`${where}, not compared`]: figure, median: median(values) }],
  );
  if (rows.length > 0) console.table(rows);
}

/** A rate of usance's own: a peer's may vary. */
function isOurs(figure: string): boolean {
  return figure.endsWith('/s') && !figure.includes('graphile-worker');
}
