// The recorded figures: `npm run bench -- --record` writes those of a full run to figures.json, each with its commit, machine and
// peer, and `npm run docs:figures` writes them into README.md. A test compares the two, so that the README has no other figures.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchResult, Claim } from './bench.ts';
import { boundOf, claimHolds, claimsOf } from './bench.ts';

const FILE = join(import.meta.dirname, 'figures.json');

/** Where figures come from. */
export interface Provenance {
  readonly commit: string;
  readonly machine: {
    readonly cores: number;
    readonly processor: string;
    readonly memoryGb: number;
    readonly platform: string;
    readonly node: string;
  };
  readonly durability: string;
}

export interface RecordedBench extends Provenance {
  readonly claims: readonly Claim[];
  readonly peer?: string;
}

export type Figures = Readonly<Record<string, RecordedBench>>;

export function readFigures(): Figures {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Figures) : {};
}

/** The figures of other benches stay as they are. */
export function record({ name, defends }: Bench, result: BenchResult, provenance: Provenance): void {
  const { peer } = result;
  const recorded: RecordedBench = {
    ...provenance,
    ...(peer === undefined ? {} : { peer }),
    claims: claimsOf(defends, result),
  };
  writeFileSync(FILE, `${JSON.stringify({ ...readFigures(), [name]: recorded }, null, 2)}\n`);
}

const BEGIN = '<!-- figures: written by npm run docs:figures -->';
const END = '<!-- /figures -->';

/** The README with the figures between its two marks. */
export function withFigures(readme: string, figures: Figures): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the README has no "${BEGIN}" followed by "${END}"`);
  return `${readme.slice(0, begin + BEGIN.length)}\n${section(figures)}${readme.slice(end)}`;
}

/** Empty until something is recorded. */
function section(figures: Figures): string {
  const benches = Object.entries(figures);
  if (benches.length === 0) return '';
  const rows = benches.flatMap(([name, { claims }]) =>
    claims.map((claim) => `| \`${name}\` | ${claim.what} | ${shown(claim.is)} | ${markedBound(claim)} |`),
  );
  const sources = Map.groupBy(benches, ([, bench]) => provenanceOf(bench));
  return [
    '## Benchmarks',
    '`npm run bench` measures these, and fails if a bound is missed. The table has what was recorded last, and says which figures missed their bound then. ' +
      'The ratios are the point; rates depend on the machine.',
    '',
    '| bench | what | measured | bound |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...[...sources].map(([source, its]) => `Measured at ${source} (${its.map(([name]) => `\`${name}\``).join(', ')}).`),
    ...benches.flatMap(([name, { peer }]) => (peer === undefined ? [] : [`Peer of \`${name}\`: ${peer}.`])),
    '',
  ].join('\n');
}

const markedBound = (claim: Claim): string => `${boundOf(claim)}${claimHolds(claim) ? '' : ': **missed**'}`;

function provenanceOf({ commit, machine, durability }: RecordedBench): string {
  const { cores, processor, memoryGb, node } = machine;
  return `commit ${commit} on ${cores} cores (${processor}), ${memoryGb} GB, Node ${node}; ${durability}`;
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
