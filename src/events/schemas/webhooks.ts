// Events about webhook endpoints. A URL is shown without its query, which often has a token; headers and secrets are never part of an event.
import { Type } from 'typebox';
import { event } from './define.ts';
import { change, created, given, instant, integer, list, nullable, text, word } from './fields.ts';

const url = text('The URL, without its query.', 'https://shop.example.com/hooks');
const flag = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] });

const TERMS = {
  url,
  event_pattern: text('The events that it gets.', 'payment.settled,payment.failed'),
  description: text('A text for people; empty if none was given.', 'Orders of the shop.'),
  payload: word(['full', 'thin'], 'Whether a delivery has the data of the event.', 'full'),
  header_names: list(text('A name.', 'x-shop'), 'The names of its custom headers.'),
  plain_signature: flag('Whether the hexadecimal HMAC-SHA256 of the body is sent too.', false),
  ordered: flag('Whether deliveries about one resource are sent one after the other.', false),
  retry: word(['webhook', 'webhook-quick'], 'The retry schedule.', 'webhook'),
  max_per_second: nullable(
    integer('Deliveries that start per second at most.', 50),
    'Deliveries that start per second at most; null: no limit.',
  ),
  send_test_events: flag('Whether events of a test tenant are sent.', false),
  enabled: flag('Whether it gets events.', true),
};

export const WEBHOOK_EVENTS = {
  'webhook_endpoint.created': event('A webhook endpoint was created.', created(TERMS)),
  'webhook_endpoint.updated': event(
    'A webhook endpoint was changed, or enabled or disabled by a caller.',
    change(given(TERMS), given(TERMS)),
    { old: { enabled: false }, new: { enabled: true } },
  ),
  'webhook_endpoint.deleted': event('A webhook endpoint was deleted. Deliveries that wait are cancelled.', { url }),
  'webhook_endpoint.disabled': event(
    'A webhook endpoint was disabled because it answered 410, or because its failures without a success span five days.',
    {
      url,
      reason: word(
        ['gone', 'failing'],
        '`gone`: it answered 410. `failing`: its failures span five days without a success, and it has failed since the warning a day before.',
        'failing',
      ),
      failing_since: instant('The first failed attempt since the last success.', '2026-11-10T09:30:00.000Z'),
    },
  ),
  'webhook_endpoint.failing': event(
    'The failures of a webhook endpoint span four days without a success. It is disabled once they span five, if it still fails a day after this warning.',
    {
      url,
      failing_since: instant('The first failed attempt since the last success.', '2026-11-10T09:30:00.000Z'),
      disables_at: instant('The earliest instant at which it is disabled.'),
    },
  ),
  'webhook_endpoint.secret_rotated': event('The secret of a webhook endpoint was replaced.', {
    previous_secret_expires_at: nullable(
      instant('Until then deliveries are signed with the previous secret too.'),
      'Until then deliveries are signed with the previous secret too; null: it ended at once.',
    ),
  }),
  'webhook_endpoint.recovered': event(
    'A caller asked to send a webhook endpoint what it missed. One event for each page of failed deliveries.',
    {
      url,
      since: instant('The first instant whose events are sent.'),
      retried: integer('Failed deliveries of the page, which are sent again.', 12),
      missed: integer(
        'Events that it missed while it was disabled and gets now, of the first 20,000 that were looked at.',
        340,
      ),
    },
  ),
  'webhook_endpoint.tested': event('A test event for one webhook endpoint, which gets it whatever its pattern.', {
    url,
  }),
} as const;
