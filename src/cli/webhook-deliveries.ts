// `usance webhooks deliveries`, `delivery` and `redeliver`: events on their way to endpoints, with what each attempt sent and got.
import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Delivery, ExecutionStatus, TenantHandle } from '../engine.ts';
import { EXECUTION_STATUSES } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import { fromTypeId, toTypeId } from '../kernel/index.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { run } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned } from './screen.ts';
import type { ChangeOptions, TenantCommandOptions } from './tenant-change.ts';
import { withTenant } from './tenant-change.ts';
import { EXIT } from './trouble.ts';
import {
  attemptsDocument,
  deliveryDocument,
  deliveryRows,
  describeAttempts,
  describeDelivery,
} from './webhook-lines.ts';
import type { Sub } from './webhook-options.ts';

interface ListOptions extends TenantCommandOptions {
  readonly event?: string;
  readonly status?: ExecutionStatus;
  readonly limit: number;
}

const ID = 'id of the delivery, such as exe_01jd…';
const MOST_LISTED = 1_000;

export function addDeliveries(sub: Sub): void {
  sub('deliveries', 'list the newest deliveries, of one endpoint or of all', 'deliveries whe_01jd… --status failed')
    .argument('[endpoint]', 'id of the endpoint, such as whe_01jd…; also of one that was deleted')
    .option('--event <id>', 'only those of this event, such as evt_01jd…')
    .addOption(new Option('--status <status>', 'only those with this status').choices(EXECUTION_STATUSES))
    .option('--limit <number>', `how many, 1 to ${MOST_LISTED}`, limitOf, 50)
    .action((endpoint: string | undefined, options: ListOptions) =>
      run('webhooks', options, (screen, config) => list(screen, config, endpoint, options)),
    );
  sub('delivery', 'show one delivery, and what each attempt sent and got', 'delivery exe_01jd…')
    .argument('<delivery>', ID)
    .action((id: string, options: TenantCommandOptions) =>
      run('webhooks', options, (screen, config) => show(screen, config, id, options)),
    );
  sub('redeliver', 'send a completed or failed delivery again', 'redeliver exe_01jd… --reason "the receiver lost it"')
    .argument('<delivery>', ID)
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions & { reason?: string }) =>
      run('webhooks', options, (screen, config) => redeliver(screen, config, id, options)),
    );
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (/^[1-9]\d*$/.test(text) && limit <= MOST_LISTED) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_LISTED}.`);
}

function list(screen: Screen, config: Config, endpoint: string | undefined, options: ListOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const found = await newest(tenant, endpoint, options);
    if (found.length === 0) screen.line('No delivery.');
    else for (const line of aligned(deliveryRows(found, endpoint === undefined), '')) screen.line(line);
    screen.document({ deliveries: found.map(deliveryDocument) });
    return EXIT.fine;
  });
}

/** One bounded scan after the other, until there are enough. */
async function newest(
  tenant: TenantHandle,
  endpoint: string | undefined,
  { event, status, limit }: ListOptions,
): Promise<Delivery[]> {
  const filter = {
    ...(endpoint === undefined ? {} : { endpointId: fromTypeId('webhookEndpoint', endpoint) }),
    ...(event === undefined ? {} : { eventId: fromTypeId('event', event) }),
    ...(status === undefined ? {} : { status }),
  };
  const found: Delivery[] = [];
  let before: Uuid | null = null;
  do {
    const range: { limit: number; before?: Uuid } = { limit: limit - found.length, ...(before ? { before } : {}) };
    const { deliveries, next } = await tenant.deliveries(filter, range);
    found.push(...deliveries);
    before = next;
  } while (before !== null && found.length < limit);
  return found;
}

function show(screen: Screen, config: Config, id: string, options: TenantCommandOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const delivery = await tenant.delivery(fromTypeId('execution', id));
    for (const line of aligned(describeDelivery(delivery), '')) screen.line(line);
    screen.line();
    for (const line of aligned(describeAttempts(delivery.attempts))) screen.line(line);
    screen.document(attemptsDocument(delivery));
    return EXIT.fine;
  });
}

function redeliver(
  screen: Screen,
  config: Config,
  id: string,
  options: ChangeOptions & { reason?: string },
): Promise<number> {
  const { reason } = options;
  return withTenant(screen, config, options, async (tenant) => {
    const act = reason === undefined ? {} : { reason };
    await change(
      screen,
      tenant,
      options,
      (verbs) => verbs.redeliver(fromTypeId('execution', id), act),
      (delivery) => ({
        line: `delivery ${toTypeId('execution', delivery.id)} will be sent again.`,
        document: attemptsDocument(delivery),
      }),
    );
    return EXIT.fine;
  });
}
