// `usance audit-events`: the audit log. `list` shows its newest entries. `anchor` writes the ends of its hash chains to a file, to be kept where
// an intruder of the database cannot change it; the worker does the same at an interval, this command is for a cron or a handover.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { AuditEvent } from '../engine.ts';
import { appendAnchors, ownEventOf, paymentsShownIn, typeOfAction } from '../engine.ts';
import { fromTypeId, idOrName, showIds, shownActor, shownResourceId, toTypeId, userActor } from '../kernel/index.ts';
import { eventDocument } from './event-document.ts';
import { actorText } from './payment-lines.ts';
import { numberUpTo } from './number-up-to.ts';
import type { CommonOptions } from './run.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import { aligned, counted } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT } from './trouble.ts';

interface ListOptions extends CommonOptions, TenantOptions {
  readonly actor?: string;
  readonly user?: string;
  readonly action?: string;
  readonly resource?: string;
  readonly limit: number;
}

const MOST_LISTED = 1_000;

interface AnchorOptions extends CommonOptions {
  readonly file?: string;
}

export function addAuditEvents(program: Command): void {
  const audit = program
    .command('audit-events')
    .description('show and anchor the audit log')
    .addHelpText('after', '\nExample:\n  usance audit-events list --tenant shop --resource payment');
  audit
    .command('list')
    .description('the newest entries: instant, caller, action')
    .option(...TENANT_OPTION)
    .option('--actor <actor>', 'only actions of this caller: a key such as key_01jd…, cli:alice, system')
    .option('--user <account>', 'only actions of this end user: id or ref of their account')
    .option('--action <action>', 'only this action, such as PAYMENT_CREATED')
    .option('--resource <kind>', 'only actions on this kind of resource, such as payment')
    .option('--limit <count>', `at most this many, up to ${MOST_LISTED}`, numberUpTo(MOST_LISTED), 20)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance audit-events list --tenant shop --resource payment')
    .action((options: ListOptions) => run('audit-events', options, (screen, config) => list(screen, config, options)));
  audit
    .command('anchor')
    .description('show the end of each hash chain of the audit log, and append it to a file')
    .option('--file <file>', 'append to this file instead of the one in USANCE_ANCHOR_FILE')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  usance audit-events anchor --file anchors.jsonl')
    .action((options: AnchorOptions) =>
      run('audit-events', options, (screen, config) => anchor(screen, config, options)),
    );
}

function list(screen: Screen, config: Config, options: ListOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const tenant = await chosenTenant(engine, options);
    const { actor, user, action, resource, limit: most } = options;
    const endUser = user === undefined ? null : await tenant.account(accountNamed(user));
    const filter = {
      ...(actor === undefined ? {} : { actor: actorNamed(actor) }),
      ...(endUser === null ? {} : { actor: userActor(endUser.id) }),
      ...(action === undefined ? {} : { action }),
      ...(resource === undefined ? {} : { resource }),
    };
    const events = await tenant.auditEvents(filter, { limit: most });
    const rows = events.map((event) => [
      event.recordedAt.toISOString(),
      actorText(event.actor),
      event.action,
      idOf(event),
      event.reason ?? '',
    ]);
    const texts = await tenant.paymentTexts(paymentsShownIn(events.map(storedOf)));
    if (events.length === 0) screen.line('No entry.');
    for (const line of aligned(rows, '')) screen.line(line);
    screen.document({
      tenant: tenant.name,
      events: events.map((event) => ({
        ...event,
        id: toTypeId('event', event.id),
        actor: shownActor(event.actor),
        details: eventDocument(storedOf(event), texts.get(event.resourceId)),
        resourceId: idOf(event),
      })),
    });
    return EXIT.fine;
  });
}

const storedOf = ({ action, version, resourceId, details }: AuditEvent) => ({
  type: typeOfAction(action) ?? '',
  version,
  resourceId,
  data: details,
});

const accountNamed = (name: string): string => idOrName('account', name);

/** A key by the id that `usance api-keys list` shows. */
const actorNamed = (actor: string): string => (actor.startsWith('key_') ? `key:${fromTypeId('apiKey', actor)}` : actor);

function idOf({ resource, resourceId, details: data }: AuditEvent): string {
  const own = ownEventOf({ resourceId, data });
  if (own) return own.resourceId ?? toTypeId('ownResource', resourceId);
  return shownResourceId(resource, resourceId);
}

function anchor(screen: Screen, config: Config, options: AnchorOptions): Promise<number> {
  return withUsance(screen, config, { existing: true }, async (engine) => {
    const anchors = await engine.anchors();
    const file = options.file ?? config.anchorFile;
    if (file !== null) await appendAnchors(file, anchors);
    const names = new Map((await engine.tenants()).map((tenant) => [tenant.id, tenant.name]));
    const rows = anchors.map(({ tenant, seq, hash }) => [
      names.get(tenant) ?? toTypeId('tenant', tenant),
      seq.toString(),
      hash,
    ]);
    for (const line of aligned(rows)) screen.line(line);
    screen.line(
      file === null
        ? 'Not saved: give a --file, or set USANCE_ANCHOR_FILE.'
        : `${counted(anchors.length, 'anchor')} appended to ${file}. Check with "usance verify --anchor ${file}".`,
    );
    screen.document({ file, anchors: showIds(anchors) });
    return EXIT.fine;
  });
}
