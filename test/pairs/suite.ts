// Runs the cases of a noun: a sample with one stop each, or all of them with every stop.
import { afterAll, describe, expect, test } from 'vitest';
import type { Noun } from './nouns.ts';
import type { Case, Start } from './pairs.ts';
import { casesOf, differences, isOneOf, numberOf, useArena } from './pairs.ts';

export interface Counts {
  pairs: number;
  cases: number;
  stops: number;
}

/** `share`: one case in so many, with one stop. Null: every case, with every stop. */
export function pairSuite(name: string, noun: Noun, share: number | null, done?: (counts: Counts) => void): void {
  describe(`two at once on ${name}`, () => {
    const arena = useArena();
    const counts = { pairs: Object.keys(noun.verbs).length ** 2, cases: 0, stops: 0 };
    test.each(Object.keys(noun.starts))('starting %s: the outcome is that of one after the other', async (start) => {
      const cases = casesOf(noun).filter(
        (each) => each.start === start && (share === null || numberOf(each.name) % share === 0),
      );
      const wrong: string[] = [];
      const prepared = cases.length > 0 ? await arena.arrange(noun, start) : null;
      for (const each of cases) {
        const found = await tryCase(prepared ?? expect.fail(), each, share === null);
        counts.cases += 1;
        counts.stops += found.stops;
        wrong.push(...found.wrong);
      }
      expect(wrong.join('\n\n')).toBe('');
    });
    afterAll(() => done?.(counts));
  });
}

async function tryCase(
  start: Start,
  { name, stopped, other }: Case,
  everyStop: boolean,
): Promise<{ stops: number; wrong: string[] }> {
  const before = await start.inTurn(stopped, other, 'stopped');
  const serial = [before.outcome, (await start.inTurn(stopped, other, 'other')).outcome];
  const wrong: string[] = [];
  let stops = 0;
  const last = everyStop ? before.statements : 1;
  for (let n = 1; n <= last; n += 1) {
    const stop = everyStop ? n : 1 + (numberOf(`${name} stop`) % before.statements);
    const outcome = await start.atOnce(stopped, other, stop);
    if (!outcome) break;
    stops += 1;
    if (!isOneOf(outcome, serial)) wrong.push(`${name} before statement ${stop}\n${differences(outcome, serial)}`);
  }
  return { stops, wrong };
}
