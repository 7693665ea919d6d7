// A sample; `npm run proof` asks about every zone.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { compareZone } from './server-zones.ts';

const server = useDatabase();

// Half hours (Lord Howe), clocks changed at midnight, no clock changes at all, the southern half, a missing day, zones that gave
// them up, and some whose rules follow the moon.
const SAMPLE = [
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/Istanbul',
  'Pacific/Apia',
  'UTC',
];

test.each(SAMPLE)('%s: every slot is at the instant that PostgreSQL computes for it', async (zone) => {
  const { differences, instants, transitions } = await compareZone(server.db, zone, 2008, 2020);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(instants).toBeGreaterThan(9_000);
  expect(transitions > 0).toBe(!['Asia/Kolkata', 'UTC'].includes(zone));
});
