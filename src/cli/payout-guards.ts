// `usance payouts policy`, `destinations` and `caps`: what a tenant allows its payouts. Every change is audited under the name of the user that runs the command.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { CapOrder, PayoutCap, PayoutDestination, PayoutPolicy, TenantHandle, TenantVerbs } from '../engine.ts';
import { formatAmount, fromTypeId, isUuid, shownActor, toTypeId } from '../kernel/index.ts';
import type { DryRunOption } from './dry-run.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface GuardOptions extends CommonOptions, TenantOptions, DryRunOption {}

interface PolicyOptions extends GuardOptions {
  readonly listedOnly?: boolean;
  readonly wait?: string;
  readonly secondPerson?: boolean;
}

interface ListOptions extends GuardOptions {
  readonly limit: number;
}

interface CapOptions extends GuardOptions {
  readonly asset: string;
  readonly chain?: string;
  readonly maxAmount?: string;
  readonly dailyAmount?: string;
}

const MOST_LISTED = 1_000;

export function addPayoutGuards(payouts: Command): void {
  const group = (name: string, says: string): Command =>
    payouts.command(name).description(says).addHelpText('after', `\nExample:\n  usance payouts ${name}`);
  /** A subcommand with the options of every one here. */
  const sub = (parent: Command, name: string, says: string, example: string, isDefault = false): Command =>
    parent
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance payouts ${parent.name()} ${example}`);

  const policy = group('policy', 'which addresses payouts may go to');
  sub(policy, 'get', 'show the policy about addresses', 'get --tenant shop', true).action((options: GuardOptions) =>
    reads(options, async (screen, tenant) => {
      const found = shownPolicy(await tenant.payoutPolicy());
      screen.line(found.line);
      screen.document(found.document);
    }),
  );
  sub(policy, 'set', 'change the policy; an omitted option stays as it is', 'set --listed-only --wait 24h')
    .option('--listed-only', 'payouts go to listed addresses only')
    .option('--no-listed-only', 'payouts go to any address')
    .option('--wait <duration>', 'how long after it was added, or approved, a new address may be paid: 24h, PT24H')
    .option('--second-person', 'a second person approves each new address')
    .option('--no-second-person', 'new addresses need no approval')
    .option(...DRY_RUN_OPTION)
    .action((options: PolicyOptions) => {
      const { listedOnly, wait, secondPerson } = options;
      const order = {
        ...(listedOnly === undefined ? {} : { listedOnly }),
        ...(wait === undefined ? {} : { wait }),
        ...(secondPerson === undefined ? {} : { secondPerson }),
      };
      return changes(
        options,
        (verbs) => {
          if (Object.keys(order).length === 0)
            throw new UsageError('say what to set: --listed-only, --wait or --second-person');
          return verbs.setPayoutPolicy(order);
        },
        shownPolicy,
      );
    });

  const destinations = group('destinations', 'addresses that payouts may go to');
  sub(destinations, 'list', 'list the addresses, newest first', 'list --limit 100', true)
    .option('--limit <count>', `at most this many, up to ${MOST_LISTED}`, numberUpTo(MOST_LISTED), 100)
    .action((options: ListOptions) =>
      reads(options, async (screen, tenant) => {
        const found = await tenant.payoutDestinations({ limit: options.limit });
        if (found.length === 0) screen.line('No address is listed.');
        else for (const line of aligned([HEADING, ...found.map(rowOf)], '')) screen.line(line);
        screen.document({ destinations: found.map(destinationDocument) });
      }),
    );
  sub(destinations, 'get', 'show one address', 'get pdst_01jd…')
    .argument('<id>', 'id of the destination, such as pdst_01jd…')
    .action((id: string, options: GuardOptions) =>
      reads(options, async (screen, tenant) => {
        const found = shownDestination(await tenant.payoutDestination(keyOf(id)));
        screen.line(found.line);
        screen.document(found.document);
      }),
    );
  sub(destinations, 'add', 'add an address to the list', 'add sandbox sbx1… --label Ana')
    .argument('<chain>', 'name of the chain, such as sandbox')
    .argument('<address>', 'the address on the chain')
    .option('--label <text>', 'a name for people')
    .option(...DRY_RUN_OPTION)
    .action((chain: string, address: string, options: GuardOptions & { readonly label?: string }) => {
      const order = { chain, address, ...(options.label === undefined ? {} : { label: options.label }) };
      return changes(options, (verbs) => verbs.addPayoutDestination(order), shownDestination);
    });
  sub(destinations, 'approve', 'approve an address that another person added', 'approve pdst_01jd…')
    .argument('<id>', 'id of the destination, such as pdst_01jd…')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: GuardOptions) =>
      changes(options, (verbs) => verbs.approvePayoutDestination(keyOf(id)), shownDestination),
    );
  sub(destinations, 'remove', 'remove an address; nothing more is signed for it', 'remove pdst_01jd… --reason "left"')
    .argument('<id>', 'id of the destination, such as pdst_01jd…')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: GuardOptions & { readonly reason: string }) =>
      changes(
        options,
        async (verbs) => {
          const found = await verbs.payoutDestination(keyOf(id));
          await verbs.removePayoutDestination(found.id, options.reason);
          return found;
        },
        (found) => ({
          line: `${found.address} on ${found.chain} is removed.`,
          document: destinationDocument(found),
        }),
      ),
    );

  const caps = group('caps', 'the most that one payout, and the payouts of 24 hours, may be');
  sub(caps, 'list', 'list the caps', 'list --tenant shop', true).action((options: GuardOptions) =>
    reads(options, async (screen, tenant) => {
      const found = shownCaps(await tenant.payoutCaps());
      screen.line(found.line);
      screen.document(found.document);
    }),
  );
  const oneCap = (name: string, says: string, example: string): Command =>
    sub(caps, name, says, example)
      .requiredOption('--asset <asset>', 'the asset, such as USDC/6')
      .option('--chain <name>', 'the chain; default: all chains together')
      .option(...DRY_RUN_OPTION);
  oneCap('set', 'set the caps of an asset; an omitted one stays as it is', 'set --asset USDC/6 --max-amount 500000000')
    .option('--max-amount <amount>', 'the largest amount of one payout, in minor units')
    .option('--daily-amount <amount>', 'the largest sum that is signed in any 24 hours, in minor units')
    .action((options: CapOptions) => {
      const { maxAmount, dailyAmount } = options;
      return changes(
        options,
        (verbs) => {
          if (maxAmount === undefined && dailyAmount === undefined)
            throw new UsageError('say what to set: --max-amount, --daily-amount, or both');
          const amounts = {
            ...(maxAmount === undefined ? {} : { maxAmount }),
            ...(dailyAmount === undefined ? {} : { dailyAmount }),
          };
          return verbs.setPayoutCap({ ...scopeOf(options), ...amounts });
        },
        shownCaps,
      );
    });
  oneCap('remove', 'remove the caps of an asset', 'remove --asset USDC/6 --chain sandbox').action(
    (options: CapOptions) =>
      changes(
        options,
        (verbs) => verbs.setPayoutCap({ ...scopeOf(options), maxAmount: null, dailyAmount: null }),
        shownCaps,
      ),
  );
}

function reads(
  options: GuardOptions,
  show: (screen: Screen, tenant: TenantHandle) => Promise<void>,
): ReturnType<typeof run> {
  return run('payouts', options, (screen, config: Config) =>
    withUsance(screen, config, { existing: true }, async (engine) => {
      await show(screen, await chosenTenant(engine, options));
      return EXIT.fine;
    }),
  );
}

const changes = <T>(
  options: GuardOptions,
  work: (verbs: TenantVerbs) => Promise<T>,
  shown: (result: T) => Shown,
): ReturnType<typeof run> =>
  reads(options, async (screen, tenant) => {
    await change(screen, tenant, options, work, shown);
  });

interface Shown {
  readonly line: string;
  readonly document: object;
}

function shownPolicy({ listedOnly, waitMs, secondPerson }: PayoutPolicy): Shown {
  const wait = `PT${waitMs / 1_000}S`;
  const parts = [
    `payouts go to ${listedOnly ? 'listed addresses only' : 'any address'}`,
    waitMs === 0 ? 'a new address may be paid at once' : `a new address may be paid after ${wait}`,
    `${secondPerson ? 'a' : 'no'} second person approves it`,
  ];
  return { line: `${parts.join('; ')}.`, document: { listedOnly, wait, secondPerson } };
}

const HEADING = ['id', 'chain', 'address', 'label', 'may be paid', 'added by'];

const rowOf = (one: PayoutDestination): string[] => [
  toTypeId('payoutDestination', one.id),
  one.chain,
  one.address,
  one.label ?? '',
  one.usableAt === null ? 'awaits approval' : `from ${one.usableAt.toISOString()}`,
  shownActor(one.addedBy),
];

const shownDestination = (one: PayoutDestination): Shown => ({
  line: rowOf(one)
    .filter((part) => part !== '')
    .join('  '),
  document: destinationDocument(one),
});

const destinationDocument = ({ id, addedBy, approvedBy, ...one }: PayoutDestination): object => ({
  id: toTypeId('payoutDestination', id),
  chain: one.chain,
  address: one.address,
  label: one.label,
  usableAt: one.usableAt,
  addedBy: shownActor(addedBy),
  addedAt: one.addedAt,
  approvedBy: approvedBy === null ? null : shownActor(approvedBy),
});

function shownCaps(caps: readonly PayoutCap[]): Shown {
  const set = caps.filter(({ maxAmount, dailyAmount }) => maxAmount !== null || dailyAmount !== null);
  const most = (amount: bigint | null, asset: string): string => (amount === null ? '–' : formatAmount(amount, asset));
  const rows = set.map(({ asset, chain, maxAmount, dailyAmount }) => [
    asset,
    chain === '' ? 'all chains together' : chain,
    most(maxAmount, asset),
    most(dailyAmount, asset),
  ]);
  return {
    line:
      set.length === 0 ? 'no cap.' : aligned([['asset', 'chain', 'one payout', '24 hours'], ...rows], '').join('\n'),
    document: {
      caps: set.map(({ asset, chain, maxAmount, dailyAmount }) => ({
        asset,
        chain: chain === '' ? null : chain,
        maxAmount: maxAmount?.toString() ?? null,
        dailyAmount: dailyAmount?.toString() ?? null,
      })),
    },
  };
}

const scopeOf = ({ asset, chain }: CapOptions): Pick<CapOrder, 'asset' | 'chain'> => ({
  asset,
  ...(chain === undefined ? {} : { chain }),
});

/** Both forms of an id: the one people see, and the one in the database. */
const keyOf = (id: string): string => (isUuid(id) ? id : fromTypeId('payoutDestination', id));
