// `usance chains`: the chains that payouts can take, and their health.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Chain, TakenSnapshot } from '../engine.ts';
import { Refusal } from '../kernel/index.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, dim, green, red, yellow } from './screen.ts';
import { EXIT, suggest } from './trouble.ts';

interface HistoryOptions extends CommonOptions {
  readonly limit: number;
}

const MOST_LISTED = 1_000;

export function addChains(program: Command): void {
  const chains = program
    .command('chains')
    .description('chains that payouts can take, and their health')
    .addHelpText('after', '\nExample:\n  usance chains');
  chains
    .command('list', { isDefault: true })
    .description('list chains with their newest health snapshot')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance chains list')
    .action((options: CommonOptions) => run('chains', options, list));
  chains
    .command('history')
    .description('list the health snapshots of a chain, newest first')
    .argument('<name>', 'name of the chain, such as sandbox')
    .option('--limit <number>', 'how many, 1 to 1000', numberUpTo(MOST_LISTED), 20)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance chains history sandbox --limit 100')
    .action((name: string, options: HistoryOptions) =>
      run('chains', options, (screen, config) => history(screen, config, name, options)),
    );
}

function list(screen: Screen, config: Config): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const chains = await engine.chains.chains();
    if (chains.length === 0) {
      screen.line(
        'No chain is in use. "usance dev" has the simulated chain "sandbox"; elsewhere set USANCE_SANDBOX=1.',
      );
    }
    for (const line of aligned(chains.map(rowOf), '')) screen.line(line);
    screen.document({ chains: chains.map(documentOf) });
    return EXIT.fine;
  });
}

function history(screen: Screen, config: Config, name: string, { limit }: HistoryOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const snapshots = await engine.chains.chainHistory(name, { limit }).catch(explainUnknownChain);
    if (snapshots.length === 0) screen.line(`The health of ${name} was never measured.`);
    for (const line of aligned(snapshots.map(snapshotRow), '')) screen.line(line);
    screen.document({ chain: name, snapshots: snapshots.map(snapshotDocument) });
    return EXIT.fine;
  });
}

function explainUnknownChain(error: unknown): never {
  if (error instanceof Refusal && error.code === 'CHAIN_NOT_FOUND') suggest(error, '"usance chains" lists the chains');
  throw error;
}

const COLOURS = { healthy: green, degraded: yellow, unhealthy: red };

const rowOf = ({ name, status, isStale, assets, newest }: Chain): string[] => [
  name,
  COLOURS[status](status),
  assets.map(({ code, decimals }) => `${code}/${decimals}`).join(' '),
  newest === null ? 'never measured' : measured(newest),
  isStale && newest !== null ? yellow(`stale since ${newest.takenAt.toISOString()}`) : '',
];

const snapshotRow = (taken: TakenSnapshot): string[] => [
  dim(taken.takenAt.toISOString()),
  COLOURS[taken.status](taken.status),
  measured(taken),
];

function measured(taken: TakenSnapshot): string {
  if (taken.failure !== null) return `not measured: ${taken.failure}`;
  const fee = taken.estimatedFeeUsd === null ? 'no price of the fee' : `fee ${dollars(taken.estimatedFeeUsd)} USD`;
  const errors = `${Number((taken.rpcErrorRate * 100).toFixed(2))} % failed calls`;
  return `${fee}, ${taken.avgConfirmationSeconds} s, ${errors}, congestion ${taken.congestionScore}`;
}

const dollars = (usd: number): string => String(Number(usd.toPrecision(4)));

const documentOf = ({ newest, assets, ...chain }: Chain): object => ({
  ...chain,
  assets: assets.map((asset) => ({ ...asset, minimumUnits: String(asset.minimumUnits) })),
  newest: newest && snapshotDocument(newest),
});

const snapshotDocument = ({ fee, price, ...taken }: TakenSnapshot): object => ({
  status: taken.status,
  avgConfirmationSeconds: taken.avgConfirmationSeconds,
  rpcErrorRate: taken.rpcErrorRate,
  p95LatencyMs: taken.p95LatencyMs,
  congestionScore: taken.congestionScore,
  estimatedFeeUsd: taken.estimatedFeeUsd,
  fee: fee && { ...fee, units: String(fee.units) },
  price,
  failure: taken.failure,
  takenAt: taken.takenAt,
});
