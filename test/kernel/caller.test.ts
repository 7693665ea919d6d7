import { describe, expect, test } from 'vitest';
import { LIBRARY, SYSTEM, callerOf, namedCaller } from '../../src/kernel/index.ts';
import { refusedWith } from '../support/refusal.ts';

describe('a caller', () => {
  test('is somebody, from somewhere or not', () => {
    // Outside HTTP the name is the scope of idempotency keys, and external money may be moved.
    const itself = {
      scope: 'jo',
      countsFor: ['person:jo'],
      mayMoveExternalMoney: true,
      traceContext: null,
      reason: null,
    };
    expect(callerOf({ actor: 'jo' })).toEqual({ actor: 'jo', ip: null, userAgent: null, requestId: null, ...itself });
    const whole = { actor: 'jo', ip: '2001:db8::1', userAgent: 'curl/8', requestId: 'req_1' };
    expect(callerOf(whole)).toEqual({ ...whole, ...itself });
    const identity = { scope: 'key:first', countsFor: ['person:Jo'], mayMoveExternalMoney: false };
    expect(callerOf(whole, identity)).toEqual({ ...whole, ...identity, traceContext: null, reason: null });
    expect([LIBRARY.actor, SYSTEM.actor]).toEqual(['library', 'system']);
  });

  test.each([
    ['Jo  Miller', ['person:jo miller']],
    ['cli:Jo', ['person:cli:jo', 'person:jo']],
    ['library', ['person:library']],
  ])('that is no key counts as the person %s', (actor, names) => {
    expect(callerOf({ actor }).countsFor).toEqual(names);
  });

  test.each(['', 'x'.repeat(201), 'nul\0', '\uD800'])('cannot be called %j', (actor) => {
    expect(refusedWith(() => callerOf({ actor }))).toBe('FIELD_INVALID');
  });

  test.each(['system', 'system:x', 'key:0199', 'user:ann', 'schedule:nightly', 'schedule:', 'key'])(
    'that names itself cannot be called %s',
    (actor) => {
      expect(refusedWith(() => namedCaller({ actor }))).toBe('FIELD_INVALID');
    },
  );

  test.each(['library', 'cli:jo', 'systems', 'scheduler', 'keys:rotate', 'my:schedule:1'])(
    'that names itself may be called %s',
    (actor) => {
      expect(namedCaller({ actor }).actor).toBe(actor);
    },
  );

  test('can say why, in at most 500 characters, without the spaces around them', () => {
    const reasonOf = (reason: string | null): string | null => callerOf({ actor: 'jo', reason }).reason;
    expect(reasonOf('  asked for by Zoë \n')).toBe('asked for by Zoë');
    expect([reasonOf(null), reasonOf(''), reasonOf(' \t')]).toEqual([null, null, null]);
    expect(reasonOf('💶'.repeat(500))).toHaveLength(1_000);
    for (const reason of ['x'.repeat(501), '💶'.repeat(501), 'nul\0', '\uD800'])
      expect(refusedWith(() => reasonOf(reason))).toBe('FIELD_INVALID');
  });

  test('is not kept from anything by an odd address or a long header', () => {
    const odd = callerOf({ actor: 'jo', ip: 'unix:', userAgent: `\0${'x'.repeat(199)}\u{1F600}`, requestId: '' });
    expect(odd).toMatchObject({ ip: null, requestId: null });
    expect(odd.userAgent).toHaveLength(199);
    expect(callerOf({ actor: 'jo', ip: 'fe80::1%eth0' }).ip).toBe('fe80::1');
  });
});
