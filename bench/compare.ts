// npm run bench:compare <commit> <bench…> [--rounds 5] [--quick]
//
// The same benches on this tree and on an earlier commit, in turns on the same machine, so that what the machine does in the
// meantime hits both. Prints the median of each rate and cost, and this tree's as a multiple of the other's. Exit code 1 when
// a rate has fallen by more than 5 %.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchResult } from './bench.ts';
import { rounded } from './bench.ts';
import { median } from './measure.ts';

const ROOT = join(import.meta.dirname, '..');
const MOST_LOST = 0.05;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, quick: { type: 'boolean', default: false } },
});
const [commit, ...names] = positionals;
if (commit === undefined || names.length === 0) {
  console.error('say which commit to compare with, and which benches: npm run bench:compare 5a3a3c9 settle create');
  process.exit(2);
}

/** One number of a bench's table, such as `settle, 100000, uniform, usance: payments/s`. */
type Figures = Map<string, number[]>;

const folder = checkOut(commit);
try {
  const [before, now]: [Figures, Figures] = [new Map(), new Map()];
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    // The second of two runs finds a warmer machine: each side is the second every other time.
    const sides = [
      { root: folder, figures: before },
      { root: ROOT, figures: now },
    ];
    for (const { root, figures } of round % 2 === 1 ? sides : sides.toReversed()) {
      console.error(`round ${round}: ${root === ROOT ? 'this tree' : commit}`);
      for (const name of names) collect(name, runBench(root, name), figures);
    }
  }
  process.exitCode = report(before, now) ? 0 : 1;
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

/** graphile-worker sometimes stops before it has written its last completion; the peer then refuses the run. */
const MOST_TRIES = 3;

function runBench(root: string, name: string, attempt = 1): BenchResult | undefined {
  const args = ['bench/run.ts', name, '--json', ...(options.quick ? ['--quick'] : [])];
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
  if (printed.trim() === '' && attempt < MOST_TRIES) {
    console.error(`${name} printed no result; attempt ${attempt + 1} of ${MOST_TRIES}`);
    return runBench(root, name, attempt + 1);
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

function report(before: Figures, now: Figures): boolean {
  const rows = [...now].map(([figure, values]) => {
    const [earlier, current] = [median(before.get(figure) ?? []), median(values)];
    return { figure, [commit ?? '']: earlier, now: current, ratio: rounded(current / earlier) };
  });
  console.table(rows);
  const slower = rows.filter(({ figure, ratio }) => isOurs(figure) && ratio < 1 - MOST_LOST);
  for (const { figure, ratio } of slower) console.log(`MISSED: ${figure} is ${ratio} of what it was`);
  return slower.length === 0;
}

/** A rate of usance's own: a peer's may wander as it likes. */
function isOurs(figure: string): boolean {
  return figure.endsWith('/s') && !figure.includes('graphile-worker');
}
