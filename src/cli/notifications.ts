// `usance notifications`: channels that post messages to operators in Slack, in Discord or to a URL. Every change is audited under the name of the
// user that runs the command. The secret of a channel of the kind `webhook` is printed once, its URL never.
import type { Command } from 'commander';
import { Argument, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { Channel, ChannelChanges, ChannelKind, Topic } from '../engine.ts';
import { CHANNEL_KINDS, TOPIC_NAMES } from '../engine.ts';
import type { Uuid } from '../kernel/index.ts';
import { fromTypeId, toTypeId } from '../kernel/index.ts';
import { suggestingLoopback } from './loopback-hint.ts';
import { DRY_RUN_OPTION } from './dry-run.ts';
import { channelDocument, channelRows, describeChannel } from './notification-lines.ts';
import { run } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned } from './screen.ts';
import { TENANT_OPTION } from './tenant.ts';
import type { ChangeOptions, Outcome, TenantCommandOptions } from './tenant-change.ts';
import { changed, listed, withSecret, withTenant } from './tenant-change.ts';
import { EXIT, UsageError } from './trouble.ts';

/** TenantCommandOptions that `create` and `update` share. */
interface TermsOptions extends ChangeOptions {
  readonly name?: string;
  readonly url?: string;
  readonly topics?: readonly Topic[];
  readonly maxPerMinute?: number;
  readonly sendTestEvents?: boolean;
}

interface CreateOptions extends TermsOptions {
  readonly name: string;
  readonly url: string;
  readonly disabled?: boolean;
}

const ID = 'id of the channel, such as nch_01jd…';
const URL_SAYS = 'an https URL of the internet: the incoming webhook of Slack or Discord, or a receiver of yours';

export function addNotifications(program: Command): void {
  const notifications = program
    .command('notifications')
    .description('channels that post messages to operators: create, change, test and delete them')
    .addHelpText(
      'after',
      "\nExample:\n  usance notifications create slack --name 'on call' --url https://hooks.slack.com/services/… --topics dead_letters,freezes",
    );
  const sub = (name: string, says: string, example: string, isDefault = false): Command =>
    notifications
      .command(name, { isDefault })
      .description(says)
      .option(...TENANT_OPTION)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  usance notifications ${example}`);

  sub('list', 'list the channels of a tenant', 'list', true).action((options: TenantCommandOptions) =>
    run('notifications', options, (screen, config) => list(screen, config, options)),
  );
  sub('get', 'show one channel', 'get nch_01jd…')
    .argument('<channel>', ID)
    .action((id: string, options: TenantCommandOptions) =>
      run('notifications', options, (screen, config) => show(screen, config, id, options)),
    );
  withTerms(
    sub(
      'create',
      'create a channel: it gets a message about every later event of its topics',
      "create slack --name 'on call' --url https://hooks.slack.com/services/… --topics dead_letters,freezes",
    )
      .addArgument(new Argument('<kind>', 'where its messages are read').choices(CHANNEL_KINDS))
      .requiredOption('--name <name>', 'a name for people')
      .requiredOption('--url <url>', URL_SAYS),
  )
    .option('--disabled', 'create it disabled')
    .option(...DRY_RUN_OPTION)
    .action((kind: ChannelKind, options: CreateOptions) =>
      run('notifications', options, (screen, config) =>
        suggestingLoopback(config, options.url, () => create(screen, config, kind, options)),
      ),
    );
  withTerms(
    sub('update', 'change a channel', 'update nch_01jd… --topics dead_letters,reviews')
      .argument('<channel>', ID)
      .option('--name <name>', 'a name for people')
      .option('--url <url>', URL_SAYS),
  )
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: TermsOptions) =>
      run('notifications', options, (screen, config) =>
        suggestingLoopback(config, options.url, () => update(screen, config, id, options, changesOf(options))),
      ),
    );
  for (const [name, enabled, says] of [
    ['enable', true, 'send messages again, from the next event on'],
    ['disable', false, 'send no messages about new events; those that wait are kept'],
  ] as const)
    sub(name, says, `${name} nch_01jd…`)
      .argument('<channel>', ID)
      .option(...DRY_RUN_OPTION)
      .action((id: string, options: ChangeOptions) =>
        run('notifications', options, (screen, config) => update(screen, config, id, options, { enabled })),
      );
  sub('delete', 'delete a channel, its URL and its secret; messages that wait are cancelled', 'delete nch_01jd…')
    .argument('<channel>', ID)
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('notifications', options, (screen, config) =>
        changed(
          screen,
          config,
          options,
          ended('deleted', (verbs) => verbs.deleteNotificationChannel(uuidOf(id)), itself),
        ),
      ),
    );
  sub(
    'rotate-secret',
    'replace the secret of a channel of the kind webhook at once; the new one is printed once',
    'rotate-secret nch_01jd…',
  )
    .argument('<channel>', ID)
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('notifications', options, (screen, config) => rotate(screen, config, id, options)),
    );
  sub('test', 'send a message that says it is a test', 'test nch_01jd…')
    .argument('<channel>', ID)
    .option(...DRY_RUN_OPTION)
    .action((id: string, options: ChangeOptions) =>
      run('notifications', options, (screen, config) => sendTest(screen, config, id, options)),
    );
}

const withTerms = (command: Command): Command =>
  command
    .option('--topics <topics>', `one or several of ${TOPIC_NAMES.join(',')}; all if a new channel has none`, topicsOf)
    .option('--max-per-minute <number>', 'messages in a minute, from 1 to 60; default 20', wholeNumber)
    .option('--send-test-events', 'also send events of a test tenant')
    .option('--no-send-test-events', 'send no events of a test tenant');

/** Names are checked by the verb, which names the topics that there are. */
const topicsOf = (text: string): readonly string[] => text.split(',').map((topic) => topic.trim());

function wholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

const uuidOf = (id: string): Uuid => fromTypeId('notificationChannel', id);

function list(screen: Screen, config: Config, options: TenantCommandOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const found = await listed((page) => tenant.notificationChannels(page));
    if (found.length === 0) screen.line('No notification channel. Create one with "usance notifications create".');
    else for (const line of aligned(channelRows(found), '')) screen.line(line);
    screen.document({ notificationChannels: found.map(channelDocument) });
    return EXIT.fine;
  });
}

function show(screen: Screen, config: Config, id: string, options: TenantCommandOptions): Promise<number> {
  return withTenant(screen, config, options, async (tenant) => {
    const channel = await tenant.notificationChannel(uuidOf(id));
    for (const line of aligned(describeChannel(channel), '')) screen.line(line);
    screen.document(channelDocument(channel));
    return EXIT.fine;
  });
}

const named = ({ id, name }: Channel): string =>
  `notification channel ${toTypeId('notificationChannel', id)} (${name})`;

function create(screen: Screen, config: Config, kind: ChannelKind, options: CreateOptions): Promise<number> {
  const { name, url, disabled } = options;
  const params = { ...changesOf(options), kind, name, url, ...(disabled ? { enabled: false } : {}) };
  return withSecret(
    screen,
    config,
    options,
    ended('created', (verbs) => verbs.createNotificationChannel(params), channelOf),
  );
}

const rotate = (screen: Screen, config: Config, id: string, options: ChangeOptions): Promise<number> =>
  withSecret(
    screen,
    config,
    options,
    ended('has a new secret', (verbs) => verbs.rotateNotificationSecret(uuidOf(id)), channelOf),
  );

const channelOf = ({ channel }: { readonly channel: Channel }): Channel => channel;
const itself = (channel: Channel): Channel => channel;

/** A change of one channel, as it is printed; `of` finds it in what the verb returns. */
function ended<T>(word: string, act: Outcome<T>['act'], of: (done: T) => Channel): Outcome<T> {
  return {
    act,
    line: (done) => `${named(of(done))} ${word}.`,
    document: (done) => channelDocument(of(done)),
  };
}

function update(
  screen: Screen,
  config: Config,
  id: string,
  options: ChangeOptions,
  changes: ChannelChanges,
): Promise<number> {
  if (Object.keys(changes).length === 0) throw new UsageError('name a change, such as --topics dead_letters,reviews');
  const word = changes.enabled === undefined ? 'updated' : changes.enabled ? 'enabled' : 'disabled';
  const act: Outcome<Channel>['act'] = (verbs) => verbs.updateNotificationChannel(uuidOf(id), changes);
  return changed(screen, config, options, ended(word, act, itself));
}

function sendTest(screen: Screen, config: Config, id: string, options: ChangeOptions): Promise<number> {
  return changed(screen, config, options, {
    act: async (verbs) => {
      const { eventId, executionId } = await verbs.testNotificationChannel(uuidOf(id));
      return { eventId: toTypeId('event', eventId), executionId: toTypeId('execution', executionId) };
    },
    line: ({ executionId }) =>
      `a test message is on its way; "usance executions get ${executionId}" shows how it ended.`,
    document: (sent) => sent,
  });
}

function changesOf({ name, url, topics, maxPerMinute, sendTestEvents }: TermsOptions): ChannelChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(topics === undefined ? {} : { topics }),
    ...(maxPerMinute === undefined ? {} : { maxPerMinute }),
    ...(sendTestEvents === undefined ? {} : { sendTestEvents }),
  };
}
