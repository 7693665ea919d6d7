// What an own event may be, and how it is told apart from the events of usance.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OwnEventParams } from '../../src/events/index.ts';
import {
  EVENT_CATALOGUE,
  RESERVED_NOUNS,
  isOwnResource,
  isOwnResourceId,
  ownEventOf,
  ownResourceId,
  parseOwnEvents,
} from '../../src/events/index.ts';
import { MAX_UUID, NIL_UUID, Refusal, isUuid, newBlockId, newId } from '../../src/kernel/index.ts';
import { executionIdOf, invocationIdOf } from '../../src/jobs/execution.ts';

const POST = { type: 'posts.created', resource: 'post', resourceId: 'post-1', data: { title: 'Hello' } };

/** `CODE/reason param` of every problem. */
function problemsOf(events: readonly unknown[], place: string | null = null): string[] {
  try {
    parseOwnEvents(events as OwnEventParams[], place);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const all = error.problems.length > 0 ? error.problems : [error.refused];
    return all.map(({ code, reason, fields }) => {
      const param = fields?.['param'];
      return `${reason ? `${code}/${reason}` : code} ${typeof param === 'string' ? param : ''}`.trim();
    });
  }
}

describe('an own event', () => {
  test('is as it was given, with an empty object as its data and version 1 where none is given', () => {
    expect(parseOwnEvents([POST, { ...POST, version: 32_767 }], null)).toEqual([
      { ...POST, version: 1 },
      { ...POST, version: 32_767 },
    ]);
    const { data: _data, ...without } = POST;
    expect(parseOwnEvents([without], null)).toEqual([{ ...POST, data: {}, version: 1 }]);
  });

  test.each([
    [{ type: 'posts' }, 'EVENT_TYPE_INVALID type'],
    [{ type: 'posts.*' }, 'EVENT_TYPE_INVALID type'],
    [{ type: 'Posts.created' }, 'EVENT_TYPE_INVALID type'],
    [{ type: `posts.${'x'.repeat(95)}` }, 'EVENT_TYPE_INVALID type'],
    [{ type: 7 }, 'EVENT_TYPE_INVALID type'],
    [{ resource: 'Post' }, 'FIELD_INVALID/not_a_resource resource'],
    [{ resource: 'x'.repeat(51) }, 'FIELD_INVALID/not_a_resource resource'],
    [{ resource: undefined }, 'FIELD_INVALID/not_a_resource resource'],
    [{ resourceId: '' }, 'FIELD_INVALID/wrong_length resourceId'],
    [{ resourceId: 'x'.repeat(256) }, 'FIELD_INVALID/wrong_length resourceId'],
    [{ resourceId: 'a\0b' }, 'FIELD_INVALID/not_storable resourceId'],
    [{ resourceId: '\ud800' }, 'FIELD_INVALID/not_storable resourceId'],
    [{ version: 0 }, 'FIELD_INVALID/not_whole_number version'],
    [{ version: 32_768 }, 'FIELD_INVALID/not_whole_number version'],
    [{ version: 1.5 }, 'FIELD_INVALID/not_whole_number version'],
    [{ data: [] }, 'FIELD_INVALID/not_json data'],
    [{ data: 'text' }, 'FIELD_INVALID/not_json data'],
    [{ data: { a: 1n } }, 'FIELD_INVALID/not_json data'],
    [{ data: { a: NaN } }, 'FIELD_INVALID/not_json data'],
    [{ data: { a: 2 ** 53 } }, 'FIELD_INVALID/not_json data'],
    [{ data: { a: 'a\0b' } }, 'FIELD_INVALID/not_json data'],
    [{ data: { text: 'x'.repeat(65_526) } }, 'EVENT_TOO_LARGE/data data'],
    [{ data: { text: 'é'.repeat(32_763) } }, 'EVENT_TOO_LARGE/data data'],
  ] as [object, string][])('is refused where it is not fit (%#)', (change, problem) => {
    expect(problemsOf([{ ...POST, ...change }])).toEqual([problem]);
  });

  test('cannot have a type, a resource or an action of usance', () => {
    for (const type of ['payment.settled', 'payment.noted', 'webhook_endpoint.created', 'usance.started'])
      expect(problemsOf([{ ...POST, type }]), type).toEqual(['EVENT_TYPE_RESERVED/type type']);
    expect(problemsOf([{ ...POST, resource: 'payment' }])).toEqual(['EVENT_TYPE_RESERVED/resource resource']);
    expect(problemsOf([{ ...POST, type: 'payment_run.now' }])).toEqual(['EVENT_TYPE_RESERVED/action type']);
  });

  test('can have 65,536 bytes of data, and a type of 100 characters', () => {
    const data = { text: 'x'.repeat(65_525) };
    expect(JSON.stringify(data)).toHaveLength(65_536);
    expect(problemsOf([{ ...POST, data, type: `posts.${'x'.repeat(94)}` }])).toEqual([]);
  });

  test('in a list is refused with every problem of every event, named by its place', () => {
    expect(problemsOf([POST, { ...POST, type: 'x', version: 0 }, { ...POST, resource: 'job' }], 'events')).toEqual([
      'EVENT_TYPE_INVALID events[1].type',
      'FIELD_INVALID/not_whole_number events[1].version',
      'EVENT_TYPE_RESERVED/resource events[2].resource',
    ]);
  });

  test('is one of 1 to 1,000 in a call, with 4 MiB of data together', () => {
    const large = { ...POST, data: { text: 'x'.repeat(65_000) } };
    expect(problemsOf([], 'events')).toEqual(['FIELD_INVALID/too_few_items events']);
    expect(
      problemsOf(
        Array.from({ length: 1_001 }, () => POST),
        'events',
      ),
    ).toEqual(['FIELD_INVALID/too_many_items events']);
    expect(
      problemsOf(
        Array.from({ length: 64 }, () => large),
        'events',
      ),
    ).toEqual([]);
    expect(
      problemsOf(
        Array.from({ length: 65 }, () => large),
        'events',
      ),
    ).toEqual(['EVENT_TOO_LARGE/together']);
  });
});

describe('reserved names', () => {
  test('are every noun of the catalogue, and every noun that usance will have', () => {
    const nouns = Object.keys(EVENT_CATALOGUE).map((type) => type.split('.')[0] ?? '');
    const planned = ['payout', 'quote', 'wallet', 'webhook', 'delivery', 'job', 'execution', 'processor', 'system'];
    for (const noun of [...nouns, ...planned]) expect(RESERVED_NOUNS).toContain(noun);
  });

  test('are first words only: a word that begins like one is free', () => {
    expect(problemsOf([{ ...POST, type: 'payments_of_mine.made', resource: 'payment_note' }])).toEqual([]);
    expect(problemsOf([{ ...POST, type: 'posts.payment.noted' }])).toEqual([]);
    expect(isOwnResource('jobs')).toBe(true);
  });
});

describe('the id of a resource', () => {
  test('is a UUIDv8 that no id of usance is', () => {
    const ours = [NIL_UUID, MAX_UUID, newId(), newBlockId(), executionIdOf(newId(), newId())];
    expect([...ours, invocationIdOf(newId(), 1)].filter(isOwnResourceId)).toEqual([]);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (resource, id) => {
        const derived = ownResourceId(newId(), resource, id);
        expect(isUuid(derived)).toBe(true);
        expect(isOwnResourceId(derived)).toBe(true);
        expect(derived).toMatch(/^ff.{12}8.{4}[89ab]/);
      }),
    );
  });

  test('is another for another tenant, resource or text, and the same for the same', () => {
    const [tenant, other] = [newId(), newId()];
    const ids = [
      ownResourceId(tenant, 'post', '1'),
      ownResourceId(other, 'post', '1'),
      ownResourceId(tenant, 'posts', '1'),
      ownResourceId(tenant, 'post', '11'),
      ownResourceId(tenant, 'post1', '1'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ownResourceId(tenant, 'post', '1')).toBe(ids[0]);
  });
});

describe('a stored event', () => {
  const resourceId = ownResourceId(newId(), 'post', 'post-1');

  test('is shown as the application gave it', () => {
    const data = { resourceId: 'post-1', data: { erased: true, resourceId: 'mine' } };
    expect(ownEventOf({ resourceId, data })).toEqual({ resourceId: 'post-1', data: data.data });
  });

  test('without data was erased, and so was the text of its id', () => {
    expect(ownEventOf({ resourceId, data: { erased: true } })).toEqual({ resourceId: null, data: null });
  });

  test('of another form is shown as it is', () => {
    for (const data of [{}, { resourceId: 7, data: {} }, { resourceId: 'post-1', data: null }])
      expect(ownEventOf({ resourceId, data })).toEqual({ resourceId: null, data });
  });

  test('of usance is none', () => {
    expect(ownEventOf({ resourceId: newId(), data: { resourceId: 'post-1', data: {} } })).toBeNull();
  });
});
