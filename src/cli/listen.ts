// `usance listen`: forwards events to a receiver on this machine as webhooks, signed and in order, so that a developer can write a receiver
// before an endpoint exists. It stores nothing: no endpoint, no delivery, no retry. A receiver that is down misses its events, and --after
// sends them again.
import type { Command } from 'commander';
import { showEvents } from '../api/index.ts';
import type { Config } from '../config.ts';
import type { Engine, EventCursor, TenantHandle } from '../engine.ts';
import { isWebhookSecret, newWebhookSecret, parseCursor, parsePattern } from '../engine.ts';
import { Refusal, describeError, refuse } from '../kernel/index.ts';
import type { Receiver } from './forward.ts';
import { answerText, forwardEvent, readForwardUrl } from './forward.ts';
import { run, withUsance } from './run.ts';
import type { Screen } from './screen.ts';
import type { TenantOptions } from './tenant.ts';
import { TENANT_OPTION, chosenTenant } from './tenant.ts';
import { EXIT, UsageError } from './trouble.ts';

interface ListenOptions extends TenantOptions {
  readonly forward: string;
  readonly events: string;
  readonly after?: string;
  readonly secret?: string;
  readonly anyHost?: boolean;
}

const PAGE = 100;
const POLL_MS = 500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** A loop that has not run for so long is not running. */
const IDLE_MS = 60_000;

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('forward events to a receiver on this machine, signed as webhooks, and print each answer')
    .requiredOption('--forward <url>', 'URL of the receiver, such as http://localhost:3000/hook')
    .option('--events <pattern>', 'an event type, payment.*, *.settled or *, or several separated by commas', '*')
    .option('--after <event>', 'seq or cursor of an event: begin with the next one; default the newest')
    .option('--secret <secret>', 'sign with this secret, whsec_…; default a new one, which is printed')
    .option('--any-host', 'also forward to another machine than this one')
    .option(...TENANT_OPTION)
    .addHelpText('after', '\nExample:\n  usance listen --forward http://localhost:3000/hook --events payment.*')
    .action((options: ListenOptions) => run('listen', {}, (screen, config) => listen(screen, config, options)));
}

async function listen(screen: Screen, config: Config, options: ListenOptions): Promise<number> {
  const url = readForwardUrl(options.forward, options.anyHost ?? false);
  const type = parsePattern(options.events);
  const { secret = newWebhookSecret() } = options;
  // The secret stays out of the message.
  if (!isWebhookSecret(secret)) throw new UsageError('--secret must be whsec_ and the base64 of 24 to 64 bytes');
  const from = options.after === undefined ? null : cursorOf(options.after);
  return withUsance(screen, config, { existing: true }, async (engine, stop) => {
    const tenant = await chosenTenant(engine, options);
    const after = from === null ? await tenant.lastEventCursor() : await tenant.requireEventCursor(from);
    await noteMissingSequencer(engine, screen);
    screen.line(`Secret: ${secret}`);
    screen.line(`Forwarding ${options.events} of tenant "${tenant.name}" after event ${after.seq} to ${url.href}`);
    const last = await follow(engine, tenant, { type }, after, { url, secret, stop }, screen);
    screen.line(`Stopped. Continue with --after ${last.seq}.`);
    return EXIT.fine;
  });
}

/** Forwards until it is stopped. Returns the last event that it forwarded or skipped. */
async function follow(
  engine: Engine,
  tenant: TenantHandle,
  filter: { readonly type: ReturnType<typeof parsePattern> },
  from: EventCursor,
  receiver: Receiver,
  screen: Screen,
): Promise<EventCursor> {
  const { stop } = receiver;
  const news = engine.wakeUps.follow('events_ordered');
  let [after, failures] = [from, 0];
  while (!stop.aborted) {
    try {
      // Once this event is visible, so are all before it, and those that the pattern left out are not read again.
      const reached = await tenant.lastEventCursor();
      const { events, next } = await tenant.eventsPage(filter, { after: after.seq, limit: PAGE });
      // Behind the page: a server that took over without the last commits gives the same numbers to other events.
      await tenant.requireEventCursor(after);
      failures = 0;
      for (const event of await showEvents(tenant, events)) {
        const answer = await forwardEvent(receiver, event);
        // The event that was under way has no answer: --after sends it again.
        if (stop.aborted) return after;
        screen.line(`${event.seq}  ${event.type}  ${event.resource_id}  ${answerText(answer)}`);
        after = cursorOf(event.cursor);
      }
      if (next !== null) after = next;
      else if (reached.seq > after.seq) after = reached;
      if (next === null) await news.wait(POLL_MS, stop);
    } catch (error) {
      if (stop.aborted) break;
      // A history that lost this event: no retry changes that. Anything else is a database that is away for a while.
      if (error instanceof Refusal) throw error;
      failures += 1;
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
      screen.notice(`usance: ${describeError(error)}; reading again after event ${after.seq} in ${waitMs / 1_000} s`);
      await news.wait(waitMs, stop);
    }
  }
  news.close();
  return after;
}

async function noteMissingSequencer(engine: Engine, screen: Screen): Promise<void> {
  const idleMs = await engine.loopIdleMs('sequencer');
  if (idleMs !== null && idleMs < IDLE_MS) return;
  screen.notice('usance: no process orders events now, so none will arrive: run "usance dev" or "usance worker"');
}

const cursorOf = (text: string): EventCursor =>
  parseCursor(text) ?? refuse('FIELD_INVALID/not_an_event_id', { param: 'after' });
