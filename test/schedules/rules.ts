// A rule's slots in words.
import type { TimingInput } from '../../src/schedules/rules/index.ts';
import { Timetable, fillTiming, formatLocal } from '../../src/schedules/rules/index.ts';

export function timetable(timing: TimingInput, now = '2026-01-01T00:00:00Z'): Timetable {
  return new Timetable(fillTiming(timing, new Date(now)));
}

/** The first slots, as local times: dates alone where all of them are at the same time of day. */
export function slots(timing: TimingInput, count: number): string[] {
  const table = timetable(timing);
  const found: string[] = [];
  for (let slot = table.first(); slot && found.length < count; slot = table.next(slot))
    found.push(formatLocal(slot.local));
  const times = new Set(found.map((text) => text.slice(11)));
  return times.size === 1 ? found.map((text) => text.slice(0, 10)) : found.map((text) => text.slice(0, 16));
}

/** The first slots as instants, to the minute. */
export function instants(timing: TimingInput, count: number): string[] {
  const table = timetable(timing);
  const found: string[] = [];
  for (let slot = table.first(); slot && found.length < count; slot = table.next(slot))
    found.push(new Date(slot.at).toISOString().slice(0, 16));
  return found;
}
