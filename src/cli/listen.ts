// `usance listen`: forwards events to a receiver on this machine as webhooks, signed and in order, so that a developer can write a receiver
// before an endpoint exists. It reads the event stream of the API and stores nothing: no endpoint, no delivery, no retry. A receiver that is
// down misses its events, each with a line that says so, and --after sends them again.
import { createHmac } from 'node:crypto';
import type { Command } from 'commander';
import type { BlockOptions } from '../client/inner.ts';
import type { Config } from '../config.ts';
import { fetchForOperator, isWebhookSecret, parsePattern } from '../engine.ts';
import type { Receiver } from './forward.ts';
import { answerText, forwardEvent, isDelivered, readForwardUrl } from './forward.ts';
import type { Remote, RemoteOptions } from './remote.ts';
import { URL_OPTION, asRefusal, noAnswer, reasonOf, remoteOf } from './remote.ts';
import { run, stopSignal } from './run.ts';
import type { Screen } from './screen.ts';
import { counted } from './screen.ts';
import { EXIT, UsageError } from './trouble.ts';

interface ListenOptions extends RemoteOptions {
  readonly forward: string;
  readonly events: string;
  readonly after?: string;
  readonly secret?: string;
  readonly anyHost?: boolean;
}

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('forward events to a receiver on this machine, signed as webhooks, and print each answer')
    .requiredOption('--forward <url>', 'URL of the receiver, such as http://localhost:3000/hook')
    .option('--events <pattern>', 'an event type, payment.*, *.settled or *, or several separated by commas', '*')
    .option('--after <event>', 'seq or cursor of an event: begin with the next one; default the newest')
    .option('--secret <secret>', 'sign with this secret, whsec_…; default one that is the same for each API key')
    .option('--any-host', 'also forward to another machine than this one')
    .option(...URL_OPTION)
    .addHelpText(
      'after',
      `
Example:
  usance listen --forward http://localhost:3000/hook --events payment.*

The API key is USANCE_API_KEY, or the one that "usance dev" keeps in USANCE_DATA_DIR. It needs the scope events:read.
An event that the receiver does not take is not sent again: --after with the seq in front of it does that.`,
    )
    .action((options: ListenOptions) => run('listen', {}, (screen, config) => listen(screen, config, options)));
}

/** `latest`, a seq, or a cursor with its epoch. */
const PLACE = /^(latest|\d{1,15}(-[0-9a-f]{8})?)$/;

async function listen(screen: Screen, config: Config, options: ListenOptions): Promise<number> {
  const url = readForwardUrl(options.forward, options.anyHost ?? false);
  // Refused here with its code, before a request.
  parsePattern(options.events, '--events');
  if (options.after !== undefined && !PLACE.test(options.after))
    throw new UsageError(
      '--after must be the seq or the cursor of an event, such as 1200: "listen" prints the seq first in each line',
    );
  const remote = await remoteOf(config, options);
  const { secret = secretOf(remote.key) } = options;
  // The secret stays out of the message.
  if (!isWebhookSecret(secret)) throw new UsageError('--secret must be whsec_ and the base64 of 24 to 64 bytes');
  const query = { type: options.events, after: options.after ?? 'latest' };
  const stop = stopSignal(screen);
  const { last, missed } = await follow(screen, remote, query, { url, secret, stop });
  const lost = missed === 0 ? '' : ` ${counted(missed, 'event')} not taken.`;
  screen.line(`Stopped.${lost}${last === null ? '' : ` Continue with --after ${last}.`}`);
  return EXIT.fine;
}

/** The same on every run, so that it stays in the receiver's settings. It says nothing about the key. */
const secretOf = (key: string): string => `whsec_${createHmac('sha256', key).update('usance listen').digest('base64')}`;

interface Followed {
  /** The seq of the last event that was sent or left out; null before the first. */
  readonly last: string | null;
  readonly missed: number;
}

/** Forwards until it is stopped. */
async function follow(
  screen: Screen,
  remote: Remote,
  query: { readonly type: string; readonly after: string },
  receiver: Receiver,
): Promise<Followed> {
  const { stop, url, secret } = receiver;
  // Imported here and not at the top: other commands need not load the client.
  const { followBlocks } = await import('../client/inner.ts');
  const unreachable = new AbortController();
  let [isOpen, last, missed]: [boolean, string | null, number] = [false, null, 0];
  let isDown = false;
  const observer: BlockOptions = {
    signal: AbortSignal.any([stop, unreachable.signal]),
    onOpen() {
      if (!isOpen) screen.line(`Secret: ${secret}`);
      screen.line(`${isOpen ? 'Connected again.' : 'Forwarding'} ${query.type} from ${remote.url} to ${url.href}`);
      isOpen = true;
    },
    onBreak(error, waitMs) {
      if (!isOpen) return unreachable.abort(noAnswer(remote, error));
      const why = error === null ? 'the API closed the stream' : `the stream broke (${reasonOf(error)})`;
      const place = last === null ? '' : ` after event ${last}`;
      screen.notice(`usance: ${why}; reading on${place} in ${waitMs / 1_000} s`);
    },
  };
  try {
    for await (const { id, data } of followBlocks({ ...remote, fetch: fetchForOperator }, query, observer)) {
      if (data !== null) {
        const event = JSON.parse(data) as { id: string; seq: number; type: string; resource_id: string };
        const answer = await forwardEvent(receiver, event.id, data);
        // The event that was under way has no answer: --after sends it again.
        if (stop.aborted) break;
        screen.line(`${event.seq}  ${event.type}  ${event.resource_id}  ${event.id}  ${answerText(answer)}`);
        if (!isDelivered(answer)) missed += 1;
        // Said once for each outage: the lines above show every event.
        if (answer.failure !== null && !isDown)
          screen.notice(
            `usance: ${url.href} does not take events (${answer.failure}): start the receiver; --after ${event.seq - 1} sends those that it misses again`,
          );
        isDown = answer.failure !== null;
      }
      last = id?.split('-')[0] ?? last;
    }
  } catch (error) {
    throw asRefusal(error);
  }
  if (unreachable.signal.aborted) throw unreachable.signal.reason;
  return { last, missed };
}
