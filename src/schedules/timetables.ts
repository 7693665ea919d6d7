// Reading a rule costs more than asking it, and a tick asks the same rules again and again: those read last are kept.
import type { Timing } from './rules/index.ts';
import { Timetable } from './rules/index.ts';

const KEPT = 20_000;
const kept = new Map<string, { timing: Timing; timetable: Timetable }>();

/** Of a timing as the store has it. */
export function readTiming(text: string): { readonly timing: Timing; readonly timetable: Timetable } {
  const known = kept.get(text);
  if (known) return known;
  const timing = JSON.parse(text) as Timing;
  const read = { timing, timetable: new Timetable(timing) };
  if (kept.size >= KEPT) kept.clear();
  kept.set(text, read);
  return read;
}
