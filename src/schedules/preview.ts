// What a rule would do, without a schedule: its words and its next runs. Nothing is read but the clock, and nothing is written.
import { refuse, together } from '../kernel/index.ts';
import type { TimingInput } from './rules/index.ts';
import { Timetable, fillTiming, formatLocal, summaryOf } from './rules/index.ts';

export interface PreviewedRun {
  /** Nominal local time, `2026-01-31T09:00:00`; of a fixed period in UTC. */
  readonly slot: string;
  readonly ordinal: number;
  /** When it runs, as the clocks of the zone show it then. */
  readonly local: string;
  readonly at: Date;
}

export interface SchedulePreview {
  /** The rule in words. */
  readonly summary: string;
  readonly zone: string;
  /** The given start, or the day that the rule would be anchored to if it were created now. */
  readonly start: string;
  /** The next runs after now; fewer where the rule ends before. */
  readonly runs: readonly PreviewedRun[];
}

export const MOST_PREVIEWED = 366;
const USUAL_RUNS = 10;

function requireLimit(limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST_PREVIEWED) return;
  refuse('FIELD_INVALID/not_whole_number', { param: 'limit', min: 1, max: MOST_PREVIEWED });
}

/** Refuses what creating a schedule would refuse of its timing. */
export function previewTiming(input: TimingInput, now: Date, limit = USUAL_RUNS): SchedulePreview {
  const { timing } = together({
    limit: () => requireLimit(limit),
    timing: () => fillTiming(input, now),
  });
  const timetable = new Timetable(timing);
  const runs: PreviewedRun[] = [];
  for (let slot = timetable.after(now.getTime()); slot && runs.length < limit; slot = timetable.next(slot)) {
    runs.push({
      slot: formatLocal(slot.local),
      ordinal: slot.ordinal,
      local: formatLocal(timetable.zone.toLocal(slot.at)),
      at: new Date(slot.at),
    });
  }
  return { summary: summaryOf(timing), zone: timing.zone, start: timing.start, runs };
}
