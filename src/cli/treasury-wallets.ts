// `usance treasury-wallets`: what the treasury holds in the books and on chains, and the lift of a freeze, audited under the name of the user that runs the command.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { FloorOrder, TenantVerbs, TreasuryWallet } from '../engine.ts';
import { formatAmount, parseAsset, toTypeId } from '../kernel/index.ts';
import { inTenant } from './chosen-tenant.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, green, red, yellow } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface WalletOptions extends CommonOptions, TenantOptions {}
interface FloorOptions extends WalletOptions, DryRunOption {}
interface UnfreezeOptions extends WalletOptions, DryRunOption {
  readonly reason: string;
  readonly bookDifference?: boolean;
}

export function addTreasuryWallets(program: Command): void {
  const wallets = program
    .command('treasury-wallets')
    .description('wallets of the treasury: balances in the books and on chains, and frozen wallets')
    .addHelpText('after', '\nExample:\n  usance treasury-wallets');
  wallets
    .command('list', { isDefault: true })
    .description('list wallets with the last comparison of each balance')
    .option(...TENANT_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance treasury-wallets list --tenant shop')
    .action((options: WalletOptions) =>
      run('treasury-wallets', options, (screen, config) => list(screen, config, options)),
    );
  wallets
    .command('unfreeze')
    .description('let a frozen wallet sign again')
    .argument('<chain>', 'the chain of the wallet, such as sandbox')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option('--book-difference', 'book what the last comparison found, such as a top-up')
    .option(...TENANT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  usance treasury-wallets unfreeze sandbox --reason "topped up" --book-difference',
    )
    .action((chain: string, options: UnfreezeOptions) =>
      run('treasury-wallets', options, (screen, config) => unfreeze(screen, config, chain, options)),
    );
  wallets
    .command('floor')
    .description('set the least of an asset that a wallet is to have available; below it an alert is raised')
    .argument('<chain>', 'the chain of the wallet, such as sandbox')
    .argument('<asset>', 'the asset, such as USDC/6')
    .argument('<amount>', 'in minor units, or "none" to remove the floor')
    .option(...TENANT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance treasury-wallets floor sandbox USDC/6 50000000000')
    .action((chain: string, asset: string, amount: string, options: FloorOptions) =>
      run('treasury-wallets', options, (screen, config) =>
        setFloor(screen, config, chain, { asset, floor: amount === 'none' ? null : amount }, options),
      ),
    );
}

function setFloor(
  screen: Screen,
  config: Config,
  chain: string,
  order: FloorOrder,
  options: FloorOptions,
): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const work = (verbs: TenantVerbs): Promise<TreasuryWallet> => verbs.setTreasuryFloor(chain, order);
    await change(screen, await chosenTenant(engine, options), options, work, (wallet) => ({
      line: floorLine(wallet, order.asset),
      document: documentOf(wallet),
    }));
    return EXIT.fine;
  });
}

/** An order names the asset or its code, and its balance has the whole name. */
function floorLine({ chain, balances }: TreasuryWallet, named: string): string {
  const found = balances.find(({ asset }) => asset === named || parseAsset(asset).code === named);
  if (!found || found.floor === null) return `the wallet on ${chain} has no floor for ${found?.asset ?? named}.`;
  const least = formatAmount(found.floor, found.asset);
  return `an alert is raised while the wallet on ${chain} has less than ${least} available.`;
}

function list(screen: Screen, config: Config, options: WalletOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const wallets = await tenant.treasuryWallets();
    if (wallets.length === 0)
      screen.line(`No wallet yet ${inTenant(tenant)}. The first payout over a chain opens one.`);
    for (const line of aligned(wallets.flatMap(rowsOf), '')) screen.line(line);
    screen.document({ wallets: wallets.map(documentOf) });
    return EXIT.fine;
  });
}

function unfreeze(screen: Screen, config: Config, chain: string, options: UnfreezeOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const { reason, bookDifference } = options;
    const work = (verbs: TenantVerbs): Promise<TreasuryWallet> =>
      verbs.unfreezeTreasuryWallet(chain, reason, { bookDifference });
    await change(screen, await chosenTenant(engine, options), options, work, (wallet) => ({
      line: `the wallet on ${chain} signs again. If it still differs from the chain, the next comparison freezes it again.`,
      document: documentOf(wallet),
    }));
    return EXIT.fine;
  });
}

const VERDICTS = { even: green('even'), open: 'open', different: red('different'), unread: yellow('unread') };

function rowsOf({ chain, address, frozen, balances }: TreasuryWallet): string[][] {
  const state = frozen === null ? green('in use') : red(`frozen: ${frozen.reason}`);
  return [
    [chain, address, state],
    ...balances.map(({ asset, available, reserved, verdict, onChain, floor }) => [
      '',
      `${formatAmount(available, asset)} available, ${formatAmount(reserved, asset)} reserved${floor === null ? '' : `, floor ${formatAmount(floor, asset)}`}`,
      verdict === undefined
        ? 'not compared yet'
        : `${VERDICTS[verdict]}${onChain === undefined || onChain === null ? '' : `, on chain ${formatAmount(onChain, asset)}`}`,
    ]),
  ];
}

const documentOf = ({ accountId, balances, chain, address, feeAsset, frozen }: TreasuryWallet): object => ({
  accountId: toTypeId('account', accountId),
  chain,
  address,
  feeAsset,
  frozen,
  balances: balances.map(({ available, reserved, onChain = null, expected = null, floor, ...balance }) => ({
    ...balance,
    floor: floor === null ? null : String(floor),
    available: String(available),
    reserved: String(reserved),
    onChain: onChain === null ? null : String(onChain),
    expected: expected === null ? null : String(expected),
  })),
});
