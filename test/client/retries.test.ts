// When the client sends a request again, and how it reads a stream. Nothing here needs a server: the answers are made up.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Code } from '../../src/kernel/index.ts';
import { CATALOGUE } from '../../src/kernel/index.ts';
import { UsanceProblem, createClient } from '../../src/client/index.ts';
import { createEventReader } from '../../src/client/event-stream.ts';

const HOLD = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '1', delay: '1h' };

interface Canned {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Answers in turn, then with 200; `sent` are the addresses that were asked. */
function answering(...canned: Canned[]) {
  const sent: string[] = [];
  const answer: typeof fetch = (input) => {
    sent.push(input instanceof Request ? input.url : input.toString());
    const { status = 200, headers = {}, body = '{}' } = canned.shift() ?? {};
    return Promise.resolve(new Response(body, { status, headers }));
  };
  return { sent, client: createClient({ url: 'http://usance.test', key: 'k', fetch: answer }) };
}

const problem = (code: Code): Canned => {
  const { status, title, retryable } = CATALOGUE[code];
  return { status, body: JSON.stringify({ type: '', title, status, code, detail: 'no', request_id: 'r', retryable }) };
};

afterEach(() => vi.useRealTimers());

describe('Retry-After', () => {
  const DATE = 'Mon, 16 Nov 2026 10:00:00 GMT';
  test.each([
    ['20', {}],
    ['Mon, 16 Nov 2026 10:00:20 GMT', { date: DATE }],
  ])('%s is waited for, 20 seconds', async (after, more) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { sent, client } = answering({ status: 429, headers: { 'retry-after': after, ...more } });
    const call = client.holds.create(HOLD);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(sent).toHaveLength(2);
  });

  test('of an hour is not waited for: the caller is told', async () => {
    const { sent, client } = answering({ ...problem('RATE_LIMITED'), headers: { 'retry-after': '3600' } });
    await expect(client.holds.create(HOLD)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 3_600_000 });
    expect(sent).toHaveLength(1);
  });

  test('is waited for by a loop over events too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const event = { status: 200, body: 'data: {"seq":1}\r\n\r\n' };
    const { sent, client } = answering({ ...problem('RATE_LIMITED'), headers: { 'retry-after': '20' } }, event);
    const first = client.events.follow()[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toMatchObject({ value: { seq: 1 } });
  });
});

describe('a refusal', () => {
  const codes = Object.keys(CATALOGUE) as Code[];
  const passes = codes.filter((code) => CATALOGUE[code].retryable && CATALOGUE[code].status !== 422);

  test.each(passes.filter((code) => code !== 'APPROVAL_AWAITED'))(
    '%s is over in a moment: sent again',
    async (code) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { sent, client } = answering(problem(code));
      const call = client.holds.create(HOLD);
      await vi.runAllTimersAsync();
      await call;
      expect(sent).toHaveLength(2);
    },
  );

  test('that time does not change is sent once', async () => {
    const others = codes.filter((code) => !passes.includes(code) || code === 'APPROVAL_AWAITED');
    expect(others.length).toBeGreaterThan(80);
    for (const code of others) {
      const { sent, client } = answering(problem(code));
      await expect(client.holds.create(HOLD), code).rejects.toBeInstanceOf(UsanceProblem);
      expect(sent, code).toHaveLength(1);
    }
  });
});

test('a filter without a value is not sent', async () => {
  const { sent, client } = answering({ status: 200, body: 'data: {"seq":1}\n\n' });
  for await (const event of client.events.follow({
    type: undefined,
    resource: 'payment',
    resourceId: undefined,
  } as object)) {
    expect(event.seq).toBe(1);
    break;
  }
  expect(sent).toEqual(['http://usance.test/v1/events/stream?resource=payment']);
});

describe('an event stream', () => {
  const LINES = [
    ': follow',
    '',
    'id: 1',
    'event: a',
    'data: {"a":',
    'data: 1}',
    '',
    'data:{"b":2}',
    '',
    ': bye',
    'id: 2',
    '',
    'data',
    '',
    '',
  ];

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('with lines that end with %s is read, wherever it is cut', (_name, end) => {
    const text = LINES.join(end);
    for (let cut = 0; cut <= text.length; cut += 1) {
      const read = createEventReader();
      const events = [...read(text.slice(0, cut)), ...read(''), ...read(text.slice(cut))];
      expect(events, `cut at ${cut}`).toEqual([
        { id: '1', data: '{"a":\n1}' },
        { id: null, data: '{"b":2}' },
        { id: '2', data: null },
        { id: null, data: '' },
      ]);
    }
  });
});
