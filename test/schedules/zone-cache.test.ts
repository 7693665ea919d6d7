// Names of zones come from outside, and a zone is not free: they are kept once, however they are spelt, and not without bound.
import { expect, test } from 'vitest';
import { refusedWith } from '../support/refusal.ts';
import { MOST_SPELLINGS, MOST_ZONES, zoneOf, zonesKept } from '../../src/schedules/rules/zone.ts';
import { formatLocal } from '../../src/schedules/rules/index.ts';
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

const excluding = (zone: string, moment = '20260102T000000'): { rrule: string } => ({
  rrule: `FREQ=DAILY\nEXDATE;TZID=${zone}:${moment}`,
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['US/Eastern', 'America/New_York'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  // Other names of Europe/Berlin and Africa/Nairobi in the tz database; the runtime has them as zones of their own.
  ['Europe/Oslo', 'Europe/Berlin'],
  ['Africa/Asmera', 'Africa/Nairobi'],
])('an EXDATE names the zone of its schedule by any of its names: %s for %s', (name, zone) => {
  const table = timetable({ rule: excluding(name), zone, start: '2026-01-02' });
  expect(formatLocal(table.first()?.local ?? 0)).toBe('2026-01-03T00:00:00');
});

test('an EXDATE in a gap of the clocks, by another name of the zone, excludes the slot there', () => {
  const rule = excluding('Europe/Oslo', '20260329T023000');
  const table = timetable({ rule, zone: 'Europe/Berlin', start: '2026-03-29T02:30' });
  expect(formatLocal(table.first()?.local ?? 0)).toBe('2026-03-30T02:30:00');
});

test('an EXDATE of a zone whose clocks show another time is refused', () => {
  expect(refusedWith(() => timetable({ rule: excluding('Europe/Lisbon'), zone: 'Europe/Berlin' }))).toBe(
    'RULE_INVALID',
  );
  expect(refusedWith(() => timetable({ rule: excluding('Mars/Olympus'), zone: 'Europe/Berlin' }))).toBe('ZONE_UNKNOWN');
});
