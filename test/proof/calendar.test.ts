// Every zone, every transition from 2000 to 2050, anchors on the 28th to the 31st and on 29 February: our instants against
// those of PostgreSQL, which has its own zone data. And the properties of rules, by the ten thousand.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RULE_PROPERTIES } from '../schedules/rule-properties.ts';
import type { Difference } from '../schedules/server-zones.ts';
import { commonZones, compareZone } from '../schedules/server-zones.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, banner } from './banner.ts';

const server = useDatabase();
const RUNS = 10_000;

/**
 * Where the zone data of Node (tzdata 2026c) and of the bundled server (PostgreSQL 18.4) differ between 2000 and 2050, and
 * from when on: Morocco gave up its clock changes, Alberta its winter time, both after the server's data was made. A
 * difference that is not in this list, or is no longer one, fails the proof.
 */
const KNOWN_DIFFERENCES = {
  'Africa/Casablanca': '2026-09-20',
  'Africa/El_Aaiun': '2026-09-20',
  'America/Edmonton': '2026-11-01',
};

test('every slot is at the instant that PostgreSQL computes for it, in every zone', async () => {
  const zones = await commonZones(server.db);
  const differences: Difference[] = [];
  const total = { zones: zones.length, transitions: 0, instants: 0, slots: 0 };
  for (const zone of zones) {
    const found = await compareZone(server.db, zone, 2000, 2050);
    differences.push(...found.differences);
    total.transitions += found.transitions;
    total.instants += found.instants;
    total.slots += found.slots;
  }
  const first = [...Map.groupBy(differences, (difference) => difference.zone).values()].flatMap((own) =>
    own.slice(0, 1),
  );
  banner('calendar against PostgreSQL', {
    ...total,
    differing: first.length,
    tzdata: process.versions['tz'] ?? 'unknown',
  });
  for (const { zone, what, ours, server: said } of first) {
    process.stdout.write(`  differs: ${zone}, ${what}: ${ours}, the server ${said}\n`);
  }
  const since = Object.fromEntries(first.map(({ zone, what }) => [zone, what.replace('offset at ', '').slice(0, 10)]));
  expect(since).toEqual(KNOWN_DIFFERENCES);
  expect(zones.length).toBeGreaterThan(400);
});

test.each(RULE_PROPERTIES)(`for every rule, ${RUNS} times: %s`, (title, property) => {
  banner(`rules: ${title}`, { seed: SEED, runs: RUNS });
  expect(fc.check(property, { seed: SEED, numRuns: RUNS })).toMatchObject({ failed: false });
});
