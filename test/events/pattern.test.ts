// Patterns of event types: one grammar, in memory and in SQL.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asBoolean } from '../../src/db/index.ts';
import {
  EVENT_CATALOGUE,
  isEventType,
  likePattern,
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
  ])('cannot be %j', async (text) => {
    expect(await refusing(text)).toBe('EVENT_PATTERN_INVALID');
  });

  test('can name every type of the catalogue', () => {
    expect(Object.keys(EVENT_CATALOGUE).filter((type) => !isEventType(type))).toEqual([]);
  });
});

describe('a subscription', () => {
  test('by wildcard leaves out events about jobs, executions and deliveries, which an exact pattern gets', () => {
    for (const type of ['job.created', 'execution.failed', 'delivery.failed']) {
      expect(subscribes(type, type)).toBe(true);
      for (const pattern of ['*', `${type.split('.')[0]}.*`, `*.${type.split('.')[1]}`]) {
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
  });
});

describe('in SQL', () => {
  const store = useUsance();
  // Few letters, so that prefixes and suffixes meet; an underscore is a wildcard of LIKE that must not be one here.
  const word = fc.stringMatching(/^[ab][ab_1]{0,2}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const type = fc.tuple(word, words).map((parts) => parts.join('.'));
  const pattern = fc.oneof(
    type,
    words.map((text) => `${text}.*`),
    words.map((text) => `*.${text}`),
    fc.constant('*'),
  );

  test('a pattern matches the same types as in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(pattern, type), { minLength: 50, maxLength: 200 }), async (pairs) => {
        for (const [one] of pairs) expect(parsePattern(one)).toBe(one);
        const rows = await store.db.query(
          `select t.type like t.pattern as matches from unnest($1::text[], $2::text[]) with ordinality t (type, pattern, n) order by n`,
          [pairs.map(([, each]) => each), pairs.map(([one]) => likePattern(one))],
        );
        expect(rows.map((row) => asBoolean(row['matches']))).toEqual(
          pairs.map(([one, each]) => matchesType(one, each)),
        );
      }),
      { numRuns: 20 },
    );
  });
});
