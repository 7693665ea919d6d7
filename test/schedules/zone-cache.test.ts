// Names of zones come from outside, and a zone is not free: they are kept once, however they are spelt, and not without bound.
import { expect, test } from 'vitest';
import { refusedWith } from '../support/refusal.ts';
import { MOST_SPELLINGS, MOST_ZONES, zoneOf, zonesKept } from '../../src/schedules/rules/zone.ts';
import { timetable } from './rules.ts';

/** Spellings of a name that differ in their capitals. */
function* spellingsOf(name: string, count: number): Generator<string> {
  for (let bits = 0; bits < count; bits += 1) {
    yield name.replaceAll(/[a-z]/gi, (letter, at: number) =>
      (bits >> (at % 13)) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
    );
  }
}

test('a zone is kept once, however often and however it is spelt', () => {
  const berlin = zoneOf('Europe/Berlin');
  const before = zonesKept().zones;
  for (const name of spellingsOf('Europe/Berlin', 5_000)) expect(zoneOf(name)).toBe(berlin);
  expect(zonesKept().zones).toBe(before);
  expect(zonesKept().spellings).toBeLessThanOrEqual(MOST_SPELLINGS);
});

test('all zones there are fit, and no more are kept', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) zoneOf(name);
  for (let hours = 1; hours <= 12; hours += 1) zoneOf(`Etc/GMT+${hours}`);
  expect(zonesKept().zones).toBeLessThanOrEqual(MOST_ZONES);
});

test('an EXDATE names the zone of its schedule in any spelling, and no other zone', () => {
  const rrule = (zone: string): { rrule: string } => ({
    rrule: `FREQ=DAILY\nEXDATE;TZID=${zone}:20260102T000000`,
  });
  const table = timetable({ rule: rrule('europe/berlin'), zone: 'Europe/Berlin', start: '2026-01-02' });
  expect(table.first()?.at).toBe(Date.UTC(2026, 0, 2, 23));
  expect(refusedWith(() => timetable({ rule: rrule('Europe/Madrid'), zone: 'Europe/Berlin' }))).toBe('RULE_INVALID');
});
