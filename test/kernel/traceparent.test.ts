import { describe, expect, test } from 'vitest';
import { callerOf, parseTraceparent } from '../../src/kernel/index.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const VALID = `00-${TRACE}-${PARENT}-01`;

describe('a traceparent', () => {
  test.each([
    ['of version 00', VALID, VALID],
    ['that is not sampled', `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-00`],
    ['of a later version', `cc-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-01`],
    ['of a later version with more fields, without them', `01-${TRACE}-${PARENT}-01-more`, `01-${TRACE}-${PARENT}-01`],
  ])('%s is kept', (_, text, kept) => {
    expect(parseTraceparent(text)).toBe(kept);
  });

  test.each([
    ['none', undefined],
    ['null', null],
    ['an empty text', ''],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['more fields than version 00 has', `${VALID}-more`],
    ['a later version with text behind its flags', `01-${TRACE}-${PARENT}-01more`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', VALID.toUpperCase()],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['two headers in one', `${VALID}, ${VALID}`],
    ['space around it', ` ${VALID}`],
    ['a line break behind it', `${VALID}\n`],
  ])('that is %s is ignored', (_, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  test('of a caller is part of the caller, and an invalid one refuses nothing', () => {
    expect(callerOf({ actor: 'jo', traceContext: VALID }).traceContext).toBe(VALID);
    expect(callerOf({ actor: 'jo', traceContext: 'nonsense' }).traceContext).toBeNull();
    expect(callerOf({ actor: 'jo' }).traceContext).toBeNull();
  });
});
