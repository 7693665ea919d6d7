// Who sends, who waits and who is left to a summary.
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import type { TurnState } from '../../src/notifications/turn.ts';
import { decideTurn } from '../../src/notifications/turn.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number): Date => new Date(AT.getTime() + seconds * 1_000);
const FRESH: TurnState = {
  maxPerMinute: 2,
  windowAt: null,
  windowSent: 0,
  carrierId: null,
  carrierDueAt: null,
  isQueued: false,
  hasRows: false,
};

/** Runs executions one after the other, each at its second, on one state. */
function play(...turns: readonly (readonly [id: string, second: number])[]): string[] {
  let state = FRESH;
  const queued = new Set<string>();
  return turns.map(([id, second]) => {
    const { turn, next } = decideTurn({ ...state, isQueued: queued.has(id) }, id, after(second));
    state = { ...state, ...next };
    if (turn.kind === 'queued') queued.add(id);
    return turn.kind === 'wait' ? `wait ${turn.forMs / 1_000}` : turn.kind;
  });
}

describe('a turn', () => {
  const [a, b, c, d, e] = [newId(), newId(), newId(), newId(), newId()];

  test('sends the first messages of a minute at once, and the next one carries a summary of the rest', () => {
    expect(play([a, 0], [b, 10], [c, 20], [d, 30], [e, 50], [c, 60])).toEqual([
      'send',
      'send',
      'wait 40',
      'queued',
      'queued',
      'summary',
    ]);
  });

  test('begins a new minute with the message after the old one, and counts a summary', () => {
    expect(play([a, 0], [b, 0], [c, 61], [d, 62], [e, 63])).toEqual(['send', 'send', 'send', 'send', 'wait 58']);
    expect(play([a, 0], [b, 0], [c, 1], [c, 60], [d, 61], [e, 62])).toEqual([
      'send',
      'send',
      'wait 59',
      'summary',
      'send',
      'wait 58',
    ]);
  });

  test('of a carrier that begins too early waits for the rest of the minute, and of one left to a summary stays that', () => {
    expect(play([a, 0], [b, 0], [c, 30], [c, 45], [d, 46], [d, 47], [c, 60], [d, 61])).toEqual([
      'send',
      'send',
      'wait 30',
      'wait 15',
      'queued',
      'queued',
      'summary',
      'queued',
    ]);
  });

  test('replaces a carrier that is ten minutes late', () => {
    expect(play([a, 0], [b, 0], [c, 1], [d, 599])).toEqual(['send', 'send', 'wait 59', 'send']);
    const late = { ...FRESH, windowAt: after(655), windowSent: 2, carrierId: c, carrierDueAt: after(60) };
    expect(decideTurn(late, d, after(659)).turn).toEqual({ kind: 'queued' });
    expect(decideTurn(late, d, after(660))).toMatchObject({ turn: { kind: 'wait' }, next: { carrierId: d } });
  });

  test('of a summary that failed sends the summary again, whoever carries the next one', () => {
    const failed = { ...FRESH, windowAt: AT, windowSent: 2, carrierId: d, carrierDueAt: after(60), hasRows: true };
    expect(decideTurn(failed, c, after(30))).toMatchObject({ turn: { kind: 'summary' }, next: { carrierId: d } });
  });
});
