// Patterns of event types: one grammar, in memory and in SQL.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asBoolean } from '../../src/db/index.ts';
import {
  EVENT_CATALOGUE,
  EVENT_PATTERN_FORM,
  isEventType,
  likePatterns,
  matchesType,
  parsePattern,
  subscribes,
} from '../../src/events/index.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const refusing = (text: string): Promise<string> => refusalOf((async () => parsePattern(text))());

describe('a pattern', () => {
  test.each(['payment.settled', 'payment.*', '*.settled', '*', 'posts.comment.*', '*.comment.created', 'v2_posts.a1'])(
    'can be %s',
    (text) => {
      expect(parsePattern(text)).toBe(text);
    },
  );

  test.each([
    '',
    'payment',
    'payment*',
    'pay*.settled',
    '*settled',
    'payment.*.settled',
    '**',
    '*.*',
    '.settled',
    'payment.',
    'Payment.settled',
    '2posts.created',
    'payment.settled ',
    'payment.settled\n',
    `${'a'.repeat(99)}.*`,
    ',',
    'payment.settled,',
    ',payment.settled',
    'payment.settled,,hold.created',
    'payment.settled, hold.created',
    'payment.settled;hold.created',
    Array.from({ length: 21 }, (_, n) => `a.b${n}`).join(','),
    `a.b,${'a'.repeat(99)}.*`,
    Array.from({ length: 11 }, (_, n) => `a.${'b'.repeat(95)}${n}`).join(','),
  ])('cannot be %j', async (text) => {
    expect(await refusing(text)).toBe('EVENT_PATTERN_INVALID');
  });

  test.each([
    ['payment.setled', 'did you mean payment.settled?'],
    ['orders.created,webhook_endpoint.disable', 'did you mean webhook_endpoint.disabled?'],
    ['payment.teleported', 'types that begin with payment. are its own'],
    ['hold.created', 'types that begin with hold. are its own'],
  ])('with a type of our nouns that does not exist is refused: %s', (text, says) => {
    expect(() => parsePattern(text)).toThrow(says);
  });

  test('can have any type of an application, and any pattern', () => {
    for (const text of ['orders.setled', 'paymnt.settled', 'hold.*', '*.setled']) expect(parsePattern(text)).toBe(text);
  });

  test('can be a list of twenty, in order and without repetitions', () => {
    expect(parsePattern('payment.settled,*.failed,payment.settled,hold.*')).toBe('payment.settled,*.failed,hold.*');
    const twenty = Array.from({ length: 20 }, (_, n) => `a.b${n}`).join(',');
    expect(parsePattern(twenty)).toBe(twenty);
    expect(parsePattern(Array.from({ length: 20 }, () => 'a.b').join(','))).toBe('a.b');
  });

  test('that is no text is refused', async () => {
    const odd: unknown[] = [undefined, null, 5, {}];
    for (const text of odd) expect(await refusing(text as string)).toBe('EVENT_PATTERN_INVALID');
  });

  test('has the form that the contract compares with', () => {
    const form = new RegExp(EVENT_PATTERN_FORM);
    const texts = ['*', 'a.b', 'a.*,*.b,*', '', 'a.b,', ',a.b', 'a.b, a.c', 'a', 'a.b,c', 'a.*.b'];
    const accepted = texts.filter((text) => form.test(text));
    expect(accepted).toEqual(['*', 'a.b', 'a.*,*.b,*']);
    for (const text of accepted) expect(parsePattern(text)).toBe(text);
  });

  test('can name every type of the catalogue', () => {
    expect(Object.keys(EVENT_CATALOGUE).filter((type) => !isEventType(type))).toEqual([]);
  });
});

describe('a subscription', () => {
  test('by wildcard leaves out events about jobs, deliveries and endpoints, which an exact pattern gets', () => {
    for (const type of [
      'job.created',
      'execution.failed',
      'delivery.failed',
      'webhook_endpoint.disabled',
      'notification_channel.created',
    ]) {
      expect(subscribes(type, type)).toBe(true);
      expect(subscribes(`payment.*,${type},*`, type)).toBe(true);
      for (const pattern of ['*', `${type.split('.')[0]}.*`, `*.${type.split('.')[1]}`, 'a.b,*']) {
        expect(matchesType(pattern, type)).toBe(true);
        expect(subscribes(pattern, type)).toBe(false);
      }
    }
  });

  test('by wildcard gets what the pattern matches, also where a word only begins like theirs', () => {
    expect(subscribes('*', 'jobs.created')).toBe(true);
    expect(subscribes('*.created', 'payment.created')).toBe(true);
    expect(subscribes('payment.*', 'payment.created')).toBe(true);
    expect(subscribes('payment.*', 'payments.archived')).toBe(false);
    expect(subscribes('payment.settled,hold.*', 'hold.created')).toBe(true);
    expect(subscribes('payment.settled,hold.*', 'payment.failed')).toBe(false);
  });
});

describe('in SQL', () => {
  const store = useUsance();
  // Few letters, so that prefixes and suffixes meet; an underscore is a wildcard of LIKE that must not be one here.
  const word = fc.stringMatching(/^[ab][ab_1]{0,2}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const type = fc.tuple(word, words).map((parts) => parts.join('.'));
  const one = fc.oneof(
    type,
    words.map((text) => `${text}.*`),
    words.map((text) => `*.${text}`),
    fc.constant('*'),
  );
  const pattern = fc.uniqueArray(one, { minLength: 1, maxLength: 3 }).map((list) => list.join(','));

  test('a pattern matches the same types as in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(pattern, type), { minLength: 50, maxLength: 200 }), async (pairs) => {
        for (const [list] of pairs) expect(parsePattern(list)).toBe(list);
        const likes = pairs.flatMap(([list], n) => likePatterns(list).map((like) => ({ n, like })));
        const rows = await store.db.query(
          `select bool_or(t.type like l.pattern) as matches from unnest($1::text[]) with ordinality t (type, n)
           join unnest($2::int[], $3::text[]) l (n, pattern) on l.n = t.n - 1 group by t.n order by t.n`,
          [pairs.map(([, each]) => each), likes.map(({ n }) => n), likes.map(({ like }) => like)],
        );
        expect(rows.map((row) => asBoolean(row['matches']))).toEqual(
          pairs.map(([list, each]) => matchesType(list, each)),
        );
      }),
      { numRuns: 20 },
    );
  });
});
