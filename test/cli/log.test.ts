// Log lines: one JSON object a line with the documented fields and no others, or text for people.
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/cli/log.ts';
import { createLog } from '../../src/cli/log.ts';
import type { Screen } from '../../src/cli/screen.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A screen that keeps its lines: of stdout, or of stderr where stdout is one JSON document. */
function kept(json = false): { screen: Screen; out: string[]; err: string[] } {
  const [out, err]: [string[], string[]] = [[], []];
  const none = (): void => undefined;
  const screen = { json, line: (text = '') => out.push(text), notice: (text: string) => err.push(text) };
  return { screen: { ...screen, document: none, progress: none }, out, err };
}

const config = (logFormat: 'json' | 'pretty', logLevel: (typeof LEVELS)[number] = 'debug') => ({ logFormat, logLevel });

function linesOf(write: (log: ReturnType<typeof createLog>) => void, level?: (typeof LEVELS)[number]) {
  const { screen, out } = kept();
  write(createLog(screen, config('json', level)));
  return out.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a JSON log line', () => {
  test('has time, level, message and the given fields, and nothing of the process', () => {
    const before = Date.now();
    const fields: Fields = { loop: 'processor', counts: { settled: 4, retrying: 1 }, duration_ms: 2.5, actor: null };
    const [line] = linesOf((log) => log.info('processor: settled 4', fields));
    expect(line).toEqual({ time: expect.any(String), level: 'info', message: 'processor: settled 4', ...fields });
    const time = new Date(String(line?.['time']));
    expect(time.toISOString()).toBe(line?.['time']);
    expect(time.getTime()).toBeGreaterThanOrEqual(before);
    expect(time.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('names its level, and is written from LOG_LEVEL up', () => {
    const all = (log: ReturnType<typeof createLog>): void => LEVELS.forEach((level) => log[level](level));
    for (const [index, lowest] of LEVELS.entries()) {
      expect(linesOf(all, lowest).map(({ level }) => level)).toEqual(LEVELS.slice(index));
    }
  });

  test('leaves out fields that are not on the list, and keeps its own three', () => {
    const sneaked = {
      loop: 'x',
      authorization: 'Bearer s',
      headers: {},
      time: 'never',
      level: 'none',
      message: 'other',
    };
    const [line] = linesOf((log) => log.warn('said', sneaked));
    expect(line).toEqual({ time: expect.stringMatching(/^\d{4}-/), level: 'warn', message: 'said', loop: 'x' });
  });

  test.each(['100 %', '%s %d %o %j', '%%', '"quoted" \\ back', 'two\nlines', '\u001B[2J', '\u2028', '\uD800', ''])(
    'has the message %j as it was given',
    (message) => {
      const { screen, out } = kept();
      createLog(screen, config('json')).info(message, { error: message });
      expect(out).toHaveLength(1);
      expect(out[0]).not.toContain('\n');
      expect(JSON.parse(out[0] ?? '')).toMatchObject({ message, error: message });
    },
  );

  test('has a request and an error of ours as plain fields', () => {
    const fields: Fields = { method: 'GET', route: '/v1/x', error: 'Error', stack: 'at a\nat b', request_id: 'r' };
    expect(linesOf((log) => log.error('GET /v1/x: Error', fields))).toMatchObject([fields]);
  });

  test('goes to stderr where stdout is one JSON document', () => {
    const { screen, out, err } = kept(true);
    createLog(screen, config('json')).info('said');
    expect([out, err.length]).toEqual([[], 1]);
  });
});

describe('a log line for people', () => {
  test('is its message, after the time of day unless it is bare, and a line for each of the stack', () => {
    const { screen, out } = kept();
    createLog(screen, config('pretty'), { bare: true }).info('said', { stack: 'at a\nat b', loop: 'x' });
    expect(out).toEqual(['said', expect.stringContaining('at a'), expect.stringContaining('at b')]);
    createLog(screen, config('pretty')).info('said');
    expect(out.at(-1)).toMatch(/\d\d:\d\d:\d\d.*said$/);
  });

  test('is written from LOG_LEVEL up', () => {
    const { screen, out } = kept();
    const log = createLog(screen, config('pretty', 'warn'), { bare: true });
    for (const level of LEVELS) log[level](level);
    expect(out.map((line) => /warn|error|info|debug/.exec(line)?.[0])).toEqual(['warn', 'error']);
  });
});
