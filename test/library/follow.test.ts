// `events.follow` of the library: what it reads while nothing happens.
import { expect, test } from 'vitest';
import type { Event } from '../../src/client/index.ts';
import { createPages } from '../../src/client/inner.ts';
import type { Engine } from '../../src/engine.ts';
import { createFollow } from '../../src/library/follow.ts';
import type { EventsResource } from '../../src/library/resources.ts';

const event = (seq: number, type: string): Event => ({ seq, cursor: `${seq}-0123abcd`, type }) as Event;
/** Wakes at once. */
const wakeUps = { follow: () => ({ wait: () => Promise.resolve(), close: () => undefined }) };

test('follow with a filter goes on after the last event that it looked at, and not after the last that fits', async () => {
  const history = [event(1, 'payment.created'), ...Array.from({ length: 99 }, (_, n) => event(n + 2, 'other'))];
  const asked: number[] = [];
  const stop = new AbortController();
  const list = ({ type, after: cursor = 0 }: { type?: string; after?: number | string } = {}) => {
    const after = Number.parseInt(String(cursor), 10);
    asked.push(after);
    if (asked.length === 2) history.push(event(101, 'other'), event(102, 'payment.settled'));
    if (asked.length === 4) stop.abort();
    const fits = history.filter((each) => each.seq > after && each.type.startsWith(String(type).replace('*', '')));
    return createPages(() => Promise.resolve({ data: fits, nextCursor: null, hasMore: false }));
  };
  const follow = createFollow(
    { list: list as unknown as EventsResource['list'] },
    () => Promise.resolve(),
    () => Promise.resolve(history.at(-1)?.cursor ?? '0'),
    { wakeUps: wakeUps as unknown as Engine['wakeUps'] },
  );
  const seen: number[] = [];
  for await (const { seq } of follow({ type: 'payment.*' }, { signal: stop.signal })) seen.push(seq);
  // The second look began at 100, before the two events came, and still returned the one that fits.
  expect(seen).toEqual([1, 102]);
  expect(asked).toEqual([0, 100, 102, 102]);
});

test('follow after `latest` begins with the next event', async () => {
  const history = [event(1, 'payment.created'), event(2, 'payment.settled')];
  const asked: (number | string | undefined)[] = [];
  const stop = new AbortController();
  const list = ({ after }: { after?: number | string } = {}) => {
    asked.push(after);
    if (asked.length === 1) history.push(event(3, 'payment.created'));
    else stop.abort();
    const fits = history.filter((each) => each.seq > Number.parseInt(String(after), 10));
    return createPages(() => Promise.resolve({ data: fits, nextCursor: null, hasMore: false }));
  };
  const follow = createFollow(
    { list: list as unknown as EventsResource['list'] },
    () => Promise.resolve(),
    () => Promise.resolve(history.at(-1)?.cursor ?? '0'),
    { wakeUps: wakeUps as unknown as Engine['wakeUps'] },
  );
  const seen: number[] = [];
  for await (const { seq } of follow({ after: 'latest' }, { signal: stop.signal })) seen.push(seq);
  expect(seen).toEqual([3]);
  expect(asked[0]).toBe('2-0123abcd');
});
