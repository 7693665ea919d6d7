// `usance webhooks`: endpoints that get events, signed, and their deliveries. Every change is audited under the name of the user that runs
// the command. The secret of an endpoint is printed once.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Config } from '../config.ts';
import type { TenantVerbs, WebhookEndpoint, WebhookEndpointChanges } from '../engine.ts';
import { isWebhookSecret, parseDelayMs } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import { fromTypeId, isTypeId, nearestName, toTypeId } from '../kernel/index.ts';
import { suggestingLoopback } from './loopback-hint.ts';
import { DRY_RUN_OPTION, change } from './dry-run.ts';
import { noticeUnmatched } from './pattern-notice.ts';
import { run } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, grouped } from './screen.ts';
import { TENANT_OPTION } from './tenant.ts';
import type { ChangeOptions, Outcome, TenantCommandOptions } from './tenant-change.ts';
import { changed, listed, withSecret, withTenant } from './tenant-change.ts';
import { EXIT, UsageError } from './trouble.ts';
import { addDeliveries } from './webhook-deliveries.ts';
import { describeEndpoint, endpointDocument, endpointRows, withoutQuery } from './webhook-lines.ts';
import type { Sub } from './webhook-options.ts';
import type { TermsOptions } from './webhook-terms.ts';
import { changesOf, withTerms } from './webhook-terms.ts';

interface CreateOptions extends TermsOptions {
  readonly url: string;
  readonly events: string;
  readonly disabled?: boolean;
  readonly secret?: string;
}

const ID = 'id of the endpoint, such as whe_01jd…';

export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description(
      'endpoints that get events, signed: create, change, test and recover them; look at deliveries and send them again',
    )
    .addHelpText(
      'after',
      "\nExample:\n  usance webhooks create --url https://shop.example.com/hooks --events 'payment.*'",
    );
  const sub: Sub = (name, says, example, isDefault = false) =>
    webhooks
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance webhooks ${example}`);

  sub('list', 'list the endpoints of a tenant', 'list --disabled', true)
    // Without a name, `list` is run: a misspelt name of another command arrives here as its argument.
    .allowExcessArguments(true)
    .addOption(new Option('--enabled', 'only enabled endpoints').conflicts('disabled'))
    .option('--disabled', 'only disabled endpoints')
    .action((options: TenantCommandOptions & { enabled?: boolean; disabled?: boolean }, { args }: Command) =>
      run('webhooks', options, (screen, config) => {
        const [word] = args;
        if (word !== undefined) throw new UsageError(unknownCommand(webhooks, word));
        return list(screen, config, options);
      }),
    );
  sub('get', 'show one endpoint', 'get whe_01jd…')
    .argument('<endpoint>', ID)
    .action((id: string, options: TenantCommandOptions) =>
      run('webhooks', options, (screen, config) => show(screen, config, id, options)),
    );
  withTerms(
    sub(
      'create',
      'create an endpoint: it gets every later event that matches; its secret is printed once',
      "create --url https://shop.example.com/hooks --events 'payment.settled,payment.failed' --ordered",
    )
      .requiredOption('--url <url>', 'an https URL of the internet')
      .requiredOption('--events <pattern>', 'an event type, payment.*, *.settled or *, or several separated by commas'),
  )
    .option('--disabled', 'create it disabled')
    .option('--secret <secret>', 'a secret that you bring: whsec_ and the base64 of 24 to 64 bytes; default a new one')
    .option(...DRY_RUN_OPTION)
    .action((options: CreateOptions) =>
      run('webhooks', options, (screen, config) =>
        suggestingLoopback(config, options.url, () => create(screen, config, options)),
      ),
    );
  withTerms(
    sub(
      'update',
      'change an endpoint; attempts that have not begun follow the new terms',
      'update whe_01jd… --max-per-second 50',
    )
      .argument('<endpoint>', ID)
      .option('--url <url>', 'an https URL of the internet')
      .option('--events <pattern>', 'an event type, payment.*, *.settled or *, or several separated by commas')
      .option('--remove-headers', 'send no custom headers'),
  )
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: TermsOptions) =>
      run('webhooks', options, (screen, config) =>
        suggestingLoopback(config, options.url, () => update(screen, config, id, options, changesOf(options))),
      ),
    );
  for (const [name, enabled, says] of [
    ['enable', true, 'get events again, from the next one on; "recover" sends what it missed'],
    ['disable', false, 'get no new events; deliveries that wait are kept'],
  ] as const)
    sub(name, says, `${name} whe_01jd…`)
      .argument('<endpoint>', ID)
      .option(...DRY_RUN_OPTION)
      .action((id: string, options: ChangeOptions) =>
        run('webhooks', options, (screen, config) => update(screen, config, id, options, { enabled })),
      );
  sub('delete', 'delete an endpoint; deliveries that wait are cancelled, its history stays', 'delete whe_01jd…')
    .argument('<endpoint>', ID)
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('webhooks', options, (screen, config) =>
        changed(
          screen,
          config,
          options,
          ended('deleted', (verbs) => verbs.deleteWebhookEndpoint(uuidOf(id))),
        ),
      ),
    );
  sub(
    'rotate-secret',
    'replace the secret; deliveries are signed with both until the grace period ends',
    'rotate-secret whe_01jd… --grace 48h',
  )
    .argument('<endpoint>', ID)
    .option('--grace <duration>', 'how long the old secret signs too, at most 7d; 0s: not at all', '24h')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions & { grace: string }) =>
      run('webhooks', options, (screen, config) => rotate(screen, config, id, options)),
    );
  sub('test', 'send a test event to one endpoint, whatever its pattern', 'test whe_01jd…')
    .argument('<endpoint>', ID)
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('webhooks', options, (screen, config) => sendTest(screen, config, id, options)),
    );
  sub(
    'recover',
    'send failed deliveries again, and the events that were missed while disabled',
    'recover whe_01jd… --since 2026-11-15T09:30:00Z',
  )
    .argument('<endpoint>', ID)
    .requiredOption(
      '--since <instant>',
      'only events from this instant on, and none from before the endpoint was created',
    )
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions & { since: string; reason?: string }) =>
      run('webhooks', options, (screen, config) => recover(screen, config, id, options)),
    );
  addDeliveries(sub);
}

const MOST_TYPOS = 2;

function unknownCommand(webhooks: Command, word: string): string {
  const names = webhooks.commands.map((command) => command.name());
  const meant = nearestName(word, names, MOST_TYPOS);
  return `there is no command "webhooks ${word}": ${meant === null ? `the commands are ${names.join(', ')}` : `did you mean ${meant}?`}`;
}

function uuidOf(id: string): Uuid {
  if (isTypeId('webhookEndpoint', id)) return fromTypeId('webhookEndpoint', id);
  throw new UsageError(
    `"${id.slice(0, 60)}" is not the whole id of an endpoint, whe_ and 26 characters: "usance webhooks" lists them`,
  );
}

function list(
  screen: Screen,
  config: Config,
  options: TenantCommandOptions & { enabled?: boolean; disabled?: boolean },
): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const filter = options.enabled ? { enabled: true } : options.disabled ? { enabled: false } : {};
    const found = await listed((page) => tenant.webhookEndpoints(filter, page));
    if (found.length === 0)
      screen.line(
        options.disabled || options.enabled
          ? `No ${options.disabled ? 'disabled' : 'enabled'} webhook endpoint.`
          : 'No webhook endpoint. Create one with "usance webhooks create".',
      );
    else for (const line of aligned(endpointRows(found), '')) screen.line(line);
    screen.document({ webhookEndpoints: found.map(endpointDocument) });
    return EXIT.fine;
  });
}

function show(screen: Screen, config: Config, id: string, options: TenantCommandOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const endpoint = await tenant.webhookEndpoint(uuidOf(id));
    for (const line of aligned(describeEndpoint(endpoint), '')) screen.line(line);
    screen.document(endpointDocument(endpoint));
    return EXIT.fine;
  });
}

const named = ({ id, url }: WebhookEndpoint): string =>
  `webhook endpoint ${toTypeId('webhookEndpoint', id)} (${withoutQuery(url)})`;

function create(screen: Screen, config: Config, options: CreateOptions): Promise<number> {
  const { url, events: eventPattern, disabled, secret: given } = options;
  // The secret stays out of the message.
  if (given !== undefined && !isWebhookSecret(given))
    throw new UsageError('--secret must be whsec_ and the base64 of 24 to 64 bytes');
  const params = {
    ...changesOf(options),
    url,
    eventPattern,
    ...(disabled ? { enabled: false } : {}),
    ...(given === undefined ? {} : { secret: given }),
  };
  return withSecret(screen, config, options, {
    act: async (verbs) => {
      const made = await verbs.createWebhookEndpoint(params);
      await noticeUnmatched(screen, verbs, eventPattern);
      return made;
    },
    line: (made) => `${named(made.endpoint)} created.`,
    document: (made) => endpointDocument(made.endpoint),
  });
}

function rotate(
  screen: Screen,
  config: Config,
  id: string,
  options: ChangeOptions & { grace: string },
): Promise<number> {
  const params = { graceMs: parseDelayMs(options.grace, 'grace') };
  return withSecret(screen, config, options, {
    act: (verbs) => verbs.rotateWebhookSecret(uuidOf(id), params),
    line: ({ endpoint }) => `the secret of ${named(endpoint)} is replaced${untilOf(endpoint)}.`,
    document: ({ endpoint }) => endpointDocument(endpoint),
  });
}

const untilOf = ({ previousSecretExpiresAt: at }: WebhookEndpoint): string =>
  at === null ? '' : `; the previous one signs too until ${at.toISOString()}`;

function update(
  screen: Screen,
  config: Config,
  id: string,
  options: ChangeOptions,
  changes: WebhookEndpointChanges,
): Promise<number> {
  if (Object.keys(changes).length === 0) throw new UsageError('name a change, such as --max-per-second 50');
  const word = changes.enabled === undefined ? 'updated' : changes.enabled ? 'enabled' : 'disabled';
  return changed(
    screen,
    config,
    options,
    ended(word, async (verbs) => {
      const updated = await verbs.updateWebhookEndpoint(uuidOf(id), changes);
      if (changes.eventPattern !== undefined) await noticeUnmatched(screen, verbs, changes.eventPattern);
      return updated;
    }),
  );
}

const ended = (word: string, act: Outcome<WebhookEndpoint>['act']): Outcome<WebhookEndpoint> => ({
  act,
  line: (endpoint) => `${named(endpoint)} ${word}.`,
  document: endpointDocument,
});

function sendTest(screen: Screen, config: Config, id: string, options: ChangeOptions): Promise<number> {
  return changed(screen, config, options, {
    act: async (verbs) => {
      const { eventId, deliveryId } = await verbs.testWebhookEndpoint(uuidOf(id));
      return { eventId: toTypeId('event', eventId), deliveryId: toTypeId('execution', deliveryId) };
    },
    line: ({ eventId, deliveryId }) =>
      `test event ${eventId} is on its way; "usance webhooks delivery ${deliveryId}" shows how it ended.`,
    document: (sent) => sent,
  });
}

/** Page by page, each in its own transaction; a dry run is about the first page. */
function recover(
  screen: Screen,
  config: Config,
  id: string,
  options: ChangeOptions & { since: string; reason?: string },
): Promise<number> {
  const { since, reason, dryRun } = options;
  return withTenant(screen, config, options, async (tenant) => {
    const page = (verbs: TenantVerbs, after: Uuid | null) =>
      verbs.recoverWebhookEndpoint(uuidOf(id), {
        since,
        ...(after ? { after } : {}),
        ...(reason === undefined ? {} : { reason }),
      });
    const all = async (verbs: TenantVerbs) => {
      const first = await page(verbs, null);
      let { retried, next } = first;
      while (next !== null) {
        // A dry run is one transaction, and stops after one page.
        if (dryRun) break;
        const more: Awaited<ReturnType<typeof page>> = await page(verbs, next);
        retried += more.retried;
        ({ next } = more);
      }
      return { ...first, retried, isAll: next === null };
    };
    await change(screen, tenant, options, all, ({ retried, isAll, missed, missedIsAtLeast, from }) => ({
      line:
        `${isAll ? '' : 'at least '}${grouped(retried)} failed ${retried === 1 ? 'delivery' : 'deliveries'} will be sent again, and ` +
        `${missedIsAtLeast ? 'at least ' : ''}${grouped(missed)} missed ${missed === 1 ? 'event' : 'events'}, since ${from.toISOString()}.`,
      document: { retried, missed, missedIsAtLeast, from: from.toISOString() },
    }));
    return EXIT.fine;
  });
}
